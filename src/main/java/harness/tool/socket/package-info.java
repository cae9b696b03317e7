/**
 * The tool host in a process of its own: {@link harness.tool.socket.Runner} serves the Working
 * tools over a Unix socket, {@link harness.tool.socket.RunnerToolHost} is a Harness's way to it.
 * Frames are a length of four bytes and then JSON, whose fields have a fixed order. The runner
 * holds no key and no state; the Harness takes everything it answers for hostile, because an Agent
 * may have taken its place.
 */
@NullMarked
package harness.tool.socket;

import org.jspecify.annotations.NullMarked;
