package harness.workspace;

/** What lies at a path. */
public enum FileKind {
  FILE,
  DIRECTORY,
  LINK,
  FIFO,
  SOCKET,
  DEVICE,
  OTHER
}
