package harness.workspace;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Memory outside the heap for one call of the system at a time. A thread of the platform has its
 * own and uses it again; a virtual thread, of which there may be very many, gives it back. All of
 * it lives as long as the state that a call is handed, because of the rest a call has but
 * addresses.
 */
final class CallMemory implements AutoCloseable {
  /** The system refuses what is as long as this, whatever follows. */
  private static final int LONGEST_BYTES = 4096;

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
    long nameBytes = kept ? LONGEST_BYTES : Name.MAX_BYTES;
    this.name = arena.allocate(nameBytes + 1);
    this.secondName = arena.allocate(nameBytes + 1);
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
    int length = Math.min(bytes.length, LONGEST_BYTES);
    MemorySegment into = length < usual.byteSize() ? usual : arena.allocate(length + 1L);
    MemorySegment.copy(bytes, 0, into, JAVA_BYTE, 0, length);
    into.set(JAVA_BYTE, length, (byte) 0);
    return into;
  }

  @Override
  public void close() {
    if (!kept) {
      arena.close();
    }
  }
}
