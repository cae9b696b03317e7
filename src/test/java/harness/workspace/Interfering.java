package harness.workspace;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;

/** Handles at which somebody else does something at a certain moment, once. */
public final class Interfering implements Handles {
  private final Handles real;
  private final String moment;
  private final Callable<?> deed;
  private final AtomicBoolean done = new AtomicBoolean();

  /**
   * @param moment the method of {@code OpenDirectory} that is about to be called
   */
  public Interfering(Handles real, String moment, Callable<?> deed) {
    this.real = real;
    this.moment = moment;
    this.deed = deed;
  }

  @Override
  public OpenDirectory top() throws java.io.IOException {
    return watched(real.top());
  }

  private OpenDirectory watched(OpenDirectory directory) {
    return (OpenDirectory)
        Proxy.newProxyInstance(
            OpenDirectory.class.getClassLoader(),
            new Class<?>[] {OpenDirectory.class},
            new Watch(directory));
  }

  private final class Watch implements InvocationHandler {
    private final OpenDirectory directory;

    Watch(OpenDirectory directory) {
      this.directory = directory;
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
      if (method.getName().equals(moment) && done.compareAndSet(false, true)) {
        Object unused = deed.call();
      }
      Object[] real = arguments == null ? new Object[0] : arguments.clone();
      for (int i = 0; i < real.length; i++) {
        if (real[i] instanceof OpenDirectory other
            && Proxy.isProxyClass(other.getClass())
            && Proxy.getInvocationHandler(other) instanceof Watch watch) {
          real[i] = watch.directory;
        }
      }
      try {
        Object answer = method.invoke(directory, real);
        return answer instanceof OpenDirectory opened ? watched(opened) : answer;
      } catch (InvocationTargetException e) {
        throw e.getCause();
      }
    }
  }
}
