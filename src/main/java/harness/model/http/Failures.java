package harness.model.http;

import com.fasterxml.jackson.databind.JsonNode;
import harness.model.ModelException.Kind;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpHeaders;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import javax.net.ssl.SSLException;

/**
 * Names what failed in one attempt: its kind, a sentence with the provider's own words and the mend
 * in it, and whether another attempt may help. The key never shows, even where a provider repeats
 * it.
 */
final class Failures {
  /** How much of a provider's words is shown. */
  private static final int MAX_WORDS = 500;

  private final String provider;
  private final KeySource keySource;
  private final Optional<String> key;
  private final InstantSource clock;

  /**
   * @param provider how messages call it: its id, the model and the address
   */
  Failures(String provider, KeySource keySource, Optional<String> key, InstantSource clock) {
    this.provider = provider;
    this.keySource = keySource;
    this.key = key;
    this.clock = clock;
  }

  /** An answer whose status is not 200. */
  AttemptException status(int status, HttpHeaders headers, String body) {
    if (status >= 300 && status < 400) {
      return AttemptException.forGood(
          Kind.BAD_REQUEST,
          says(
              "answers "
                  + status
                  + ", a redirect to "
                  + words(headers.firstValue("location").orElse("nowhere"))
                  + "; set 'base-url' to where the API is"));
    }
    AttemptException failure = byStatus(status, ErrorBody.of(body), "answers " + status);
    Optional<Duration> wait = RetryAfter.of(headers, clock);
    return wait.isPresent() ? failure.after(wait.get()) : failure;
  }

  /** An error inside a stream that began well. */
  AttemptException inStream(JsonNode event) {
    ErrorBody error = ErrorBody.of(event);
    String what = "broke its stream off with an error";
    if (error.status().isPresent()) {
      return byStatus(error.status().getAsInt(), error, what);
    }
    String code = error.code();
    if (error.saysTooLong()) {
      return byStatus(400, error, what);
    }
    if (error.saysContentRefused()) {
      return byStatus(400, error, what);
    }
    if (code.contains("rate_limit") || error.saysQuotaSpent()) {
      return byStatus(429, error, what);
    }
    if (code.contains("overload") || code.contains("unavailable")) {
      return byStatus(503, error, what);
    }
    if (code.contains("authentication")
        || code.contains("permission")
        || code.contains("invalid_api_key")) {
      return byStatus(401, error, what);
    }
    if (code.contains("invalid_request")
        || code.contains("bad_request")
        || code.contains("badrequest")) {
      return byStatus(400, error, what);
    }
    return byStatus(500, error, what);
  }

  private AttemptException byStatus(int status, ErrorBody error, String what) {
    String said = says(what + (error.message().isBlank() ? "" : ": " + words(error.message())));
    boolean badRequest = status == 400 || status == 413 || status == 422;
    if (badRequest && error.saysTooLong()) {
      return AttemptException.forGood(
          Kind.CONTEXT_LENGTH, said + "; the conversation is longer than the model can read");
    }
    if (badRequest && error.saysContentRefused()) {
      return AttemptException.forGood(Kind.CONTENT_REFUSED, said);
    }
    return switch (status) {
      case 401, 403 ->
          AttemptException.forGood(Kind.AUTH, said + "; the key comes from " + keySource);
      case 402 -> AttemptException.forGood(Kind.AUTH, said + "; the account has to be paid up");
      case 404 ->
          AttemptException.forGood(
              Kind.BAD_REQUEST, said + "; check 'base-url' and the name of the model");
      case 408, 409, 425, 429 ->
          error.saysQuotaSpent()
              ? AttemptException.forGood(Kind.RATE, said + "; the quota is spent")
              : AttemptException.passing(Kind.RATE, said);
      case 503, 529 -> AttemptException.passing(Kind.OVERLOAD, said);
      default ->
          status >= 500
              ? AttemptException.passing(Kind.SERVER, said)
              : AttemptException.forGood(Kind.BAD_REQUEST, said);
    };
  }

  /** An answer that is no event stream. */
  AttemptException noStream(String contentType, String body) {
    ErrorBody error = ErrorBody.of(body);
    if (contentType.startsWith("application/json") && body.contains("\"error\"")) {
      return byStatus(error.status().orElse(500), error, "answers 200 with an error");
    }
    return AttemptException.forGood(
        Kind.BAD_REQUEST,
        says(
            "answers with "
                + words(contentType)
                + " where an event stream is due ("
                + words(body)
                + "); check that 'base-url' is that of the provider's 'api'"));
  }

  AttemptException network(String when, Throwable cause) {
    String what =
        switch (cause) {
          case HttpConnectTimeoutException _ -> "can't be reached in time";
          case ConnectException _ -> "can't be reached";
          case SSLException _ -> "offers no connection that can be trusted";
          default -> "broke the connection off " + when;
        };
    String detail =
        cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
    return AttemptException.passing(Kind.NETWORK, says(what + " (" + words(detail(cause)) + ")"))
        .because(cause);
  }

  /** Its message, or of what caused it where it has none: an unknown host is named only there. */
  private static String detail(Throwable cause) {
    Throwable deepest = cause;
    while (deepest.getMessage() == null && deepest.getCause() != null) {
      deepest = deepest.getCause();
    }
    String message = deepest.getMessage();
    return message == null ? deepest.getClass().getSimpleName() : message;
  }

  AttemptException stalled(String what, Duration limit) {
    return AttemptException.passing(
        Kind.STALLED, says("went silent: " + what + " did not come within " + seconds(limit)));
  }

  AttemptException wholeCall(Duration limit) {
    return AttemptException.forGood(
        Kind.STALLED, says("did not finish its reply within " + seconds(limit)));
  }

  AttemptException tooLong(String what) {
    return AttemptException.forGood(Kind.CUT_OFF, says("was cut off: " + what));
  }

  AttemptException noJson(String data) {
    return AttemptException.passing(
        Kind.SERVER, says("sent an event that is no JSON object: " + words(data)));
  }

  AttemptException endedEarly() {
    return AttemptException.passing(
        Kind.CUT_OFF, says("ended its stream in the middle of the reply"));
  }

  AttemptException finishedBadly(String reason) {
    return AttemptException.passing(Kind.SERVER, says("gave its reply up: " + words(reason)));
  }

  AttemptException contentRefused(String reason) {
    return AttemptException.forGood(
        Kind.CONTENT_REFUSED, says("refused the content: " + words(reason)));
  }

  AttemptException contextFull(String reason) {
    return AttemptException.forGood(
        Kind.CONTEXT_LENGTH,
        says(
            "has no room left for its reply: "
                + words(reason)
                + "; the conversation is longer than the model can read"));
  }

  private String says(String what) {
    return provider + " " + what;
  }

  private String words(String theirs) {
    String text = key.isPresent() ? theirs.replace(key.get(), "[key]") : theirs;
    String line = text.replaceAll("[\\p{Cntrl}\\s]+", " ").strip();
    return line.length() <= MAX_WORDS ? line : line.substring(0, MAX_WORDS) + "...";
  }

  private static String seconds(Duration limit) {
    return limit.toMillis() % 1000 == 0 ? limit.toSeconds() + " s" : limit.toMillis() + " ms";
  }
}
