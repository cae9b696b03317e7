package harness.model.http;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.Locale;

/** How a provider of each API says a thing: events of its stream, one string each. */
public enum Tongue {
  CHAT(Api.OPENAI_CHAT) {
    @Override
    public String opens() {
      return data(
          "{\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"\"}}]}");
    }

    @Override
    public String says(String text) {
      return delta("{\"content\":" + quoted(text) + "}");
    }

    @Override
    public String calls(int index, String id, String tool) {
      return delta(
          ("{\"tool_calls\":[{\"index\":%d,\"id\":\"%s\",\"type\":\"function\","
                  + "\"function\":{\"name\":\"%s\",\"arguments\":\"\"}}]}")
              .formatted(index, id, tool));
    }

    @Override
    public String with(int index, String piece) {
      return delta(
          "{\"tool_calls\":[{\"index\":%d,\"function\":{\"arguments\":%s}}]}"
              .formatted(index, quoted(piece)));
    }

    @Override
    public String finishes(Finish finish) {
      String reason =
          switch (finish) {
            case SAID -> "stop";
            case CALLED -> "tool_calls";
            case CUT -> "length";
          };
      return data("{\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"" + reason + "\"}]}")
          + data(
              "{\"choices\":[],\"usage\":{\"prompt_tokens\":1000,\"prompt_tokens_details\":"
                  + "{\"cached_tokens\":400},\"completion_tokens\":50}}");
    }

    @Override
    public String ends() {
      return "data: [DONE]\n\n";
    }

    @Override
    public String fails(Failure failure) {
      return data(refusal(failure));
    }

    @Override
    public String refusal(Failure failure) {
      return openAi(failure);
    }

    private String delta(String delta) {
      return data("{\"choices\":[{\"index\":0,\"delta\":" + delta + ",\"finish_reason\":null}]}");
    }
  },

  RESPONSES(Api.OPENAI_RESPONSES) {
    @Override
    public String opens() {
      return typed("response.created", "\"response\":{\"status\":\"in_progress\",\"error\":null}");
    }

    @Override
    public String says(String text) {
      return typed("response.output_text.delta", "\"output_index\":0,\"delta\":" + quoted(text));
    }

    @Override
    public String calls(int index, String id, String tool) {
      return typed(
          "response.output_item.added",
          "\"output_index\":%d,\"item\":{\"type\":\"function_call\",\"call_id\":\"%s\",\"name\":\"%s\"}"
              .formatted(index + 1, id, tool));
    }

    @Override
    public String with(int index, String piece) {
      return typed(
          "response.function_call_arguments.delta",
          "\"output_index\":%d,\"delta\":%s".formatted(index + 1, quoted(piece)));
    }

    @Override
    public String finishes(Finish finish) {
      String usage =
          "\"error\":null,\"usage\":{\"input_tokens\":1000,\"input_tokens_details\":"
              + "{\"cached_tokens\":400},\"output_tokens\":50}";
      return switch (finish) {
        case SAID, CALLED ->
            typed("response.completed", "\"response\":{\"status\":\"completed\"," + usage + "}");
        case CUT ->
            typed(
                "response.incomplete",
                "\"response\":{\"incomplete_details\":{\"reason\":\"max_output_tokens\"},"
                    + usage
                    + "}");
      };
    }

    @Override
    public String ends() {
      return "";
    }

    @Override
    public String fails(Failure failure) {
      String whole = openAi(failure);
      String error = whole.substring("{\"error\":".length(), whole.length() - 1);
      return typed(
          "response.failed", "\"response\":{\"status\":\"failed\",\"error\":" + error + "}");
    }

    @Override
    public String refusal(Failure failure) {
      return openAi(failure);
    }
  },

  ANTHROPIC(Api.ANTHROPIC_MESSAGES) {
    @Override
    public String opens() {
      return typed(
          "message_start",
          "\"message\":{\"role\":\"assistant\",\"content\":[],\"usage\":{\"input_tokens\":600,"
              + "\"cache_read_input_tokens\":400,\"output_tokens\":1}}");
    }

    @Override
    public String says(String text) {
      return typed(
          "content_block_delta",
          "\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":" + quoted(text) + "}");
    }

    @Override
    public String calls(int index, String id, String tool) {
      return typed(
          "content_block_start",
          "\"index\":%d,\"content_block\":{\"type\":\"tool_use\",\"id\":\"%s\",\"name\":\"%s\",\"input\":{}}"
              .formatted(index + 1, id, tool));
    }

    @Override
    public String with(int index, String piece) {
      return typed(
          "content_block_delta",
          "\"index\":%d,\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":%s}"
              .formatted(index + 1, quoted(piece)));
    }

    @Override
    public String finishes(Finish finish) {
      String reason =
          switch (finish) {
            case SAID -> "end_turn";
            case CALLED -> "tool_use";
            case CUT -> "max_tokens";
          };
      return typed(
          "message_delta",
          "\"delta\":{\"stop_reason\":\"" + reason + "\"},\"usage\":{\"output_tokens\":50}");
    }

    @Override
    public String ends() {
      return typed("message_stop", "\"nothing\":0");
    }

    @Override
    public String fails(Failure failure) {
      return "event: error\n" + data(refusal(failure));
    }

    @Override
    public String refusal(Failure failure) {
      String error =
          switch (failure) {
            case BAD_REQUEST -> error("invalid_request_error", "tools.0: no such field");
            case AUTH -> error("authentication_error", "invalid x-api-key");
            case RATE -> error("rate_limit_error", "too many requests");
            case OVERLOAD -> error("overloaded_error", "Overloaded");
            case CONTEXT_LENGTH ->
                error(
                    "invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum");
            case CONTENT_REFUSED ->
                error("invalid_request_error", "Output blocked by content filtering policy");
            default -> error("api_error", "Internal server error");
          };
      return "{\"type\":\"error\",\"error\":" + error + "}";
    }

    private String error(String type, String message) {
      return "{\"type\":\"" + type + "\",\"message\":\"" + message + "\"}";
    }
  };

  /** What goes wrong. */
  public enum Failure {
    BAD_REQUEST(400),
    AUTH(401),
    RATE(429),
    OVERLOAD(503),
    CONTEXT_LENGTH(400),
    CONTENT_REFUSED(400),
    SERVER(500),
    /** The connection breaks. */
    NETWORK(0),
    /** Nothing more comes. */
    STALLED(0),
    /** The stream ends as if the reply were whole. */
    CUT_OFF(0),
    /** The reply ends by its length limit. */
    LENGTH(0);

    private final int status;

    Failure(int status) {
      this.status = status;
    }

    /** With which an HTTP answer says it; 0 where none does. */
    public int status() {
      return status;
    }
  }

  /** How a reply ends. */
  public enum Finish {
    SAID,
    CALLED,
    CUT
  }

  private final Api api;

  Tongue(Api api) {
    this.api = api;
  }

  public Api api() {
    return api;
  }

  /** What comes before the first token. */
  public abstract String opens();

  public abstract String says(String text);

  /** Begins a call. */
  public abstract String calls(int index, String id, String tool);

  /** A piece of the JSON of that call's input. */
  public abstract String with(int index, String piece);

  /** The end of the reply and its usage: 1000 tokens in, 400 of them cached, 50 out. */
  public abstract String finishes(Finish finish);

  /** What closes the stream. */
  public abstract String ends();

  /** An error inside a stream. */
  public abstract String fails(Failure failure);

  /** The body of an answer that is an error. */
  public abstract String refusal(Failure failure);

  private static String openAi(Failure failure) {
    String code =
        switch (failure) {
          case BAD_REQUEST -> "invalid_request_error";
          case AUTH -> "invalid_api_key";
          case RATE -> "rate_limit_exceeded";
          case OVERLOAD -> "server_overloaded";
          case CONTEXT_LENGTH -> "context_length_exceeded";
          case CONTENT_REFUSED -> "content_filter";
          default -> "server_error";
        };
    return "{\"error\":{\"code\":\""
        + code
        + "\",\"message\":\"it says "
        + failure.name().toLowerCase(Locale.ROOT)
        + "\"}}";
  }

  private static String data(String json) {
    return "data: " + json + "\n\n";
  }

  private static String typed(String type, String rest) {
    return "event: " + type + "\n" + data("{\"type\":\"" + type + "\"," + rest + "}");
  }

  private static String quoted(String text) {
    return JsonNodeFactory.instance.textNode(text).toString();
  }
}
