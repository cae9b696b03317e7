/**
 * Who acts: {@link harness.author.Actor} and the {@link harness.author.Principal} that authors are
 * compared by. It never asks what they may do.
 */
@NullMarked
package harness.author;

import org.jspecify.annotations.NullMarked;
