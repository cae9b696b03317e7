/**
 * HTTP: routes, codecs, the bearer gate, streams, and the one ladder from failure to answer. It
 * decides nothing about Turns.
 */
@NullMarked
package harness.wire;

import org.jspecify.annotations.NullMarked;
