package harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;

/** What clients were told, kept over the lives of the processes that told it. */
final class Ledger {
  /** How much of what is older is looked at again after each start; at the end all of it is. */
  private static final int OLDER = 25;

  /**
   * An admission.
   *
   * @param address what it continues; empty where it begins a fresh one or names its conversation
   */
  record Sent(String key, String path, String body, String address) {}

  /** What an offset read. */
  private record Page(String instanceId, String offset, String body) {}

  private final Map<String, Sent> unanswered = new ConcurrentHashMap<>();
  private final Map<Sent, JsonNode> acknowledged = new ConcurrentHashMap<>();
  private final Map<String, Integer> epochs = new ConcurrentHashMap<>();
  private final Queue<Sent> newAnswers = new ConcurrentLinkedQueue<>();
  private final Queue<Page> newPages = new ConcurrentLinkedQueue<>();
  private final List<Page> pages = new ArrayList<>();
  private final List<JsonNode> faults = new ArrayList<>();
  private final Set<String> aborted = ConcurrentHashMap.newKeySet();
  private String faultsNext = "0";

  /** Sends an admission, for the first time or again; empty where there was no room for it. */
  Optional<JsonNode> admit(Caller caller, Sent sent) throws IOException, InterruptedException {
    int least = epochs.getOrDefault(sent.address, 0);
    unanswered.put(sent.key, sent);
    Caller.Answer answer = caller.post(sent.path, sent.body, sent.key);
    if (answer.status() == 507) {
      return Optional.empty();
    }
    assertEquals(200, answer.status(), answer::body);
    JsonNode told = answer.json();
    if (!sent.address.isEmpty() && answer.header("idempotent-replayed").isEmpty()) {
      int epoch = told.path("epoch").asInt();
      assertTrue(epoch >= least, () -> sent.address + " was at epoch " + least + ": " + told);
      int _ = epochs.merge(sent.address, epoch, Math::max);
    }
    acknowledged.put(sent, told);
    newAnswers.add(sent);
    unanswered.remove(sent.key);
    return Optional.of(told);
  }

  /** Reads a page and notes it. */
  Caller.Answer read(Caller caller, String instanceId, String offset)
      throws IOException, InterruptedException {
    Caller.Answer answer = caller.longPoll(instanceId, offset);
    if (answer.status() == 200) {
      newPages.add(new Page(instanceId, offset, answer.body()));
    }
    return answer;
  }

  /** Ends what is unsettled on a conversation; all that was admitted to it before is settled. */
  void abort(Caller caller, String instanceId) throws IOException, InterruptedException {
    Set<String> before = byConversation().getOrDefault(instanceId, Set.of());
    aborted.add(instanceId);
    Caller.Answer answer = caller.post(Caller.path(instanceId) + "/abort", "", "");
    if (answer.status() != 507) {
      assertEquals(200, answer.status(), answer::body);
      List<JsonNode> events = caller.until(instanceId, _ -> true);
      Set<String> settled = Set.copyOf(Told.ids(events, "submission-settled"));
      assertTrue(settled.containsAll(before), () -> "an abort left some of " + before);
    }
  }

  /** Waits for more faults; whoever follows them is alone. */
  void followFaults(Caller caller) throws IOException, InterruptedException {
    Caller.Answer page = caller.get("/faults?live=long-poll&offset=" + faultsNext);
    if (page.status() == 200) {
      page.json().forEach(faults::add);
    }
    faultsNext = page.header("stream-next-offset");
  }

  /** What no answer was heard to is sent again. */
  void sendUnansweredAgain(Caller caller) throws IOException, InterruptedException {
    for (Sent sent : List.copyOf(unanswered.values())) {
      assertTrue(admit(caller, sent).isPresent(), "there is no room for what was sent again");
    }
  }

  /**
   * The same answers to the same requests, and the same events from the same offsets: for all that
   * was told since it was last looked at, and some of what is older.
   */
  void assertRemembered(Caller caller, Random random) throws IOException, InterruptedException {
    List<Sent> older = new ArrayList<>(acknowledged.keySet());
    assertReplayed(caller, drained(newAnswers));
    assertReplayed(caller, some(older, random));
    List<Page> fresh = drained(newPages);
    assertRead(caller, fresh);
    assertRead(caller, some(pages, random));
    pages.addAll(fresh);
  }

  /** The same for all that was ever told. */
  void assertAllRemembered(Caller caller) throws IOException, InterruptedException {
    pages.addAll(drained(newPages));
    assertReplayed(caller, acknowledged.keySet());
    assertRead(caller, pages);
    JsonNode all = caller.get("/faults").json();
    Told.assertGrown(Caller.JSON.valueToTree(faults).toString(), all.toString(), "the faults");
  }

  private static <T> List<T> drained(Queue<T> queue) {
    List<T> all = new ArrayList<>();
    for (T one = queue.poll(); one != null; one = queue.poll()) {
      all.add(one);
    }
    return all;
  }

  private static <T> List<T> some(List<T> all, Random random) {
    return random
        .ints(all.isEmpty() ? 0 : OLDER, 0, Math.max(1, all.size()))
        .mapToObj(all::get)
        .toList();
  }

  private void assertReplayed(Caller caller, Collection<Sent> some)
      throws IOException, InterruptedException {
    for (Sent sent : some) {
      Caller.Answer again = caller.post(sent.path, sent.body, sent.key);
      assertEquals("true", again.header("idempotent-replayed"), again::body);
      JsonNode told = Objects.requireNonNull(acknowledged.get(sent));
      for (String field :
          List.of("instanceId", "epoch", "submissionId", "offset", "ahead", "new")) {
        assertEquals(told.get(field), again.json().get(field), sent.key);
      }
    }
  }

  private static void assertRead(Caller caller, Collection<Page> some)
      throws IOException, InterruptedException {
    for (Page page : some) {
      String now = caller.updates(page.instanceId, page.offset).body();
      Told.assertGrown(page.body, now, page.instanceId + " from " + page.offset);
    }
  }

  /** The Submissions that were acknowledged, by their conversations. */
  Map<String, Set<String>> byConversation() {
    return acknowledged.values().stream()
        .collect(
            Collectors.groupingBy(
                answer -> answer.path("instanceId").asText(),
                Collectors.mapping(
                    answer -> answer.path("submissionId").asText(), Collectors.toSet())));
  }

  /** Where the events of each acknowledged Submission begin, by its id. */
  Map<String, String> offsets() {
    return acknowledged.values().stream()
        .collect(
            Collectors.toMap(
                answer -> answer.path("submissionId").asText(),
                answer -> answer.path("offset").asText()));
  }

  /** Whether somebody asked to end what was unsettled on a conversation. */
  boolean wasAborted(String instanceId) {
    return aborted.contains(instanceId);
  }

  /** What no answer was heard to. */
  Set<String> unanswered() {
    return Set.copyOf(unanswered.keySet());
  }
}
