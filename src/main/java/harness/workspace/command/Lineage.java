package harness.workspace.command;

/**
 * By what the processes of one command are known: they descend from its first one, are in its
 * session, have its output open, or have its cookie in their environment.
 *
 * @param pid the first process, which leads the session
 * @param start when that began; what is older is none of them
 * @param output what the system calls the open output
 * @param cookie {@code NAME=VALUE}, unique
 */
record Lineage(int pid, long start, String output, String cookie) {
  /** The variable of the environment that tells commands apart. */
  static final String COOKIE = "HARNESS_COMMAND";

  /** Whether a process shows that it is one of them, whoever its parent and its session are. */
  boolean marks(ProcessEntry process) {
    return !process.zombie()
        && process.start() >= start
        && (process.wasGiven(cookie) || process.holds(output));
  }
}
