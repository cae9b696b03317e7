package harness.cli;

import harness.api.AdmissionBody.AuthorBody;
import harness.api.AuthorLine;
import harness.client.Transport;
import java.util.HashMap;
import java.util.Map;
import picocli.CommandLine.ITypeConverter;

/** An author that a command line names. */
record AuthorText(AuthorBody body) {
  /** Reads it. */
  static final class Converter implements ITypeConverter<AuthorText> {
    @Override
    public AuthorText convert(String text) {
      return new AuthorText(AuthorLine.parse(text));
    }
  }

  /** The same transport, speaking for this author. */
  Transport over(Transport transport) {
    return request -> {
      Map<String, String> headers = new HashMap<>(request.headers());
      headers.put("Harness-Author", AuthorLine.header(body));
      return transport.send(
          new Transport.Request(
              request.method(), request.target(), headers, request.body(), request.within()));
    };
  }
}
