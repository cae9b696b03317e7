package harness.client;

import harness.api.FaultBody;
import harness.api.SettlementBody.ErrorBody;
import harness.api.SettlementBody.PickBody;
import java.util.Optional;

/** What an awaited Submission came to. */
public sealed interface Outcome {

  /** The Harness settled it. */
  sealed interface Settled extends Outcome {}

  /** There is no Settlement, or none that this caller can see. */
  sealed interface Unsettled extends Outcome {
    /** A sentence that names the thing. */
    String message();
  }

  /**
   * The Turn did what it was asked.
   *
   * @param text what the Agent said last
   * @param pick what it ended with, where it owed one
   */
  record Completed(String text, Optional<PickBody> pick) implements Settled {}

  /** The Turn failed; where its fault burned the conversation, the next prompt must brief anew. */
  record Failed(ErrorBody error, Optional<FaultBody> fault) implements Settled {}

  /** An abort ended it. */
  record Aborted() implements Settled {}

  /** 404: the Harness holds no such conversation, or no longer. */
  record Lost(String message) implements Unsettled {}

  /** 401 or 403: waiting mends neither. */
  record Denied(int status, String message) implements Unsettled {}

  /**
   * The Harness did not take the request, or would not have.
   *
   * @param field the part of the request that is wrong; empty where it is not one
   */
  record Refused(int status, String message, String field) implements Unsettled {}

  /** No answer came for so long that the Harness is given up. */
  record Unreachable(String message) implements Unsettled {}
}
