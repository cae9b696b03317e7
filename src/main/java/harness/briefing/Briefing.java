package harness.briefing;

import harness.agent.Access;
import java.util.List;
import java.util.Optional;

/**
 * What the Harness tells the model about its seat, in blocks of its own beside the caller's words.
 */
public record Briefing() {

  /** The standing part, after the instructions: byte-stable for a definition. */
  public String standing(Access access) {
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
    return tools + " Your turn ends when you answer without calling a tool.";
  }

  /** The Turn part, which follows the prompt; empty where there is nothing to say. */
  public Optional<String> turnPart(Optional<String> cwd, List<Notice> notices) {
    StringBuilder text = new StringBuilder();
    cwd.ifPresent(directory -> text.append("Working directory: ").append(directory).append('\n'));
    notices.forEach(notice -> text.append("Notice: ").append(notice.sentence()).append('\n'));
    return text.isEmpty() ? Optional.empty() : Optional.of(text.toString().strip());
  }
}
