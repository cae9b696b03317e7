package harness.store;

import java.nio.file.Path;
import java.sql.SQLException;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** Tells the failures of SQLite apart, and says each in words. */
final class Failures {
  private static final int PRIMARY_BITS = 0xff;

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

  /**
   * Whether one change of a batch may be to blame, so that the others are worth trying without it.
   */
  static boolean ofOneChange(Exception failure) {
    return !(failure instanceof SQLException sqlite)
        || switch (primary(sqlite)) {
          case SQLITE_FULL, SQLITE_TOOBIG, SQLITE_NOMEM, SQLITE_CONSTRAINT, SQLITE_MISMATCH -> true;
          default -> false;
        };
  }

  /** What a caller is told: that the store is unable, or, where it is a bug, that. */
  static RuntimeException told(Path file, Exception failure) {
    if (lost(failure)) {
      return StoreUnableException.unknown(
          file
              + ": a sync failed, so it is not known whether this was stored, and the process ends;"
              + " send it again under its Idempotency-Key when it is back",
          failure);
    }
    if (failure instanceof SQLException sqlite) {
      return switch (primary(sqlite)) {
        case SQLITE_CONSTRAINT, SQLITE_MISMATCH, SQLITE_MISUSE, SQLITE_RANGE ->
            new IllegalStateException("a change that " + file + " can't hold is a bug", failure);
        default -> unable(file, sqlite);
      };
    }
    return failure instanceof RuntimeException bug ? bug : new IllegalStateException(failure);
  }

  static StoreUnableException unable(Path file, SQLException failure) {
    String mend =
        switch (primary(failure)) {
          case SQLITE_FULL -> "there is no space left: make room on its file system";
          case SQLITE_READONLY, SQLITE_PERM, SQLITE_CANTOPEN ->
              "it can't be opened to be written: give this process back its rights to it";
          case SQLITE_CORRUPT, SQLITE_NOTADB ->
              "it is damaged: restore the state directory from a copy";
          case SQLITE_BUSY, SQLITE_LOCKED -> "another program holds it: end that one";
          default -> "look at the disk and its file system";
        };
    return new StoreUnableException(
        file + ": " + mend + " (" + failure.getMessage() + ")", failure);
  }

  /** The kind of a failure, without what SQLite says more about it in the bits above. */
  private static SQLiteErrorCode primary(SQLException failure) {
    return SQLiteErrorCode.getErrorCode(failure.getErrorCode() & PRIMARY_BITS);
  }
}
