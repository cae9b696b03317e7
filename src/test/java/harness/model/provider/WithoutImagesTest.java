package harness.model.provider;

import static org.junit.jupiter.api.Assertions.assertEquals;

import harness.model.Heard;
import harness.model.Image;
import harness.model.Message;
import harness.model.Reply;
import harness.model.Request;
import harness.model.Usage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WithoutImagesTest {
  @Test
  void aModelThatTakesNoImagesReadsThatTheyAreLeftOut() throws Exception {
    List<Request> asked = new ArrayList<>();
    WithoutImages blind =
        new WithoutImages(
            (request, _) -> {
              asked.add(request);
              return new Reply.Text(List.of(), Usage.NONE);
            });
    Message.User prompt = new Message.User(List.of("look"));
    Message.Result plain = new Message.Result("c2", "list", false, "a.png");
    Image image = new Image("image/png", "iVBO");
    Request request =
        new Request(
            "be kind",
            List.of(),
            List.of(
                prompt,
                new Message.Results(
                    List.of(
                        new Message.Result("c1", "read", false, "a picture", List.of(image)),
                        plain))),
            Optional.empty());
    Reply unused = blind.respond(request, new Heard());
    assertEquals(
        List.of(
            prompt,
            new Message.Results(
                List.of(
                    new Message.Result(
                        "c1",
                        "read",
                        false,
                        "a picture\n[the picture is not shown: the model takes no images]"),
                    plain))),
        asked.getFirst().messages());
  }
}
