package harness.workspace;

import harness.workspace.PathException.Kind;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/**
 * Says what is wrong with a path argument.
 *
 * @param subject what the argument is, with a space after it; empty for the path of a tool
 * @param path the argument as it was given
 * @param readRoot the workspace root as it was given
 * @param cwd the working directory as it was given
 */
record Wording(String subject, String path, String readRoot, String cwd) {
  static final String DELETED = "deleted";
  static final String LISTED = "listed";
  static final String LOOKED_AT = "looked at";
  static final String MADE = "made";
  static final String MOVED = "moved";
  static final String OPENED = "opened";
  static final String READ = "read";
  static final String WRITTEN = "written";

  private String quoted() {
    return subject + "'" + Steps.cut(path) + "'";
  }

  private PathException because(Kind kind, String rest) {
    return new PathException(kind, quoted() + " " + rest);
  }

  PathException outsideRead(boolean throughLink) {
    return because(
        Kind.OUTSIDE,
        (throughLink ? "leads through a link out of" : "is outside")
            + " the workspace "
            + readRoot
            + "; reads stay inside it");
  }

  PathException outsideWrite(boolean throughLink) {
    return because(
        Kind.OUTSIDE,
        (throughLink ? "leads through a link out of" : "leaves")
            + " the working directory "
            + cwd
            + "; writes stay inside it");
  }

  PathException gitOwn(String part) {
    return because(
        Kind.GIT_OWN,
        "is git's own (" + part + "), which file tools don't touch; use the git tools");
  }

  PathException completesGit(String part) {
    return because(
        Kind.GIT_OWN,
        "would make a git directory of the one it lies in, and file tools don't touch those;"
            + " use another name than '"
            + part
            + "'");
  }

  PathException notFound(String place) {
    return because(Kind.NOT_FOUND, "is not there" + elsewhere(place, ": there is no '%s'"));
  }

  PathException backFromMissing(String place) {
    return because(
        Kind.NOT_FOUND,
        "goes through '"
            + place
            + "', which is not there, and back by '..'; leave that detour out");
  }

  PathException notADirectory(String place) {
    return because(
        Kind.NOT_A_DIRECTORY,
        place.equals(path)
            ? "is not a directory"
            : "can't be reached: '" + place + "' is not a directory");
  }

  PathException notAFile(String place, FileKind kind) {
    return because(
        Kind.NOT_A_FILE,
        "is " + described(kind) + ", not a regular file" + elsewhere(place, " (it is '%s')"));
  }

  PathException notThrough(String place) {
    return because(
        Kind.NOT_A_DIRECTORY,
        "goes through '"
            + place
            + "', which is a link or a file here, and git follows no link; move that away, or name"
            + " the path that it leads to");
  }

  PathException inTheWay(FileKind kind) {
    return because(
        Kind.NOT_A_FILE,
        "can't be written: there is " + described(kind) + " now; move that away or delete it");
  }

  PathException namesADirectory() {
    return because(Kind.NOT_A_FILE, "names a directory; name the file to write");
  }

  PathException namesNoEntry() {
    return because(
        Kind.INVALID, "names no entry of a directory by its own name; give the path to that name");
  }

  PathException exists(String place, FileKind kind) {
    return because(
        Kind.EXISTS,
        "is there already: "
            + described(kind)
            + elsewhere(place, " (it is '%s')")
            + (kind == FileKind.DIRECTORY
                ? "; give the new path in it, or another name"
                : "; delete it first, or give another name"));
  }

  PathException appeared() {
    return because(
        Kind.EXISTS, "has appeared since it was looked at; read it first, then try again");
  }

  PathException movedIntoItself(String from) {
    return because(
        Kind.INVALID, "lies in '" + from + "', and a directory can't be moved into itself");
  }

  PathException holdsGit(String place) {
    return because(
        Kind.GIT_OWN,
        "holds git's own ("
            + place
            + "): git knows repositories and worktrees by their places, so file tools neither move"
            + " nor delete them; do it by a command");
  }

  PathException tooMany(int entries) {
    return because(
        Kind.TOO_MUCH,
        "has more than "
            + entries
            + " entries below it, more than one call takes; take its parts one by one, or do it by"
            + " a command");
  }

  PathException deletedInPart(long gone, long all, IOException e) {
    return new PathException(
        Kind.SYSTEM,
        quoted()
            + " is deleted only in part: "
            + gone
            + " of "
            + all
            + " entries are gone; "
            + reason(e),
        e);
  }

  PathException linkLoop(int hops) {
    return because(
        Kind.LINK_LOOP,
        "goes through more than " + hops + " links; they lead in circles, so name the file itself");
  }

  PathException tooDeep(int levels) {
    return because(Kind.INVALID, "is more than " + levels + " directories deep");
  }

  PathException changing() {
    return because(
        Kind.SYSTEM, "changes again and again while it is opened; try again when it is at rest");
  }

  PathException busy(long seconds) {
    return because(
        Kind.SYSTEM,
        "is being written by another call for more than " + seconds + " s; try again later");
  }

  PathException notSurelyKept(IOException e) {
    return new PathException(
        Kind.SYSTEM,
        quoted() + " is written, but may be lost in a crash of the machine: " + reason(e),
        e);
  }

  /**
   * A failure of the system.
   *
   * @param doing what was to be done with the path
   */
  PathException failed(String doing, IOException e) {
    return switch (e) {
      case PathException mine -> mine;
      case OpenDirectory.NotAFileException other ->
          new PathException(
              Kind.NOT_A_FILE,
              quoted() + " is " + described(other.kind()) + ", not a regular file",
              e);
      case NoSuchFileException gone ->
          new PathException(
              Kind.NOT_FOUND,
              quoted()
                  + (doing.equals(WRITTEN)
                      ? " can't be written: the directory it lies in has been removed"
                      : " is not there"),
              gone);
      case NotDirectoryException other ->
          new PathException(Kind.NOT_A_DIRECTORY, quoted() + " is not a directory", other);
      default ->
          new PathException(Kind.SYSTEM, quoted() + " can't be " + doing + ": " + reason(e), e);
    };
  }

  private static String reason(IOException e) {
    if (e instanceof FileSystemException named && named.getReason() instanceof String reason) {
      return reason;
    }
    return switch (e) {
      case AccessDeniedException denied -> "permission denied";
      case FileAlreadyExistsException exists -> "it exists already";
      case DirectoryNotEmptyException full -> "it is not empty";
      default -> e.getMessage() instanceof String said ? said : e.getClass().getSimpleName();
    };
  }

  private String elsewhere(String place, String format) {
    return place.equals(path) ? "" : format.formatted(place);
  }

  private static String described(FileKind kind) {
    return switch (kind) {
      case FILE -> "a file";
      case DIRECTORY -> "a directory";
      case LINK -> "a link";
      case FIFO -> "a FIFO";
      case SOCKET -> "a socket";
      case DEVICE -> "a device";
      case OTHER -> "something unknown";
    };
  }
}
