package harness.scenario;

import java.io.IOException;
import java.util.Optional;

/** Where scenarios are played. */
public interface Target {
  /** Why a scenario can't be played here, with the mend; empty when it can. */
  Optional<String> refusal(Scenario scenario) throws IOException, InterruptedException;

  /** Gives one scenario its place and a server that looks at it. */
  Stage open(Scenario scenario) throws IOException, InterruptedException;
}
