package harness.conversation;

import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;
import com.fasterxml.jackson.annotation.JsonProperty;

/** How a queued Submission reaches the model. */
public enum Delivery {
  /** By a Turn of its own. */
  @JsonEnumDefaultValue
  @JsonProperty("queue")
  QUEUE,
  /** With a Turn of the same author where one is under way, else by one of its own. */
  @JsonProperty("join")
  JOIN
}
