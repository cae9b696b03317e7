package harness.store;

import java.nio.file.Path;
import java.sql.SQLException;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** Tells the failures of SQLite apart, and says each in words. */
final class Failures {
  private Failures() {}

  /**
   * Whether it is no longer known what is on the disk: the system may have dropped what a failed
   * sync was to write, and the next sync would succeed without it.
   */
  static boolean lost(Throwable failure) {
    return failure instanceof SQLiteException sqlite
        && switch (sqlite.getResultCode()) {
          case SQLITE_IOERR_FSYNC, SQLITE_IOERR_DIR_FSYNC -> true;
          default -> false;
        };
  }

  static StoreUnableException unable(Path file, Exception failure) {
    if (!(failure instanceof SQLException sqlite)) {
      return new StoreUnableException("the store met a bug at " + file + ": " + failure, failure);
    }
    // The low byte is the primary code, what is above it says more about the same.
    int primary = sqlite.getErrorCode() & 0xff;
    String mend =
        primary == SQLiteErrorCode.SQLITE_FULL.code
            ? "there is no space left: make room on its file system"
            : primary == SQLiteErrorCode.SQLITE_READONLY.code
                ? "it can't be written: give this process back its rights to it"
                : primary == SQLiteErrorCode.SQLITE_CORRUPT.code
                        || primary == SQLiteErrorCode.SQLITE_NOTADB.code
                    ? "it is damaged: restore the state directory from a copy"
                    : primary == SQLiteErrorCode.SQLITE_BUSY.code
                        ? "another program holds it: end that one"
                        : "look at the disk and its file system";
    return new StoreUnableException(file + ": " + mend + " (" + failure.getMessage() + ")", sqlite);
  }
}
