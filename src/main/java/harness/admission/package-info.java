/**
 * The way in: {@link harness.admission.Admissions} checks a request, mints its Instance ID and
 * appends the Submission. Nothing is queued that could not run.
 */
@NullMarked
package harness.admission;

import org.jspecify.annotations.NullMarked;
