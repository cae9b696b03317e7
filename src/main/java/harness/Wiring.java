package harness;

import com.sun.management.OperatingSystemMXBean;
import harness.admission.Admissions;
import harness.admission.Answers;
import harness.admission.Checks;
import harness.admission.Proposals;
import harness.author.Authority;
import harness.author.Grants;
import harness.author.GrantsException;
import harness.briefing.Briefing;
import harness.briefing.Machine;
import harness.cli.Configuration;
import harness.conversation.Conversations;
import harness.conversation.Limits;
import harness.conversation.Tasks;
import harness.conversation.Turns;
import harness.log.ConversationLog;
import harness.metrics.Metrics;
import harness.model.Models;
import harness.model.Surroundings;
import harness.model.provider.ConfiguredModels;
import harness.store.EventStore;
import harness.store.SqliteEventStore;
import harness.tool.Attachments;
import harness.tool.NoToolHost;
import harness.tool.ToolBox;
import harness.tool.ToolHost;
import harness.tool.WorkingTools;
import harness.tool.socket.RunnerToolHost;
import harness.turn.Budget;
import harness.turn.TurnLoop;
import harness.wire.Core;
import harness.wire.Gate;
import harness.wire.Health;
import harness.wire.Patience;
import harness.wire.Router;
import harness.workspace.Handles;
import harness.workspace.attach.AttachedSlots;
import harness.workspace.attach.Mirrors;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Primary;
import jakarta.inject.Singleton;
import java.lang.System.Logger.Level;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Optional;

/** How the parts of a Harness are put together; each is made once, from its configuration. */
@Factory
final class Wiring {
  private static final System.Logger LOG = System.getLogger(Wiring.class.getName());
  private static final long MIB = 1 << 20;

  @Singleton
  @Bean(preDestroy = "close")
  EventStore store(Configuration configuration, Metrics metrics) {
    return metrics.around(SqliteEventStore.open(configuration.state(), Wiring::lost));
  }

  /** What is in memory is no longer known to be true, so nothing may be answered from it. */
  private static void lost(Throwable cause) {
    LOG.log(Level.ERROR, "the store lost what it had written; this process ends", cause);
    Runtime.getRuntime().halt(1);
  }

  // Micronaut's own test support brings a clock too.
  @Primary
  @Singleton
  InstantSource clock() {
    return InstantSource.system();
  }

  @Singleton
  Metrics metrics(InstantSource clock) {
    return new Metrics(clock);
  }

  @Singleton
  SecureRandom random() {
    return new SecureRandom();
  }

  @Singleton
  Tasks tasks() {
    return Tasks.virtual();
  }

  @Singleton
  @Bean(preDestroy = "close")
  ConfiguredModels models(
      Configuration configuration,
      Tasks tasks,
      InstantSource clock,
      SecureRandom random,
      Metrics metrics) {
    return new ConfiguredModels(
        configuration.providers(),
        new Surroundings(
            clock,
            tasks::pause,
            random,
            name -> Optional.ofNullable(System.getenv(name)),
            metrics.models()));
  }

  @Singleton
  @Bean(preDestroy = "close")
  ToolHost toolHost(
      Configuration configuration, SecureRandom random, InstantSource clock, Metrics metrics) {
    String root = configuration.workspace().root();
    ToolHost host =
        switch (configuration.toolHost()) {
          case Configuration.ToolHosting.InProcess() -> {
            Handles handles = Handles.system(random);
            CommandPolicy policy = new CommandPolicy(System.getenv(), handles, clock, random);
            yield WorkingTools.inProcess(handles, root, clock, policy.beside(configuration));
          }
          case Configuration.ToolHosting.Runner(Path socket, _) ->
              RunnerToolHost.at(socket, root, clock);
          case Configuration.ToolHosting.None() -> new NoToolHost();
        };
    return metrics.around(host, WorkingTools.specs());
  }

  @Singleton
  ToolBox toolBox(ToolHost host) {
    return new ToolBox(host, WorkingTools.specs());
  }

  @Singleton
  Turns turns(
      Models models,
      ToolBox tools,
      Configuration configuration,
      Authority authority,
      InstantSource clock) {
    Configuration.Limits limits = configuration.limits();
    return new TurnLoop(
        models,
        tools,
        new Briefing(machine(configuration)),
        new Budget(limits.steps(), limits.identicalCalls(), limits.nudges(), limits.rerolls()),
        authority,
        clock);
  }

  /** What a cgroup leaves of this machine; of that of a runner what the configuration says. */
  private static Optional<Machine> machine(Configuration configuration) {
    return switch (configuration.toolHost()) {
      case Configuration.ToolHosting.InProcess() ->
          Optional.of(
              new Machine(
                  Runtime.getRuntime().availableProcessors(),
                  ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class)
                      .getTotalMemorySize()));
      case Configuration.ToolHosting.Runner(_, Optional<Configuration.Seat> seat) ->
          seat.map(one -> new Machine(one.cpus(), one.memoryMib() * MIB));
      case Configuration.ToolHosting.None() -> Optional.empty();
    };
  }

  @Singleton
  @Bean(preDestroy = "close")
  ConversationLog log(Configuration configuration, InstantSource clock) {
    return ConversationLog.to(System.out, configuration.log(), clock);
  }

  @Singleton
  Conversations conversations(
      EventStore store,
      InstantSource clock,
      SecureRandom random,
      Tasks tasks,
      Turns turns,
      Configuration configuration,
      Metrics metrics,
      ConversationLog log) {
    Configuration.Limits limits = configuration.limits();
    Conversations conversations =
        new Conversations(
            store,
            clock,
            random,
            tasks,
            new Limits(limits.liveTurns(), limits.queue(), limits.queueTotal(), limits.answer()),
            turns,
            metrics.settlements().and(log));
    metrics.show(conversations);
    return conversations;
  }

  /** After the store, which is there alone where this process owns the state. */
  @Singleton
  Attachments attachments(Configuration configuration, EventStore store, ToolHost host) {
    Mirrors mirrors =
        new Mirrors(
            configuration.git().mirrors(),
            Path.of(configuration.workspace().root()),
            configuration.git().credentials());
    return new Attachments(
        mirrors, host, AttachedSlots.open(configuration.workspace(), configuration.state()));
  }

  @Singleton
  Admissions admissions(
      EventStore store,
      Conversations conversations,
      Models models,
      ToolHost host,
      SecureRandom random,
      Tasks tasks,
      Attachments attachments,
      Authority authority) {
    Checks checks = new Checks(models, attachments.slots()::slots, host, authority);
    return new Admissions(store, conversations, checks, random, tasks);
  }

  @Singleton
  Answers answers(Conversations conversations, Authority authority, ToolBox tools) {
    return new Answers(conversations, authority, new Proposals(tools, authority));
  }

  @Singleton
  Authority authority(Configuration configuration, InstantSource clock) throws GrantsException {
    return configuration.authority().isEmpty()
        ? Authority.all()
        : Grants.open(configuration.authority().get(), clock);
  }

  @Singleton
  Health health() {
    return new Health();
  }

  @Singleton
  Router router(
      Health health,
      Admissions admissions,
      Answers answers,
      Conversations conversations,
      Authority authority,
      Configuration configuration,
      InstantSource clock,
      Metrics metrics,
      Attachments attachments) {
    Gate gate =
        switch (configuration.auth()) {
          case TOKEN -> Gate.tokens(configuration.tokenDigests());
          case NONE -> Gate.open();
        };
    return new Router(
        gate,
        health,
        new Core(admissions, answers, conversations, attachments, authority),
        Patience.freeingAfter(configuration.limits().freeAfter()),
        clock,
        metrics);
  }
}
