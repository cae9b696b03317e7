package harness.tool.socket;

import harness.tool.Progress;
import java.util.function.Consumer;

/** Hands on what a call puts out, in pieces and as much of it as a Harness takes from one call. */
final class Pieces implements Progress {
  private static final String MORE = "\n[more is put out than is shown while it runs]\n";

  private final Consumer<String> each;
  private int piecesLeft = Protocol.MAX_PIECES - 1;
  private int charsLeft = Protocol.MAX_OUTPUT_CHARS - MORE.length();
  private boolean over;

  Pieces(Consumer<String> each) {
    this.each = each;
  }

  @Override
  public synchronized void output(String text) {
    for (int start = 0; start < text.length() && !over; ) {
      int end = Math.min(text.length(), start + Protocol.MAX_PIECE_CHARS);
      if (end < text.length() && Character.isHighSurrogate(text.charAt(end - 1))) {
        end--;
      }
      if (piecesLeft == 0 || end - start > charsLeft) {
        over = true;
        each.accept(MORE);
        return;
      }
      piecesLeft--;
      charsLeft -= end - start;
      each.accept(text.substring(start, end));
      start = end;
    }
  }
}
