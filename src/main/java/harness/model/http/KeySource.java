package harness.model.http;

import java.nio.file.Path;

/** Where a provider's key is; never the key. */
public sealed interface KeySource {
  /** In a file that holds nothing else; read anew for each call, so that it can be rotated. */
  record File(Path path) implements KeySource {
    @Override
    public String toString() {
      return "the file " + path;
    }
  }

  /** In a variable of the Harness's environment. */
  record Environment(String variable) implements KeySource {
    @Override
    public String toString() {
      return "the environment variable " + variable;
    }
  }

  /** The provider asks for none. */
  record None() implements KeySource {
    @Override
    public String toString() {
      return "no key";
    }
  }
}
