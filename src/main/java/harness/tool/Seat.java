package harness.tool;

import harness.agent.Access;
import harness.author.Actor;
import harness.workspace.Root;

/**
 * Where a tool sits while it runs.
 *
 * @param root the way to every file
 * @param access what the definition allows
 * @param actor the agent, acting for the Turn's author
 */
record Seat(Root root, Access access, Actor actor) {}
