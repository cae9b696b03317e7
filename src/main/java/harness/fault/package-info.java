/**
 * How things end badly, each with a type: a {@link harness.fault.Fault} is the word of the
 * mechanism about a Turn, a {@link harness.fault.Refusal} is a request that was not accepted. A
 * leaf: it knows neither HTTP nor the store.
 */
@NullMarked
package harness.fault;

import org.jspecify.annotations.NullMarked;
