package harness;

import harness.admission.Admissions;
import harness.admission.Answers;
import harness.admission.Checks;
import harness.admission.Proposals;
import harness.author.Authority;
import harness.briefing.Briefing;
import harness.cli.Configuration;
import harness.cli.Server;
import harness.conversation.Conversations;
import harness.conversation.Limits;
import harness.conversation.Tasks;
import harness.metrics.Metrics;
import harness.model.Surroundings;
import harness.model.provider.ConfiguredModels;
import harness.store.EventStore;
import harness.tool.Attachments;
import harness.tool.ToolBox;
import harness.tool.ToolHost;
import harness.tool.WorkingTools;
import harness.turn.Budget;
import harness.turn.TurnLoop;
import harness.wire.Core;
import harness.wire.Gate;
import harness.wire.Health;
import harness.wire.HttpServer;
import harness.wire.Patience;
import harness.wire.Router;
import harness.workspace.Handles;
import harness.workspace.attach.AttachedSlots;
import harness.workspace.attach.Mirrors;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;

/**
 * A Harness put together by hand, as {@link Wiring} does it, over what a test must decide itself.
 *
 * @param store stays open when the server ends
 */
public record TestParts(EventStore store, InstantSource clock, Patience patience) {

  Server serve(Configuration configuration) throws IOException {
    Random random = new Random();
    Tasks tasks = Tasks.virtual();
    ToolHost tools =
        WorkingTools.inProcess(Handles.system(random), configuration.workspace().root(), clock);
    ConfiguredModels models =
        new ConfiguredModels(
            configuration.providers(),
            new Surroundings(clock, tasks::pause, random, _ -> Optional.empty()));
    Configuration.Limits limits = configuration.limits();
    ToolBox box = new ToolBox(tools, WorkingTools.specs());
    TurnLoop turns =
        new TurnLoop(
            models,
            box,
            new Briefing(Optional.empty()),
            new Budget(limits.steps(), limits.identicalCalls(), limits.nudges(), limits.rerolls()),
            Authority.all(),
            clock);
    Conversations conversations =
        new Conversations(
            store,
            clock,
            random,
            tasks,
            new Limits(limits.liveTurns(), limits.queue(), limits.queueTotal()),
            turns);
    Admissions admissions =
        new Admissions(
            store,
            conversations,
            new Checks(models, configuration.workspace(), tools, Authority.all()),
            random,
            tasks);
    Health health = new Health();
    Router router =
        new Router(
            Gate.open(),
            health,
            new Core(
                admissions,
                new Answers(conversations, Authority.all(), new Proposals(box, Authority.all())),
                conversations,
                new Attachments(
                    new Mirrors(
                        configuration.git().mirrors(),
                        Path.of(configuration.workspace().root()),
                        List.of()),
                    tools,
                    AttachedSlots.open(configuration.workspace(), configuration.state())),
                Authority.all()),
            patience,
            clock,
            new Metrics(clock));
    HttpServer http = HttpServer.start("127.0.0.1", 0, router);
    conversations.recover();
    health.recovered();
    return new Running(http, conversations, models, new CountDownLatch(1));
  }

  private record Running(
      HttpServer http, Conversations conversations, ConfiguredModels models, CountDownLatch ended)
      implements Server {
    @Override
    public URI uri() {
      return http.uri();
    }

    @Override
    public void awaitEnd() throws InterruptedException {
      ended.await();
    }

    @Override
    public void close() {
      conversations.stop();
      http.close();
      models.close();
      ended.countDown();
    }
  }
}
