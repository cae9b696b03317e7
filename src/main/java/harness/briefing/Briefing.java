package harness.briefing;

import harness.agent.Access;
import java.util.List;
import java.util.Optional;

/**
 * What the Harness tells the model about its seat, in blocks of its own beside the caller's words.
 *
 * @param machine what the Working tools run on; empty where that is not known
 */
public record Briefing(Optional<Machine> machine) {
  /** Asks for the summary that takes the place of everything before it. */
  public static final String ASK_FOR_SUMMARY =
      "This is the harness, not the user. The conversation is nearly longer than you can read, so"
          + " what was said until here will be replaced by a summary, and you go on from that."
          + " Write it now, as plain text and without calling a tool. Keep what you need to go on"
          + " as if you had read all of it: what was asked for and the constraints that were named,"
          + " what was done and decided and why, the exact names of files, commands, identifiers"
          + " and error messages that still matter, what failed, what is open, and the next step."
          + " An earlier summary at the beginning is replaced too: carry over what still holds."
          + " Leave out what is settled and needed no more.";

  private static final String SUMMARY =
      "[The harness replaced what was said before by your own summary:]\n\n";

  /**
   * The standing part, after the instructions: byte-stable for a definition and a Menu, whatever of
   * it is allowed.
   *
   * @param menu whether there is one
   */
  public String standing(Access access, boolean menu) {
    String tools =
        switch (access) {
          case WRITE ->
              "You work on files through your tools; relative paths resolve at the working"
                  + " directory that each message names.";
          case READ ->
              "You read files through your tools and change none; relative paths resolve at"
                  + " the working directory that each message names.";
          case NONE -> "You have no tools for files or commands.";
        };
    return tools
        + (access == Access.NONE ? "" : machine.map(Machine::sentence).orElse(""))
        + (menu
            ? " Your turn ends when you make one of the picks that the newest message allows: you"
                + " call it as a tool, and calls after it are not run. Where it allows none, your"
                + " turn ends when you answer without calling a tool."
            : " Your turn ends when you answer without calling a tool.");
  }

  /** The Turn part, which follows the prompt; empty where there is nothing to say. */
  public Optional<String> turnPart(TurnFacts facts) {
    StringBuilder text = new StringBuilder();
    facts
        .strange()
        .ifPresent(
            who ->
                text.append("Author: this message was written by ")
                    .append(who)
                    .append(", to whom the conversation belongs.\n"));
    facts
        .cwd()
        .ifPresent(directory -> text.append("Working directory: ").append(directory).append('\n'));
    facts
        .notices()
        .forEach(notice -> text.append("Notice: ").append(notice.sentence()).append('\n'));
    facts.news().forEach(news -> text.append("Notice: ").append(news).append('\n'));
    facts.allowed().ifPresent(names -> text.append(picks(names)));
    return text.isEmpty() ? Optional.empty() : Optional.of(text.toString().strip());
  }

  /** What a model reads in the place of what it summarised. */
  public String summary(String summary) {
    return SUMMARY + summary.strip();
  }

  /** What a model is asked that ended its Turn with text where a pick was wanted. */
  public String nudge(List<String> allowed) {
    return "Your turn is not over: you answered without a pick. Call one of the allowed picks as a"
        + " tool, now.\n"
        + picks(allowed);
  }

  private static String picks(List<String> allowed) {
    return "Allowed picks: " + (allowed.isEmpty() ? "none" : String.join(", ", allowed));
  }
}
