package harness.workspace.attach;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import harness.workspace.Slots;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The slots of the workspace: those of the configuration, and those that were attached, which are
 * kept in a file of the state. One that was attached goes before a configured one of its name.
 */
public final class AttachedSlots {
  private static final String FILE = "attached.json";
  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * A slot.
   *
   * @param worktree the absolute path of its worktree
   * @param branch the branch of that; empty where it was not attached here
   */
  public record Slot(String worktree, Optional<String> branch) {}

  private final Slots configured;
  private final Path state;
  private final Map<String, Slot> slots = new TreeMap<>();

  private AttachedSlots(Slots configured, Path state) {
    this.configured = configured;
    this.state = state;
  }

  /**
   * Reads what was attached.
   *
   * @param state the state directory, which is there
   * @throws IllegalStateException where the file can't be read
   */
  public static AttachedSlots open(Slots configured, Path state) {
    AttachedSlots all = new AttachedSlots(configured, state);
    configured
        .worktrees()
        .forEach((name, worktree) -> all.slots.put(name, new Slot(worktree, Optional.empty())));
    Path file = state.resolve(FILE);
    try {
      if (Files.exists(file)) {
        JsonNode kept = JSON.readTree(Files.readAllBytes(file)).path("slots");
        if (!kept.isArray()) {
          throw new IOException("it has no list of slots");
        }
        for (JsonNode slot : kept) {
          all.slots.put(
              text(slot, "slot"),
              new Slot(text(slot, "worktree"), Optional.of(text(slot, "branch"))));
        }
      }
    } catch (IOException e) {
      throw new IllegalStateException(
          "what was attached can't be read from " + file + ": remove it, and attach again", e);
    }
    return all;
  }

  private static String text(JsonNode slot, String field) throws IOException {
    String text = slot.path(field).asText();
    if (text.isEmpty()) {
      throw new IOException("a slot of it has no '" + field + "'");
    }
    return text;
  }

  /** The workspace root. */
  public String root() {
    return configured.root();
  }

  /** All of them, by name. */
  public synchronized Map<String, Slot> all() {
    return new LinkedHashMap<>(slots);
  }

  /** The same, as a Frame's working directory is found by them. */
  public synchronized Slots slots() {
    Map<String, String> worktrees = new TreeMap<>();
    slots.forEach((name, slot) -> worktrees.put(name, slot.worktree()));
    return new Slots(configured.root(), worktrees);
  }

  /** Adds what was attached; on return it is on stable storage. */
  public synchronized void add(Map<String, Slot> attached) throws IOException {
    Map<String, Slot> more = new TreeMap<>(slots);
    more.putAll(attached);
    if (!more.equals(slots)) {
      write(more);
      slots.putAll(attached);
    }
  }

  private void write(Map<String, Slot> all) throws IOException {
    ObjectNode document = JSON.createObjectNode();
    var list = document.putArray("slots");
    all.forEach(
        (name, slot) ->
            slot.branch()
                .ifPresent(
                    branch ->
                        list.addObject()
                            .put("slot", name)
                            .put("worktree", slot.worktree())
                            .put("branch", branch)));
    byte[] text = (document.toPrettyString() + "\n").getBytes(StandardCharsets.UTF_8);
    Path fresh = state.resolve(FILE + ".new");
    try (FileChannel file =
        FileChannel.open(
            fresh,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      ByteBuffer left = ByteBuffer.wrap(text);
      while (left.hasRemaining()) {
        int unused = file.write(left);
      }
      file.force(true);
    }
    Files.move(fresh, state.resolve(FILE), StandardCopyOption.ATOMIC_MOVE);
    try (FileChannel directory = FileChannel.open(state, StandardOpenOption.READ)) {
      directory.force(true);
    }
  }
}
