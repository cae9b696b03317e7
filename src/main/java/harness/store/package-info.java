/**
 * What must last: {@link harness.store.EventStore}, an append-only log per conversation with unique
 * claims, and its SQLite. It never looks inside an event.
 */
@NullMarked
package harness.store;

import org.jspecify.annotations.NullMarked;
