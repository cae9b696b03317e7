/**
 * The shapes of the wire as records, for the server and for clients alike. A leaf: it holds no rule
 * and makes no decision.
 */
@NullMarked
package harness.api;

import org.jspecify.annotations.NullMarked;
