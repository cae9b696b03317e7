package harness.workspace.git;

import harness.workspace.FileHandle;
import harness.workspace.Way;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.jgit.attributes.Attribute;
import org.eclipse.jgit.attributes.Attributes;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.ObjectLoader;
import org.eclipse.jgit.lib.ObjectReader;
import org.eclipse.jgit.lib.Repository;

/**
 * The attributes of files in a worktree: from {@code .gitattributes} in each directory on the way,
 * in the index where it is not checked out, and from {@code info/attributes}. Read when asked for,
 * once. Safe for many threads.
 */
final class AttributeFiles {
  private static final String FILE_NAME = ".gitattributes";

  private final WorktreeFiles files;
  private final IndexFile index;
  private final Repository repository;
  private final AttributeRules info;
  private final boolean indexFirst;
  private final Map<String, List<Level>> levels = new ConcurrentHashMap<>();

  /** The rules of a directory, and how long the way to it is. */
  private record Level(int from, AttributeRules rules) {}

  AttributeFiles(Way commonDir, WorktreeFiles files, IndexFile index, Repository repository)
      throws IOException {
    this(
        files,
        index,
        repository,
        GitFile.bytes(commonDir, "info/attributes", AttributeRules.MAX_FILE_BYTES)
            .map(AttributeRules::parse)
            .orElse(AttributeRules.BUILT_IN),
        false);
  }

  private AttributeFiles(
      WorktreeFiles files,
      IndexFile index,
      Repository repository,
      AttributeRules info,
      boolean indexFirst) {
    this.files = files;
    this.index = index;
    this.repository = repository;
    this.info = info;
    this.indexFirst = indexFirst;
  }

  /** The same for files that are to be written: what the index has goes before the worktree. */
  AttributeFiles indexFirst() {
    return new AttributeFiles(files, index, repository, info, true);
  }

  /** Those of a file; what is not said of it is not in it. */
  Attributes of(byte[] file) throws IOException {
    String path = new String(file, StandardCharsets.ISO_8859_1);
    List<Level> way = way(path.substring(0, path.lastIndexOf('/') + 1));
    Map<String, List<Attribute>> macros = new HashMap<>(AttributeRules.BUILT_IN.macros());
    // Only the outermost file may name several attributes at once.
    way.stream().filter(level -> level.from == 0).forEach(l -> macros.putAll(l.rules.macros()));
    macros.putAll(info.macros());
    Map<String, Attribute> found = new HashMap<>();
    fill(found, info, path, macros);
    for (Level level : way.reversed()) {
      fill(found, level.rules, path.substring(level.from), macros);
    }
    return new Attributes(found.values().toArray(Attribute[]::new));
  }

  private static void fill(
      Map<String, Attribute> found,
      AttributeRules rules,
      String path,
      Map<String, List<Attribute>> macros) {
    for (AttributeRules.Rule rule : rules.rules().reversed()) {
      if (rule.matches(path)) {
        add(found, rule.attributes(), macros);
      }
    }
  }

  /** What comes later wins, so that it is added first. */
  private static void add(
      Map<String, Attribute> found,
      List<Attribute> attributes,
      Map<String, List<Attribute>> macros) {
    for (Attribute attribute : attributes.reversed()) {
      if (found.putIfAbsent(attribute.getKey(), attribute) == null
          && attribute.getState() == Attribute.State.SET) {
        add(found, macros.getOrDefault(attribute.getKey(), List.of()), macros);
      }
    }
  }

  /** The rules on the way to a directory, the outermost first. */
  private List<Level> way(String directory) throws IOException {
    List<Level> known = levels.get(directory);
    if (known != null) {
      return known;
    }
    List<Level> way = new ArrayList<>();
    if (!directory.isEmpty()) {
      int slash = directory.lastIndexOf('/', directory.length() - 2);
      way.addAll(way(directory.substring(0, slash + 1)));
    }
    read((directory + FILE_NAME).getBytes(StandardCharsets.ISO_8859_1))
        .map(AttributeRules::parse)
        .ifPresent(rules -> way.add(new Level(directory.length(), rules)));
    levels.put(directory, List.copyOf(way));
    return way;
  }

  private Optional<byte[]> read(byte[] path) throws IOException {
    if (indexFirst) {
      Optional<byte[]> stored = indexed(path);
      return stored.isPresent() ? stored : worked(path);
    }
    Optional<byte[]> worked = worked(path);
    return worked.isPresent() ? worked : indexed(path);
  }

  private Optional<byte[]> worked(byte[] path) throws IOException {
    try (FileHandle file = files.file(path);
        FileStream in = new FileStream(file)) {
      byte[] content = in.readNBytes(AttributeRules.MAX_FILE_BYTES + 1);
      return content.length > AttributeRules.MAX_FILE_BYTES
          ? Optional.empty()
          : Optional.of(content);
    } catch (FileSystemException e) {
      // Not there as a file.
      return Optional.empty();
    }
  }

  private Optional<byte[]> indexed(byte[] path) throws IOException {
    int entry = index.find(path);
    if (!index.hasPath(entry, path) || index.stage(entry) != 0) {
      return Optional.empty();
    }
    try (ObjectReader reader = repository.newObjectReader()) {
      ObjectLoader stored = reader.open(index.id(entry), Constants.OBJ_BLOB);
      return stored.getSize() > AttributeRules.MAX_FILE_BYTES
          ? Optional.empty()
          : Optional.of(stored.getCachedBytes(AttributeRules.MAX_FILE_BYTES));
    }
  }
}
