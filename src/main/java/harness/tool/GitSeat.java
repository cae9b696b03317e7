package harness.tool;

import harness.workspace.git.GitView;
import java.io.IOException;

/** The repository of a seat's working directory. */
final class GitSeat {
  private GitSeat() {}

  static GitView open(Seat seat) throws IOException, InterruptedException {
    return GitView.open(seat.root());
  }
}
