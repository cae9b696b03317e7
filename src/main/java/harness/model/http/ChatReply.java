package harness.model.http;

import com.fasterxml.jackson.databind.JsonNode;
import harness.model.Part;
import harness.model.Reply;
import harness.model.Sink;
import harness.model.Usage;
import java.util.ArrayList;
import java.util.List;

/** A reply of the Chat Completions API. */
final class ChatReply implements GrowingReply {
  private enum Voice {
    NONE,
    THINKING,
    TEXT
  }

  private final Sink sink;
  private final CallIds callIds;
  private final List<Part> said = new ArrayList<>();
  private final List<OpenCall> calls = new ArrayList<>();
  private Voice voice = Voice.NONE;
  private Speech speech = new Speech(_ -> {});
  private boolean shown;
  private Usage usage = Usage.NONE;
  private String finishReason = "";

  ChatReply(Sink sink, CallIds callIds) {
    this.sink = sink;
    this.callIds = callIds;
  }

  @Override
  public void add(JsonNode chunk, Failures failures) {
    if (chunk.path("usage").isObject()) {
      usage = usage(chunk.path("usage"));
    }
    JsonNode choice = chunk.path("choices").path(0);
    JsonNode delta = choice.path("delta");
    // Servers name it either way, some send both with the same words.
    String thinking = delta.path("reasoning_content").asText("");
    speak(Voice.THINKING, thinking.isEmpty() ? delta.path("reasoning").asText("") : thinking);
    speak(Voice.TEXT, delta.path("content").asText(""));
    speak(Voice.TEXT, delta.path("refusal").asText(""));
    for (JsonNode call : delta.path("tool_calls")) {
      addCall(call);
    }
    if (choice.path("finish_reason").isTextual()) {
      finishReason = choice.path("finish_reason").textValue();
    }
  }

  @Override
  public boolean begun() {
    return shown || !calls.isEmpty();
  }

  @Override
  public boolean shown() {
    return shown;
  }

  @Override
  public boolean finished() {
    return !finishReason.isEmpty();
  }

  /** The count of tokens may follow, and then a mark that is no event. */
  @Override
  public boolean complete() {
    return false;
  }

  @Override
  public Reply end(Failures failures) throws AttemptException {
    closeSpeech();
    return switch (finishReason) {
      case "" -> throw failures.endedEarly();
      case "content_filter" -> throw failures.contentRefused(finishReason);
      case "error", "abort", "insufficient_system_resource" ->
          throw failures.finishedBadly(finishReason);
      case "length", "max_tokens", "model_length" -> new Reply.Cut(parts(true), usage);
      default ->
          calls.isEmpty()
              ? new Reply.Text(parts(false), usage)
              : new Reply.Calls(parts(false), usage);
    };
  }

  private List<Part> parts(boolean cut) {
    List<Part> parts = new ArrayList<>(said);
    for (OpenCall call : calls) {
      JsonNode input = call.arguments.input();
      if (!(cut && call == calls.getLast() && call.arguments.halfWritten())) {
        parts.add(new Part.Call(callIds.take(call.id), Speech.wellFormed(call.name), input));
      }
    }
    return parts;
  }

  private void speak(Voice which, String words) {
    if (words.isEmpty()) {
      return;
    }
    if (voice != which) {
      closeSpeech();
      voice = which;
      speech =
          new Speech(
              piece -> {
                shown = true;
                if (which == Voice.THINKING) {
                  sink.thinking(piece);
                } else {
                  sink.text(piece);
                }
              });
    }
    speech.add(words);
  }

  private void closeSpeech() {
    String words = speech.end();
    switch (voice) {
      case NONE -> {}
      case THINKING -> said.add(new Part.Thinking(words));
      case TEXT -> said.add(new Part.Text(words));
    }
    voice = Voice.NONE;
    speech = new Speech(_ -> {});
  }

  private void addCall(JsonNode delta) {
    String id = delta.path("id").asText("");
    String name = delta.path("function").path("name").asText("");
    OpenCall call = openCall(delta.path("index"), id, name);
    if (call.id.isEmpty()) {
      call.id = id;
    }
    if (call.name.isEmpty()) {
      call.name = name;
    }
    JsonNode arguments = delta.path("function").path("arguments");
    call.arguments.add(arguments.isContainerNode() ? arguments.toString() : arguments.asText(""));
  }

  /**
   * The call that a delta continues, by its index; a new one where there is none, also where a
   * server gives all calls one index, or none, and only their ids tell them apart.
   */
  private OpenCall openCall(JsonNode index, String id, String name) {
    OpenCall found = null;
    for (OpenCall call : calls) {
      if (!index.isInt() || call.index == index.intValue()) {
        found = call;
      }
    }
    boolean another =
        found != null
            && !id.isEmpty()
            && !name.isEmpty()
            && !found.id.isEmpty()
            && !found.id.equals(id);
    if (found == null || another) {
      found = new OpenCall(index.isInt() ? index.intValue() : calls.size());
      calls.add(found);
    }
    return found;
  }

  private static Usage usage(JsonNode usage) {
    return new Usage(
        usage.path("prompt_tokens").asLong(),
        usage.path("prompt_tokens_details").path("cached_tokens").asLong(),
        usage.path("completion_tokens").asLong());
  }

  private static final class OpenCall {
    private final int index;
    private String id = "";
    private String name = "";
    private final CallArguments arguments = new CallArguments();

    OpenCall(int index) {
      this.index = index;
    }
  }
}
