/**
 * The orchestrator's side of the Harness: {@link harness.client.Orchestrator} mints, admits, waits
 * for and aborts the Turns of a run and keeps its ledger of epochs; {@link
 * harness.client.HarnessClient} is one Harness, by its wire. It knows the shapes of {@code
 * harness.api} and nothing else of the project.
 */
@NullMarked
package harness.client;

import org.jspecify.annotations.NullMarked;
