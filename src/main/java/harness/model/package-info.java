/**
 * Asking a model for its next reply: the port {@link harness.model.Model} and the {@link
 * harness.model.Models} that configuration names; behind them {@code provider} finds a model,
 * {@code http} reaches the real ones and {@code scripted} follows a script. Its {@code http} part
 * is the only one that opens connections to providers and reads their keys; it never sees a
 * worktree, a tool or a conversation.
 */
@NullMarked
package harness.model;

import org.jspecify.annotations.NullMarked;
