package harness.client;

/** Carries an {@link Outcome.Unsettled} out of what has another result. */
public final class UnsettledException extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient Outcome.Unsettled outcome;
  private final boolean mayHaveArrived;

  /** Of what did nothing. */
  UnsettledException(Outcome.Unsettled outcome) {
    this(outcome, false);
  }

  UnsettledException(Outcome.Unsettled outcome, boolean mayHaveArrived) {
    super(outcome.message());
    this.outcome = outcome;
    this.mayHaveArrived = mayHaveArrived;
  }

  /** Whether what was asked may have been done all the same. */
  public boolean mayHaveArrived() {
    return mayHaveArrived;
  }

  public Outcome.Unsettled outcome() {
    return outcome;
  }
}
