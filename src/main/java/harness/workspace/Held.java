package harness.workspace;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeoutException;

/**
 * Spots whose places are held, all at one stroke.
 *
 * @param hold that of them all
 */
record Held(List<Spot> spots, Places.Hold hold) implements AutoCloseable {
  private static final int MAX_CHANGES = 8;

  /**
   * A path to hold the place of.
   *
   * @param doing what is to be done with it, for messages
   */
  record Wanted(String path, Aim aim, String doing, Wording wording) {}

  /**
   * Walks all the paths and holds their places. Waits while others hold one of them, at most {@link
   * Places#MAX_WAIT}.
   *
   * @throws InterruptedIOException when interrupted in that wait, with the interrupt status kept
   */
  static Held of(Ground ground, Fence fence, List<Wanted> wanted) throws IOException {
    for (int change = 0; change < MAX_CHANGES; change++) {
      Optional<Held> held = once(ground, fence, wanted);
      if (held.isPresent()) {
        return held.get();
      }
    }
    throw wanted.getFirst().wording.changing();
  }

  /** Empty where something changed between the walk and the hold. */
  private static Optional<Held> once(Ground ground, Fence fence, List<Wanted> wanted)
      throws IOException {
    List<Spot> spots = new ArrayList<>();
    boolean handedOn = false;
    try {
      Set<Places.Place> places = new HashSet<>();
      for (Wanted one : wanted) {
        try {
          Spot spot = Spot.walked(ground, fence, one.path, one.wording, one.aim);
          spots.add(spot);
          places.add(spot.place());
        } catch (IOException e) {
          throw one.wording.failed(one.doing, e);
        }
      }
      Places.Hold hold = hold(places, wanted.getFirst().wording);
      try {
        handedOn = still(spots, wanted);
        return handedOn ? Optional.of(new Held(List.copyOf(spots), hold)) : Optional.empty();
      } finally {
        if (!handedOn) {
          hold.close();
        }
      }
    } finally {
      if (!handedOn) {
        spots.forEach(Spot::close);
      }
    }
  }

  private static boolean still(List<Spot> spots, List<Wanted> wanted) throws IOException {
    boolean still = true;
    for (int i = 0; i < spots.size(); i++) {
      try {
        still &= spots.get(i).still();
      } catch (IOException e) {
        throw wanted.get(i).wording.failed(wanted.get(i).doing, e);
      }
    }
    return still;
  }

  /** Holds one place; closes the handle where that fails. */
  static Places.Hold hold(OpenDirectory parent, Name name, Wording wording) throws IOException {
    boolean held = false;
    try {
      Places.Hold hold = hold(Set.of(new Places.Place(parent.key(), name)), wording);
      held = true;
      return hold;
    } finally {
      if (!held) {
        parent.close();
      }
    }
  }

  private static Places.Hold hold(Set<Places.Place> places, Wording wording) throws IOException {
    try {
      return Places.OF_PROCESS.take(places);
    } catch (TimeoutException e) {
      throw wording.busy(Places.MAX_WAIT.toSeconds());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      InterruptedIOException interrupted =
          new InterruptedIOException("interrupted while waiting to write '" + wording.path() + "'");
      interrupted.initCause(e);
      throw interrupted;
    }
  }

  @Override
  public void close() {
    spots.forEach(Spot::close);
    hold.close();
  }
}
