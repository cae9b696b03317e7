/**
 * Who a Turn is, where it works and how hard: {@link harness.agent.Definition}, {@link
 * harness.agent.Frame}, {@link harness.agent.Dials} and the {@link harness.agent.InstanceId} of its
 * conversation. A leaf: it imports nothing of the project and touches no file, clock or socket.
 */
@NullMarked
package harness.agent;

import org.jspecify.annotations.NullMarked;
