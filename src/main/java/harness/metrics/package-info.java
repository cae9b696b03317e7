/**
 * What a Harness counts and times, for {@code /metrics}: {@link harness.metrics.Metrics} holds one
 * class for each concern, each behind a port of the package that it listens to or around it. No
 * registry is static, so that two Harnesses in a process count apart.
 */
@NullMarked
package harness.metrics;

import org.jspecify.annotations.NullMarked;
