package harness.store;

import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The disk's own price: bytes written to a file by hand and synced with fdatasync. */
public final class RawAppends {
  public static final int BODY_BYTES = 512;

  /** What is written over and over where nothing is appended. */
  private static final int IN_PLACE_BYTES = 4 << 20;

  private RawAppends() {}

  /** Each client appends to a file of its own and syncs each append. */
  public static Figures measure(Path directory, int clients, int appends) throws Exception {
    List<FileChannel> files = new ArrayList<>();
    for (int client = 0; client < clients; client++) {
      files.add(open(directory));
    }
    try (ExecutorService threads = Executors.newFixedThreadPool(clients)) {
      byte[] body = new byte[BODY_BYTES];
      return Figures.measure(
          threads,
          clients,
          appends,
          (client, _) -> {
            int _ = files.get(client).write(ByteBuffer.wrap(body));
            files.get(client).force(false);
          });
    } finally {
      for (FileChannel file : files) {
        file.close();
      }
    }
  }

  /**
   * One client writes over what is there: a file that does not grow costs the file system less than
   * one that does, and a write-ahead log is such a file once it was moved.
   */
  public static Figures measureInPlace(Path directory, int writes) throws Exception {
    try (FileChannel file =
            FileChannel.open(Files.createTempFile(directory, "raw", ""), StandardOpenOption.WRITE);
        ExecutorService threads = Executors.newFixedThreadPool(1)) {
      int _ = file.write(ByteBuffer.allocate(IN_PLACE_BYTES));
      file.force(true);
      byte[] body = new byte[BODY_BYTES];
      return Figures.measure(
          threads,
          1,
          writes,
          (_, count) -> {
            long at = (long) count * BODY_BYTES % IN_PLACE_BYTES;
            int _ = file.write(ByteBuffer.wrap(body), at);
            file.force(false);
          });
    }
  }

  /**
   * One writer appends for a group and syncs once for all of it, as often as makes the appends; the
   * times are those of groups, the rate that of appends.
   */
  public static Figures measureGroups(Path directory, int group, int appends) throws Exception {
    try (FileChannel file = open(directory);
        ExecutorService threads = Executors.newFixedThreadPool(1)) {
      byte[] body = new byte[BODY_BYTES];
      Figures groups =
          Figures.measure(
              threads,
              1,
              appends / group,
              (_, _) -> {
                for (int member = 0; member < group; member++) {
                  int _ = file.write(ByteBuffer.wrap(body));
                }
                file.force(false);
              });
      return new Figures(groups.p50(), groups.p99(), groups.perSecond() * group);
    }
  }

  private static FileChannel open(Path directory) throws Exception {
    return FileChannel.open(
        Files.createTempFile(directory, "raw", ""),
        StandardOpenOption.WRITE,
        StandardOpenOption.APPEND);
  }
}
