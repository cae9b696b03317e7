/**
 * Who acts: {@link harness.author.Actor}, the {@link harness.author.Principal} that authors are
 * compared by, and the {@link harness.author.Authority} that says what they may do. It knows
 * nothing of conversations but their names.
 */
@NullMarked
package harness.author;

import org.jspecify.annotations.NullMarked;
