/**
 * What a conversation is: its events, their fold, its queue, its Settlements and epochs. {@link
 * harness.conversation.Conversations} is the way in. State changes only by an appended event;
 * nothing here runs a model, a tool or an HTTP request.
 */
@NullMarked
package harness.conversation;

import org.jspecify.annotations.NullMarked;
