/**
 * Scenarios as data, and their runner: {@link harness.scenario.ScenarioReader} reads one, {@link
 * harness.scenario.ScenarioRunner} plays it over HTTP against a {@link harness.scenario.Target} and
 * looks at the files, the git state and the events that it left. It knows the server by its wire
 * alone: no conversation, store or tool.
 */
@NullMarked
package harness.scenario;

import org.jspecify.annotations.NullMarked;
