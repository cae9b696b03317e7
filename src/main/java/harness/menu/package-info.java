/**
 * What an Agent can say to end a Turn: a {@link harness.menu.Menu} of {@link
 * harness.menu.MenuTool}s, the part of it that is allowed now, and the {@link harness.menu.Pick}
 * that was made. It runs nothing, reads no file, and fetches nothing that a schema names.
 */
@NullMarked
package harness.menu;

import org.jspecify.annotations.NullMarked;
