package harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.admission.Admission;
import harness.admission.AdmissionRequest;
import harness.admission.Admissions;
import harness.agent.Access;
import harness.agent.Address;
import harness.agent.Definition;
import harness.agent.Instance;
import harness.agent.ModelName;
import harness.author.Actor;
import harness.cli.Configuration;
import harness.conversation.Conversations;
import harness.conversation.Delivery;
import harness.conversation.Event;
import harness.conversation.Settlement;
import harness.conversation.Subscription;
import harness.menu.Menu;
import harness.store.EventStore;
import harness.store.SqliteEventStore;
import io.micronaut.context.annotation.Factory;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The parts, as they are put together for the program, run a Turn. */
@MicronautTest(startApplication = false)
@Timeout(120)
class WiringTest {
  @Inject Admissions admissions;
  @Inject Conversations conversations;
  @Inject EventStore store;
  @Inject Configuration configuration;

  /** What the program is told, for this test. */
  @Factory
  static final class TestConfiguration {
    @Singleton
    Configuration configuration() throws Exception {
      return TestSettings.in(Files.createTempDirectory("wiring-test").toRealPath()).configuration();
    }
  }

  @Test
  void anAdmittedTurnRunsInTheWorkspaceAndIsKept() throws Exception {
    Instance instance = new Instance("coder", Address.of("run", "task", "coder").at(0));
    Admission admission =
        admissions.admit(
            new AdmissionRequest(
                new AdmissionRequest.Destination.Exact(instance),
                new Definition(
                    ModelName.parse(Bodies.MODEL),
                    "You look.",
                    Access.READ,
                    Optional.empty(),
                    Definition.Writes.DIRECT,
                    List.of()),
                "list it",
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                new Actor.System(),
                List.of(),
                Menu.NONE,
                Delivery.QUEUE,
                Optional.empty()));
    assertTrue(admission.isNew());

    Event last = awaitSettled(instance);
    Settlement settlement = assertInstanceOf(Event.SubmissionSettled.class, last).settlement();
    assertInstanceOf(Settlement.Completed.class, settlement);
    assertTrue(
        Files.exists(Path.of(configuration.state().toString(), SqliteEventStore.FILE)),
        "the state is where the configuration says");
    assertEquals(0, conversations.find(instance).orElseThrow().unsettled());
  }

  private Event awaitSettled(Instance instance) throws InterruptedException {
    try (Subscription ear = conversations.subscribe(instance, false)) {
      while (conversations.find(instance).orElseThrow().unsettled() > 0) {
        assertTrue(
            !(ear.await(TestHarness.PATIENCE) instanceof Subscription.Signal.Quiet),
            "nothing came");
      }
      return conversations.read(instance, 0, 100).getLast().event();
    }
  }
}
