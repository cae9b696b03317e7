package harness.store;

import harness.agent.Instance;
import harness.agent.InstanceId;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** Appends as tests write them: one conversation, one life, events and answers as words. */
final class Appends {
  static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private Appends() {}

  static Instance instance(String id) {
    return new Instance(
        id.replaceAll("/(f-)?[0-9]+$", "").replaceAll(".*/", ""), InstanceId.parse(id));
  }

  static Append append(String id, long expected, String... events) {
    return new Append(
        instance(id), "first", expected, START, bodies(events), List.of(), List.of(), 0);
  }

  static Append life(Append append, String life) {
    return new Append(
        append.instance(),
        life,
        append.expected(),
        append.at(),
        append.events(),
        append.claims(),
        append.faults(),
        append.unsettled());
  }

  static Append at(Append append, Instant at) {
    return new Append(
        append.instance(),
        append.life(),
        append.expected(),
        at,
        append.events(),
        append.claims(),
        append.faults(),
        append.unsettled());
  }

  static Append unsettled(Append append, int unsettled) {
    return new Append(
        append.instance(),
        append.life(),
        append.expected(),
        append.at(),
        append.events(),
        append.claims(),
        append.faults(),
        unsettled);
  }

  static Append claims(Append append, Claim... claims) {
    return new Append(
        append.instance(),
        append.life(),
        append.expected(),
        append.at(),
        append.events(),
        List.of(claims),
        append.faults(),
        append.unsettled());
  }

  static Append faults(Append append, String... faults) {
    return new Append(
        append.instance(),
        append.life(),
        append.expected(),
        append.at(),
        append.events(),
        append.claims(),
        bodies(faults),
        append.unsettled());
  }

  static Claim.Key key(String scope, String key, String answer) {
    return new Claim.Key(scope, key, bytes("digest of " + answer), bytes(answer));
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  static List<String> texts(List<StoredEvent> events) {
    return events.stream().map(event -> text(event.body())).toList();
  }

  static List<String> feed(List<StoredFault> faults) {
    return faults.stream().map(fault -> fault.place() + " " + text(fault.body())).toList();
  }

  private static List<byte[]> bodies(String... texts) {
    return Arrays.stream(texts).map(Appends::bytes).toList();
  }

  static String[] numbered(String prefix, int count) {
    return Stream.iterate(0, number -> number + 1)
        .limit(count)
        .map(number -> prefix + number)
        .toArray(String[]::new);
  }
}
