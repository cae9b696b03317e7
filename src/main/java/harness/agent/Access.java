package harness.agent;

/** What an Agent may do in the workspace. */
public enum Access {
  /** All Working tools. */
  WRITE,
  /** The Working tools that change no file. */
  READ,
  /** No Working tools, and no working directory. */
  NONE
}
