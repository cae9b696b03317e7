package harness.model;

import java.util.List;

/** One message of the conversation as a model sees it. */
public sealed interface Message {
  /** What the model is asked: the prompt, then the Harness's own blocks. */
  record User(List<String> blocks) implements Message {
    public User {
      blocks = List.copyOf(blocks);
    }
  }

  /** What the model said. */
  record Assistant(List<Part> parts) implements Message {
    public Assistant {
      parts = List.copyOf(parts);
    }
  }

  /**
   * What the calls of the message before returned: one for each call, in the order of the calls.
   */
  record Results(List<Result> results) implements Message {
    public Results {
      results = List.copyOf(results);
    }
  }

  /** What one call returned. */
  record Result(String callId, String name, boolean error, String text, List<Image> images) {
    public Result {
      images = List.copyOf(images);
    }

    /** A result without pictures. */
    public Result(String callId, String name, boolean error, String text) {
      this(callId, name, error, text, List.of());
    }
  }
}
