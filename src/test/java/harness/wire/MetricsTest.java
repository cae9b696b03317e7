package harness.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.Bodies;
import harness.Reply;
import harness.TestHarness;
import harness.TestSettings;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class MetricsTest {
  private static final String TOKEN = "Bearer token";

  @Test
  void whatHappenedIsCountedAndToldToWhoHasAToken(@TempDir Path directory) throws Exception {
    try (TestHarness harness =
        TestSettings.in(directory)
            .tokens("token")
            .slots(Map.of("target", "target/feature-x"))
            .start()) {
      assertEquals(401, harness.get("/metrics").status());
      Reply admitted = admit(harness, "list");
      harness.post("/turns", Bodies.turn("run-1", "x").put("nothing", 1), "Authorization", TOKEN);
      settled(harness, admitted);
      settled(harness, admit(harness, "fault"));

      Reply metrics = harness.get("/metrics", "Authorization", TOKEN).ok();

      assertTrue(metrics.header("content-type").startsWith("text/plain"), metrics::toString);
      for (String line :
          new String[] {
            "harness_admissions_total{status=\"200\"} 2.0",
            "harness_admissions_total{status=\"400\"} 1.0",
            "harness_submissions_settled_total{fault=\"none\",outcome=\"completed\"} 1.0",
            "harness_submissions_settled_total{fault=\"infra\",outcome=\"failed\"} 1.0",
            "harness_turns_live 0.0",
            "harness_submissions_queued 0.0",
            "harness_tool_call_seconds_count{outcome=\"ok\",tool=\"list\"} 1",
            "harness_model_call_seconds_count{outcome=\"ok\",provider=\"test\"} 2",
            "harness_model_call_seconds_count{outcome=\"server\",provider=\"test\"} 1",
            "harness_model_tokens_total{kind=\"input\",provider=\"test\"} 0.0",
            "harness_store_commit_seconds_count{outcome=\"stored\"} "
          }) {
        assertTrue(metrics.body().contains("\n" + line), line + " in " + metrics.body());
      }
      assertEquals(405, harness.send("PUT", "/metrics", "", "Authorization", TOKEN).status());
    }
  }

  private static Reply admit(TestHarness harness, String prompt) {
    return harness.post("/turns", Bodies.turn("run-1", prompt), "Authorization", TOKEN).ok();
  }

  /** Waits until it is settled and its Turn has given its permit back. */
  private static void settled(TestHarness harness, Reply admitted) {
    while (!harness
        .get(admitted.conversation() + "?live=long-poll", "Authorization", TOKEN)
        .body()
        .contains("submission-settled")) {
      Thread.onSpinWait();
    }
    while (!harness
        .get("/metrics", "Authorization", TOKEN)
        .body()
        .contains("\nharness_turns_live 0.0")) {
      Thread.onSpinWait();
    }
  }
}
