package harness.simulation;

import harness.conversation.Tasks;
import java.time.Duration;
import java.util.concurrent.locks.Lock;

/** Threads as another one has them, but for what is broken on purpose. */
abstract class TasksProxy implements Tasks {
  final Tasks tasks;

  TasksProxy(Tasks tasks) {
    this.tasks = tasks;
  }

  @Override
  public Thread start(String name, Runnable task) {
    return tasks.start(name, task);
  }

  @Override
  public void pause(Duration duration) throws InterruptedException {
    tasks.pause(duration);
  }

  @Override
  public Lock lock() {
    return tasks.lock();
  }
}
