package harness.store;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteEventStoreTest extends EventStoreContract {
  @TempDir Path state;

  @Override
  EventStore open() {
    return SqliteEventStore.open(state, failure -> {});
  }
}
