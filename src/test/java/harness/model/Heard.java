package harness.model;

import java.util.ArrayList;
import java.util.List;

/** A sink that keeps what it heard. */
public final class Heard implements Sink {
  private final List<String> texts = new ArrayList<>();
  private final List<String> thoughts = new ArrayList<>();

  @Override
  public synchronized void text(String delta) {
    texts.add(delta);
  }

  @Override
  public synchronized void thinking(String delta) {
    thoughts.add(delta);
  }

  public synchronized List<String> texts() {
    return List.copyOf(texts);
  }

  public synchronized List<String> thoughts() {
    return List.copyOf(thoughts);
  }
}
