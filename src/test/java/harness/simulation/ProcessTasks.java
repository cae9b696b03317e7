package harness.simulation;

import harness.conversation.Tasks;
import java.time.Duration;
import java.util.concurrent.locks.Lock;

/** The threads of one simulated process. */
record ProcessTasks(Scheduler scheduler, int life) implements Tasks {
  @Override
  public Thread start(String name, Runnable task) {
    return scheduler.start(life, name, task).thread();
  }

  @Override
  public void pause(Duration duration) throws InterruptedException {
    scheduler.pauseInterruptibly("for a while", duration);
  }

  @Override
  public Lock lock() {
    return new BatonLock(scheduler);
  }
}
