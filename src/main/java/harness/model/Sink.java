package harness.model;

/** Hears a reply as it streams in. Its methods return at once. */
public interface Sink {
  void text(String delta);

  void thinking(String delta);

  /** Nobody listens. */
  Sink SILENT =
      new Sink() {
        @Override
        public void text(String delta) {}

        @Override
        public void thinking(String delta) {}
      };
}
