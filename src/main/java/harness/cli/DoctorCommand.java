package harness.cli;

import harness.conversation.Doctor;
import harness.store.StateReader;
import harness.store.StoreUnableException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Checks a state directory. */
@Command(
    name = "doctor",
    description =
        "Checks a state directory and says what it found, also while a Harness runs; ends with 1"
            + " where something is wrong.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class DoctorCommand implements Callable<Integer> {
  private final Surroundings surroundings;
  private final PrintWriter out;

  @Mixin private final StateOption state = new StateOption();

  DoctorCommand(Surroundings surroundings, PrintWriter out) {
    this.surroundings = surroundings;
    this.out = out;
  }

  @Override
  public Integer call() throws StartException {
    try (StateReader reader = StateReader.open(state.directory(surroundings))) {
      Doctor.Findings found = Doctor.examine(reader);
      out.printf(
          "%s: %d conversations, %d events of %d bytes, %d Submissions unsettled, %d faults%n",
          reader.file(),
          found.conversations(),
          found.events(),
          found.bytes(),
          found.unsettled(),
          found.faults());
      found.wrong().forEach(out::println);
      out.println(found.wrong().isEmpty() ? "nothing is wrong" : found.wrong().size() + " wrong");
      out.flush();
      return found.wrong().isEmpty() ? Program.DONE : Program.FAILED;
    } catch (StoreUnableException e) {
      throw new StartException(String.valueOf(e.getMessage()), e);
    }
  }
}
