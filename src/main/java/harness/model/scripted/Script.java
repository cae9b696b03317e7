package harness.model.scripted;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import harness.model.ModelException;
import harness.model.Usage;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What scripted models say: a YAML document, read strictly.
 *
 * <pre>{@code
 * models:
 *   demo:                                  # the model, named PROVIDER/demo by callers
 *     - when: write the note               # only for a prompt that holds these words
 *       turn: 0                            # only for the first Turn of a conversation
 *       steps:                             # one for each time that the model is asked in the Turn
 *         - think: I need a file.
 *           text: I write the note.
 *           calls:
 *             - { name: write, input: { path: note.txt, content: hello } }
 *         - text: Done.
 * }</pre>
 *
 * @param models for each model its rules; the first that fits a request is followed
 */
public record Script(Map<String, List<Rule>> models) {
  public Script {
    if (models.isEmpty()) {
      throw new IllegalArgumentException("a script needs 'models' with at least one model");
    }
    Map<String, List<Rule>> copy = new LinkedHashMap<>();
    models.forEach(
        (name, rules) -> {
          if (rules.isEmpty()) {
            throw new IllegalArgumentException("model '" + name + "' needs at least one rule");
          }
          copy.put(name, List.copyOf(rules));
        });
    models = Collections.unmodifiableMap(copy);
  }

  /**
   * Reads a script from a file of at most {@value ScriptReader#MAX_SCRIPT_BYTES} bytes.
   *
   * @throws ScriptException when the file can't be read or is no script; names the place
   */
  public static Script read(Path file) throws ScriptException {
    return ScriptReader.read(file);
  }

  /**
   * Reads a script.
   *
   * @param name what messages call it
   * @throws ScriptException when it is no script; names the place
   */
  public static Script parse(String yaml, String name) throws ScriptException {
    return ScriptReader.parse(yaml, name);
  }

  /**
   * Takes a script that stands inside another document.
   *
   * @param name what messages call it
   * @throws ScriptException when it is no script; names the place
   */
  public static Script of(JsonNode tree, String name) throws ScriptException {
    return ScriptReader.of(tree, name);
  }

  /** The rules of a model; none where the script has no such model. */
  public List<Rule> rules(String model) {
    return models.getOrDefault(model, List.of());
  }

  /**
   * What the model does in one Turn. A rule without conditions fits every Turn.
   *
   * @param when words that the prompt holds: the first block of the newest user message
   * @param turn the user messages before the newest one: 0 in the first Turn of a conversation; a
   *     nudge counts as one, too
   * @param seen words that the system text or a message of the conversation holds
   * @param steps what it replies, one step for each time that it is asked
   */
  public record Rule(
      Optional<String> when, Optional<Integer> turn, Optional<String> seen, List<Step> steps) {
    public Rule {
      if (steps.isEmpty()) {
        throw new IllegalArgumentException("a rule needs 'steps' with at least one step");
      }
      steps = List.copyOf(steps);
    }
  }

  /**
   * One reply, in the order in which it happens: it waits, thinks, speaks, calls, and fails or is
   * cut where the script says so.
   *
   * @param waitForFile the reply starts when this file is there, within {@link
   *     ScriptedModel#WAIT_FOR_FILE_AT_MOST}; how a scenario holds a Turn in the middle
   * @param delayMs milliseconds before the reply starts
   * @param dripMs milliseconds between two pieces of text
   * @param think words to itself
   * @param text words for the reader
   * @param calls the tools it calls
   * @param error how it fails, after what it has said
   * @param cut whether the length limit cuts it, after what it has said
   * @param usage the tokens it claims
   */
  public record Step(
      Optional<Path> waitForFile,
      long delayMs,
      long dripMs,
      Optional<String> think,
      Optional<String> text,
      List<Call> calls,
      Optional<Failure> error,
      boolean cut,
      Optional<Tokens> usage) {
    /** The longest delay, in milliseconds: an hour. */
    public static final long MAX_DELAY_MS = 3_600_000;

    public Step {
      requireDelay("delay-ms", delayMs);
      requireDelay("drip-ms", dripMs);
      if (error.isPresent() && (cut || !calls.isEmpty())) {
        throw new IllegalArgumentException("a step with 'error' has neither 'calls' nor 'cut'");
      }
      calls = List.copyOf(calls);
    }

    private static void requireDelay(String key, long value) {
      if (value < 0 || value > MAX_DELAY_MS) {
        throw new IllegalArgumentException(
            "'" + key + "' is from 0 to " + MAX_DELAY_MS + " milliseconds, not " + value);
      }
    }
  }

  /**
   * A call of a tool.
   *
   * @param name the tool; any name, also one that is not offered
   * @param input its arguments; an empty object where the script has none
   */
  public record Call(@JsonProperty(required = true) String name, JsonNode input) {
    public Call {
      if (name.isEmpty()) {
        throw new IllegalArgumentException("a call's 'name' is that of a tool, not empty");
      }
      if (input.isNull() || input.isMissingNode()) {
        input = JsonNodeFactory.instance.objectNode();
      }
    }
  }

  /** How a reply fails: what {@link ModelException} then carries. */
  public record Failure(
      @JsonProperty(required = true) ModelException.Kind kind,
      @JsonProperty(required = true) String message) {}

  /** Tokens, as {@link harness.model.Usage} has them. */
  public record Tokens(long input, long cached, long output) {
    Usage toUsage() {
      return new Usage(input, cached, output);
    }
  }
}
