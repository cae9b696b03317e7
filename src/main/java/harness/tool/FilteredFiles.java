package harness.tool;

import harness.workspace.Directory;
import harness.workspace.FileHandle;
import harness.workspace.FileKind;
import java.io.IOException;
import java.util.Optional;

/** Searches each file of a walk that passes a filter; one for each thread. */
record FilteredFiles(FileSearch search, Optional<Glob> filter) implements Walk.Visitor<Findings> {
  @Override
  public boolean enters(String path) {
    return filter.isEmpty() || filter.get().reaches(path);
  }

  @Override
  public boolean wants(Directory.Entry entry, String path) {
    return entry.kind() == FileKind.FILE && (filter.isEmpty() || filter.get().matches(path));
  }

  @Override
  public Findings visit(Directory directory, Directory.Entry entry, String path)
      throws IOException, InterruptedException {
    try (FileHandle file = directory.file(entry.name())) {
      return search.search(file);
    }
  }
}
