package harness.tool;

import harness.agent.Instance;
import harness.workspace.FileHandle;
import harness.workspace.FileStatus;
import harness.workspace.Root;
import harness.workspace.command.Command;
import harness.workspace.command.CommandRunner;
import harness.workspace.command.Order;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The commands of a tool host: which run for which conversation, and what those that ended wrote.
 * Safe for many threads.
 */
public final class Commands implements AutoCloseable {
  /** How many commands run at once in a host. */
  public static final int MAX_RUNNING = 64;

  /** How many of them one conversation has in the background. */
  public static final int MAX_BACKGROUND = 8;

  /** How many outputs are kept of one conversation; the oldest one goes first. */
  static final int MAX_KEPT = 32;

  /** How much all that is kept of one conversation holds, in bytes. */
  static final long MAX_KEPT_BYTES = 256L * 1024 * 1024;

  private final Optional<CommandRunner> runner;
  private final String refusal;
  private final Map<Instance, Room> rooms = new HashMap<>();
  private int starting;
  private boolean closed;

  private Commands(Optional<CommandRunner> runner, String refusal) {
    this.runner = runner;
    this.refusal = refusal;
  }

  /** Those that a runner runs. */
  public static Commands of(CommandRunner runner) {
    return new Commands(Optional.of(runner), "");
  }

  /**
   * None.
   *
   * @param why says to a model why not, and what would change that
   */
  public static Commands refused(String why) {
    return new Commands(Optional.empty(), why);
  }

  /** A command and how much of its output was shown. */
  static final class Kept {
    private final String name;
    private final Command command;
    private final boolean background;
    private long shownBytes;

    private Kept(String name, Command command, boolean background) {
      this.name = name;
      this.command = command;
      this.background = background;
    }

    /** What it is called in its conversation. */
    String name() {
      return name;
    }

    Command command() {
      return command;
    }

    /** How much of the output was shown before; from now on all up to a place. */
    synchronized long showUpTo(long bytes) {
      long before = shownBytes;
      shownBytes = bytes;
      return before;
    }

    synchronized long shownBytes() {
      return shownBytes;
    }

    private boolean runs() {
      return command.end().isEmpty();
    }
  }

  /** What one conversation has. */
  private static final class Room {
    private final Map<String, Kept> kept = new LinkedHashMap<>();
    private final Set<Visit> visits = new HashSet<>();

    private long bytes() {
      return kept.values().stream().mapToLong(one -> one.command.outputBytes()).sum();
    }

    /**
     * Lets old output go until so much more has room; false where what runs, and what calls are
     * looking at, takes it all.
     */
    private boolean makeRoom(long more) {
      Iterator<Kept> oldest = kept.values().iterator();
      while (bytes() + more > MAX_KEPT_BYTES || kept.size() > MAX_KEPT) {
        if (!oldest.hasNext()) {
          return false;
        }
        Kept one = oldest.next();
        if (!one.runs() && visits.stream().noneMatch(visit -> visit.used.contains(one))) {
          oldest.remove();
          one.command.close();
        }
      }
      return true;
    }
  }

  /** Begins a call of a conversation; to be closed with it. */
  Visit enter(Instance instance) {
    Visit visit = new Visit(instance);
    synchronized (this) {
      rooms.computeIfAbsent(instance, _ -> new Room()).visits.add(visit);
    }
    return visit;
  }

  /**
   * Ends what runs for a conversation and forgets what it wrote; returns when it is gone. What its
   * calls of now are about to start ends too.
   */
  public void release(Instance instance) {
    List<Kept> gone;
    synchronized (this) {
      Room room = rooms.get(instance);
      if (room == null) {
        return;
      }
      room.visits.forEach(visit -> visit.released = true);
      gone = List.copyOf(room.kept.values());
      room.kept.clear();
      tidy(instance, room);
    }
    end(gone);
  }

  /** Ends what runs for all conversations; from then on nothing is started. */
  @Override
  public void close() {
    List<Kept> gone = new ArrayList<>();
    synchronized (this) {
      closed = true;
      for (Room room : rooms.values()) {
        gone.addAll(room.kept.values());
        room.kept.clear();
      }
    }
    end(gone);
  }

  private static void end(List<Kept> gone) {
    gone.forEach(one -> one.command.stop());
    gone.forEach(one -> one.command.close());
  }

  private void tidy(Instance instance, Room room) {
    if (room.kept.isEmpty() && room.visits.isEmpty()) {
      rooms.remove(instance);
    }
  }

  /** The commands of one conversation, as one of its calls reaches them. */
  final class Visit implements AutoCloseable {
    private final Instance instance;

    /** What this call may be reading. */
    private final Set<Kept> used = new HashSet<>();

    private boolean released;

    private Visit(Instance instance) {
      this.instance = instance;
    }

    /**
     * Starts a command under a name of its own.
     *
     * @param name what it is called, unless another one is called so
     * @throws ToolException where there are too many, or it can't be started
     * @throws InterruptedException where the conversation was released meanwhile
     */
    Kept start(Root root, String name, Order order, boolean background)
        throws ToolException, InterruptedException {
      CommandRunner commandRunner = runner.orElseThrow(() -> new ToolException(refusal));
      reserve(background);
      Optional<Command> started = Optional.empty();
      try {
        started = Optional.of(commandRunner.start(root, limited(order)));
      } catch (IOException e) {
        throw new ToolException(String.valueOf(e.getMessage()));
      } finally {
        synchronized (Commands.this) {
          starting--;
        }
      }
      Optional<Kept> kept = keep(name, started.get(), background);
      if (kept.isEmpty()) {
        started.get().close();
        throw new InterruptedException("the conversation was released");
      }
      return kept.get();
    }

    /** Whether a command changes files also where its order says that it writes nothing. */
    boolean writeAnyway() {
      return runner.isPresent() && !runner.get().sandboxed();
    }

    private Order limited(Order order) {
      return new Order(
          order.line(), order.writes(), order.limit(), this::hasRoom, order.progress());
    }

    private void reserve(boolean background) throws ToolException {
      synchronized (Commands.this) {
        long all = rooms.values().stream().mapToLong(one -> running(one, false)).sum();
        if (closed || all + starting >= MAX_RUNNING) {
          throw new ToolException(
              closed
                  ? "the tool host ends, and starts no command any more"
                  : MAX_RUNNING
                      + " commands run in this tool host, which is the most; try again later");
        }
        if (background && running(room(), true) >= MAX_BACKGROUND) {
          throw new ToolException(
              MAX_BACKGROUND
                  + " commands of this conversation run in the background, which is the most; end"
                  + " one of "
                  + String.join(", ", names())
                  + " with shell_stop");
        }
        starting++;
      }
    }

    private Optional<Kept> keep(String name, Command command, boolean background) {
      synchronized (Commands.this) {
        if (released || closed) {
          return Optional.empty();
        }
        Map<String, Kept> kept = room().kept;
        String free = name;
        for (int i = 2; kept.containsKey(free); i++) {
          free = name + "." + i;
        }
        Kept one = new Kept(free, command, background);
        kept.put(free, one);
        used.add(one);
        boolean _ = room().makeRoom(0);
        return Optional.of(one);
      }
    }

    private boolean hasRoom(long bytes) {
      synchronized (Commands.this) {
        Room room = rooms.get(instance);
        return room != null && room.makeRoom(bytes);
      }
    }

    /** A command of the conversation. */
    Kept find(String name) throws ToolException {
      synchronized (Commands.this) {
        Kept one = room().kept.get(name);
        if (one != null) {
          used.add(one);
          return one;
        }
        throw new ToolException(
            "there is no command '"
                + name
                + "' in this conversation any more; "
                + (names().isEmpty()
                    ? "none is kept of it"
                    : "there is " + String.join(", ", names())));
      }
    }

    /** What a command of the conversation wrote; closing it here leaves it open for others. */
    FileHandle output(String name) throws ToolException {
      return new Shared(find(name).command.output());
    }

    /** Forgets a command that has ended, and what it wrote. */
    void forget(Kept one) {
      synchronized (Commands.this) {
        room().kept.remove(one.name);
      }
      one.command.close();
    }

    private List<String> names() {
      return List.copyOf(room().kept.keySet());
    }

    private Room room() {
      return rooms.computeIfAbsent(instance, _ -> new Room());
    }

    @Override
    public void close() {
      synchronized (Commands.this) {
        // A call that was left behind starts nothing more.
        released = true;
        Room room = room();
        room.visits.remove(this);
        tidy(instance, room);
      }
    }
  }

  /** A handle that belongs to somebody else. */
  private record Shared(FileHandle file) implements FileHandle {
    @Override
    public FileStatus status() throws IOException {
      return file.status();
    }

    @Override
    public int read(ByteBuffer buffer, long position) throws IOException {
      return file.read(buffer, position);
    }

    @Override
    public void close() {
      // Its owner does, after which it can no longer be read.
    }
  }

  private static long running(Room room, boolean background) {
    return room.kept.values().stream()
        .filter(one -> one.runs() && (one.background || !background))
        .count();
  }
}
