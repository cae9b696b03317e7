package harness.tool.socket;

import harness.tool.ToolBox;

/** What both sides agree on: the version, and how much each thing may be. */
final class Protocol {
  /** Counts up with every change of a frame other than the first. */
  static final int VERSION = 3;

  /** How many requests one connection has open. */
  static final int MAX_OPEN = 1_024;

  /** How many run for one: those, and others that the Harness no longer waits for. */
  static final int MAX_RUNNING = 4 * MAX_OPEN;

  /** How many tools there can be. */
  static final int MAX_TOOLS = 64;

  /** Names: of tools, of kinds, of ids, of Agents. */
  static final int MAX_NAME_CHARS = 1_024;

  /** A working directory and a path in it. */
  static final int MAX_PATH_CHARS = 16_384;

  /** A sentence. */
  static final int MAX_SENTENCE_CHARS = 64 * 1024;

  /** The text of a result, which {@link ToolBox} has capped. */
  static final int MAX_TEXT_CHARS = ToolBox.MAX_RESULT_BYTES;

  /** Pictures of one result. */
  static final int MAX_IMAGES = 4;

  /** One picture in Base64: 6 MiB of it. */
  static final int MAX_IMAGE_CHARS = 8 * 1024 * 1024;

  /** Versions of files that one result tells. */
  static final int MAX_SEEN = 1_000;

  /** Files of one proposal. */
  static final int MAX_PROPOSED = 1_000;

  static final int MAX_VERSION_CHARS = 256;

  /** One piece of output. */
  static final int MAX_PIECE_CHARS = 16 * 1024;

  /** What one call puts out while it runs; no more is sent, though the call may go on. */
  static final int MAX_OUTPUT_CHARS = 1024 * 1024;

  static final int MAX_PIECES = 10_000;

  /** How often one call is told of what the container has in memory. */
  static final int MAX_PEAKS = 128;

  private Protocol() {}
}
