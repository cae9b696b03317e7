package harness.workspace.git;

import java.io.IOException;
import java.util.Optional;
import org.eclipse.jgit.attributes.AttributesNode;
import org.eclipse.jgit.attributes.AttributesNodeProvider;
import org.eclipse.jgit.errors.ConfigInvalidException;
import org.eclipse.jgit.lib.BaseRepositoryBuilder;
import org.eclipse.jgit.lib.RefDatabase;
import org.eclipse.jgit.lib.ReflogReader;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.lib.StoredConfig;
import org.jspecify.annotations.Nullable;

/**
 * A repository for JGit, of which it knows no path: objects, refs and logs come from open
 * directories, the configuration from memory. Nothing is written through it.
 */
final class OpenRepository extends Repository {
  private final GitDirs dirs;
  private final StoredConfig config;
  private final StoredObjects objects;
  private final StoredRefs refs;

  private OpenRepository(GitDirs dirs, StoredConfig config) {
    super(new BaseRepositoryBuilder<>().setFS(new QuietFs()));
    this.dirs = dirs;
    this.config = config;
    this.objects = new StoredObjects(dirs);
    this.refs = new StoredRefs(this, dirs);
  }

  /**
   * Opens the repository of these directories, which stay open as long as it.
   *
   * @throws GitException where it is of a format that can't be read
   */
  static OpenRepository open(GitDirs dirs) throws IOException {
    QuietSystem.install();
    StoredConfig config = new Memory();
    Optional<byte[]> text = GitFile.bytes(dirs.commonDir(), "config", SafeConfig.MAX_BYTES);
    try {
      config.fromText(
          SafeConfig.reduce(text.orElse(new byte[0]), dirs.commonDir().path() + "/config"));
    } catch (ConfigInvalidException e) {
      throw new GitException(
          "the configuration of " + dirs.commonDir().path() + " can't be used", e);
    }
    return new OpenRepository(dirs, config);
  }

  @Override
  public String getIdentifier() {
    return dirs.gitDir().path();
  }

  @Override
  public StoredObjects getObjectDatabase() {
    return objects;
  }

  @Override
  public RefDatabase getRefDatabase() {
    return refs;
  }

  @Override
  public StoredConfig getConfig() {
    return config;
  }

  @Override
  public @Nullable ReflogReader getReflogReader(String name) throws IOException {
    return refs.getReflogReader(name);
  }

  /** None: what attributes there are is read by {@link AttributeFiles}. */
  @Override
  public AttributesNodeProvider createAttributesNodeProvider() {
    return new AttributesNodeProvider() {
      @Override
      public @Nullable AttributesNode getInfoAttributesNode() {
        return null;
      }

      @Override
      public @Nullable AttributesNode getGlobalAttributesNode() {
        return null;
      }
    };
  }

  @Override
  public void create(boolean bare) {
    throw new UnsupportedOperationException("nothing is written here");
  }

  @Override
  public void scanForRepoChanges() {
    // Each call opens it anew.
  }

  @Override
  public void notifyIndexChanged(boolean internal) {
    // Nobody listens.
  }

  @Override
  protected void doClose() {
    objects.close();
  }

  /** A configuration that no file stands behind. */
  private static final class Memory extends StoredConfig {
    @Override
    public void load() {}

    @Override
    public void save() {}
  }
}
