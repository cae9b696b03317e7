package harness.simulation;

import harness.conversation.Settlement;
import harness.conversation.Submission;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What became of one Submission, as far as the disk knows. */
final class Fate {
  final Submission submission;
  final Past past;
  final long sequence;
  final int ahead;

  /** What its model streamed of the reply that it was last asked for. */
  final StringBuilder streamed = new StringBuilder();

  /** The summary that its model gave last. */
  String summary = "";

  /** What is recorded of its replies. */
  final List<String> recorded = new ArrayList<>();

  /** Whether an append of its conversation failed, so that what was said last may be missing. */
  boolean torn;

  boolean started;

  /** Whose Turn it rides with. */
  Optional<Fate> leader = Optional.empty();

  /** How often its model was asked for a pick in the try that runs. */
  int nudges;

  /** How often it began anew. */
  int rerolls;

  Optional<Settlement> settlement = Optional.empty();

  /** Whether a caller was told that it is admitted. */
  boolean acknowledged;

  /** Whether an abort that swept it was answered. */
  boolean swept;

  /** How many threads are in a model or a tool for it. */
  int working;

  Fate(Submission submission, Past past, long sequence, int ahead) {
    this.submission = submission;
    this.past = past;
    this.sequence = sequence;
    this.ahead = ahead;
  }

  String id() {
    return submission.submissionId();
  }

  String prompt() {
    return submission.frame().prompt();
  }

  @Override
  public String toString() {
    return id() + " (" + prompt() + ") of " + past;
  }
}
