package harness.model.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import harness.agent.ThinkingLevel;
import harness.model.Message;
import harness.model.Part;
import harness.model.Request;
import harness.model.TokenLimits;
import harness.model.ToolOffer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a provider receives, byte by byte: its prefix cache hits only what is the same. */
class RequestBytesTest {
  private static final Traits ADAPTIVE =
      new Traits(OptionalInt.of(64_000), TokenLimits.UNKNOWN, true);

  private static final String NEWEST = "The newest message says ";

  private static Request request(String newest, Optional<ThinkingLevel> level) {
    ObjectNode schema = JsonNodeFactory.instance.objectNode().put("type", "object");
    return new Request(
        "You code.",
        List.of(new ToolOffer("list", "Lists.", schema), new ToolOffer("read", "Reads.", schema)),
        List.of(
            new Message.User(List.of("The first prompt.", "Where it works.")),
            new Message.Assistant(
                List.of(
                    new Part.Text("I look."), new Part.Call("c-1-0", "list", schema.objectNode()))),
            new Message.Results(List.of(new Message.Result("c-1-0", "list", false, "a b c"))),
            new Message.Assistant(List.of(new Part.Text("I looked."))),
            new Message.User(List.of(NEWEST + newest, "Where it works now."))),
        level);
  }

  private static String received(Tongue tongue, Traits traits, Request request) throws Exception {
    try (Lab lab = new Lab(tongue.api())) {
      lab.server.then(
          exchange -> {
            exchange.stream();
            exchange.raw(
                tongue.opens()
                    + tongue.says("hi")
                    + tongue.finishes(Tongue.Finish.SAID)
                    + tongue.ends());
          });
      lab.model(traits).respond(request, lab.heard);
      return lab.server.received().getFirst().text();
    }
  }

  @ParameterizedTest
  @EnumSource(Tongue.class)
  void requestsWithAnotherNewestMessageAreTheSameUpToIt(Tongue tongue) throws Exception {
    Traits traits = Lab.sending(64_000);
    String one = received(tongue, traits, request("one thing", Optional.empty()));
    String other = received(tongue, traits, request("quite another", Optional.empty()));

    int same = 0;
    while (one.charAt(same) == other.charAt(same)) {
      same++;
    }
    String prefix = one.substring(0, same);
    assertTrue(prefix.endsWith(NEWEST), prefix);
    for (String part : List.of("Lists.", "Reads.", "You code.", "The first prompt.", "a b c")) {
      assertTrue(prefix.contains(part), part + " comes after the newest message: " + one);
    }
  }

  @ParameterizedTest
  @EnumSource(Tongue.class)
  void aThinkingLevelAddsItselfAndChangesNothingElse(Tongue tongue) throws Exception {
    String added =
        switch (tongue) {
          case CHAT -> "\"reasoning_effort\":\"high\",";
          case RESPONSES ->
              "\"reasoning\":{\"effort\":\"high\",\"summary\":\"auto\"},"
                  + "\"include\":[\"reasoning.encrypted_content\"],";
          case ANTHROPIC -> "\"thinking\":{\"type\":\"enabled\",\"budget_tokens\":16384},";
        };
    assertAdds(tongue, Lab.sending(64_000), added);
  }

  @ParameterizedTest
  @EnumSource(value = Tongue.class, names = "ANTHROPIC")
  void aModelThatAdaptsItsThinkingIsToldAnEffort(Tongue tongue) throws Exception {
    assertAdds(
        tongue,
        ADAPTIVE,
        "\"thinking\":{\"type\":\"adaptive\"},\"output_config\":{\"effort\":\"high\"},");
  }

  private static void assertAdds(Tongue tongue, Traits traits, String added) throws Exception {
    String without = received(tongue, traits, request("x", Optional.of(ThinkingLevel.OFF)));
    String with = received(tongue, traits, request("x", Optional.of(ThinkingLevel.HIGH)));

    assertTrue(with.contains(added), with);
    assertEquals(without, with.replace(added, ""));
    assertEquals(without, received(tongue, traits, request("x", Optional.empty())));
  }

  @ParameterizedTest
  @EnumSource(value = Tongue.class, names = "ANTHROPIC")
  void anApiThatAsksForALimitGetsTheModelsOwn(Tongue tongue) throws Exception {
    Traits known =
        new Traits(
            OptionalInt.empty(),
            new TokenLimits(OptionalInt.of(200_000), OptionalInt.of(32_000)),
            false);
    String body = received(tongue, known, request("x", Optional.empty()));
    assertTrue(body.contains("\"max_tokens\":32000,"), body);
  }
}
