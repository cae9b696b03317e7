package harness.workspace;

import harness.workspace.PathException.Kind;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** A directory that a walk led to, and what is below it. */
final class OpenedDirectory implements Directory {
  private final OpenDirectory self;
  private final String shown;
  private final Wording wording;
  private final List<OpenDirectory.Entries> passes = new ArrayList<>();

  /** Takes the handle over. */
  OpenedDirectory(OpenDirectory self, String shown, Wording wording) {
    this.self = self;
    this.shown = shown;
    this.wording = wording;
  }

  @Override
  public Iterator<Entry> entries() throws IOException {
    try {
      OpenDirectory.Entries pass = self.entries();
      synchronized (passes) {
        passes.add(pass);
      }
      return pass;
    } catch (IOException e) {
      throw wording(shown).failed(Wording.LISTED, e);
    }
  }

  @Override
  public Directory directory(String name) throws IOException {
    Name one = single(name);
    OpenDirectory opened;
    try {
      opened = self.listable(one);
    } catch (IOException e) {
      throw wording(place(name)).failed(Wording.OPENED, e);
    }
    try {
      if (GitOwn.looks(opened)) {
        throw wording(place(name)).gitOwn(place(name));
      }
      return new OpenedDirectory(opened, place(name), wording);
    } catch (IOException e) {
      opened.close();
      throw wording(place(name)).failed(Wording.OPENED, e);
    }
  }

  @Override
  public FileHandle file(String name) throws IOException {
    Name one = single(name);
    try {
      return self.file(one);
    } catch (IOException e) {
      throw wording(place(name)).failed(Wording.OPENED, e);
    }
  }

  @Override
  public FileStatus status(String name) throws IOException {
    Name one = single(name);
    try {
      return self.status(one).orElseThrow(() -> new NoSuchFileException(name));
    } catch (IOException e) {
      throw wording(place(name)).failed(Wording.LOOKED_AT, e);
    }
  }

  private Name single(String name) throws PathException {
    if (isPlain(name)) {
      return Name.of(name);
    }
    Steps steps = Steps.of(name);
    if (steps.absolute() || steps.names().size() != 1) {
      throw new PathException(Kind.INVALID, "'" + Steps.cut(name) + "' is not a single name");
    }
    Name one = steps.names().getFirst();
    if (one.isDot() || one.isDotDot()) {
      throw new PathException(Kind.INVALID, "'" + name + "' is no name of an entry");
    }
    if (GitOwn.isNamed(one)) {
      throw wording(place(name)).gitOwn(name);
    }
    return one;
  }

  /** Whether it can be nothing but a single name of a file, as nearly every name is. */
  private static boolean isPlain(String name) {
    if (name.isEmpty() || name.length() > Name.MAX_BYTES || name.charAt(0) == '.') {
      return false;
    }
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (c == 0 || c == '/' || c == '\\' || c >= 0x80) {
        return false;
      }
    }
    return true;
  }

  private String place(String name) {
    return switch (shown) {
      case "." -> name;
      case "/" -> "/" + name;
      default -> shown + "/" + name;
    };
  }

  private Wording wording(String place) {
    return new Wording("", place, wording.readRoot(), wording.cwd());
  }

  @Override
  public String shown() {
    return shown;
  }

  @Override
  public void close() {
    synchronized (passes) {
      passes.forEach(OpenDirectory.Entries::close);
      passes.clear();
    }
    self.close();
  }
}
