package harness.workspace.command;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import harness.workspace.Libc;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.Objects;

/**
 * Starts programs by {@code posix_spawn}: in a session of their own, in an open directory, without
 * input, with both outputs in one place, and with no other descriptor of this process.
 */
final class Spawn {
  private static final int O_RDONLY = 0;
  private static final int FIRST_CLOSED = 3;
  private static final short SETSIGDEF = 0x04;
  private static final short SETSIGMASK = 0x08;
  private static final short SETSID = 0x80;
  private static final short FLAGS = SETSIGDEF | SETSIGMASK | SETSID;

  // More than any C library takes.
  private static final int ACTIONS_BYTES = 256;
  private static final int ATTRIBUTES_BYTES = 1024;
  private static final int SIGNAL_SET_BYTES = 128;
  private static final int ALIGNMENT = 16;

  private static final MethodHandle SPAWN =
      Libc.handle(
          "posix_spawn",
          FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS));
  private static final MethodHandle ACTIONS_INIT = ofStruct("posix_spawn_file_actions_init");
  private static final MethodHandle ACTIONS_DESTROY = ofStruct("posix_spawn_file_actions_destroy");
  private static final MethodHandle ATTRIBUTES_INIT = ofStruct("posix_spawnattr_init");
  private static final MethodHandle ATTRIBUTES_DESTROY = ofStruct("posix_spawnattr_destroy");
  private static final MethodHandle ENTER =
      Libc.handle(
          "posix_spawn_file_actions_addfchdir_np",
          FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));
  private static final MethodHandle CLOSE_FROM =
      Libc.handle(
          "posix_spawn_file_actions_addclosefrom_np",
          FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));
  private static final MethodHandle OPEN =
      Libc.handle(
          "posix_spawn_file_actions_addopen",
          FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT));
  private static final MethodHandle DUPLICATE =
      Libc.handle(
          "posix_spawn_file_actions_adddup2",
          FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT));
  private static final MethodHandle SET_FLAGS =
      Libc.handle("posix_spawnattr_setflags", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_SHORT));
  private static final MethodHandle SET_MASK =
      Libc.handle("posix_spawnattr_setsigmask", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS));
  private static final MethodHandle SET_DEFAULT =
      Libc.handle(
          "posix_spawnattr_setsigdefault", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS));

  private Spawn() {}

  private static MethodHandle ofStruct(String name) {
    return Libc.handle(name, FunctionDescriptor.of(JAVA_INT, ADDRESS));
  }

  /** Looks all of it up in the C library, which is an error where that is too old. */
  static void load() {
    Objects.requireNonNull(SPAWN);
  }

  /**
   * Starts a program; its number is also that of its session and its group.
   *
   * @param words the absolute path of the program, then its arguments
   * @param environment {@code NAME=VALUE} each
   * @param directory the descriptor of its working directory
   * @param output the descriptor of where both its outputs go
   */
  static int start(List<byte[]> words, List<byte[]> environment, int directory, int output)
      throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment actions = arena.allocate(ACTIONS_BYTES, ALIGNMENT);
      MemorySegment attributes = arena.allocate(ATTRIBUTES_BYTES, ALIGNMENT);
      checked(state -> (int) ACTIONS_INIT.invokeExact(state, actions));
      try {
        describe(actions, arena.allocateFrom("/dev/null"), directory, output);
        checked(state -> (int) ATTRIBUTES_INIT.invokeExact(state, attributes));
        try {
          describe(attributes, arena);
          MemorySegment pid = arena.allocate(JAVA_INT);
          MemorySegment program = text(arena, words.getFirst());
          MemorySegment arguments = texts(arena, words);
          MemorySegment variables = texts(arena, environment);
          checked(
              state ->
                  (int)
                      SPAWN.invokeExact(
                          state, pid, program, actions, attributes, arguments, variables));
          return pid.get(JAVA_INT, 0);
        } finally {
          checked(state -> (int) ATTRIBUTES_DESTROY.invokeExact(state, attributes));
        }
      } finally {
        checked(state -> (int) ACTIONS_DESTROY.invokeExact(state, actions));
      }
    }
  }

  private static void describe(MemorySegment actions, MemorySegment none, int directory, int output)
      throws IOException {
    checked(state -> (int) ENTER.invokeExact(state, actions, directory));
    checked(state -> (int) OPEN.invokeExact(state, actions, 0, none, O_RDONLY, 0));
    checked(state -> (int) DUPLICATE.invokeExact(state, actions, output, 1));
    checked(state -> (int) DUPLICATE.invokeExact(state, actions, output, 2));
    checked(state -> (int) CLOSE_FROM.invokeExact(state, actions, FIRST_CLOSED));
  }

  /** Whatever this process does with signals, what it starts gets them as usual. */
  private static void describe(MemorySegment attributes, Arena arena) throws IOException {
    MemorySegment none = arena.allocate(SIGNAL_SET_BYTES, ALIGNMENT);
    MemorySegment all = arena.allocate(SIGNAL_SET_BYTES, ALIGNMENT).fill((byte) 0xFF);
    checked(state -> (int) SET_FLAGS.invokeExact(state, attributes, FLAGS));
    checked(state -> (int) SET_MASK.invokeExact(state, attributes, none));
    checked(state -> (int) SET_DEFAULT.invokeExact(state, attributes, all));
  }

  /** These functions answer the number of the error itself. */
  private static void checked(Libc.Plain call) throws IOException {
    long error = Libc.call("program", call);
    if (error != 0) {
      throw Libc.failure((int) error, "program");
    }
  }

  private static MemorySegment texts(Arena arena, List<byte[]> texts) {
    MemorySegment pointers = arena.allocate(ADDRESS, texts.size() + 1L);
    for (int i = 0; i < texts.size(); i++) {
      pointers.setAtIndex(ADDRESS, i, text(arena, texts.get(i)));
    }
    return pointers;
  }

  private static MemorySegment text(Arena arena, byte[] bytes) {
    MemorySegment text = arena.allocate(bytes.length + 1L);
    MemorySegment.copy(bytes, 0, text, JAVA_BYTE, 0, bytes.length);
    return text;
  }
}
