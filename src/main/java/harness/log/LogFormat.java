package harness.log;

/** How the log for people is written. */
public enum LogFormat {
  /** Not at all. */
  OFF,
  /** {@code [agent] [instance] [kind] text}. */
  TEXT,
  /** A JSON object a line, for what ships logs. */
  JSON
}
