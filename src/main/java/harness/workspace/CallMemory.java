package harness.workspace;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Memory outside the heap for one call of the system at a time. A thread of the platform has its
 * own and uses it again; a virtual thread, of which there may be very many, gives it back.
 */
final class CallMemory implements AutoCloseable {
  private static final ThreadLocal<CallMemory> OF_THREAD =
      ThreadLocal.withInitial(() -> new CallMemory(Arena.ofAuto(), true));

  private final Arena arena;
  private final boolean kept;
  private final MemorySegment state;
  private final MemorySegment name;
  private final MemorySegment secondName;
  private final MemorySegment answer;

  private CallMemory(Arena arena, boolean kept) {
    this.arena = arena;
    this.kept = kept;
    this.state = arena.allocate(Libc.STATE);
    this.name = arena.allocate(Name.MAX_BYTES + 1L);
    this.secondName = arena.allocate(Name.MAX_BYTES + 1L);
    this.answer = arena.allocate(Libc.STATX_BYTES, Long.BYTES);
  }

  /** That of the thread; to be closed when the call has ended. */
  @SuppressWarnings("MustBeClosedChecker") // closed with what it is handed to
  static CallMemory ofThread() {
    return Thread.currentThread().isVirtual()
        ? new CallMemory(Arena.ofConfined(), false)
        : OF_THREAD.get();
  }

  /** Where a call leaves the number of its error. */
  MemorySegment state() {
    return state;
  }

  /** The name as the system reads it, until the next one. */
  MemorySegment name(Name text) {
    return put(text, name);
  }

  /** A second one for the same call. */
  MemorySegment secondName(Name text) {
    return put(text, secondName);
  }

  /** Where {@code statx} puts what it says, until it is asked again. */
  MemorySegment answer() {
    return answer;
  }

  private MemorySegment put(Name text, MemorySegment usual) {
    byte[] bytes = text.bytes();
    // A longer one is no name of a file, which the system shall say itself.
    MemorySegment into =
        bytes.length < usual.byteSize() ? usual : Arena.ofAuto().allocate(bytes.length + 1L);
    MemorySegment.copy(bytes, 0, into, JAVA_BYTE, 0, bytes.length);
    into.set(JAVA_BYTE, bytes.length, (byte) 0);
    return into;
  }

  @Override
  public void close() {
    if (!kept) {
      arena.close();
    }
  }
}
