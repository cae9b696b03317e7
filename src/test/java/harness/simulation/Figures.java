package harness.simulation;

/** What a simulation counts; those of several add up. */
final class Figures {
  private long seeds;
  private long steps;
  private long admissions;
  private long replays;
  private long aborts;
  private long freed;
  private long restarts;
  private long compactions;
  private long answers;
  private long rides;
  private long passedOver;

  synchronized void admitted(boolean replayed) {
    if (replayed) {
      replays++;
    } else {
      admissions++;
    }
  }

  synchronized void aborted() {
    aborts++;
  }

  synchronized void answered() {
    answers++;
  }

  synchronized void freed(int count) {
    freed += count;
  }

  synchronized void restarted() {
    restarts++;
  }

  synchronized void ended(int its, Witness witness) {
    compactions += witness.compacted();
    rides += witness.rides();
    passedOver += witness.passedOver();
    seeds++;
    steps += its;
  }

  synchronized long seeds() {
    return seeds;
  }

  /** Whether each kind of thing happened in many seeds. */
  synchronized boolean busy() {
    return admissions > 10 * seeds
        && replays > seeds
        && aborts > seeds
        && freed > seeds
        && restarts > seeds
        && 20 * compactions > seeds
        && 16 * answers > seeds
        && 8 * rides > seeds
        && 20 * passedOver > seeds;
  }

  @Override
  public synchronized String toString() {
    return String.format(
        "%,d seeds, %,d steps: %,d admissions and %,d again, %,d aborts, %,d freed, %,d restarts,"
            + " %,d compactions, %,d answers, %,d rides, %,d passed over,"
            + " lost 0, doubled 0",
        seeds,
        steps,
        admissions,
        replays,
        aborts,
        freed,
        restarts,
        compactions,
        answers,
        rides,
        passedOver);
  }
}
