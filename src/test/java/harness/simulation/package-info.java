/**
 * The real conversation core and Turn loop on a scheduler that a seed decides: {@link
 * harness.simulation.Simulation} runs one seed. Threads, time, the store, models and tools are
 * simulated, and what must always hold is checked at each thing that happens. {@code -Dseed=N
 * -Dseeds=1} replays the seed that a failure names.
 */
@NullMarked
package harness.simulation;

import org.jspecify.annotations.NullMarked;
