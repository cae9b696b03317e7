/**
 * Providers reached over HTTP: {@link harness.model.http.HttpProvider} speaks one of the {@link
 * harness.model.http.Api}s; what differs between them is a {@code Dialect}. Every wait has a bound
 * ({@link harness.model.http.ModelLimits}), every failure a kind, and what may be tried again is
 * tried again ({@link harness.model.http.RetryPolicy}) until something was shown. The only package
 * that opens connections to providers and reads their keys, and a key leaves it in one header
 * alone.
 */
@NullMarked
package harness.model.http;

import org.jspecify.annotations.NullMarked;
