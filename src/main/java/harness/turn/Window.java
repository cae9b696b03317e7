package harness.turn;

import harness.model.TokenLimits;
import java.util.Optional;

/**
 * How long a context may get before a request, in tokens.
 *
 * @param size what the model reads and says together
 * @param limit what it may read
 */
record Window(long size, long limit) {
  /** What is kept free for a reply, at least. */
  static final int RESERVE = 16_384;

  /** How much of the newest messages stays, where there is room for twice that. */
  private static final int RECENT = 20_000;

  /** The reserve is at most this part of a window, so that a small one is of use. */
  private static final int PART = 3;

  /** Empty where the model's window is not known. */
  static Optional<Window> of(TokenLimits limits) {
    if (limits.contextWindow().isEmpty()) {
      return Optional.empty();
    }
    int size = limits.contextWindow().getAsInt();
    int reserve = Math.min(Math.max(RESERVE, limits.output().orElse(0)), size / PART);
    return Optional.of(new Window(size, size - reserve));
  }

  /**
   * How much of the newest messages stays.
   *
   * @param fixed what stays in any case
   */
  long recent(long fixed) {
    return Math.max(0, Math.min(RECENT, (limit - fixed) / 2));
  }
}
