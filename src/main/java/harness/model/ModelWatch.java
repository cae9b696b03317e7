package harness.model;

import java.time.Duration;

/** Hears how the calls to the providers go. Its methods return at once, from any thread. */
public interface ModelWatch {
  /** A call was answered; retries and waits are in its time. */
  void answered(String provider, Duration took, Usage usage);

  /** A call failed for good. */
  void failed(String provider, ModelException.Kind kind, Duration took);

  /** A call whose Turn was ended meanwhile. */
  void interrupted(String provider, Duration took);

  /** An attempt failed, and another one is made. */
  void retried(String provider, ModelException.Kind kind);

  /** An attempt waited before it was made, or gave the wait up. */
  void waited(String provider, Wait on, Duration time);

  /** What the breaker of a provider is from now on. */
  void breaker(String provider, Breaker state);

  /** What an attempt waits on. */
  enum Wait {
    /** A place among the calls that run at once. */
    PLACE,
    /** The breaker, while the provider fails. */
    BREAKER,
    /** The rate of calls. */
    RATE
  }

  /** What a breaker is. */
  enum Breaker {
    CLOSED,
    /** The provider failed too often: no call is made for a while. */
    OPEN,
    /** A single call finds out whether it answers again. */
    HALF_OPEN
  }

  /** Nobody listens. */
  ModelWatch NONE =
      new ModelWatch() {
        @Override
        public void answered(String provider, Duration took, Usage usage) {}

        @Override
        public void failed(String provider, ModelException.Kind kind, Duration took) {}

        @Override
        public void interrupted(String provider, Duration took) {}

        @Override
        public void retried(String provider, ModelException.Kind kind) {}

        @Override
        public void waited(String provider, Wait on, Duration time) {}

        @Override
        public void breaker(String provider, Breaker state) {}
      };
}
