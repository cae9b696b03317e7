package harness.model.scripted;

import harness.model.Message;
import harness.model.Model;
import harness.model.ModelException;
import harness.model.Part;
import harness.model.Reply;
import harness.model.Request;
import harness.model.Sink;
import harness.model.Sleeper;
import harness.model.Usage;
import harness.model.scripted.Script.Call;
import harness.model.scripted.Script.Rule;
import harness.model.scripted.Script.Step;
import harness.model.scripted.Script.Tokens;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Follows a {@link Script}. Which step it takes is decided by the request alone: the rule by the
 * prompt and by the number of user messages, the step by the number of replies since the newest of
 * them. It streams its words one by one.
 */
public final class ScriptedModel implements Model {
  /** The longest that a step waits for its file. */
  public static final Duration WAIT_FOR_FILE_AT_MOST = Duration.ofMinutes(10);

  private static final Duration LOOK_FOR_FILE_EVERY = Duration.ofMillis(20);

  /** A word with the space behind it: cutting there never splits a character. */
  private static final Pattern PIECE = Pattern.compile("\\S*\\s*");

  private final String name;
  private final List<Rule> rules;
  private final Sleeper sleeper;

  /**
   * @param name the model as messages name it
   */
  public ScriptedModel(String name, List<Rule> rules, Sleeper sleeper) {
    this.name = name;
    this.rules = List.copyOf(rules);
    this.sleeper = sleeper;
  }

  /**
   * @throws ModelException as the step says; {@code BAD_REQUEST} when no rule fits or the script
   *     has no step left, {@code STALLED} when a file that a step waits for never came
   */
  @Override
  public Reply respond(Request request, Sink sink) throws ModelException, InterruptedException {
    Asked asked = Asked.of(request);
    Step step = step(asked, rule(request, asked));
    await(step);
    List<Part> parts = new ArrayList<>();
    if (step.think().isPresent()) {
      say(step.think().get(), step, sink::thinking);
      parts.add(new Part.Thinking(step.think().get()));
    }
    if (step.text().isPresent()) {
      say(step.text().get(), step, sink::text);
      parts.add(new Part.Text(step.text().get()));
    }
    if (step.error().isPresent()) {
      throw new ModelException(
          step.error().get().kind(), name + ": " + step.error().get().message());
    }
    for (int i = 0; i < step.calls().size(); i++) {
      Call call = step.calls().get(i);
      String callId = "call-" + asked.turn() + "-" + asked.step() + "-" + i;
      parts.add(new Part.Call(callId, call.name(), call.input()));
    }
    Usage usage = step.usage().map(Tokens::toUsage).orElse(Usage.NONE);
    if (step.cut()) {
      return new Reply.Cut(parts, usage);
    }
    return step.calls().isEmpty() ? new Reply.Text(parts, usage) : new Reply.Calls(parts, usage);
  }

  private Rule rule(Request request, Asked asked) throws ModelException {
    for (Rule rule : rules) {
      if (rule.when().map(asked.prompt()::contains).orElse(true)
          && rule.turn().map(turn -> turn == asked.turn()).orElse(true)
          && rule.seen().map(words -> seen(words, request)).orElse(true)) {
        return rule;
      }
    }
    throw new ModelException(
        ModelException.Kind.BAD_REQUEST,
        name
            + ": no rule of the script fits Turn "
            + asked.turn()
            + " with the prompt '"
            + asked.prompt()
            + "'; add one");
  }

  private Step step(Asked asked, Rule rule) throws ModelException {
    if (asked.step() < rule.steps().size()) {
      return rule.steps().get(asked.step());
    }
    throw new ModelException(
        ModelException.Kind.BAD_REQUEST,
        name
            + ": the script ended: it has "
            + rule.steps().size()
            + " steps for Turn "
            + asked.turn()
            + " and the model was asked once more; add a step");
  }

  private void await(Step step) throws ModelException, InterruptedException {
    if (step.waitForFile().isPresent()) {
      Path file = step.waitForFile().get();
      long looks = WAIT_FOR_FILE_AT_MOST.dividedBy(LOOK_FOR_FILE_EVERY);
      for (long look = 0; !Files.exists(file); look++) {
        if (look == looks) {
          throw new ModelException(
              ModelException.Kind.STALLED,
              name + ": the file " + file + " did not come within " + WAIT_FOR_FILE_AT_MOST);
        }
        sleeper.sleep(LOOK_FOR_FILE_EVERY);
      }
    }
    if (step.delayMs() > 0) {
      sleeper.sleep(Duration.ofMillis(step.delayMs()));
    }
  }

  private void say(String words, Step step, Consumer<String> listener) throws InterruptedException {
    Matcher piece = PIECE.matcher(words);
    for (int start = 0; start < words.length() && piece.find(); start = piece.end()) {
      if (Thread.interrupted()) {
        throw new InterruptedException("the Turn was ended while the scripted model spoke");
      }
      if (start > 0 && step.dripMs() > 0) {
        sleeper.sleep(Duration.ofMillis(step.dripMs()));
      }
      listener.accept(piece.group());
    }
  }

  private static boolean seen(String words, Request request) {
    return request.system().contains(words)
        || request.messages().stream().anyMatch(message -> holds(message, words));
  }

  private static boolean holds(Message message, String words) {
    return switch (message) {
      case Message.User user -> user.blocks().stream().anyMatch(block -> block.contains(words));
      case Message.Assistant assistant ->
          assistant.parts().stream().anyMatch(part -> holds(part, words));
      case Message.Results results ->
          results.results().stream().anyMatch(result -> result.text().contains(words));
    };
  }

  private static boolean holds(Part part, String words) {
    return switch (part) {
      case Part.Text text -> text.text().contains(words);
      case Part.Thinking thinking -> thinking.text().contains(words);
      case Part.Redacted _ -> false;
      case Part.Call call -> call.input().toString().contains(words);
    };
  }

  /**
   * Where in the conversation the model is asked.
   *
   * @param turn the user messages before the newest one
   * @param step the replies since the newest user message
   * @param prompt the first block of that message
   */
  private record Asked(int turn, int step, String prompt) {
    static Asked of(Request request) throws ModelException {
      int users = 0;
      int step = 0;
      Optional<Message.User> newest = Optional.empty();
      for (Message message : request.messages()) {
        switch (message) {
          case Message.User user -> {
            users++;
            step = 0;
            newest = Optional.of(user);
          }
          case Message.Assistant _ -> step++;
          case Message.Results _ -> {}
        }
      }
      if (newest.isEmpty()) {
        throw new ModelException(
            ModelException.Kind.BAD_REQUEST, "a model is asked with at least one user message");
      }
      return new Asked(users - 1, step, newest.get().blocks().stream().findFirst().orElse(""));
    }
  }
}
