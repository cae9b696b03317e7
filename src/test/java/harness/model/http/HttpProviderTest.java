package harness.model.http;

import static harness.model.Says.assertHides;
import static harness.model.Says.assertSays;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HttpProviderTest {
  @Test
  void theEndpointStandsBehindTheAddress() {
    URI endpoint = URI.create("https://host:8/v1/chat/completions");

    assertEquals(endpoint, settings("https://host:8/v1").endpoint());
    assertEquals(endpoint, settings("https://host:8/v1//").endpoint());
  }

  @ParameterizedTest
  @ValueSource(strings = {"host/v1", "ftp://host/v1", "http:///v1", "file:/etc/passwd", "HTTPS"})
  void anAddressThatIsNoneOfHttpIsRefused(String address) {
    assertSays(
        "'base-url' is like https://host/v1",
        assertThrows(IllegalArgumentException.class, () -> settings(address)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"https://me:secret@host/v1", "https://host/v1?key=secret", "ftp://h/#secret"})
  void anAddressWithAPlaceForASecretIsRefusedUnseen(String address) {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> settings(address));

    assertSays("a key belongs in 'api-key-file'", refused);
    assertHides("secret", refused);
  }

  private static HttpProvider.Settings settings(String address) {
    return new HttpProvider.Settings(
        "lab",
        Api.OPENAI_CHAT,
        URI.create(address),
        new KeySource.None(),
        ModelLimits.DEFAULT,
        RetryPolicy.DEFAULT);
  }
}
