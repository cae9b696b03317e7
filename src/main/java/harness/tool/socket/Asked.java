package harness.tool.socket;

import harness.tool.MemoryExcess;
import harness.tool.Progress;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** A request that waits for its answer. */
final class Asked {
  private static final System.Logger LOG = System.getLogger(Asked.class.getName());

  private final Set<Class<? extends Answer.Last>> answers;
  private volatile Progress progress;
  private final CompletableFuture<Optional<Answer.Last>> answer = new CompletableFuture<>();
  private int pieces;
  private long chars;
  private int peaks;
  private volatile Optional<MemoryExcess> peak = Optional.empty();

  private Asked(Set<Class<? extends Answer.Last>> answers, Progress progress) {
    this.answers = answers;
    this.progress = progress;
  }

  /** A call. */
  static Asked call(Progress progress) {
    return new Asked(Set.of(Answer.Returned.class), progress);
  }

  /** A check of a directory. */
  static Asked check() {
    return new Asked(Set.of(Answer.Checked.class, Answer.Refused.class), Progress.NONE);
  }

  /** The branch of a worktree. */
  static Asked branch() {
    return new Asked(Set.of(Answer.Branch.class, Answer.Refused.class), Progress.NONE);
  }

  /** A slot. */
  static Asked place() {
    return new Asked(Set.of(Answer.Placed.class, Answer.NotPlaced.class), Progress.NONE);
  }

  /** Whatever else is asked. */
  static Asked other() {
    return new Asked(Set.of(Answer.Done.class), Progress.NONE);
  }

  /** Its answer, or nothing where the connection ended before. */
  CompletableFuture<Optional<Answer.Last>> answer() {
    return answer;
  }

  /** Nobody waits for it any more; what still comes of it is counted and heard by no one. */
  void giveUp() {
    progress = Progress.NONE;
  }

  /** Hears a piece of output. On the thread of the connection. */
  void output(String text) throws ProtocolException {
    pieces++;
    chars += text.length();
    if (pieces > Protocol.MAX_PIECES || chars > Protocol.MAX_OUTPUT_CHARS) {
      throw new ProtocolException(
          "more output than a call may show: "
              + pieces
              + " pieces, "
              + chars
              + " characters; it is at most "
              + Protocol.MAX_PIECES
              + " and "
              + Protocol.MAX_OUTPUT_CHARS);
    }
    try {
      progress.output(text);
    } catch (RuntimeException e) {
      LOG.log(Level.ERROR, "a bug kept a reader from the output of a call", e);
    }
  }

  /** Hears how much memory there was. On the thread of the connection. */
  void memory(MemoryExcess more) throws ProtocolException {
    if (++peaks > Protocol.MAX_PEAKS) {
      throw new ProtocolException("more peaks of memory than a call has: " + peaks);
    }
    peak = Optional.of(more);
  }

  /** The last that was heard of it. */
  Optional<MemoryExcess> peak() {
    return peak;
  }

  /** Whether this can be its answer. */
  void check(Answer.Last last) throws ProtocolException {
    if (!answers.contains(last.getClass())) {
      throw new ProtocolException("an answer of another type than request " + last.id() + " has");
    }
  }

  /** Takes its answer. */
  void close(Answer.Last last) {
    answer.complete(Optional.of(last));
  }

  /** There will be none. */
  void lost() {
    answer.complete(Optional.empty());
  }
}
