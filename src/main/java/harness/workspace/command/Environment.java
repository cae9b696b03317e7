package harness.workspace.command;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The environment of commands: what is known to be harmless of the one of this process, and what
 * keeps programs from waiting for somebody at a terminal.
 */
final class Environment {
  private static final Set<String> KEPT =
      Set.of(
          "PATH",
          "HOME",
          "USER",
          "LOGNAME",
          "SHELL",
          "LANG",
          "LANGUAGE",
          "TZ",
          "TMPDIR",
          "JAVA_HOME",
          "MAVEN_HOME",
          "GRADLE_HOME",
          "GOROOT",
          "GOPATH",
          "CARGO_HOME",
          "RUSTUP_HOME",
          "PYENV_ROOT",
          "NVM_DIR",
          "VIRTUAL_ENV");
  private static final String LOCALE_PREFIX = "LC_";
  private static final Map<String, String> ADDED =
      Map.of("TERM", "dumb", "PAGER", "cat", "GIT_PAGER", "cat", "GIT_TERMINAL_PROMPT", "0");
  private static final String DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin";

  private final Map<String, String> variables = new TreeMap<>();

  /**
   * @param own the environment of this process
   * @param secrets the names of variables that hold keys; none of them is passed on
   */
  Environment(Map<String, String> own, Set<String> secrets) {
    variables.put("PATH", DEFAULT_PATH);
    own.forEach(
        (name, value) -> {
          if ((KEPT.contains(name) || name.startsWith(LOCALE_PREFIX)) && !secrets.contains(name)) {
            variables.put(name, value);
          }
        });
    variables.putAll(ADDED);
  }

  /** The same as a program takes it, with some more. */
  List<byte[]> with(Map<String, String> more) {
    Map<String, String> all = new TreeMap<>(variables);
    all.putAll(more);
    List<byte[]> words = new ArrayList<>();
    all.forEach((name, value) -> words.add((name + "=" + value).getBytes(StandardCharsets.UTF_8)));
    return words;
  }

  String path() {
    return variables.getOrDefault("PATH", DEFAULT_PATH);
  }

  /** The home directory; empty text where there is none. */
  String home() {
    return variables.getOrDefault("HOME", "");
  }
}
