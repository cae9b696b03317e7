package harness.simulation;

import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Silences the core, which logs what goes wrong around it: that is all the time here. */
final class Hushed implements BeforeEachCallback, AfterEachCallback {
  private static final Logger LOG = Logger.getLogger("harness");

  @Override
  public void beforeEach(ExtensionContext context) {
    LOG.setLevel(Level.OFF);
  }

  @Override
  public void afterEach(ExtensionContext context) {
    LOG.setLevel(null);
  }
}
