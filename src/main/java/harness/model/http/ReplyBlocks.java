package harness.model.http;

import harness.model.Part;
import harness.model.Reply;
import harness.model.Sink;
import harness.model.Usage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The blocks of a reply whose API numbers them: each grows on its own, and they are handed on in
 * the order of their numbers.
 */
final class ReplyBlocks {
  private sealed interface Block {
    record Text(Speech words) implements Block {}

    record Thinking(Speech words, StringBuilder signature) implements Block {}

    record Redacted(String data) implements Block {}

    record Call(String id, String name, CallArguments arguments) implements Block {}
  }

  private final Sink sink;
  private final CallIds callIds;
  private final String label;
  private final Map<Integer, Block> blocks = new TreeMap<>();
  private boolean shown;

  /**
   * @param label what marks the thinking as this model's own
   */
  ReplyBlocks(Sink sink, CallIds callIds, String label) {
    this.sink = sink;
    this.callIds = callIds;
    this.label = label;
  }

  void text(int number, String piece) {
    Block block =
        blocks.computeIfAbsent(
            number, _ -> new Block.Text(new Speech(said -> heard(() -> sink.text(said)))));
    if (block instanceof Block.Text text) {
      text.words().add(piece);
    }
  }

  void thinking(int number, String piece) {
    open(number).words().add(piece);
  }

  /** A part of what proves that the thinking is the model's own. */
  void signature(int number, String piece) {
    open(number).signature().append(piece);
  }

  private Block.Thinking open(int number) {
    Block block =
        blocks.computeIfAbsent(
            number,
            _ ->
                new Block.Thinking(
                    new Speech(said -> heard(() -> sink.thinking(said))), new StringBuilder()));
    return block instanceof Block.Thinking thinking
        ? thinking
        : new Block.Thinking(new Speech(_ -> {}), new StringBuilder());
  }

  void redacted(int number, String data) {
    blocks.putIfAbsent(number, new Block.Redacted(data));
  }

  void call(int number, String id, String name) {
    blocks.putIfAbsent(number, new Block.Call(id, name, new CallArguments()));
  }

  void arguments(int number, String piece) {
    if (blocks.get(number) instanceof Block.Call call) {
      call.arguments().add(piece);
    }
  }

  private void heard(Runnable telling) {
    shown = true;
    telling.run();
  }

  boolean begun() {
    return shown || blocks.values().stream().anyMatch(Block.Call.class::isInstance);
  }

  boolean shown() {
    return shown;
  }

  /** The reply as it is; a last call that the length limit cut in half is left out. */
  Reply end(boolean cut, Usage usage) {
    List<Part> parts = new ArrayList<>();
    int left = blocks.size();
    for (Block block : blocks.values()) {
      left--;
      switch (block) {
        case Block.Text(Speech words) -> {
          String text = words.end();
          if (!text.isEmpty()) {
            parts.add(new Part.Text(text));
          }
        }
        case Block.Thinking(Speech words, StringBuilder signature) ->
            parts.add(new Part.Thinking(words.end(), signature.toString(), label));
        case Block.Redacted(String data) -> parts.add(new Part.Redacted(data, label));
        case Block.Call(String id, String name, CallArguments arguments) -> {
          if (!(cut && left == 0 && arguments.halfWritten())) {
            parts.add(new Part.Call(callIds.take(id), Speech.wellFormed(name), arguments.input()));
          }
        }
      }
    }
    if (cut) {
      return new Reply.Cut(parts, usage);
    }
    return parts.stream().anyMatch(Part.Call.class::isInstance)
        ? new Reply.Calls(parts, usage)
        : new Reply.Text(parts, usage);
  }
}
