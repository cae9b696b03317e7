package harness.workspace;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * A function of the C library that takes up to six integers or addresses and answers one. All are
 * called in one shape, because the JVM builds code for each shape at the start of the process, some
 * 30 ms for one. Linux passes all of these in registers, whatever their width, on all of its 64-bit
 * machines; an answer that is an {@code int} has to be cast to one.
 */
public final class LibcFunction {
  private static final MethodHandle CALL =
      Linker.nativeLinker()
          .downcallHandle(
              FunctionDescriptor.of(
                  JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG),
              Linker.Option.captureCallState("errno"));

  private final MemorySegment address;

  LibcFunction(MemorySegment address) {
    this.address = address;
  }

  /** Calls it; {@code errno} is in the state afterwards. */
  public long call(MemorySegment state, long a) throws Throwable {
    return call(state, a, 0, 0, 0, 0, 0);
  }

  /** Calls it with two arguments. */
  public long call(MemorySegment state, long a, long b) throws Throwable {
    return call(state, a, b, 0, 0, 0, 0);
  }

  /** Calls it with three arguments. */
  public long call(MemorySegment state, long a, long b, long c) throws Throwable {
    return call(state, a, b, c, 0, 0, 0);
  }

  /** Calls it with four arguments. */
  public long call(MemorySegment state, long a, long b, long c, long d) throws Throwable {
    return call(state, a, b, c, d, 0, 0);
  }

  /** Calls it with five arguments. */
  public long call(MemorySegment state, long a, long b, long c, long d, long e) throws Throwable {
    return call(state, a, b, c, d, e, 0);
  }

  /** Calls it with six arguments. */
  public long call(MemorySegment state, long a, long b, long c, long d, long e, long f)
      throws Throwable {
    return (long) CALL.invokeExact(address, state, a, b, c, d, e, f);
  }
}
