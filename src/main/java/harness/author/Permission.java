package harness.author;

/** What may be granted in a conversation. */
public enum Permission {
  TURN_START("turn.start"),
  TURN_ANSWER("turn.answer"),
  TURN_ABORT("turn.abort"),
  CONVERSATION_READ("conversation.read"),
  WORKSPACE_READ("workspace.read"),
  WORKSPACE_WRITE("workspace.write"),
  SHELL_RUN("shell.run"),
  GIT_COMMIT("git.commit"),
  PROPOSAL_RESOLVE("proposal.resolve");

  private final String wire;

  Permission(String wire) {
    this.wire = wire;
  }

  /** Its name in files and messages. */
  public String wire() {
    return wire;
  }
}
