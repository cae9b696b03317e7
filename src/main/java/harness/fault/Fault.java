package harness.fault;

/**
 * A terminal, typed end that is the mechanism's word about a Turn.
 *
 * @param faultClass its kind, which decides whether it burns the conversation
 * @param reason a sentence that names the thing and the mend
 */
public record Fault(FaultClass faultClass, String reason) {}
