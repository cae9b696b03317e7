package harness.wire;

import harness.admission.Admissions;
import harness.admission.Answers;
import harness.author.Authority;
import harness.conversation.Conversations;
import harness.tool.Attachments;

/** What the routes lead to. */
public record Core(
    Admissions admissions,
    Answers answers,
    Conversations conversations,
    Attachments attachments,
    Authority authority) {}
