package harness.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/** A place for one scenario and the server that looks at it. */
interface Stage extends AutoCloseable {
  /** The directory that the scenario's workspace is made in, absolute; not there before. */
  Path root();

  /** The directory for what lies outside the workspace root; not there before. */
  Path outside();

  /** By the names of the scenario's slots, the absolute path of the worktree. */
  Map<String, String> slots();

  /** Makes the server see what was prepared: starts it, where it is this scenario's own. */
  Wire start() throws IOException, InterruptedException;

  /** Kills the server, starts it again on the same state, and returns when it is ready. */
  Wire restart() throws IOException, InterruptedException;

  /** Writes the server's file of rights anew, as JSON, which is YAML too. */
  void rights(JsonNode file) throws IOException;

  /** Marks that the scenario held, so that closing removes what was made for it. */
  void held();

  /** Ends what was started. What was made is kept, to be looked at, unless the scenario held. */
  @Override
  void close() throws IOException;
}
