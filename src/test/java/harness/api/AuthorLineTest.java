package harness.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.api.AdmissionBody.AuthorBody;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AuthorLineTest {
  @ParameterizedTest
  @CsvSource({
    "user:alice, user:alice",
    "system, system",
    "user:J\u00FCrgen \u674E, user:J%C3%BCrgen%20%E6%9D%8E",
    "user:100%, user:100%25",
    "external-agent:cursor;for=user:\u00E9, external-agent:cursor;for=user:%C3%A9",
  })
  void whatIsWrittenIsReadFromItsHeader(String line, String header) {
    AuthorBody author = AuthorLine.parse(line);
    assertEquals(header, AuthorLine.header(author));
    assertEquals(author, AuthorLine.ofHeader(header));
  }

  @Test
  void anIdThatHoldsTheSignsOfALineStaysOneId() {
    AuthorBody author =
        new AuthorBody(Optional.of("user"), Optional.of("a;for=user:b"), Optional.empty());
    assertEquals(author, AuthorLine.ofHeader(AuthorLine.header(author)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"user:J\u00FCrgen", "user:100%", "user:%GG", "user:%C3", "user:a;for=user:%"})
  void whatIsNotEncodedIsRefusedWithTheMend(String header) {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> AuthorLine.ofHeader(header));
    assertTrue(refused.toString().contains("user:J%C3%BCrgen"), refused::toString);
  }
}
