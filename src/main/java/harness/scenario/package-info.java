/** Scenarios as data, and the runner that plays them against a server over the wire. */
@NullMarked
package harness.scenario;

import org.jspecify.annotations.NullMarked;
