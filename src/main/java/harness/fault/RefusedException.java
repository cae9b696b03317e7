package harness.fault;

/** Carries a {@link Refusal} from where it was found to the edge that answers it. */
public final class RefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Refusal refusal;

  public RefusedException(Refusal refusal) {
    super(refusal.message());
    this.refusal = refusal;
  }

  public static RefusedException invalid(String message, String field) {
    return new RefusedException(new Refusal.Invalid(message, field));
  }

  public Refusal refusal() {
    return refusal;
  }
}
