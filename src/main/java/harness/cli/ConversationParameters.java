package harness.cli;

import picocli.CommandLine.Parameters;

/** Which conversation a command is about. */
final class ConversationParameters {
  @Parameters(index = "0", paramLabel = "AGENT", description = "The Agent's name.")
  private String agent = "";

  @Parameters(index = "1", paramLabel = "INSTANCE-ID", description = "As an admission answers it.")
  private String id = "";

  String agent() {
    return agent;
  }

  String id() {
    return id;
  }
}
