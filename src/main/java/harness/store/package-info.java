/**
 * What must last: {@link harness.store.EventStore}, an append-only log per conversation with unique
 * claims, and {@link harness.store.SqliteEventStore}, which keeps it in one file of a state
 * directory that one process owns. Its own few platform threads alone touch SQLite and the disk; it
 * never looks inside an event and asks no clock.
 */
@NullMarked
package harness.store;

import org.jspecify.annotations.NullMarked;
