package harness.workspace.command;

import java.io.IOException;
import java.util.Optional;

/** A process that holds a secret, and hides it where it is told to. */
final class HiddenProbe {
  private HiddenProbe() {}

  public static void main(String[] arguments) throws IOException {
    Optional<String> failure = arguments[0].equals("hide") ? OwnProcess.hide() : Optional.empty();
    System.out.println(failure.orElse("ready"));
    while (System.in.read() >= 0) {
      // Lives until its input is closed.
    }
  }
}
