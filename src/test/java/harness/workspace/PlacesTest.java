package harness.workspace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

class PlacesTest {
  private static final Name NAME = Name.of("name");

  @Test
  void aPlaceIsHeldByOneAtATime() throws Exception {
    Places places = new Places(Duration.ZERO);
    try (Places.Hold held = places.take("directory", NAME)) {
      assertThrows(TimeoutException.class, () -> places.take("directory", NAME));
      places.take("elsewhere", NAME).close();
      places.take("directory", Name.of("other")).close();
      assertEquals(1, places.size());
      held.close();
      places.take("directory", NAME).close();
    }
    assertEquals(0, places.size());
  }
}
