package harness.workspace;

/** The system's files by handles of directories and single names; below it are the two adapters. */
public interface Handles {}
