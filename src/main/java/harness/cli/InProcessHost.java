package harness.cli;

import harness.scenario.Host;
import java.io.IOException;
import java.net.URI;
import java.util.Map;

/** Runs the servers of scenarios in this process; they can be ended, not killed. */
final class InProcessHost implements Host {
  private final ServerFactory servers;
  private final Surroundings surroundings;

  /**
   * @param surroundings whose environment does not count: it was meant for another server
   */
  InProcessHost(ServerFactory servers, Surroundings surroundings) {
    this.servers = servers;
    this.surroundings = new Surroundings(Map.of(), surroundings.directory());
  }

  @Override
  public Running start(Setup setup) throws IOException {
    Server server;
    try {
      server =
          servers.start(
              new ConfigurationReader(surroundings)
                  .parse(ServerConfiguration.of(setup), "the scenario's configuration", Map.of()));
    } catch (StartException | ConfigurationException unable) {
      throw new IOException("the server could not start: " + unable.getMessage(), unable);
    }
    return new Running() {
      @Override
      public URI uri() {
        return server.uri();
      }

      @Override
      public void kill() {
        server.close();
      }
    };
  }
}
