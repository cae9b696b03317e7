package harness.model.http;

import harness.model.ModelException;
import harness.model.ModelException.Kind;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One attempt at a call that failed, and whether another one may help. */
final class AttemptException extends Exception {
  private static final long serialVersionUID = 1L;

  private final Kind kind;
  private final String sentence;
  private final boolean retryable;
  private final @Nullable Duration retryAfter;

  private AttemptException(
      Kind kind,
      String sentence,
      boolean retryable,
      @Nullable Duration retryAfter,
      @Nullable Throwable cause) {
    super(sentence, cause);
    this.kind = kind;
    this.sentence = sentence;
    this.retryable = retryable;
    this.retryAfter = retryAfter;
  }

  /** Another attempt would fail alike. */
  static AttemptException forGood(Kind kind, String sentence) {
    return new AttemptException(kind, sentence, false, null, null);
  }

  /** Another attempt may help. */
  static AttemptException passing(Kind kind, String sentence) {
    return new AttemptException(kind, sentence, true, null, null);
  }

  AttemptException after(Duration wait) {
    return new AttemptException(kind, sentence, retryable, wait, getCause());
  }

  AttemptException because(Throwable cause) {
    return new AttemptException(kind, sentence, retryable, retryAfter, cause);
  }

  /** The same, now that another attempt would repeat what was shown. */
  AttemptException notAgain() {
    return new AttemptException(kind, sentence, false, retryAfter, getCause());
  }

  Kind kind() {
    return kind;
  }

  boolean retryable() {
    return retryable;
  }

  /** How long the provider asked to be left alone. */
  Optional<Duration> retryAfter() {
    return Optional.ofNullable(retryAfter);
  }

  ModelException afterAttempts(int attempts, String why) {
    String message = sentence + (attempts > 1 ? " (after " + attempts + " attempts)" : "") + why;
    return getCause() == null
        ? new ModelException(kind, message)
        : new ModelException(kind, message, getCause());
  }
}
