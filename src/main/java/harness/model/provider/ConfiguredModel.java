package harness.model.provider;

import harness.model.Model;
import harness.model.ModelException;
import harness.model.ModelWatch;
import harness.model.Reply;
import harness.model.Request;
import harness.model.Sink;
import harness.model.TokenLimits;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A model with what configuration says of it: its limits and prices; and its calls are watched. */
record ConfiguredModel(
    String provider, Model model, ModelConfig config, InstantSource clock, ModelWatch watch)
    implements Model {
  @Override
  public Reply respond(Request request, Sink sink) throws ModelException, InterruptedException {
    Instant begin = clock.instant();
    try {
      Reply reply = priced(model.respond(request, sink));
      watch.answered(provider, since(begin), reply.usage());
      return reply;
    } catch (ModelException e) {
      watch.failed(provider, e.kind(), since(begin));
      throw e;
    } catch (InterruptedException e) {
      watch.interrupted(provider, since(begin));
      throw e;
    }
  }

  private Reply priced(Reply reply) {
    return config.price().map(price -> reply.using(price.of(reply.usage()))).orElse(reply);
  }

  private Duration since(Instant begin) {
    return Duration.between(begin, clock.instant());
  }

  @Override
  public boolean ready() {
    return model.ready();
  }

  @Override
  public boolean takesImages() {
    return model.takesImages();
  }

  @Override
  public TokenLimits limits() {
    return config.limits();
  }
}
