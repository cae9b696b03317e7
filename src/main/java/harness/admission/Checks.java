package harness.admission;

import harness.agent.Access;
import harness.agent.Dials;
import harness.agent.Frame;
import harness.agent.Instance;
import harness.author.Actor;
import harness.author.Authority;
import harness.author.Permission;
import harness.conversation.Submission;
import harness.fault.RefusedException;
import harness.menu.Menu;
import harness.menu.MenuTool;
import harness.model.Models;
import harness.tool.ToolBox;
import harness.tool.ToolHost;
import harness.workspace.PathException;
import harness.workspace.Slots;
import java.util.Optional;
import java.util.function.Supplier;

/** What must hold of a request so that its Turn can run. */
public final class Checks {
  private final Models models;
  private final Supplier<Slots> slots;
  private final ToolHost tools;
  private final Authority authority;

  public Checks(Models models, Slots slots, ToolHost tools, Authority authority) {
    this(models, () -> slots, tools, authority);
  }

  /**
   * @param slots the repositories of the workspace as they are when a Turn is admitted
   * @param authority who may start Turns
   */
  public Checks(Models models, Supplier<Slots> slots, ToolHost tools, Authority authority) {
    this.authority = authority;
    this.models = models;
    this.slots = slots;
    this.tools = tools;
  }

  /** The Submission, whose author may start a Turn there: the Agent acting for them. */
  Submission permitted(Submission submission, Instance instance) {
    Actor agent = new Actor.Agent(instance.id().value(), submission.author().actsFor());
    authority.require(agent, Permission.TURN_START, instance);
    return submission;
  }

  /** The Dials of the Turn, known to a provider. */
  Dials dials(AdmissionRequest request) {
    Dials dials =
        new Dials(
            request.model().orElse(request.definition().model()),
            request.thinkingLevel().or(request.definition()::thinkingLevel));
    models.find(dials);
    return dials;
  }

  /** The Menu of the Turn, none of whose names is a Working tool's. */
  Menu menu(AdmissionRequest request) {
    for (MenuTool tool : request.menu().tools()) {
      if (ToolBox.isWorkingTool(tool.name())) {
        throw RefusedException.invalid(
            "the menu tool '"
                + tool.name()
                + "' has the name of a Working tool; give it another name",
            "menu");
      }
    }
    return request.menu();
  }

  /** The Frame of the Turn: its working directory is there, inside the workspace. */
  Frame frame(AdmissionRequest request) {
    if (request.definition().workspace() == Access.NONE) {
      request
          .cwd()
          .ifPresent(
              cwd -> {
                throw RefusedException.invalid(
                    "the Frame has the cwd '"
                        + cwd
                        + "', but an Agent with workspace \"none\" has no working directory; leave"
                        + " cwd out or give the definition another workspace",
                    "cwd");
              });
      return new Frame(request.prompt(), Optional.empty());
    }
    tools.checkWorkspace();
    String cwd = slots.get().resolve(request.cwd());
    try {
      tools.checkDirectory(cwd);
    } catch (PathException e) {
      throw RefusedException.invalid("the Frame's cwd: " + e.getMessage(), "cwd");
    }
    return new Frame(request.prompt(), Optional.of(cwd));
  }
}
