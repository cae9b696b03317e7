package harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpServer;
import harness.cli.Configuration;
import harness.cli.ConfigurationReader;
import harness.cli.Surroundings;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a provider receives of two Turns that differ in their Allowed picks alone. */
@Timeout(120)
class AllowedPicksBytesTest {
  /** Behind the prompt, and the only bytes that may differ. */
  private static final String STATED = "Allowed picks: ";

  private final BlockingQueue<String> received = new LinkedBlockingQueue<>();
  private HttpServer provider;

  /** A provider that keeps what it was sent and refuses it. */
  @BeforeEach
  void listen() throws Exception {
    provider = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    provider.createContext(
        "/",
        exchange -> {
          byte[] body = exchange.getRequestBody().readAllBytes();
          received.add(new String(body, StandardCharsets.UTF_8));
          exchange.sendResponseHeaders(400, -1);
          exchange.close();
        });
    provider.start();
  }

  @AfterEach
  void close() {
    provider.stop(0);
  }

  private TestHarness harness(Path directory, String api) throws Exception {
    Files.createDirectories(directory.resolve("work"));
    String yaml =
        """
        harness:
          listen: 127.0.0.1:0
          auth: none
          state: %1$s/state
          workspace: { root: %1$s/work }
          providers:
            - { id: lab, api: %2$s, base-url: "http://127.0.0.1:%3$d/v1", models: { one: {} } }
        """
            .formatted(directory, api, provider.getAddress().getPort());
    Configuration configuration =
        new ConfigurationReader(new Surroundings(Map.of(), directory))
            .parse(yaml, "of the test", Map.of());
    return new TestHarness(directory, configuration, RunningHarness::start);
  }

  private static ObjectNode turn(List<String> menu, List<String> allowed) {
    ObjectNode body = Bodies.turn("run", "Say what you think.");
    ((ObjectNode) body.path("definition")).put("model", "lab/one");
    ArrayNode tools = body.putArray("menu");
    for (String name : menu) {
      ObjectNode tool = tools.addObject().put("name", name).put("description", "To " + name + ".");
      tool.putObject("input").put("type", "object").putObject("properties").putObject("z");
    }
    ArrayNode names = body.putArray("allowed");
    allowed.forEach(names::add);
    return body;
  }

  private String sent(TestHarness harness, ObjectNode turn) throws Exception {
    Reply reply = harness.post("/turns", turn).ok();
    String body = received.poll(60, TimeUnit.SECONDS);
    harness.awaitSettled(reply);
    return String.valueOf(body);
  }

  @ParameterizedTest
  @ValueSource(strings = {"openai-chat", "openai-responses", "anthropic-messages"})
  void theyDifferInTheLastWordsOfTheNewestMessageAlone(String api, @TempDir Path directory)
      throws Exception {
    try (TestHarness harness = harness(directory.toRealPath(), api)) {
      List<String> menu = List.of("approve", "reject");
      String one = sent(harness, turn(menu, List.of("approve")));
      String two = sent(harness, turn(menu, List.of("reject")));
      String none = sent(harness, turn(menu, List.of()));
      String reordered = sent(harness, turn(menu.reversed(), List.of("approve")));
      assertEquals(one, two.replace(STATED + "reject", STATED + "approve"));
      assertEquals(one, none.replace(STATED + "none", STATED + "approve"));
      assertEquals(one, reordered);
      assertEquals(one.indexOf(STATED), one.lastIndexOf(STATED), one);
      assertTrue(one.indexOf("Say what you think.") < one.indexOf(STATED), one);
      JsonNode tools = new ObjectMapper().readTree(one).path("tools");
      assertTrue(tools.get(tools.size() - 1).toString().contains("reject"), tools::toString);
    }
  }
}
