package harness.store;

import static harness.store.Appends.append;
import static harness.store.Appends.claims;
import static harness.store.Appends.key;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/** A second process that opens a state directory, and says in lines what it met. */
final class ChildProcess {
  private ChildProcess() {}

  static Process start(String... arguments) throws IOException {
    ProcessBuilder builder = new ProcessBuilder();
    builder
        .command()
        .addAll(
            java.util.List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                ChildProcess.class.getName()));
    builder.command().addAll(java.util.List.of(arguments));
    builder.redirectError(ProcessBuilder.Redirect.INHERIT);
    Map<String, String> environment = builder.environment();
    environment.put("LC_ALL", "C.UTF-8");
    return builder.start();
  }

  /**
   * Arguments: the directory, then {@code hold} to say {@code open} and end with its input, or
   * {@code append}, a number of clients and the name of this round, to append until it is killed
   * and to say each append that was acknowledged.
   */
  public static void main(String[] arguments) throws Exception {
    try (EventStore store = SqliteEventStore.open(Path.of(arguments[0]), failure -> {})) {
      System.out.println("open");
      if (arguments[1].equals("append")) {
        int clients = Integer.parseInt(arguments[2]);
        for (int client = 1; client < clients; client++) {
          int number = client;
          Thread unused =
              Thread.ofVirtual().start(() -> appendForever(store, number, arguments[3]));
        }
        appendForever(store, 0, arguments[3]);
      }
      int unused = System.in.read();
    } catch (StoreUnableException refused) {
      System.out.println(refused.getMessage());
    }
  }

  private static void appendForever(EventStore store, int client, String round) {
    String id = "run-" + client + "/coder";
    long expected = store.find(Appends.instance(id)).map(Held::events).orElse(0L);
    while (true) {
      String event = round + "-" + expected;
      Appended answer =
          store.append(
              claims(
                  append(id, expected, event, event + " again"),
                  key(id, event, "answer of " + event)));
      if (!(answer instanceof Appended.Stored)) {
        throw new IllegalStateException("not stored: " + answer);
      }
      // One call a line, so that a kill can't tear one that others took part in.
      byte[] line = Appends.bytes(client + " " + expected + " " + event + " .\n");
      System.out.write(line, 0, line.length);
      System.out.flush();
      expected += 2;
    }
  }

  /** The next line that it says. */
  static String line(BufferedReader output) throws IOException {
    String line = output.readLine();
    return line == null ? "" : line;
  }
}
