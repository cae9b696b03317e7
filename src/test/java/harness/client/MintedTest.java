package harness.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import harness.api.AdmissionBody;
import harness.api.WorkspaceAnswer;
import harness.fault.RefusedException;
import harness.workspace.Slots;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The client mints and resolves as the Harness does. */
class MintedTest {
  private static final Map<String, String> TWO =
      Map.of("target", "/work/target/x", "docs", "/work/docs/x");
  private static final Address CODER = new Address("run-1", "task/inner", "coder");

  private static WorkspaceAnswer workspace(Map<String, String> slots) {
    return new WorkspaceAnswer(
        "/work",
        new Slots("/work", slots)
            .worktrees().entrySet().stream()
                .map(
                    slot ->
                        new WorkspaceAnswer.Slot(slot.getKey(), slot.getValue(), Optional.empty()))
                .toList());
  }

  private static Minted mint(Definition definition, TurnInput input, Map<String, String> slots)
      throws UnsettledException {
    return Minted.of(
        Invocation.of(CODER, definition),
        input,
        workspace(slots),
        new EpochLedger.Entry(2, true),
        Optional.of("k"));
  }

  private static final Definition WRITER = Definition.of("lab/m", "Code.");

  private static AdmissionBody body(Minted minted) throws UnsettledException {
    return Json.read(minted.body(), AdmissionBody.class);
  }

  @Test
  void anAddressIsMintedAsTheHarnessMintsIt() {
    for (String path : List.of("", "task", "task/inner")) {
      for (int epoch : new int[] {0, 1, 42}) {
        assertEquals(
            harness.agent.Address.of("run-1", path, "coder").at(epoch).value(),
            new Address("run-1", path, "coder").at(epoch));
      }
    }
  }

  @Test
  void severalSlotsAndNoCwdAreRefusedInTheWordsOfTheHarness() {
    UnsettledException here =
        assertThrows(UnsettledException.class, () -> mint(WRITER, TurnInput.fresh("Where?"), TWO));
    RefusedException there =
        assertThrows(
            RefusedException.class, () -> new Slots("/work", TWO).resolve(Optional.empty()));
    assertEquals(
        new Outcome.Refused(400, String.valueOf(there.getMessage()), "cwd"), here.outcome());
  }

  @Test
  void aTurnWorksInTheOnlySlotOrInTheRootOrWhereItSays() throws Exception {
    TurnInput input = TurnInput.fresh("Go.");
    assertEquals(
        Optional.of("/work/target/x"),
        body(mint(WRITER, input, Map.of("target", "/work/target/x"))).cwd());
    assertEquals(Optional.of("/work"), body(mint(WRITER, input, Map.of())).cwd());
    assertEquals(
        Optional.of("/work/docs/x"), body(mint(WRITER, input.in("/work/docs/x"), TWO)).cwd());
  }

  @Test
  void anAgentWithoutAWorkspaceHasNoCwd() throws Exception {
    Definition judge = Definition.of("lab/m", "Judge.", "none");
    assertEquals(Optional.empty(), body(mint(judge, TurnInput.fresh("Judge."), TWO)).cwd());
    assertThrows(
        UnsettledException.class, () -> mint(judge, TurnInput.fresh("Judge.").in("/work"), TWO));
  }

  @Test
  void theLedgerIsSentAlongWithAContinuedTurnAlone() throws Exception {
    Minted continued = mint(WRITER, TurnInput.continued("Go on."), Map.of());
    assertEquals(Optional.of(2), body(continued).epoch());
    assertEquals(Optional.of(true), body(continued).expectHeld());
    Minted fresh = mint(WRITER, TurnInput.fresh("Go."), Map.of());
    assertEquals(Optional.empty(), body(fresh).epoch());
    assertEquals(Optional.empty(), body(fresh).expectHeld());
  }

  @Test
  void aDescriptionIsNotSent() throws Exception {
    Definition described =
        new Definition(
            "lab/m",
            "Code.",
            Optional.empty(),
            Optional.of("low"),
            Optional.of("The one who codes"),
            Optional.empty(),
            Optional.empty());
    assertEquals(
        """
        {"run":"run-1","path":"task/inner","agent":"coder","definition":{"model":"lab/m","instructions":"Code.",\
        "thinkingLevel":"low"},"prompt":"Go.","cwd":"/work","continue":false}""",
        mint(described, TurnInput.fresh("Go."), Map.of()).body());
  }

  @Test
  void whatIsMintedAndWhatIsAdmittedArePlainData() throws Exception {
    JsonMapper mapper = JsonMapper.builder().addModule(new Jdk8Module()).build();
    Minted minted = mint(WRITER, TurnInput.continued("Go on."), Map.of());
    Minted read = mapper.readValue(mapper.writeValueAsString(minted), Minted.class);
    assertEquals(minted, read);
    Admission admission =
        new Admission(CODER, true, Optional.of("k"), "run-1/x", 2, false, "s-1", "l-4", 1);
    assertEquals(
        admission, mapper.readValue(mapper.writeValueAsString(admission), Admission.class));
    EpochLedger.Data data =
        new EpochLedger.Data("7", Map.of("coder run-1/x", new EpochLedger.Entry(3, true)));
    assertEquals(data, mapper.readValue(mapper.writeValueAsString(data), EpochLedger.Data.class));
  }
}
