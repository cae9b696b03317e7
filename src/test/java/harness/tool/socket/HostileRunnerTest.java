package harness.tool.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import harness.fault.RefusedException;
import harness.tool.FakeToolHost;
import harness.tool.Progress;
import harness.tool.Proposal;
import harness.tool.ToolHost;
import harness.tool.ToolResult;
import harness.tool.WorkingTools;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a Harness makes of a runner that an Agent has taken the place of. */
@Timeout(60)
class HostileRunnerTest {
  /** What an impatient Harness takes at most for one call, whatever the runner does. */
  private static final Duration LATEST = Duration.ofSeconds(5);

  private SocketFixture fixture;

  @BeforeEach
  void open(@TempDir Path directory) throws IOException {
    fixture = SocketFixture.in(directory);
  }

  private static ToolResult ask(ToolHost host) {
    return host.call(SocketFixture.call("read"), Progress.NONE);
  }

  /** Calls a runner that does this once it was called, and says what became of the call. */
  private String told(HostileRunner.Deed deed) throws Exception {
    try (HostileRunner _ = HostileRunner.at(fixture, deed);
        ToolHost host = fixture.impatient()) {
      ToolResult result = assertTimeoutPreemptively(LATEST, () -> ask(host));
      assertTrue(result.error(), result::text);
      assertTrue(result.text().length() < 2_000, result::text);
      return result.text();
    }
  }

  /** What becomes of a call that is answered by these frames, in which ID is its id. */
  private String answered(String... frames) throws Exception {
    return told(
        peer -> {
          peer.hello();
          String id = String.valueOf(peer.request());
          for (String frame : frames) {
            peer.frame(frame.replace("ID", id));
          }
          peer.drain();
        });
  }

  private static String returned(String text, String images, String seen) {
    return returned(text, images, seen, "", "");
  }

  private static String proposing(String proposed, String from) {
    return returned("x", "", "", proposed, from);
  }

  private static String returned(
      String text, String images, String seen, String proposed, String from) {
    return "{\"type\":\"returned\",\"id\":ID,\"error\":false,\"text\":\""
        + text
        + "\",\"bytes\":1,\"truncated\":false,\"images\":["
        + images
        + "],\"seen\":["
        + seen
        + "],\"proposed\":["
        + proposed
        + "],\"from\":["
        + from
        + "],\"to\":[],\"peak\":0,\"limit\":0}";
  }

  private static String pairs(int count, String format) {
    return String.join(
        ",", IntStream.range(0, count).mapToObj(i -> format.replace("#", "" + i)).toList());
  }

  private record Hostile(String name, String frame, String why) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static Stream<Hostile> hostileFrames() {
    List<Hostile> all = new ArrayList<>();
    String picture = "[\"image/png\",\"" + SocketFixture.PNG + "\"]";
    all.add(new Hostile("no JSON", "\u0000\u0001garbage", "no JSON that can be read"));
    all.add(new Hostile("a list", "[]", "an object was to come"));
    all.add(new Hostile("a text", "\"returned\"", "an object was to come"));
    all.add(new Hostile("half an object", "{\"type\":\"returned\",", "no JSON"));
    all.add(new Hostile("an unknown type", "{\"type\":\"reboot\",\"id\":ID}", "an unknown type"));
    all.add(new Hostile("a request", "{\"type\":\"ping\",\"id\":ID}", "an unknown type"));
    all.add(new Hostile("a type that is none", "{\"type\":7,\"id\":ID}", "the text of 'type'"));
    all.add(new Hostile("deep lists", "{\"type\":" + "[".repeat(100_000), "the text of 'type'"));
    all.add(
        new Hostile(
            "deep lists in a result",
            returned("x", "[".repeat(100_000), ""),
            "a text in 'images'"));
    all.add(new Hostile("another order", "{\"id\":ID,\"type\":\"done\"}", "'type' was to come"));
    all.add(
        new Hostile("one field more", "{\"type\":\"done\",\"id\":ID,\"x\":1}", "end of the frame"));
    all.add(
        new Hostile("something behind", "{\"type\":\"done\",\"id\":ID} {}", "something follows"));
    all.add(new Hostile("an id that is a text", "{\"type\":\"done\",\"id\":\"ID\"}", "number of"));
    all.add(new Hostile("a negative id", "{\"type\":\"done\",\"id\":-1}", "is negative"));
    all.add(
        new Hostile(
            "an id without end",
            "{\"type\":\"done\",\"id\":" + "9".repeat(5_000) + "}",
            "no JSON"));
    all.add(new Hostile("an unknown id", "{\"type\":\"done\",\"id\":999}", "which is not open"));
    all.add(
        new Hostile("another answer's type", "{\"type\":\"done\",\"id\":ID}", "of another type"));
    all.add(
        new Hostile(
            "a refusal of a call",
            "{\"type\":\"refused\",\"id\":ID,\"kind\":\"SYSTEM\",\"message\":\"no\"}",
            "of another type"));
    all.add(
        new Hostile(
            "an unknown refusal",
            "{\"type\":\"refused\",\"id\":ID,\"kind\":\"X\",\"message\":\"no\"}",
            "unknown kind"));
    all.add(new Hostile("a second hello", "{\"type\":\"hello\",\"protocol\":7}", "its hello"));
    all.add(
        new Hostile(
            "a text over its cap",
            returned("x".repeat(Protocol.MAX_TEXT_CHARS + 1), "", ""),
            "it has at most 65536"));
    all.add(
        new Hostile(
            "a truth that is a text",
            returned("x", "", "").replace("\"error\":false", "\"error\":\"false\""),
            "true or false"));
    all.add(
        new Hostile(
            "fewer than no bytes",
            returned("x", "", "").replace("\"bytes\":1", "\"bytes\":-1"),
            "is negative"));
    all.add(
        new Hostile(
            "too many pictures",
            returned("x", pairs(Protocol.MAX_IMAGES + 1, picture), ""),
            "at most 4 pairs"));
    all.add(
        new Hostile(
            "a page for a picture", returned("x", "[\"text/html\",\"aGk=\"]", ""), "of a type"));
    all.add(
        new Hostile(
            "a picture that is none", returned("x", "[\"image/png\",\"<svg>\"]", ""), "no Base64"));
    all.add(
        new Hostile(
            "bytes that are no picture", returned("x", "[\"image/png\",\"aGk=\"]", ""), "broken"));
    all.add(
        new Hostile(
            "a picture of another type",
            returned("x", "[\"image/gif\",\"" + SocketFixture.PNG + "\"]", ""),
            "another type"));
    all.add(
        new Hostile("an empty picture", returned("x", "[\"image/png\",\"\"]", ""), "of no bytes"));
    all.add(
        new Hostile(
            "a picture that is too large",
            returned(
                "x", "[\"image/png\",\"" + "A".repeat(Protocol.MAX_IMAGE_CHARS + 4) + "\"]", ""),
            "exceeds the maximum allowed (8388608"));
    all.add(
        new Hostile("a picture of one word", returned("x", "[\"image/png\"]", ""), "in 'images'"));
    all.add(
        new Hostile(
            "too many versions",
            returned("x", "", pairs(Protocol.MAX_SEEN + 1, "[\"/a#\",\"v\"]")),
            "at most 1000 pairs"));
    for (String path : List.of("a", "/a/../b", "/a/.", "//a", "")) {
      all.add(
          new Hostile(
              "a version of '" + path + "'",
              returned("x", "", "[\"" + path + "\",\"v\"]"),
              "not absolute and normalised"));
    }
    all.add(
        new Hostile(
            "a path without end",
            returned("x", "", "[\"/" + "a".repeat(Protocol.MAX_PATH_CHARS) + "\",\"v\"]"),
            "it has at most 16384"));
    all.add(
        new Hostile(
            "a version without end",
            returned("x", "", "[\"/a\",\"" + "v".repeat(Protocol.MAX_VERSION_CHARS + 1) + "\"]"),
            "it has at most 256"));
    all.add(
        new Hostile(
            "two versions of one file",
            returned("x", "", "[\"/a\",\"1\"],[\"/a\",\"2\"]"),
            "something twice"));
    String half = "d".repeat(Proposal.MAX_DIFF_BYTES / 2 + 1);
    all.add(
        new Hostile(
            "a diff without end", proposing("[\"a\",\"" + half + half + "\"]", ""), "at most"));
    all.add(
        new Hostile(
            "diffs that are too large together",
            proposing("[\"a\",\"" + half + "\"],[\"b\",\"" + half + "\"]", ""),
            "too large"));
    all.add(
        new Hostile(
            "too many proposals",
            proposing(pairs(Protocol.MAX_PROPOSED + 1, "[\"a#\",\"\"]"), ""),
            "at most 1000 pairs"));
    all.add(
        new Hostile(
            "a proposal from a relative path",
            proposing("[\"a\",\"\"]", "[\"a\",\"v\"]"),
            "'from' names a path"));
    all.add(
        new Hostile(
            "a piece that is too large",
            "{\"type\":\"output\",\"id\":ID,\"text\":\""
                + "x".repeat(Protocol.MAX_PIECE_CHARS + 1)
                + "\"}",
            "it has at most 16384"));
    return all.stream();
  }

  @ParameterizedTest
  @MethodSource("hostileFrames")
  void aFrameThatIsNoneOfTheProtocolEndsTheConnectionAndTheCall(Hostile hostile) throws Exception {
    String told = answered(hostile.frame());
    assertTrue(told.contains("(it broke the protocol: "), told);
    assertTrue(told.contains(hostile.why()), told);
    assertTrue(told.endsWith("whether it took effect is not known. Look before you repeat it."));
  }

  @Test
  void bytesThatAreNoUtf8EndTheConnection() throws Exception {
    String told =
        told(
            peer -> {
              peer.hello();
              long id = peer.request();
              byte[] frame =
                  returned("##", "", "").replace("ID", "" + id).getBytes(StandardCharsets.US_ASCII);
              int at = new String(frame, StandardCharsets.US_ASCII).indexOf("##");
              frame[at] = (byte) 0xC3;
              frame[at + 1] = (byte) 0x28;
              peer.raw(ByteBuffer.allocate(4 + frame.length).putInt(frame.length).put(frame));
              peer.drain();
            });
    assertTrue(told.contains("no JSON that can be read"), told);
  }

  @Test
  void theLengthOfAFrameIsBounded() throws Exception {
    for (int length : new int[] {0, -1, Integer.MIN_VALUE, Frames.MAX_BYTES + 1}) {
      String told =
          told(
              peer -> {
                peer.hello();
                long _ = peer.request();
                peer.raw(ByteBuffer.allocate(4).putInt(length));
                peer.drain();
              });
      assertTrue(told.contains("a frame of " + Integer.toUnsignedString(length) + " bytes"), told);
    }
  }

  @Test
  void halfAFrameIsNotWaitedForForEver() throws Exception {
    String told =
        told(
            peer -> {
              peer.hello();
              long _ = peer.request();
              peer.raw(ByteBuffer.allocate(8).putInt(1_000).putInt(7));
              peer.drain();
            });
    assertTrue(told.contains("it did not finish a frame within 0.3 s"), told);
  }

  @Test
  void aFrameThatDripsInIsNotWaitedForForEver() throws Exception {
    try (HostileRunner _ =
            HostileRunner.at(
                fixture,
                peer -> {
                  peer.hello();
                  long _ = peer.request();
                  peer.raw(ByteBuffer.allocate(4).putInt(Frames.MAX_BYTES));
                  while (true) {
                    peer.raw(ByteBuffer.allocate(1).put((byte) ' '));
                    Thread.onSpinWait();
                  }
                });
        ToolHost host = fixture.impatient(Duration.ofSeconds(40))) {
      ToolResult result = assertTimeoutPreemptively(LATEST, () -> ask(host));
      assertTrue(result.text().contains("it did not finish a frame within 0.3 s"), result.text());
    }
  }

  @Test
  void aSecondAnswerToOneRequestEndsTheConnection() throws Exception {
    CountDownLatch twice = new CountDownLatch(1);
    try (HostileRunner _ =
            HostileRunner.at(
                fixture,
                peer -> {
                  peer.hello();
                  Answer.Returned first =
                      new Answer.Returned(peer.request(), FakeToolHost.text("1"));
                  peer.answer(first);
                  peer.answer(first);
                  peer.drain();
                  twice.countDown();
                });
        ToolHost host = fixture.impatient()) {
      assertEquals("1", ask(host).text());
      assertTrue(twice.await(SocketFixture.PATIENCE_SECONDS, TimeUnit.SECONDS));
    }
  }

  @Test
  void anAnswerBeforeItsHelloEndsTheConnection() throws Exception {
    String told =
        told(
            peer -> {
              peer.frame("{\"type\":\"done\",\"id\":1}");
              peer.drain();
            });
    assertTrue(told.startsWith("read did not run"), told);
    assertTrue(told.contains("its hello is not the first frame"), told);
  }

  @Test
  void aFloodOfOutputEndsTheConnectionAndTheRestIsNotHeard() throws Exception {
    for (String piece : List.of("", "x".repeat(Protocol.MAX_PIECE_CHARS))) {
      AtomicLong heard = new AtomicLong();
      try (HostileRunner _ =
              HostileRunner.at(
                  fixture,
                  peer -> {
                    peer.hello();
                    String frame = "{\"type\":\"output\",\"id\":" + peer.request() + ",\"text\":\"";
                    while (true) {
                      peer.frame(frame + piece + "\"}");
                    }
                  });
          ToolHost host = fixture.impatient(Duration.ofSeconds(40))) {
        ToolResult result =
            host.call(SocketFixture.call("read"), text -> heard.addAndGet(1 + text.length()));
        assertTrue(result.text().contains("more output than a call may show"), result.text());
        assertTrue(heard.get() <= Protocol.MAX_OUTPUT_CHARS + Protocol.MAX_PIECES);
      }
    }
  }

  @Test
  void aRunnerThatNeverAnswersCostsACallItsLimitAndIsThenLeft() throws Exception {
    CountDownLatch left = new CountDownLatch(1);
    try (HostileRunner silent =
            HostileRunner.at(
                fixture,
                peer -> {
                  peer.hello();
                  peer.drain();
                  left.countDown();
                });
        ToolHost host = fixture.impatient()) {
      ToolResult result = assertTimeoutPreemptively(LATEST, () -> ask(host));
      assertEquals(
          "the tool host behind unix:"
              + fixture.socket()
              + " did not answer read within 0.5 s; whether it took effect is not known. Look"
              + " before you repeat it.",
          result.text());
      assertTrue(left.await(SocketFixture.PATIENCE_SECONDS, TimeUnit.SECONDS));
      assertTrue(ask(host).error());
      assertEquals(2, silent.connections());
    }
  }

  @Test
  void aLateAnswerIsDroppedAndTheConnectionStays() throws Exception {
    CountDownLatch late = new CountDownLatch(1);
    try (HostileRunner runner =
            HostileRunner.at(
                fixture,
                peer -> {
                  peer.hello();
                  long first = peer.request();
                  while (true) {
                    switch (peer.next()) {
                      case Request.Cancel(long id) -> {
                        assertEquals(first, id);
                        peer.answer(new Answer.Output(id, "late"));
                        peer.answer(new Answer.Returned(id, FakeToolHost.text("late")));
                        late.countDown();
                      }
                      case Request.Call(long id, var _) ->
                          peer.answer(new Answer.Returned(id, FakeToolHost.text("in time")));
                      case Request.Ping(long id) -> peer.answer(new Answer.Done(id));
                      case Request other -> throw new AssertionError("not expected: " + other);
                    }
                  }
                });
        ToolHost host = fixture.impatient()) {
      StringBuffer heard = new StringBuffer();
      assertTrue(host.call(SocketFixture.call("read"), heard::append).error());
      assertTrue(late.await(SocketFixture.PATIENCE_SECONDS, TimeUnit.SECONDS));
      assertEquals("in time", ask(host).text());
      assertEquals("", heard.toString());
      assertEquals(1, runner.connections());
    }
  }

  @Test
  void aCancelledCallThatIsNotAnsweredEndsForItsCaller() throws Exception {
    CountDownLatch began = new CountDownLatch(1);
    try (HostileRunner _ =
            HostileRunner.at(
                fixture,
                peer -> {
                  peer.hello();
                  long _ = peer.request();
                  began.countDown();
                  peer.drain();
                });
        ToolHost host = fixture.impatient(Duration.ofSeconds(40))) {
      CompletableFuture<ToolResult> result = new CompletableFuture<>();
      Thread caller = Thread.ofVirtual().start(() -> result.complete(ask(host)));
      began.await();
      caller.interrupt();
      assertEquals(
          "cancelled: the Turn was ended while this call ran; what it did until then stays",
          result.get(2, TimeUnit.SECONDS).text());
    }
  }

  @Test
  void aRunnerThatSaysNoHelloIsLeftAndNamed() throws Exception {
    String told = told(HostileRunner.Peer::drain);
    assertTrue(told.contains("takes connections and does not say what it is"), told);
    assertTrue(told.contains("read did not run"), told);
  }

  @Test
  void aRunnerThatEndsEachConnectionIsNotTriedForEver() throws Exception {
    try (HostileRunner runner = HostileRunner.at(fixture, HostileRunner.Peer::hello);
        ToolHost host = fixture.impatient()) {
      assertTrue(assertTimeoutPreemptively(LATEST, () -> ask(host)).error());
      assertTrue(runner.connections() <= 9, () -> "connections: " + runner.connections());
    }
  }

  @Test
  void aRunnerThatTakesNothingInIsLeft() throws Exception {
    ObjectNode large = JsonNodeFactory.instance.objectNode();
    large.put("content", "x".repeat(8 * 1024 * 1024));
    CountDownLatch end = new CountDownLatch(1);
    try (HostileRunner _ =
            HostileRunner.at(
                fixture,
                peer -> {
                  peer.hello();
                  end.await();
                });
        ToolHost host = fixture.impatient(Duration.ofSeconds(40))) {
      ToolResult result =
          assertTimeoutPreemptively(
              LATEST, () -> host.call(SocketFixture.call("write", large), Progress.NONE));
      assertTrue(result.text().contains("it did not take a frame within 0.3 s"), result.text());
    } finally {
      end.countDown();
    }
  }

  @Test
  void anotherProtocolOtherToolsAndAnotherWorkspaceAreToldApart() throws Exception {
    String here = "the tool host behind unix:" + fixture.socket() + " ";
    assertEquals(
        "read did not run: "
            + here
            + "speaks protocol 4, and this Harness protocol 3; run both from one build",
        told(
            peer -> {
              peer.frame("{\"type\":\"hello\",\"protocol\":4,\"news\":[]}");
              peer.drain();
            }));
    String tools =
        told(
            peer -> {
              peer.frame(
                  "{\"type\":\"hello\",\"protocol\":3,\"root\":\"/work\",\"tools\":[[\"read\",\"0\"],"
                      + "[\"dance\",\"1\"]]}");
              peer.drain();
            });
    assertTrue(
        tools.startsWith("read did not run: " + here + "has other tools than this Harness: "),
        tools);
    assertTrue(tools.contains("dance is there alone"), tools);
    assertTrue(tools.contains("write is missing there"), tools);
    assertTrue(tools.contains("read is another"), tools);
    assertEquals(
        "read did not run: "
            + here
            + "serves the workspace /elsewhere, and this Harness has /work; start it with: harness"
            + " runner --workspace /work",
        told(
            peer -> {
              peer.answer(
                  new Answer.Hello(
                      Protocol.VERSION, "/elsewhere", Offers.digests(WorkingTools.specs())));
              peer.drain();
            }));
  }

  @Test
  void aCheckOfADirectoryIsRefusedWhateverTheRunnerSaysInsteadOfAnAnswer() throws Exception {
    List<HostileRunner.Deed> deeds =
        List.of(
            HostileRunner.Peer::drain,
            HostileRunner.Peer::hello,
            peer -> {
              peer.hello();
              peer.drain();
            },
            peer -> {
              peer.hello();
              peer.frame("{\"type\":\"done\",\"id\":" + peer.request() + "}");
              peer.drain();
            });
    for (HostileRunner.Deed deed : deeds) {
      try (HostileRunner _ = HostileRunner.at(fixture, deed);
          ToolHost host = fixture.impatient()) {
        String why =
            assertTimeoutPreemptively(
                LATEST,
                () -> {
                  try {
                    host.checkDirectory("/work/target");
                    return "taken";
                  } catch (RefusedException e) {
                    return e.refusal().message();
                  }
                });
        assertTrue(why.startsWith("the tool host behind unix:"), why);
        assertTrue(why.endsWith("; send it again later"), why);
      }
    }
  }

  @Test
  void anHonestRunnerInItsPlaceIsMetByTheNextCall() throws Exception {
    try (ToolHost host = fixture.impatient(Duration.ofSeconds(40))) {
      try (HostileRunner _ =
          HostileRunner.at(
              fixture,
              peer -> {
                peer.hello();
                long _ = peer.request();
                peer.frame("garbage");
                peer.drain();
              })) {
        assertTrue(ask(host).error());
      }
      try (Runner _ = fixture.runner(() -> new FakeToolHost((_, _) -> FakeToolHost.text("ok")))) {
        assertEquals("ok", ask(host).text());
      }
    }
  }

  @Test
  void aTextThatIsTooLongCostsLittleMoreThanItsFrame() {
    byte[] frame =
        returned("x".repeat(Frames.MAX_BYTES - 200), "", "")
            .replace("ID", "1")
            .getBytes(StandardCharsets.UTF_8);
    var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    assertThrows(ProtocolException.class, () -> AnswerCodec.decode(frame));
    long megabytes = (threads.getCurrentThreadAllocatedBytes() - before) >> 20;
    assertTrue(megabytes < 40, () -> megabytes + " MiB");
  }

  @Test
  void aConnectionThatFindsNoDescriptorsGivesBackWhatItTook() throws Exception {
    try (HostileRunner _ =
        HostileRunner.at(
            fixture,
            peer -> {
              peer.hello();
              peer.drain();
            })) {
      Process few =
          new ProcessBuilder(
                  "/bin/sh",
                  "-c",
                  "ulimit -n 400; exec \"$@\"",
                  "few",
                  Path.of(System.getProperty("java.home"), "bin/java").toString(),
                  "--enable-native-access=ALL-UNNAMED",
                  "-XX:TieredStopAtLevel=1",
                  "-cp",
                  System.getProperty("java.class.path"),
                  FewDescriptors.class.getName(),
                  fixture.socket().toString())
              .redirectErrorStream(true)
              .start();
      String said = new String(few.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      // Beside what its log says of the connection, which it may have time for or not.
      assertEquals(2, said.lines().filter("given back"::equals).count(), said);
    }
  }

  @Test
  void whatCameOfACallThatNobodyWaitsForIsBoundedToo() throws Exception {
    CompletableFuture<Integer> sent = new CompletableFuture<>();
    HostileRunner.Deed deed =
        peer -> {
          peer.hello();
          long id = peer.request();
          // The call is given up: first it is cancelled.
          while (!(peer.next() instanceof Request.Ping)) {}
          peer.answer(new Answer.Done(id + 1));
          int pieces = 0;
          try {
            while (pieces < 4 * Protocol.MAX_PIECES) {
              peer.answer(new Answer.Output(id, "x"));
              pieces++;
            }
          } catch (IOException e) {
            sent.complete(pieces);
          }
          sent.complete(pieces);
        };
    try (HostileRunner _ = HostileRunner.at(fixture, deed);
        ToolHost host = fixture.impatient()) {
      assertTrue(ask(host).error());
      int pieces = sent.get(20, TimeUnit.SECONDS);
      assertTrue(pieces < 4 * Protocol.MAX_PIECES, () -> pieces + " pieces were taken");
    }
  }
}
