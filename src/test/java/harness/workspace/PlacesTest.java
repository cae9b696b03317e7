package harness.workspace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

class PlacesTest {
  private static final Name NAME = Name.of("name");

  private final Places places = new Places(Duration.ZERO);

  private Places.Hold take(String directory, Name name) throws Exception {
    return places.take(Set.of(new Places.Place(directory, name)));
  }

  @Test
  void aPlaceIsHeldByOneAtATime() throws Exception {
    try (Places.Hold held = take("directory", NAME)) {
      assertThrows(TimeoutException.class, () -> take("directory", NAME));
      take("elsewhere", NAME).close();
      take("directory", Name.of("other")).close();
      assertEquals(1, places.size());
      held.close();
      take("directory", NAME).close();
    }
    assertEquals(0, places.size());
  }
}
