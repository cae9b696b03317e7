package harness.model.http;

/**
 * One event of a stream of server-sent events.
 *
 * @param type its name; {@code message} where the server gave none
 * @param data its lines, joined by line feeds
 */
record ServerEvent(String type, String data) {}
