package harness.client;

import harness.api.AdmissionBody.AuthorBody;
import harness.api.AdmissionBody.MenuToolBody;
import harness.api.AdmissionBody.NoticeBody;
import java.util.List;
import java.util.Optional;

/**
 * What the mechanism adds to a {@link TurnInput}: whose Turn it is, what it may end with and for
 * whom it acts.
 *
 * @param menu all that the Agent can say; empty for text alone
 * @param allowed the names of what this Turn may say; empty for all of the menu
 * @param author empty for the orchestrator itself
 * @param notices facts that the model is told once
 */
public record Invocation(
    Address address,
    Definition definition,
    List<MenuToolBody> menu,
    Optional<List<String>> allowed,
    Optional<AuthorBody> author,
    List<NoticeBody> notices) {
  public Invocation {
    menu = List.copyOf(menu);
    notices = List.copyOf(notices);
  }

  /** A Turn of the orchestrator itself, which ends with text. */
  public static Invocation of(Address address, Definition definition) {
    return new Invocation(
        address, definition, List.of(), Optional.empty(), Optional.empty(), List.of());
  }

  /** The same with a Menu, of which this Turn may say a part. */
  public Invocation ending(List<MenuToolBody> all, List<String> now) {
    return new Invocation(address, definition, all, Optional.of(now), author, notices);
  }
}
