package harness.workspace;

/** What a path is walked for. */
enum Aim {
  /** What is there, anywhere under the read root. */
  READ,
  /** A file to write under the write root, there or not. */
  FILE,
  /** A directory to make under the write root, there or not. */
  DIRECTORY,
  /** The entry of the last name itself, under the write root; a link is not followed. */
  ENTRY
}
