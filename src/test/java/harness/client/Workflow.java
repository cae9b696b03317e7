package harness.client;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import harness.api.AdmissionBody.MenuToolBody;
import harness.api.SettlementBody.PickBody;
import harness.api.WorkspaceAnswer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One Machine instance: implement, review and fix, on one worktree. */
final class Workflow {
  private static final int MAX_ATTEMPTS = 5;
  private static final int MAX_REVIEWS = 3;
  private static final List<MenuToolBody> CODER_SAYS = List.of(says("finish", "The work is done."));
  private static final List<MenuToolBody> REVIEWER_SAYS =
      List.of(says("approve", "It is good."), says("reject", "It needs changes."));

  private final Orchestrator orchestrator;
  private final WorkspaceAnswer workspace;
  private final String worktree;
  private final List<Admission> turns = new ArrayList<>();

  Workflow(Orchestrator orchestrator, WorkspaceAnswer workspace, String worktree) {
    this.orchestrator = orchestrator;
    this.workspace = workspace;
    this.worktree = worktree;
  }

  /** Whether the task was done and the review approved it. */
  boolean run(String task) throws UnsettledException, InterruptedException {
    String prompt = task;
    for (int attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      // The first attempt continues too: else the second would not know of it.
      Outcome done =
          turn(
              "coder", "write", CODER_SAYS, TurnInput.continued(prompt).in(worktree), "" + attempt);
      switch (done) {
        case Outcome.Completed _ -> {
          Optional<Outcome.Completed> review = review(task, attempt);
          if (review.isEmpty()) {
            return false;
          }
          if (picked(review.get(), "approve")) {
            return true;
          }
          prompt =
              "The review did not approve: " + review.get().text() + " Mend that, then finish.";
        }
        // What was said before is burned, or may be: the next prompt is the whole task again.
        case Outcome.Failed failed ->
            prompt = task + " Look first at what is there: " + failed.error().message();
        case Outcome.Lost lost -> prompt = task + " Look first at what is there: " + lost.message();
        case Outcome.Unreachable _ -> prompt = task + " Look first at what is there.";
        case Outcome.Aborted _, Outcome.Denied _, Outcome.Refused _ -> {
          return false;
        }
      }
    }
    return false;
  }

  private Outcome turn(
      String agent, String access, List<MenuToolBody> menu, TurnInput input, String attempt)
      throws UnsettledException, InterruptedException {
    Invocation invocation =
        Invocation.of(
                new Address("run-42", "task", agent),
                Definition.of("lab/" + agent, "You are a careful " + agent + ".", access))
            .ending(menu, menu.stream().flatMap(tool -> tool.name().stream()).toList());
    Optional<String> key = Optional.of("run-42-" + agent + "-" + attempt);
    Minted minted = orchestrator.mint(invocation, input, workspace, key);
    // Here an orchestrator persists what it minted, and behind the next line what was admitted.
    Admission admission = orchestrator.admit(minted);
    turns.add(admission);
    return orchestrator.await(admission, event -> {});
  }

  /** A fault of the reviewer's says nothing of the work: it is asked again, and not the coder. */
  private Optional<Outcome.Completed> review(String task, int attempt)
      throws UnsettledException, InterruptedException {
    TurnInput input = TurnInput.fresh("Review what this task asked for: " + task).in(worktree);
    for (int ask = 1; ask <= MAX_REVIEWS; ask++) {
      switch (turn("reviewer", "read", REVIEWER_SAYS, input, attempt + "-" + ask)) {
        case Outcome.Completed review -> {
          return Optional.of(review);
        }
        case Outcome.Failed _, Outcome.Lost _, Outcome.Unreachable _ -> {}
        case Outcome.Aborted _, Outcome.Denied _, Outcome.Refused _ -> {
          return Optional.empty();
        }
      }
    }
    return Optional.empty();
  }

  private static boolean picked(Outcome.Completed outcome, String name) {
    return outcome.pick().map(PickBody::name).equals(Optional.of(name));
  }

  /** Where each Turn landed. */
  List<String> conversations() {
    return turns.stream().map(Admission::instanceId).toList();
  }

  private static MenuToolBody says(String name, String description) {
    return new MenuToolBody(
        Optional.of(name),
        Optional.of(description),
        Optional.of(JsonNodeFactory.instance.objectNode().put("type", "object")));
  }
}
