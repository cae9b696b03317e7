package harness.model.http;

import harness.model.ModelException.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;

/** Reads keys, each time that one is used. */
final class Keys {
  /** The longest key. */
  private static final int MAX_KEY_BYTES = 16 * 1024;

  private final Function<String, Optional<String>> environment;

  Keys(Function<String, Optional<String>> environment) {
    this.environment = environment;
  }

  /**
   * The key, without the white space around it; empty where the provider asks for none.
   *
   * @throws AttemptException {@code AUTH}, when there is no usable key; it never shows one
   */
  Optional<String> read(KeySource source, String provider) throws AttemptException {
    Optional<String> raw =
        switch (source) {
          case KeySource.None _ -> Optional.empty();
          case KeySource.File file -> Optional.of(content(file.path(), provider));
          case KeySource.Environment variable ->
              Optional.of(
                  environment
                      .apply(variable.variable())
                      .orElseThrow(() -> unusable(provider, source, "is not set")));
        };
    if (raw.isEmpty()) {
      return raw;
    }
    String key = raw.get().strip();
    if (key.isEmpty()) {
      throw unusable(provider, source, "is empty");
    }
    // What a header can't carry would be shown in the message of the client that refuses it.
    if (!key.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
      throw unusable(
          provider, source, "holds more than one key: it has spaces, lines or non-ASCII");
    }
    return Optional.of(key);
  }

  private static String content(Path path, String provider) throws AttemptException {
    try (InputStream in = Files.newInputStream(path)) {
      byte[] bytes = in.readNBytes(MAX_KEY_BYTES + 1);
      if (bytes.length > MAX_KEY_BYTES) {
        throw unusable(
            provider, new KeySource.File(path), "is longer than " + MAX_KEY_BYTES + " bytes");
      }
      return new String(bytes, StandardCharsets.UTF_8);
    } catch (NoSuchFileException e) {
      throw unusable(provider, new KeySource.File(path), "is not there");
    } catch (IOException e) {
      throw unusable(provider, new KeySource.File(path), "can't be read (" + e + ")");
    }
  }

  private static AttemptException unusable(String provider, KeySource source, String why) {
    return AttemptException.forGood(
        Kind.AUTH, provider + ": the key can't be used: " + source + " " + why);
  }
}
