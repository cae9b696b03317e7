package harness;

import harness.admission.Admissions;
import harness.cli.Configuration;
import harness.cli.Server;
import harness.cli.StartException;
import harness.conversation.Conversations;
import harness.model.provider.ConfiguredModels;
import harness.store.StoreUnableException;
import harness.tool.Attachments;
import harness.tool.ToolHost;
import harness.wire.Health;
import harness.wire.HttpServer;
import harness.wire.Router;
import io.micronaut.context.BeanContext;
import io.micronaut.context.exceptions.BeanInstantiationException;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;

/** A Harness from its start to its end. */
final class RunningHarness implements Server {
  private static final System.Logger LOG = System.getLogger(RunningHarness.class.getName());

  private static final ThreadFactory STARTERS =
      Thread.ofPlatform().daemon().name("start ", 0).factory();

  private final BeanContext beans;
  private final HttpServer http;
  private final CountDownLatch ended = new CountDownLatch(1);

  private RunningHarness(BeanContext beans, HttpServer http) {
    this.beans = beans;
    this.http = http;
  }

  /** Takes the port first, so that nothing runs where it can't be reached; ready after recovery. */
  static RunningHarness start(Configuration configuration) throws StartException {
    BeanContext beans = BeanContext.build();
    beans.registerSingleton(Configuration.class, configuration);
    beans.start();
    try {
      return start(beans, configuration.listen());
    } catch (BeanInstantiationException e) {
      beans.close();
      throw new StartException(cause(e), e);
    } catch (IOException | StoreUnableException e) {
      beans.close();
      throw new StartException(String.valueOf(e.getMessage()), e);
    }
  }

  private static RunningHarness start(BeanContext beans, Configuration.Listen listen)
      throws IOException {
    HttpServer http;
    // What takes longest needs nothing of each other, and a start has two cores as a rule.
    try (ExecutorService beside = Executors.newThreadPerTaskExecutor(STARTERS)) {
      beside.execute(() -> make(beans, ToolHost.class));
      beside.execute(HttpServer::prepare);
      http = HttpServer.start(listen.host(), listen.port(), beans.getBean(Router.class));
    }
    RunningHarness harness = new RunningHarness(beans, http);
    try {
      beans.getBean(Conversations.class).recover();
    } catch (StoreUnableException e) {
      http.close();
      throw e;
    }
    beans.getBean(Health.class).recovered();
    STARTERS.newThread(() -> afterwards(beans)).start();
    return harness;
  }

  /** What need not be waited for: secrets and volumes may come later, so a lack is only told. */
  private static void afterwards(BeanContext beans) {
    ConfiguredModels models = beans.getBean(ConfiguredModels.class);
    models.lacks().forEach(lack -> LOG.log(Level.WARNING, lack));
    Configuration configuration = beans.getBean(Configuration.class);
    Path root = Path.of(configuration.workspace().root());
    if (configuration.toolHost() instanceof Configuration.ToolHosting.InProcess
        && !Files.isDirectory(root)) {
      LOG.log(
          Level.WARNING,
          "workspace.root: {0} is no directory, so a Turn that needs a workspace can''t run; make"
              + " it, or name another",
          root);
    }
    models.prepare();
  }

  private static void make(BeanContext beans, Class<?> part) {
    try {
      Object _ = beans.getBean(part);
    } catch (BeanInstantiationException e) {
      LOG.log(Level.DEBUG, "whoever asks for it next is told why there is none", e);
    }
  }

  private static String cause(Throwable failure) {
    Throwable deepest = failure;
    while (deepest.getCause() != null) {
      deepest = deepest.getCause();
    }
    return String.valueOf(deepest.getMessage());
  }

  @Override
  public URI uri() {
    return http.uri();
  }

  /** Admits nothing more, lets what was admitted finish, at most for the time, and ends. */
  void drain(Duration atMost) throws InterruptedException {
    beans.getBean(Admissions.class).drain();
    LOG.log(Level.INFO, "draining: what was admitted finishes within {0} s", atMost.toSeconds());
    Attachments attachments = beans.getBean(Attachments.class);
    attachments.drain();
    InstantSource clock = beans.getBean(InstantSource.class);
    Instant begin = clock.instant();
    boolean settled = beans.getBean(Conversations.class).drain(atMost);
    Duration left = atMost.minus(Duration.between(begin, clock.instant()));
    boolean quiet = attachments.awaitQuiet(left) && settled;
    LOG.log(Level.INFO, quiet ? "drained" : "the time ran out; the rest is as a crash leaves it");
    ended.countDown();
  }

  @Override
  public void awaitEnd() throws InterruptedException {
    ended.await();
  }

  @Override
  public void close() {
    beans.getBean(Conversations.class).stop();
    http.close();
    beans.close();
    ended.countDown();
  }
}
