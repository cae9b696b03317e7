package harness.workspace;

import java.io.IOException;
import java.io.OutputStream;

/** Something that can be written out, each time from its start. */
public interface Content {
  void writeTo(OutputStream out) throws IOException;
}
