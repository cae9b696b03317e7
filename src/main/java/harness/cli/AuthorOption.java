package harness.cli;

import harness.api.AdmissionBody.AuthorBody;
import harness.api.AuthorLine;
import harness.client.Transport;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Whom a command speaks for. */
final class AuthorOption {
  @Option(
      names = "--author",
      paramLabel = "KIND:ID",
      description =
          "Whom it is for, like user:alice, or external-agent:cursor;for=user:alice; without it,"
              + " the orchestrator.")
  private Optional<String> author = Optional.empty();

  Optional<AuthorBody> body() {
    return author.map(AuthorLine::parse);
  }

  /** The same transport, speaking for that author. */
  Transport over(Transport transport) {
    return body().map(who -> over(transport, AuthorLine.header(who))).orElse(transport);
  }

  private static Transport over(Transport transport, String author) {
    return request -> {
      Map<String, String> headers = new HashMap<>(request.headers());
      headers.put("Harness-Author", author);
      return transport.send(
          new Transport.Request(
              request.method(), request.target(), headers, request.body(), request.within()));
    };
  }
}
