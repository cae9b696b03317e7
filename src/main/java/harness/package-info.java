/** The program: what is started, and how its parts are put together. Micronaut lives here alone. */
@NullMarked
package harness;

import org.jspecify.annotations.NullMarked;
