package harness.conversation;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A place between two events of a conversation.
 *
 * @param life which life of the conversation: one that was freed and begun again has another
 * @param sequence how many events are before it
 */
public record Offset(String life, long sequence) {
  private static final Pattern FORM = Pattern.compile("([a-z0-9]{1,32})-([0-9]{1,18})");

  /**
   * @throws IllegalArgumentException if no Harness ever handed it out
   */
  public static Offset parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "'" + text + "' is no offset; give one back as an answer or a header gave it");
    }
    return new Offset(matcher.group(1), Long.parseLong(matcher.group(2)));
  }

  @Override
  public String toString() {
    return life + "-" + sequence;
  }
}
