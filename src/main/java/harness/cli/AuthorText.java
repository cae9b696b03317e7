package harness.cli;

import harness.api.AdmissionBody.AuthorBody;
import harness.client.Transport;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.ITypeConverter;

/**
 * An author as a command line and a header name one: {@code KIND:ID}, and {@code ;for=KIND:ID}
 * behind it where that acts for another.
 */
record AuthorText(String text) {
  private static final String FOR = ";for=";

  /** Reads it. */
  static final class Converter implements ITypeConverter<AuthorText> {
    @Override
    public AuthorText convert(String text) {
      return new AuthorText(text);
    }
  }

  AuthorBody body() {
    return body(text);
  }

  private static AuthorBody body(String text) {
    int end = text.indexOf(FOR);
    String own = end < 0 ? text : text.substring(0, end);
    int colon = own.indexOf(':');
    return new AuthorBody(
        Optional.of(colon < 0 ? own : own.substring(0, colon)),
        colon < 0 ? Optional.empty() : Optional.of(own.substring(colon + 1)),
        end < 0 ? Optional.empty() : Optional.of(body(text.substring(end + FOR.length()))));
  }

  /** The same transport, speaking for this author. */
  Transport over(Transport transport) {
    return request -> {
      Map<String, String> headers = new HashMap<>(request.headers());
      headers.put("Harness-Author", text);
      return transport.send(
          new Transport.Request(
              request.method(), request.target(), headers, request.body(), request.within()));
    };
  }
}
