package harness.briefing;

import java.util.List;
import java.util.Optional;

/**
 * What the model is told beside one prompt.
 *
 * @param strange who wrote the prompt and for whom it does not speak, where that is not the owner
 * @param cwd the working directory, where there is one
 * @param news what became of what the model proposed, in sentences
 * @param allowed the Allowed picks, which come last; empty where there is no Menu
 */
public record TurnFacts(
    Optional<String> strange,
    Optional<String> cwd,
    List<Notice> notices,
    List<String> news,
    Optional<List<String>> allowed) {
  public TurnFacts {
    notices = List.copyOf(notices);
    news = List.copyOf(news);
  }
}
