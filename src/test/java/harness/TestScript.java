package harness;

import harness.model.scripted.Script;
import harness.model.scripted.ScriptException;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What the models of a {@link TestHarness} say, by words of the prompt:
 *
 * <ul>
 *   <li>{@code gate-N} (N from 0 to 9): says {@code Before.}, then waits until {@link
 *       TestHarness#open} has opened that gate, and ends;
 *   <li>{@code fault}: says half a reply and breaks, which burns the conversation;
 *   <li>{@code speak slowly}: says {@code one } and, an hour later, the rest;
 *   <li>{@code sing}: says {@code la la la la};
 *   <li>{@code list}: calls the tool {@code list} and ends;
 *   <li>{@code leave something running}: runs {@link #left} in the background and ends;
 *   <li>{@code suggest it}: writes {@code suggested.txt} and ends;
 *   <li>{@code what is new}: says whether it was told that the conversation is new;
 *   <li>anything else: says {@code Done.}
 * </ul>
 */
final class TestScript {
  private static final int GATES = 10;

  private TestScript() {}

  /** A command that goes on without end, for the Harness of one directory alone. */
  static String left(Path directory) {
    return "sleep 100000; : " + directory;
  }

  static Script in(Path directory) throws ScriptException {
    String gates =
        IntStream.range(0, GATES)
            .mapToObj(
                gate ->
                    """
                        - when: gate-%1$d
                          steps:
                            - { text: "Before. ", calls: [ { name: list, input: { path: . } } ] }
                            - { wait-for-file: "%2$s/gate-%1$d", text: "After the gate." }
                    """
                        .formatted(gate, directory))
            .collect(Collectors.joining());
    return Script.parse(
        """
        models:
          narrow:
            - steps: [ { text: Done. } ]
          plain:
        %s
            - when: fault
              steps:
                - { text: "Half a reply ", error: { kind: server, message: it broke } }
            - when: speak slowly
              steps: [ { text: one two, drip-ms: 3600000 } ]
            - when: sing
              steps: [ { text: la la la la } ]
            - when: list
              steps:
                - { text: "I look.", calls: [ { name: list, input: { path: . } } ] }
                - { text: "I looked." }
            - when: leave something running
              steps:
                - { calls: [ { name: shell, input: { background: true, command: "%s" } } ] }
                - { text: "I left it." }
            - when: suggest it
              steps:
                - { calls: [ { name: write, input: { path: suggested.txt, content: Mine } } ] }
                - { text: "I suggest it." }
            - when: what is new
              seen: This conversation is new
              steps: [ { text: The conversation is new. } ]
            - when: what is new
              steps: [ { text: Nothing is new. } ]
            - steps: [ { text: Done. } ]
        """
            .formatted(gates, left(directory)),
        "of the test");
  }
}
