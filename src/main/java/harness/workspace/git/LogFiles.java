package harness.workspace.git;

import harness.workspace.Way;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.eclipse.jgit.lib.CheckoutEntry;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.PersonIdent;
import org.eclipse.jgit.lib.ReflogEntry;
import org.eclipse.jgit.lib.ReflogReader;
import org.eclipse.jgit.util.RawParseUtils;
import org.jspecify.annotations.Nullable;

/** What refs were before, as revisions like {@code HEAD@{1}} ask for it. */
final class LogFiles {
  /** How much of the end of a log is read, in bytes. */
  private static final int MAX_LOG_BYTES = 16 * 1024 * 1024;

  private static final String CHECKOUT = "checkout: moving from ";
  private static final String TO = " to ";

  private final Way gitDir;
  private final Way commonDir;

  LogFiles(GitDirs dirs) {
    this.gitDir = dirs.gitDir();
    this.commonDir = dirs.commonDir();
  }

  ReflogReader reader(String ref) {
    return new Reader(ref.startsWith(Constants.R_REFS) ? commonDir : gitDir, "logs/" + ref);
  }

  private record Reader(Way directory, String path) implements ReflogReader {
    @Override
    public @Nullable ReflogEntry getLastEntry() throws IOException {
      return getReverseEntry(0);
    }

    @Override
    public @Nullable ReflogEntry getReverseEntry(int number) throws IOException {
      List<ReflogEntry> entries = getReverseEntries(number + 1);
      return entries.size() > number ? entries.get(number) : null;
    }

    @Override
    public List<ReflogEntry> getReverseEntries() throws IOException {
      return getReverseEntries(Integer.MAX_VALUE);
    }

    @Override
    public List<ReflogEntry> getReverseEntries(int max) throws IOException {
      Optional<byte[]> bytes = GitFile.bytes(directory, path, MAX_LOG_BYTES);
      List<ReflogEntry> entries = new ArrayList<>();
      String text = new String(bytes.orElse(new byte[0]), StandardCharsets.UTF_8);
      for (String line : text.lines().toList().reversed()) {
        if (entries.size() == max) {
          break;
        }
        parse(line).ifPresent(entries::add);
      }
      return entries;
    }

    private static Optional<ReflogEntry> parse(String line) {
      int digits = Constants.OBJECT_ID_STRING_LENGTH;
      if (line.length() < 2 * digits + 2
          || !ObjectId.isId(line.substring(0, digits))
          || !ObjectId.isId(line.substring(digits + 1, 2 * digits + 1))) {
        return Optional.empty();
      }
      int tab = line.indexOf('\t');
      String who = line.substring(2 * digits + 2, tab < 0 ? line.length() : tab);
      return Optional.of(
          new Entry(
              ObjectId.fromString(line.substring(0, digits)),
              ObjectId.fromString(line.substring(digits + 1, 2 * digits + 1)),
              who,
              tab < 0 ? "" : line.substring(tab + 1)));
    }
  }

  private record Entry(ObjectId before, ObjectId after, String who, String comment)
      implements ReflogEntry {
    @Override
    public ObjectId getOldId() {
      return before;
    }

    @Override
    public ObjectId getNewId() {
      return after;
    }

    @Override
    public PersonIdent getWho() {
      return RawParseUtils.parsePersonIdent(who);
    }

    @Override
    public String getComment() {
      return comment;
    }

    @Override
    public @Nullable CheckoutEntry parseCheckout() {
      int to = comment.lastIndexOf(TO);
      return comment.startsWith(CHECKOUT) && to > CHECKOUT.length()
          ? new Moved(comment.substring(CHECKOUT.length(), to), comment.substring(to + TO.length()))
          : null;
    }
  }

  private record Moved(String from, String to) implements CheckoutEntry {
    @Override
    public String getFromBranch() {
      return from;
    }

    @Override
    public String getToBranch() {
      return to;
    }
  }
}
