package harness.workspace.command;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import harness.workspace.Libc;
import harness.workspace.LibcFunction;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
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

  private static final LibcFunction SPAWN = Libc.handle("posix_spawn");
  private static final LibcFunction ACTIONS_INIT = ofStruct("posix_spawn_file_actions_init");
  private static final LibcFunction ACTIONS_DESTROY = ofStruct("posix_spawn_file_actions_destroy");
  private static final LibcFunction ATTRIBUTES_INIT = ofStruct("posix_spawnattr_init");
  private static final LibcFunction ATTRIBUTES_DESTROY = ofStruct("posix_spawnattr_destroy");
  private static final LibcFunction ENTER = Libc.handle("posix_spawn_file_actions_addfchdir_np");
  private static final LibcFunction CLOSE_FROM =
      Libc.handle("posix_spawn_file_actions_addclosefrom_np");
  private static final LibcFunction OPEN = Libc.handle("posix_spawn_file_actions_addopen");
  private static final LibcFunction DUPLICATE = Libc.handle("posix_spawn_file_actions_adddup2");
  private static final LibcFunction SET_FLAGS = Libc.handle("posix_spawnattr_setflags");
  private static final LibcFunction SET_MASK = Libc.handle("posix_spawnattr_setsigmask");
  private static final LibcFunction SET_DEFAULT = Libc.handle("posix_spawnattr_setsigdefault");

  private Spawn() {}

  private static LibcFunction ofStruct(String name) {
    return Libc.handle(name);
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
      checked(state -> (int) ACTIONS_INIT.call(state, actions.address()));
      try {
        describe(actions, arena.allocateFrom("/dev/null"), directory, output);
        checked(state -> (int) ATTRIBUTES_INIT.call(state, attributes.address()));
        try {
          describe(attributes, arena);
          MemorySegment pid = arena.allocate(JAVA_INT);
          MemorySegment program = text(arena, words.getFirst());
          MemorySegment arguments = texts(arena, words);
          MemorySegment variables = texts(arena, environment);
          checked(
              state ->
                  (int)
                      SPAWN.call(
                          state,
                          pid.address(),
                          program.address(),
                          actions.address(),
                          attributes.address(),
                          arguments.address(),
                          variables.address()));
          return pid.get(JAVA_INT, 0);
        } finally {
          checked(state -> (int) ATTRIBUTES_DESTROY.call(state, attributes.address()));
        }
      } finally {
        checked(state -> (int) ACTIONS_DESTROY.call(state, actions.address()));
      }
    }
  }

  private static void describe(MemorySegment actions, MemorySegment none, int directory, int output)
      throws IOException {
    checked(state -> (int) ENTER.call(state, actions.address(), directory));
    checked(state -> (int) OPEN.call(state, actions.address(), 0, none.address(), O_RDONLY, 0));
    checked(state -> (int) DUPLICATE.call(state, actions.address(), output, 1));
    checked(state -> (int) DUPLICATE.call(state, actions.address(), output, 2));
    checked(state -> (int) CLOSE_FROM.call(state, actions.address(), FIRST_CLOSED));
  }

  /** Whatever this process does with signals, what it starts gets them as usual. */
  private static void describe(MemorySegment attributes, Arena arena) throws IOException {
    MemorySegment none = arena.allocate(SIGNAL_SET_BYTES, ALIGNMENT);
    MemorySegment all = arena.allocate(SIGNAL_SET_BYTES, ALIGNMENT).fill((byte) 0xFF);
    checked(state -> (int) SET_FLAGS.call(state, attributes.address(), FLAGS));
    checked(state -> (int) SET_MASK.call(state, attributes.address(), none.address()));
    checked(state -> (int) SET_DEFAULT.call(state, attributes.address(), all.address()));
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
