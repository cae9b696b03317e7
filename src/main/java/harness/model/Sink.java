package harness.model;

/** Hears a reply as it streams in. Its methods return at once. */
public interface Sink {
  void text(String delta);

  void thinking(String delta);
}
