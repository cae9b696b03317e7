package harness.store;

import harness.agent.Address;

/** Something that only one append may ever have; an append whose claim is taken stores nothing. */
public sealed interface Claim {
  /**
   * An idempotency key.
   *
   * @param scope what the key is unique within
   * @param key the caller's key
   * @param digest SHA-256 of the body it came with
   * @param answer what was answered, to be answered again
   */
  record Key(String scope, String key, byte[] digest, byte[] answer) implements Claim {}

  /**
   * A generation of a continued address; the largest one claimed is the address's epoch, and none
   * below it can be claimed any more.
   *
   * @param epoch from 1; the epoch of an address without a claim is 0
   * @param reason why it was opened
   */
  record Epoch(Address address, int epoch, String reason) implements Claim {}
}
