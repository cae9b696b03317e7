package harness.scenario;

import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** Plays scenarios against a {@link Target}. */
public final class ScenarioRunner {
  /** The id of the scripted provider that scenarios are played with. */
  public static final String PROVIDER = "scripted";

  /** How long a step waits for what must come. */
  public static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Target target;
  private final Repositories repositories;
  private final RandomGenerator random;
  private final InstantSource clock;
  private final Duration patience;

  /**
   * @param random tells plays apart, so that none joins a conversation of another
   * @param patience how long a step waits for what must come
   */
  public ScenarioRunner(
      Target target,
      Repositories repositories,
      RandomGenerator random,
      InstantSource clock,
      Duration patience) {
    this.target = target;
    this.repositories = repositories;
    this.random = random;
    this.clock = clock;
    this.patience = patience;
  }

  /** Why a scenario can't be played against the target, with the mend; empty when it can. */
  public Optional<String> refusal(Scenario scenario) throws IOException, InterruptedException {
    return target.refusal(scenario);
  }

  /**
   * Plays one scenario.
   *
   * @throws ScenarioFailure when it did not hold: names the scenario, the step, what was expected
   *     and what was there
   */
  public void play(Scenario scenario) throws ScenarioFailure, InterruptedException {
    int at = 0;
    String files = "none";
    try (Stage stage = target.open(scenario)) {
      files = stage.root().toString();
      Names names = new Names();
      names.put("root", stage.root().toString());
      names.put("outside", stage.outside().toString());
      stage.slots().forEach((slot, worktree) -> names.put("slot." + slot, worktree));
      names.put("run", scenario.name() + "-" + Integer.toHexString(random.nextInt()));
      new Preparation(repositories, names)
          .prepare(scenario.workspace(), stage.root(), stage.outside());
      Requests requests = new Requests(scenario, names, clock);
      Play play = new Play(names, requests, repositories, stage, stage.start(), patience);
      for (Step step : scenario.steps()) {
        at++;
        play.step(step);
      }
      stage.held();
    } catch (ScenarioFailure | IOException failure) {
      throw new ScenarioFailure(
          where(scenario, at) + ": " + sentence(failure) + "\n  files:    " + files, failure);
    }
  }

  private static String where(Scenario scenario, int at) {
    if (at == 0) {
      return scenario.name() + ", before its first step";
    }
    Step step = scenario.steps().get(at - 1);
    return scenario.name() + ", step " + at + " (" + word(step) + ")";
  }

  private static String word(Step step) {
    return step.getClass().getSimpleName().toLowerCase(java.util.Locale.ROOT);
  }

  private static String sentence(Exception failure) {
    return failure instanceof ScenarioFailure
        ? String.valueOf(failure.getMessage())
        : failure.toString();
  }
}
