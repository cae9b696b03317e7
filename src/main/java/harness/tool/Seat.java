package harness.tool;

import harness.agent.Access;
import harness.agent.Instance;
import harness.author.Actor;
import harness.workspace.Root;

/**
 * Where a tool sits while it runs.
 *
 * @param root the way to every file
 * @param cwd the working directory as the Frame names it, which a link may lead to
 * @param access what the definition allows
 * @param mode what becomes of the changes that the call asks for
 * @param callId the Harness's id of the call
 * @param instance the conversation it runs for
 * @param actor the agent, acting for the Turn's author
 * @param seen which versions of the files that the call names the conversation knows
 * @param becomes what an accepted proposal makes of its files
 * @param commands the conversation's commands
 * @param progress hears what it puts out while it runs
 */
record Seat(
    Root root,
    String cwd,
    Access access,
    Mode mode,
    String callId,
    Instance instance,
    Actor actor,
    Seen seen,
    Seen becomes,
    Commands.Visit commands,
    Progress progress) {
  /** Whether nothing may be changed. */
  boolean suggests() {
    return mode == Mode.SUGGEST;
  }

  static Seat of(ToolCall call, Root root, Commands.Visit commands, Progress progress) {
    return new Seat(
        root,
        call.cwd(),
        call.access(),
        call.mode(),
        call.callId(),
        call.instance(),
        call.actor(),
        call.seen(),
        call.becomes(),
        commands,
        progress);
  }
}
