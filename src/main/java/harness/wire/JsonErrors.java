package harness.wire;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import harness.agent.InstanceId;
import io.helidon.http.DirectHandler;
import io.helidon.http.HeaderValues;
import io.helidon.http.ServerResponseHeaders;
import io.helidon.http.Status;
import org.jspecify.annotations.Nullable;

/** What the server itself refuses, before there is a request to route, is JSON too. */
final class JsonErrors implements DirectHandler {
  @Override
  public TransportResponse handle(
      TransportRequest request,
      EventType type,
      Status status,
      ServerResponseHeaders headers,
      @Nullable String message) {
    // A request line that is none, such as one with a comma in its method, is told as an error of
    // the server's own, of a request that it knows nothing of.
    boolean unreadable = type == EventType.INTERNAL_ERROR && request.path().isEmpty();
    Status told = unreadable ? Status.BAD_REQUEST_400 : status;
    return TransportResponse.builder()
        .status(told)
        .headers(headers)
        .header(HeaderValues.CONTENT_TYPE_JSON)
        .keepAlive(type.keepAlive())
        .entity(
            JsonNodeFactory.instance
                .objectNode()
                .put("error", sentence(told, unreadable || message == null ? "" : message))
                .toString())
        .build();
  }

  private static String sentence(Status status, String message) {
    return switch (status.code()) {
      case 413 -> "the body is over " + Body.MAX_BYTES + " bytes; hand large input over as a file";
      case 414 ->
          "the request line is over "
              + HttpServer.MAX_REQUEST_LINE_BYTES
              + " bytes; an Instance ID has at most "
              + InstanceId.MAX_BYTES;
      default ->
          status.reasonPhrase()
              + (message.isBlank() ? "" : ": " + message)
              + "; send requests as HTTP/1.1 writes them";
    };
  }
}
