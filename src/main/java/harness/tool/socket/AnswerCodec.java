package harness.tool.socket;

import com.fasterxml.jackson.core.JsonGenerator;
import harness.model.Image;
import harness.tool.MemoryExcess;
import harness.tool.Picture;
import harness.tool.Proposal;
import harness.tool.Seen;
import harness.tool.ToolResult;
import harness.workspace.PathException;
import harness.workspace.git.Placed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Answers as frames; what is read is taken for hostile. */
final class AnswerCodec {
  private static final Set<String> IMAGE_TYPES =
      Set.of("image/png", "image/jpeg", "image/gif", "image/webp");

  private AnswerCodec() {}

  /**
   * @throws Frames.TooLargeException where it is too large to be sent
   */
  static ByteBuffer encode(Answer answer) throws IOException {
    return switch (answer) {
      case Answer.Hello hello -> Frames.of("hello", json -> hello(json, hello));
      case Answer.Output(long id, String text) ->
          Frames.of(
              "output",
              json -> {
                json.writeNumberField("id", id);
                json.writeStringField("text", text);
              });
      case Answer.Memory(long id, MemoryExcess peak) ->
          Frames.of(
              "memory",
              json -> {
                json.writeNumberField("id", id);
                json.writeNumberField("peak", peak.peakBytes());
                json.writeNumberField("limit", peak.limitBytes());
              });
      case Answer.Returned(long id, ToolResult result) ->
          Frames.of("returned", json -> result(json, id, result));
      case Answer.Checked(long id) -> Frames.of("checked", json -> json.writeNumberField("id", id));
      case Answer.Branch(long id, String name) ->
          Frames.of(
              "branch",
              json -> {
                json.writeNumberField("id", id);
                json.writeStringField("name", name);
              });
      case Answer.Refused refused ->
          Frames.of(
              "refused",
              json -> {
                json.writeNumberField("id", refused.id());
                json.writeStringField("kind", refused.kind().name());
                json.writeStringField("message", refused.message());
              });
      case Answer.Placed(long id, Placed placed) ->
          Frames.of(
              "placed",
              json -> {
                json.writeNumberField("id", id);
                json.writeBooleanField("review", placed.review());
              });
      case Answer.NotPlaced(long id, String message) ->
          Frames.of(
              "not-placed",
              json -> {
                json.writeNumberField("id", id);
                json.writeStringField("message", message);
              });
      case Answer.Done(long id) -> Frames.of("done", json -> json.writeNumberField("id", id));
    };
  }

  private static void hello(JsonGenerator json, Answer.Hello hello) throws IOException {
    json.writeNumberField("protocol", hello.protocol());
    json.writeStringField("root", hello.root());
    pairs(json, "tools", hello.tools());
  }

  private static void result(JsonGenerator json, long id, ToolResult result) throws IOException {
    json.writeNumberField("id", id);
    json.writeBooleanField("error", result.error());
    json.writeStringField("text", result.text());
    json.writeNumberField("bytes", result.bytes());
    json.writeBooleanField("truncated", result.truncated());
    json.writeArrayFieldStart("images");
    for (Image image : result.images()) {
      pair(json, image.mediaType(), image.data());
    }
    json.writeEndArray();
    seen(json, result.seen());
    json.writeArrayFieldStart("proposed");
    for (Proposal.Proposed file : result.proposal().map(Proposal::files).orElse(List.of())) {
      pair(json, file.path(), file.diff());
    }
    json.writeEndArray();
    versions(json, "from", result.proposal().map(Proposal::madeFrom).orElse(Seen.NOTHING));
    versions(json, "to", result.proposal().map(Proposal::becomes).orElse(Seen.NOTHING));
    json.writeNumberField("peak", result.excess().map(MemoryExcess::peakBytes).orElse(0L));
    json.writeNumberField("limit", result.excess().map(MemoryExcess::limitBytes).orElse(0L));
  }

  /** As many versions as a frame may tell: a file whose version is not told is read again. */
  static void seen(JsonGenerator json, Seen seen) throws IOException {
    versions(json, "seen", seen);
  }

  static void versions(JsonGenerator json, String name, Seen seen) throws IOException {
    json.writeArrayFieldStart(name);
    int told = 0;
    for (Map.Entry<String, String> version : seen.versions().entrySet()) {
      if (told++ == Protocol.MAX_SEEN) {
        break;
      }
      pair(json, version.getKey(), version.getValue());
    }
    json.writeEndArray();
  }

  private static void pairs(JsonGenerator json, String name, Map<String, String> pairs)
      throws IOException {
    json.writeArrayFieldStart(name);
    for (Map.Entry<String, String> pair : pairs.entrySet()) {
      pair(json, pair.getKey(), pair.getValue());
    }
    json.writeEndArray();
  }

  private static void pair(JsonGenerator json, String first, String second) throws IOException {
    json.writeStartArray();
    json.writeString(first);
    json.writeString(second);
    json.writeEndArray();
  }

  static Answer decode(byte[] frame) throws ProtocolException {
    Fields fields = Fields.ofAnswer(frame);
    String type = fields.text("type", Protocol.MAX_NAME_CHARS);
    if (type.equals("hello")) {
      return hello(fields);
    }
    long id = fields.number("id");
    Answer answer =
        switch (type) {
          case "output" -> new Answer.Output(id, fields.text("text", Protocol.MAX_PIECE_CHARS));
          case "memory" ->
              new Answer.Memory(
                  id, new MemoryExcess(fields.number("peak"), fields.number("limit")));
          case "returned" -> new Answer.Returned(id, result(fields));
          case "checked" -> new Answer.Checked(id);
          case "branch" -> new Answer.Branch(id, fields.text("name", Protocol.MAX_PATH_CHARS));
          case "refused" -> refused(id, fields);
          case "placed" -> new Answer.Placed(id, new Placed(fields.truth("review")));
          case "not-placed" ->
              new Answer.NotPlaced(id, fields.text("message", Protocol.MAX_SENTENCE_CHARS));
          case "done" -> new Answer.Done(id);
          default -> throw new ProtocolException("an answer of an unknown type");
        };
    fields.end();
    return answer;
  }

  private static Answer hello(Fields fields) throws ProtocolException {
    long protocol = fields.number("protocol");
    if (protocol != Protocol.VERSION) {
      // What follows is that protocol's own.
      return new Answer.Hello(protocol, "", Map.of());
    }
    String root = fields.text("root", Protocol.MAX_PATH_CHARS);
    Map<String, String> tools = new HashMap<>();
    fields.pairs(
        "tools",
        Protocol.MAX_TOOLS,
        Protocol.MAX_NAME_CHARS,
        Protocol.MAX_NAME_CHARS,
        (name, digest) -> once("tools", tools.put(name, digest) == null));
    fields.end();
    return new Answer.Hello(protocol, root, tools);
  }

  private static void once(String field, boolean first) throws ProtocolException {
    if (!first) {
      throw new ProtocolException("'" + field + "' names something twice");
    }
  }

  private static Answer refused(long id, Fields fields) throws ProtocolException {
    String kind = fields.text("kind", Protocol.MAX_NAME_CHARS);
    String message = fields.text("message", Protocol.MAX_SENTENCE_CHARS);
    for (PathException.Kind known : PathException.Kind.values()) {
      if (known.name().equals(kind)) {
        return new Answer.Refused(id, known, message);
      }
    }
    throw new ProtocolException("a refusal of an unknown kind");
  }

  private static ToolResult result(Fields fields) throws ProtocolException {
    boolean error = fields.truth("error");
    String text = fields.text("text", Protocol.MAX_TEXT_CHARS);
    long bytes = fields.number("bytes");
    boolean truncated = fields.truth("truncated");
    List<Image> images = new ArrayList<>();
    fields.pairs(
        "images",
        Protocol.MAX_IMAGES,
        Protocol.MAX_NAME_CHARS,
        Protocol.MAX_IMAGE_CHARS,
        (mediaType, data) -> images.add(image(mediaType, data)));
    Seen seen = versions(fields, "seen");
    return new ToolResult(
        error, text, bytes, truncated, images, seen, proposal(fields), excess(fields));
  }

  /** A limit of nothing is none. */
  private static Optional<MemoryExcess> excess(Fields fields) throws ProtocolException {
    MemoryExcess excess = new MemoryExcess(fields.number("peak"), fields.number("limit"));
    return excess.limitBytes() == 0 ? Optional.empty() : Optional.of(excess);
  }

  private static Seen versions(Fields fields, String name) throws ProtocolException {
    Map<String, String> versions = new HashMap<>();
    fields.pairs(
        name,
        Protocol.MAX_SEEN,
        Protocol.MAX_PATH_CHARS,
        Protocol.MAX_VERSION_CHARS,
        (path, version) -> {
          absolute(name, path);
          once(name, versions.put(path, version) == null);
        });
    return new Seen(versions);
  }

  private static Optional<Proposal> proposal(Fields fields) throws ProtocolException {
    List<Proposal.Proposed> files = new ArrayList<>();
    fields.pairs(
        "proposed",
        Protocol.MAX_PROPOSED,
        Protocol.MAX_PATH_CHARS,
        Proposal.MAX_DIFF_BYTES,
        (path, diff) -> files.add(new Proposal.Proposed(path, diff)));
    Seen from = versions(fields, "from");
    Seen to = versions(fields, "to");
    if (files.stream().mapToInt(file -> file.diff().length()).sum() > Proposal.MAX_DIFF_BYTES) {
      throw new ProtocolException("a proposal that is too large");
    }
    return files.isEmpty() ? Optional.empty() : Optional.of(new Proposal(files, from, to));
  }

  private static Image image(String mediaType, String data) throws ProtocolException {
    if (!IMAGE_TYPES.contains(mediaType)) {
      throw new ProtocolException("a picture of a type that no tool shows");
    }
    try {
      byte[] decoded = Base64.getDecoder().decode(data);
      if (decoded.length == 0) {
        throw new ProtocolException("a picture of no bytes");
      }
      if (!Picture.isOne(mediaType, decoded)) {
        // A provider would refuse it, and with it every later request of the conversation.
        throw new ProtocolException("a picture that is broken, too large or of another type");
      }
    } catch (IllegalArgumentException e) {
      throw new ProtocolException("a picture that is no Base64");
    }
    return new Image(mediaType, data);
  }

  /** A path as {@link Seen} writes it, or a call that names the file would never meet it. */
  private static void absolute(String field, String path) throws ProtocolException {
    if (!path.startsWith("/")
        || path.contains("//")
        || (path + "/").contains("/./")
        || (path + "/").contains("/../")) {
      throw new ProtocolException(
          "'" + field + "' names a path that is not absolute and normalised");
    }
  }
}
