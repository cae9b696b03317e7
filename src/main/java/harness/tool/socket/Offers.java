package harness.tool.socket;

import static java.util.stream.Collectors.joining;

import harness.tool.ToolSpec;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/** What tells the tools of two builds apart. */
final class Offers {
  private static final int DIGEST_BYTES = 8;

  private Offers() {}

  /** A digest of each tool, by name. */
  static Map<String, String> digests(List<ToolSpec> specs) {
    Map<String, String> digests = new TreeMap<>();
    for (ToolSpec spec : specs) {
      digests.put(
          spec.name(),
          digest(spec.description() + '\n' + spec.writes() + '\n' + spec.inputSchema()));
    }
    return digests;
  }

  private static String digest(String text) {
    try {
      byte[] whole =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(whole, 0, DIGEST_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /** How a runner's tools differ from a Harness's; empty where they don't. */
  static Optional<String> difference(Map<String, String> harness, Map<String, String> runner) {
    TreeSet<String> names = new TreeSet<>(harness.keySet());
    names.addAll(runner.keySet());
    String difference =
        names.stream()
            .filter(name -> !harness.getOrDefault(name, "").equals(runner.getOrDefault(name, "")))
            .map(name -> name + how(harness.containsKey(name), runner.containsKey(name)))
            .collect(joining(", "));
    return difference.isEmpty() ? Optional.empty() : Optional.of(difference);
  }

  private static String how(boolean harness, boolean runner) {
    if (harness && runner) {
      return " is another";
    }
    return harness ? " is missing there" : " is there alone";
  }
}
