package harness.conversation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.agent.Instance;
import harness.agent.InstanceId;
import org.junit.jupiter.api.Test;

/** Transcripts are kept within bounds, and each is handed out once, to the life that it is of. */
class TranscriptsTest {
  private static final String LIFE = "life";

  private final Transcripts transcripts = new Transcripts();

  private static Instance instance(int number) {
    return new Instance("coder", InstanceId.parse("run-" + number + "/coder"));
  }

  private static Transcript said(int characters) {
    Transcript transcript = new Transcript();
    transcript.apply(new Event.Nudged("s", 1, "x".repeat(characters)));
    return transcript;
  }

  private boolean holds(int number) {
    return transcripts.take(instance(number), LIFE).isPresent();
  }

  @Test
  void oneIsHandedOutOnceAndAsItWas() {
    transcripts.keep(instance(0), LIFE, 7, said(5));
    Transcripts.Kept kept = transcripts.take(instance(0), LIFE).orElseThrow();
    assertEquals(7, kept.events());
    assertEquals(said(5).messages(), kept.transcript().messages());
    assertFalse(holds(0));
  }

  @Test
  void oneOfAnEarlierLifeIsNotHandedOut() {
    transcripts.keep(instance(0), LIFE, 1, said(5));
    assertTrue(transcripts.take(instance(0), "next life").isEmpty());
  }

  @Test
  void theOldestGoWhereThereAreTooMany() {
    for (int number = 0; number <= Transcripts.CONVERSATIONS; number++) {
      transcripts.keep(instance(number), LIFE, 1, said(5));
    }
    assertFalse(holds(0));
    assertTrue(holds(1));
    assertTrue(holds(Transcripts.CONVERSATIONS));
  }

  @Test
  void theOldestGoWhereTheyAreTooLargeTogether() {
    int third = (int) (Transcripts.BYTES / 6);
    for (int number = 0; number < 3; number++) {
      transcripts.keep(instance(number), LIFE, 1, said(third));
    }
    assertFalse(holds(0));
    assertTrue(holds(1));
    assertTrue(holds(2));
  }

  @Test
  void oneThatIsTooLargeAloneCostsTheOthersNothing() {
    transcripts.keep(instance(0), LIFE, 1, said(5));
    transcripts.keep(instance(1), LIFE, 1, said((int) Transcripts.BYTES));
    assertFalse(holds(1));
    assertTrue(holds(0));
  }

  @Test
  void whatWasLetGoOfTakesNoRoom() {
    int half = (int) (Transcripts.BYTES / 5);
    for (int round = 0; round < 5; round++) {
      transcripts.keep(instance(0), LIFE, round, said(half));
      transcripts.keep(instance(1), LIFE, round, said(half));
      assertTrue(holds(0));
    }
    assertTrue(holds(1));
  }
}
