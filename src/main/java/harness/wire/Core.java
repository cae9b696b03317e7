package harness.wire;

import harness.admission.Admissions;
import harness.admission.Answers;
import harness.author.Authority;
import harness.conversation.Conversations;

/** What the routes lead to. */
public record Core(
    Admissions admissions, Answers answers, Conversations conversations, Authority authority) {}
