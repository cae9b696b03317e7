package harness.scenario;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Something that happens in a scenario, or must hold: one key that says which, and its value. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, include = JsonTypeInfo.As.WRAPPER_OBJECT)
@JsonSubTypes({
  @JsonSubTypes.Type(value = Step.Admit.class, name = "admit"),
  @JsonSubTypes.Type(value = Step.Request.class, name = "request"),
  @JsonSubTypes.Type(value = Step.Settled.class, name = "settled"),
  @JsonSubTypes.Type(value = Step.Event.class, name = "event"),
  @JsonSubTypes.Type(value = Step.Events.class, name = "events"),
  @JsonSubTypes.Type(value = Step.Calls.class, name = "calls"),
  @JsonSubTypes.Type(value = Step.History.class, name = "history"),
  @JsonSubTypes.Type(value = Step.Reread.class, name = "reread"),
  @JsonSubTypes.Type(value = Step.Files.class, name = "files"),
  @JsonSubTypes.Type(value = Step.Absent.class, name = "absent"),
  @JsonSubTypes.Type(value = Step.Changed.class, name = "changed"),
  @JsonSubTypes.Type(value = Step.Git.class, name = "git"),
  @JsonSubTypes.Type(value = Step.Rights.class, name = "rights"),
  @JsonSubTypes.Type(value = Step.Restart.class, name = "restart")
})
public sealed interface Step {
  /**
   * What an answer must be.
   *
   * @param status its status
   * @param error words that the error's sentence holds
   * @param answer what the JSON of the answer holds, at least
   */
  record Expected(int status, List<String> error, JsonNode answer) {
    static final int OK = 200;

    public Expected {
      status = status == 0 ? OK : status;
      error = List.copyOf(error);
    }
  }

  /**
   * Admits a Turn by {@code POST /turns}, with a run, a path, an agent and a definition of the
   * scenario's own wherever the body says nothing else.
   *
   * @param as the name of the Submission in later steps
   */
  record Admit(
      Optional<String> as,
      Map<String, String> headers,
      JsonNode body,
      int status,
      List<String> error,
      JsonNode answer)
      implements Step {
    public Admit {
      headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
      error = List.copyOf(error);
      if (!body.isObject()) {
        throw new IllegalArgumentException("admit needs a body, a mapping");
      }
    }

    Expected expected() {
      return new Expected(status, error, answer);
    }
  }

  /**
   * Any request.
   *
   * @param as the name of the Submission that it admits, in later steps
   * @param path the raw path with its query, or a name of it such as {@code {{OF.path}}}
   * @param body JSON to send; nothing is sent without it and without text
   * @param text bytes to send as they are
   */
  record Request(
      Optional<String> as,
      String method,
      String path,
      Map<String, String> headers,
      JsonNode body,
      Optional<String> text,
      int status,
      List<String> error,
      JsonNode answer)
      implements Step {
    public Request {
      headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
      error = List.copyOf(error);
      if (method.isEmpty() || !(path.startsWith("/") || path.startsWith("{{"))) {
        throw new IllegalArgumentException(
            "request needs a method and a path that starts with / or a name");
      }
    }

    Expected expected() {
      return new Expected(status, error, answer);
    }
  }

  /**
   * Waits until a Submission settled.
   *
   * @param of its name
   * @param outcome {@code completed}, {@code failed} or {@code aborted}
   * @param error the type of its error; without it there must be none
   * @param fault the class of its fault; without it there must be none
   * @param says what the Agent said last in its Turn, whole
   */
  record Settled(
      String of,
      String outcome,
      Optional<String> error,
      Optional<String> fault,
      Optional<String> says)
      implements Step {
    public Settled {
      named("settled", of);
      if (outcome.isEmpty()) {
        throw new IllegalArgumentException("settled needs an outcome");
      }
    }
  }

  /**
   * Waits for an event of a Submission; the call that it is about is {@code {{OF.callId}}} then.
   *
   * @param holds what the event holds, at least
   */
  record Event(String of, String type, JsonNode holds) implements Step {
    public Event {
      named("event", of);
      if (type.isEmpty()) {
        throw new IllegalArgumentException("event needs a type");
      }
    }
  }

  /** The types of all events of a settled Submission, in order. */
  record Events(String of, List<String> types) implements Step {
    public Events {
      named("events", of);
      types = List.copyOf(types);
    }
  }

  /**
   * The tool calls of a settled Submission, in order.
   *
   * @param returned each as {@code NAME OUTCOME}
   */
  record Calls(String of, List<String> returned) implements Step {
    public Calls {
      named("calls", of);
      returned = List.copyOf(returned);
    }
  }

  /**
   * The messages of a Submission's conversation, in order.
   *
   * @param messages each as {@code ROLE: TEXT}
   */
  record History(String of, List<String> messages) implements Step {
    public History {
      named("history", of);
      messages = List.copyOf(messages);
    }
  }

  /** What was read of a Submission before reads the same again, from the same offset. */
  record Reread(String of) implements Step {
    public Reread {
      named("reread", of);
    }
  }

  /** Files and what each holds, whole. */
  record Files(Map<String, String> contents) implements Step {
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public Files {
      contents = Collections.unmodifiableMap(new LinkedHashMap<>(contents));
    }
  }

  /** Paths at which there is nothing. */
  record Absent(List<String> paths) implements Step {
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public Absent {
      paths = List.copyOf(paths);
    }
  }

  /**
   * All paths, relative to the workspace root or in {@code outside/}, that were made, changed or
   * removed since the scenario began; git's own files do not count.
   */
  record Changed(List<String> paths) implements Step {
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public Changed {
      paths = List.copyOf(paths);
    }
  }

  /** Checkouts and the state of each. */
  record Git(Map<String, State> checkouts) implements Step {
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public Git {
      checkouts = Collections.unmodifiableMap(new LinkedHashMap<>(checkouts));
    }

    /**
     * The state of a checkout.
     *
     * @param status lines as {@code git status --porcelain} has them
     */
    public record State(String branch, List<String> status) {
      public State {
        status = List.copyOf(status);
      }
    }
  }

  /** What the server's file of rights says from now on. */
  record Rights(JsonNode file) implements Step {
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public Rights {}
  }

  /** Kills the server and starts it again on the same state. */
  record Restart() implements Step {}

  private static void named(String step, String of) {
    if (of.isEmpty()) {
      throw new IllegalArgumentException(step + " needs 'of', the name of a Submission");
    }
  }
}
