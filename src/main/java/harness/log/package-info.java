/**
 * The log for people: what happens in the conversations, a line an event. Its entry is {@link
 * harness.log.ConversationLog}. It prints what was asked, said and called, and never what a tool
 * answered, which is where secrets are; it never holds up a Turn.
 */
@NullMarked
package harness.log;

import org.jspecify.annotations.NullMarked;
