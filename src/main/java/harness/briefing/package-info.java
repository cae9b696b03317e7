/**
 * The facts the Harness itself tells the model about its seat, never about the task. Pure text: it
 * reads no file and asks no clock.
 */
@NullMarked
package harness.briefing;

import org.jspecify.annotations.NullMarked;
