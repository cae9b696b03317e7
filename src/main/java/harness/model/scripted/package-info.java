/**
 * A model that follows a script: {@link harness.model.scripted.Script} is what it says, {@link
 * harness.model.scripted.ScriptedModel} says it. For the demo, tests and scenarios. It remembers
 * nothing, so a restart changes nothing: what it says next is decided by the request alone. It
 * opens no connection and reads no file but the script; of a file that a step waits for, only
 * whether it is there.
 */
@NullMarked
package harness.model.scripted;

import org.jspecify.annotations.NullMarked;
