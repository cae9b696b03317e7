package harness.tool.socket;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import harness.agent.Access;
import harness.agent.Instance;
import harness.agent.InstanceId;
import harness.author.Actor;
import harness.tool.Mode;
import harness.tool.Seen;
import harness.tool.ToolCall;
import harness.workspace.git.PlaceOrder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Requests as frames. */
final class RequestCodec {
  private RequestCodec() {}

  /**
   * @throws IOException where it can't be sent: too large, or arguments nested too deep
   */
  static ByteBuffer encode(Request request) throws IOException {
    return switch (request) {
      case Request.Hello(long protocol) ->
          Frames.of("hello", json -> json.writeNumberField("protocol", protocol));
      case Request.Call(long id, ToolCall call) -> Frames.of("call", json -> call(json, id, call));
      case Request.Cancel(long id) -> id("cancel", id);
      case Request.Check(long id, String cwd) ->
          Frames.of(
              "check",
              json -> {
                json.writeNumberField("id", id);
                json.writeStringField("cwd", cwd);
              });
      case Request.Branch(long id, String worktree) ->
          Frames.of(
              "branch",
              json -> {
                json.writeNumberField("id", id);
                json.writeStringField("worktree", worktree);
              });
      case Request.Release(long id, Instance instance) ->
          Frames.of(
              "release",
              json -> {
                json.writeNumberField("id", id);
                instance(json, instance);
              });
      case Request.Place(long id, PlaceOrder order) ->
          Frames.of(
              "place",
              json -> {
                json.writeNumberField("id", id);
                json.writePOJOField("order", order);
              });
      case Request.End(long id) -> id("end", id);
      case Request.Ping(long id) -> id("ping", id);
    };
  }

  private static ByteBuffer id(String type, long id) throws IOException {
    return Frames.of(type, json -> json.writeNumberField("id", id));
  }

  private static void instance(JsonGenerator json, Instance instance) throws IOException {
    json.writeStringField("agent", instance.agent());
    json.writeStringField("instance", instance.id().value());
  }

  private static void call(JsonGenerator json, long id, ToolCall call) throws IOException {
    json.writeNumberField("id", id);
    json.writeStringField("call", call.callId());
    json.writeStringField("name", call.name());
    json.writeStringField("cwd", call.cwd());
    json.writeStringField("access", call.access().name().toLowerCase(Locale.ROOT));
    json.writeStringField("mode", call.mode().name().toLowerCase(Locale.ROOT));
    instance(json, call.instance());
    json.writePOJOField("actor", call.actor());
    AnswerCodec.seen(json, call.seen());
    AnswerCodec.versions(json, "becomes", call.becomes());
    json.writeFieldName("input");
    json.writeTree(call.input());
  }

  static Request decode(byte[] frame) throws ProtocolException {
    Fields fields = Fields.ofRequest(frame);
    String type = fields.text("type", Protocol.MAX_NAME_CHARS);
    if (type.equals("hello")) {
      // What follows the protocol is that protocol's own.
      return new Request.Hello(fields.number("protocol"));
    }
    long id = fields.number("id");
    Request request =
        switch (type) {
          case "call" -> new Request.Call(id, call(fields));
          case "cancel" -> new Request.Cancel(id);
          case "check" -> new Request.Check(id, fields.text("cwd", Protocol.MAX_PATH_CHARS));
          case "branch" -> new Request.Branch(id, fields.text("worktree", Protocol.MAX_PATH_CHARS));
          case "release" -> new Request.Release(id, instance(fields));
          case "place" -> new Request.Place(id, fields.value("order", PlaceOrder.class));
          case "end" -> new Request.End(id);
          case "ping" -> new Request.Ping(id);
          default -> throw new ProtocolException("a request of an unknown type");
        };
    fields.end();
    return request;
  }

  private static ToolCall call(Fields fields) throws ProtocolException {
    String callId = fields.text("call", Protocol.MAX_NAME_CHARS);
    String name = fields.text("name", Protocol.MAX_NAME_CHARS);
    String cwd = fields.text("cwd", Protocol.MAX_PATH_CHARS);
    Access access = access(fields.text("access", Protocol.MAX_NAME_CHARS));
    Mode mode = mode(fields.text("mode", Protocol.MAX_NAME_CHARS));
    Instance instance = instance(fields);
    Actor actor = fields.value("actor", Actor.class);
    Seen seen = versions(fields, "seen");
    Seen becomes = versions(fields, "becomes");
    JsonNode input = fields.tree("input");
    return new ToolCall(callId, name, input, cwd, access, mode, instance, actor, seen, becomes);
  }

  private static Seen versions(Fields fields, String name) throws ProtocolException {
    Map<String, String> versions = new LinkedHashMap<>();
    fields.pairs(
        name,
        Protocol.MAX_SEEN,
        Protocol.MAX_PATH_CHARS,
        Protocol.MAX_VERSION_CHARS,
        versions::put);
    return new Seen(versions);
  }

  private static Access access(String name) throws ProtocolException {
    for (Access access : Access.values()) {
      if (access.name().toLowerCase(Locale.ROOT).equals(name)) {
        return access;
      }
    }
    throw new ProtocolException("an unknown access");
  }

  private static Mode mode(String name) throws ProtocolException {
    for (Mode mode : Mode.values()) {
      if (mode.name().toLowerCase(Locale.ROOT).equals(name)) {
        return mode;
      }
    }
    throw new ProtocolException("an unknown mode");
  }

  private static Instance instance(Fields fields) throws ProtocolException {
    String agent = fields.text("agent", Protocol.MAX_NAME_CHARS);
    String id = fields.text("instance", Protocol.MAX_NAME_CHARS);
    try {
      return new Instance(agent, InstanceId.parse(id));
    } catch (IllegalArgumentException e) {
      throw new ProtocolException(String.valueOf(e.getMessage()));
    }
  }
}
