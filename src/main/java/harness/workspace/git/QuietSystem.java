package harness.workspace.git;

import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.eclipse.jgit.lib.Config;
import org.eclipse.jgit.storage.file.FileBasedConfig;
import org.eclipse.jgit.util.FS;
import org.eclipse.jgit.util.SystemReader;
import org.jspecify.annotations.Nullable;

/**
 * What JGit learns of the machine: the time and the kind of system. No environment, no home, no
 * configuration of the user or the system, and so no reason to ask the git program where these are.
 */
final class QuietSystem extends SystemReader.Delegate {
  /**
   * How close to its reading a file's last change may lie before it is read again. Told here,
   * because JGit otherwise measures it with probe files in the repository, for seconds.
   */
  private static final long RACY_MILLIS = 10;

  private static final Set<String> PROPERTIES =
      Set.of("os.name", "java.vendor", "java.version", "native.encoding", "file.encoding");

  static {
    SystemReader.setInstance(new QuietSystem(SystemReader.getInstance()));
  }

  private QuietSystem(SystemReader time) {
    super(time);
  }

  /** Makes JGit quiet; every way into JGit calls it before anything else. */
  static void install() {
    // The static initializer did it, once.
  }

  @Override
  public String getHostname() {
    return "localhost";
  }

  @Override
  public @Nullable String getenv(String variable) {
    return null;
  }

  @Override
  public @Nullable String getProperty(String key) {
    return PROPERTIES.contains(key) ? System.getProperty(key) : null;
  }

  @Override
  public FileBasedConfig openUserConfig(@Nullable Config parent, FS fs) {
    return new Nothing(parent, fs);
  }

  @Override
  public FileBasedConfig openSystemConfig(@Nullable Config parent, FS fs) {
    return new Nothing(parent, fs);
  }

  @Override
  public FileBasedConfig openJGitConfig(@Nullable Config parent, FS fs) {
    return new Nothing(parent, fs);
  }

  @Override
  public @Nullable Path getXdgConfigDirectory(FS fileSystem) {
    return null;
  }

  @Override
  public @Nullable Path getXdgCacheDirectory(FS fileSystem) {
    return null;
  }

  /** A configuration that no file stands behind. */
  private static final class Nothing extends FileBasedConfig {
    Nothing(@Nullable Config parent, FS fs) {
      super(parent, null, fs);
    }

    @Override
    public void load() {}

    @Override
    public void save() {}

    @Override
    public boolean isOutdated() {
      return false;
    }

    @Override
    public long getTimeUnit(
        String section,
        @Nullable String subsection,
        String name,
        long defaultValue,
        TimeUnit wantUnit) {
      return section.equals("filesystem")
          ? wantUnit.convert(RACY_MILLIS, TimeUnit.MILLISECONDS)
          : super.getTimeUnit(section, subsection, name, defaultValue, wantUnit);
    }

    @Override
    public String toString() {
      return "no configuration";
    }
  }
}
