package harness.client;

import harness.api.AdmissionBody;
import harness.api.WorkspaceAnswer;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * An admission that is ready to be sent, plain data to persist before it is: sent again under its
 * key, also by another process, it is the same Submission.
 *
 * @param key the idempotency key; without one only what was never delivered is sent again
 * @param epoch the one it was minted at; the Harness may know a later one
 * @param body what is sent, byte for byte
 */
public record Minted(
    Address address, Optional<String> key, boolean continues, int epoch, String body) {

  /**
   * Mints and resolves as the Harness does.
   *
   * @param workspace where the Turn may work
   * @param entry what the ledger knows of the address
   * @throws UnsettledException as the Harness would refuse it, before anything is sent
   */
  static Minted of(
      Invocation invocation,
      TurnInput input,
      WorkspaceAnswer workspace,
      EpochLedger.Entry entry,
      Optional<String> key)
      throws UnsettledException {
    Address address = invocation.address();
    boolean continues = input.continues();
    AdmissionBody body =
        new AdmissionBody(
            Optional.of(address.run()),
            Optional.of(address.path()),
            Optional.of(address.agent()),
            Optional.of(invocation.definition().body()),
            Optional.of(input.prompt()),
            Optional.empty(),
            cwd(invocation, input, workspace),
            Optional.of(continues),
            input.model(),
            input.thinkingLevel(),
            Optional.of(invocation.menu()).filter(menu -> !menu.isEmpty()),
            invocation.allowed(),
            invocation.author(),
            Optional.empty(),
            continues ? Optional.of(entry.epoch()) : Optional.empty(),
            continues && entry.begun() ? Optional.of(true) : Optional.empty(),
            Optional.of(invocation.notices()).filter(notices -> !notices.isEmpty()));
    return new Minted(address, key, continues, continues ? entry.epoch() : 0, Json.write(body));
  }

  private static Optional<String> cwd(
      Invocation invocation, TurnInput input, WorkspaceAnswer workspace) throws UnsettledException {
    if (invocation.definition().workspace().equals(Optional.of("none"))) {
      if (input.cwd().isPresent()) {
        throw refused(
            "the Frame has the cwd '"
                + input.cwd().get()
                + "', but an Agent with workspace \"none\" has no working directory; leave cwd out"
                + " or give the definition another workspace");
      }
      return Optional.empty();
    }
    if (input.cwd().isPresent()) {
      return input.cwd();
    }
    List<WorkspaceAnswer.Slot> slots = workspace.slots();
    if (slots.size() > 1) {
      throw refused(
          "the workspace has "
              + slots.size()
              + " slots, so the Frame has to say in which directory it works; add one of: "
              + slots.stream()
                  .map(one -> "for slot " + one.slot() + ": \"cwd\": \"" + one.worktree() + "\"")
                  .collect(Collectors.joining("; ")));
    }
    return Optional.of(slots.isEmpty() ? workspace.root() : slots.getFirst().worktree());
  }

  private static UnsettledException refused(String message) {
    return new UnsettledException(new Outcome.Refused(400, message, "cwd"));
  }
}
