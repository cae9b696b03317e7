package harness.cli;

import harness.fault.Nearest;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * What is set from outside the file: flags, and under them the environment, whose names follow from
 * the keys by one rule. Remembers each name that was looked for, so that a mistyped variable can be
 * told.
 */
final class Overrides {
  static final String PREFIX = "HARNESS_";

  /** Variables of the program that are no key of the configuration. */
  private static final Set<String> RESERVED =
      Set.of("HARNESS_CONFIG", "HARNESS_TOKEN", "HARNESS_JAVA_OPTS");

  /** Kubernetes sets these in every pod beside a Service whose name starts with "harness". */
  private static final Pattern SERVICE_LINK =
      Pattern.compile(".*_SERVICE_(HOST|PORT(_.*)?)|.*_PORT(_[0-9]+_(TCP|UDP|SCTP)(_.*)?)?");

  private static final int TYPO_LETTERS = 2;

  private final Map<String, String> flags;
  private final Map<String, String> environment;
  private final Set<String> known = new TreeSet<>();
  private final Set<String> foreign = new TreeSet<>();
  private final Set<String> prefixes = new TreeSet<>();

  /**
   * @param flags by flag, such as {@code --listen}; see {@link #flag(String)}
   */
  Overrides(Map<String, String> flags, Map<String, String> environment) {
    this.flags = Map.copyOf(flags);
    this.environment = Map.copyOf(environment);
  }

  /** A value and where it came from, as messages name it. */
  record Setting(String origin, String value) {}

  /** The value set for a key; an empty variable counts as not set. */
  Optional<Setting> find(String path) {
    String variable = variable(path);
    known.add(variable);
    String flag = flag(path);
    if (flags.containsKey(flag)) {
      return Optional.of(new Setting(flag, flags.get(flag)));
    }
    return Optional.ofNullable(environment.get(variable))
        .filter(value -> !value.isEmpty())
        .map(value -> new Setting(variable, value));
  }

  /** Whether a flag or a variable starts with this key: one of its inner keys is set. */
  void enter(String path) {
    prefixes.add(variable(path) + "_");
  }

  /** A variable that another key names, as {@code api-key-env} does: it is no key itself. */
  void foreign(String variable) {
    foreign.add(variable);
  }

  static String variable(String path) {
    return PREFIX + path.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
  }

  static String flag(String path) {
    return path.equals("workspace.root") ? "--workspace" : "--" + path;
  }

  /** A fault for each variable that looks like a key of the configuration and is none. */
  List<String> strangers() {
    List<String> faults = new ArrayList<>();
    new TreeSet<>(environment.keySet())
        .stream().filter(this::stranger).forEach(name -> faults.add(strange(name)));
    return faults;
  }

  private boolean stranger(String name) {
    if (!name.startsWith(PREFIX)
        || known.contains(name)
        || foreign.contains(name)
        || RESERVED.contains(name)
        || SERVICE_LINK.matcher(name).matches()) {
      return false;
    }
    return prefixes.stream().anyMatch((name + "_")::startsWith)
        || Nearest.of(name, known).filter(near -> close(name, near)).isPresent();
  }

  private static boolean close(String name, String near) {
    return Nearest.distance(name, near) <= TYPO_LETTERS;
  }

  private String strange(String name) {
    return "the variable "
        + name
        + " names no key of the configuration; did you mean "
        + Nearest.of(name, known).orElse(PREFIX)
        + "?";
  }
}
