package harness.simulation;

import harness.admission.Admissions;
import harness.admission.Answers;
import harness.admission.Checks;
import harness.admission.Proposals;
import harness.author.Authority;
import harness.briefing.Briefing;
import harness.conversation.Conversations;
import harness.conversation.Limits;
import harness.conversation.Tasks;
import harness.conversation.Turns;
import harness.model.Models;
import harness.store.EventStore;
import harness.tool.ToolBox;
import harness.tool.ToolHost;
import harness.tool.ToolSpec;
import harness.tool.WorkingTools;
import harness.turn.Budget;
import harness.turn.TurnLoop;
import harness.workspace.Slots;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A Harness in a simulation, from its start to its crash.
 *
 * @param number from 1
 */
record SimulatedProcess(
    int number, Conversations conversations, Admissions admissions, Answers answers) {
  static final int NUDGES = 2;
  static final int REROLLS = 1;

  private static final List<ToolSpec> SPECS = WorkingTools.specs();

  /** The core as it is, or broken on purpose. */
  interface Core {
    Core SOUND = new Core() {};

    default Limits limits(Limits limits) {
      return limits;
    }

    /**
     * @param tasks the threads of its process
     */
    default EventStore store(EventStore store, Tasks tasks) {
      return store;
    }

    default Tasks tasks(Tasks tasks) {
      return tasks;
    }

    /**
     * @param conversations those that the Turns are of, once they are there
     */
    default Turns turns(Turns turns, AtomicReference<Conversations> conversations) {
      return turns;
    }
  }

  static SimulatedProcess start(int number, Ground ground, Core core) {
    Tasks tasks = core.tasks(new ProcessTasks(ground.scheduler(), number));
    EventStore store = core.store(new DiskStore(ground.scheduler(), ground.disk()), tasks);
    AtomicReference<Conversations> itself = new AtomicReference<>();
    ToolBox box = new ToolBox(ground.tools(), SPECS);
    Turns loop =
        new TurnLoop(
            ground.models(),
            box,
            new Briefing(Optional.empty()),
            new Budget(6, 3, NUDGES, REROLLS),
            ground.authority(),
            ground.scheduler());
    Conversations conversations =
        new Conversations(
            store,
            ground.scheduler(),
            ground.chance().random(),
            tasks,
            core.limits(ground.limits()),
            core.turns(loop, itself));
    itself.set(conversations);
    Checks checks =
        new Checks(
            ground.models(), new Slots("/work", Map.of()), ground.tools(), ground.authority());
    return new SimulatedProcess(
        number,
        conversations,
        new Admissions(store, conversations, checks, ground.chance().random(), tasks),
        new Answers(conversations, ground.authority(), new Proposals(box, ground.authority())));
  }

  /** What each process stands on. */
  record Ground(
      Scheduler scheduler,
      Chance chance,
      Limits limits,
      Disk disk,
      Models models,
      ToolHost tools,
      Authority authority) {}
}
