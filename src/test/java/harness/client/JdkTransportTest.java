package harness.client;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.net.URI;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What no header can hold is refused before anything is sent. */
class JdkTransportTest {
  @ParameterizedTest
  @ValueSource(strings = {"s3cret\n", "s3cret\r\nX: y", "s3cret two", "s3crét", ""})
  void aTokenThatNoHeaderHoldsIsRefusedAndNotTold(String token) {
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class,
            () -> new JdkTransport(URI.create("http://127.0.0.1:1"), Optional.of(token)));
    assertFalse(String.valueOf(refused.getMessage()).contains("s3cr"), refused::toString);
  }
}
