/**
 * Asking a model for its next reply: the port {@link harness.model.Model}, the {@link
 * harness.model.Models} that configuration names, and the providers behind them. The only package
 * that opens connections to providers and reads their keys; it never sees a worktree, a tool or a
 * conversation.
 */
@NullMarked
package harness.model;

import org.jspecify.annotations.NullMarked;
