package harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.google.common.jimfs.Jimfs;
import harness.cli.Configuration;
import harness.cli.ConfigurationReader;
import harness.cli.Surroundings;
import harness.model.provider.ProviderConfig;
import harness.workspace.attach.GitCredential;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Each kustomization renders, and what it renders is what the API's schema has. Of kinds that are
 * not the API's own, the pods in them are checked.
 */
class ManifestsIT {
  private static final Map<String, Class<?>> KINDS =
      Map.of(
          "v1/Pod", Pod.class,
          "v1/ConfigMap", ConfigMap.class,
          "v1/Service", Service.class,
          "v1/PersistentVolumeClaim", PersistentVolumeClaim.class,
          "apps/v1/StatefulSet", StatefulSet.class,
          "networking.k8s.io/v1/NetworkPolicy", NetworkPolicy.class,
          "policy/v1/PodDisruptionBudget", PodDisruptionBudget.class);

  private static final Map<String, List<String>> FOREIGN =
      Map.of(
          "agents.x-k8s.io/v1alpha1/Sandbox", List.of("spec", "podTemplate"),
          "extensions.agents.x-k8s.io/v1alpha1/SandboxTemplate", List.of("spec", "podTemplate"),
          "extensions.agents.x-k8s.io/v1alpha1/SandboxWarmPool", List.of(),
          "monitoring.coreos.com/v1/ServiceMonitor", List.of());

  private static final ObjectMapper YAML = new YAMLMapper(new YAMLFactory());

  private static List<JsonNode> rendered(String kustomization) throws Exception {
    Path directory = Path.of(kustomization).toAbsolutePath();
    Process process =
        new ProcessBuilder("kubectl", "kustomize", directory.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), kustomization);
    List<JsonNode> all = new ArrayList<>();
    YAML.readerFor(JsonNode.class).<JsonNode>readValues(text).forEachRemaining(all::add);
    return all;
  }

  private static void check(JsonNode object, Class<?> type) throws Exception {
    assertEquals(List.of(), Unknown.in(YAML.convertValue(object, type)));
  }

  private static void check(List<JsonNode> objects) throws Exception {
    assertTrue(objects.size() >= 5, () -> objects.size() + " objects");
    for (JsonNode object : objects) {
      String kind = object.path("apiVersion").asText() + "/" + object.path("kind").asText();
      if (KINDS.containsKey(kind)) {
        check(object, KINDS.get(kind));
      } else {
        assertTrue(FOREIGN.containsKey(kind), kind);
        List<String> path = FOREIGN.get(kind);
        if (!path.isEmpty()) {
          check(object.at("/" + String.join("/", path)), PodTemplateSpec.class);
        }
      }
    }
  }

  private static List<JsonNode> all(List<JsonNode> objects, String kind) {
    return objects.stream().filter(object -> object.path("kind").asText().equals(kind)).toList();
  }

  private static JsonNode the(List<JsonNode> objects, String kind) {
    List<JsonNode> found = all(objects, kind);
    assertEquals(1, found.size(), kind);
    return found.getFirst();
  }

  /** Reads a configuration as a Harness does that finds its ConfigMap mounted. */
  private static Configuration configuration(JsonNode map) throws Exception {
    FileSystem files = Jimfs.newFileSystem(com.google.common.jimfs.Configuration.unix());
    Path mounted = Files.createDirectories(files.getPath("/etc/harness"));
    for (Map.Entry<String, JsonNode> file : map.path("data").properties()) {
      Files.writeString(mounted.resolve(file.getKey()), file.getValue().asText());
    }
    return new ConfigurationReader(
            new Surroundings(Map.of("HARNESS_TOKEN_SHA256", "0".repeat(64)), files.getPath("/")))
        .read(Optional.of("/etc/harness/harness.yaml"), Map.of());
  }

  private static JsonNode named(JsonNode list, String key, String value) {
    for (JsonNode one : list) {
      if (one.path(key).asText().equals(value)) {
        return one;
      }
    }
    return MissingNode.getInstance();
  }

  private static JsonNode container(JsonNode spec, String name) {
    JsonNode main = named(spec.path("containers"), "name", name);
    return main.isMissingNode() ? named(spec.path("initContainers"), "name", name) : main;
  }

  @ParameterizedTest
  @ValueSource(strings = {"k8s/base", "k8s/sandbox", "k8s/instance", "k8s/two-containers"})
  void rendersObjectsThatTheSchemaKnows(String kustomization) throws Exception {
    check(rendered(kustomization));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"k8s/base", "k8s/sandbox", "k8s/instance", "k8s/two-containers", "container/pod"})
  void aHarnessStartsWithTheConfiguration(String kustomization) throws Exception {
    Configuration read = configuration(the(rendered(kustomization), "ConfigMap"));
    assertEquals(new Configuration.Listen("0.0.0.0", 8080), read.listen());
    for (ProviderConfig provider : read.providers()) {
      assertFalse(provider.models().isEmpty(), provider::id);
    }
  }

  /** What the Harness fetches is where the workspace looks for it, and can't change it. */
  @ParameterizedTest
  @ValueSource(strings = {"k8s/base", "k8s/sandbox", "k8s/two-containers", "container/pod"})
  void mirrorsAreWrittenByTheHarnessAndReadInTheWorkspace(String kustomization) throws Exception {
    List<JsonNode> objects = rendered(kustomization);
    Configuration read = configuration(the(objects, "ConfigMap"));
    List<JsonNode> specs = new ArrayList<>();
    for (JsonNode object : objects) {
      specs.add(object.at("/spec/podTemplate/spec"));
      specs.add(object.path("kind").asText().equals("Pod") ? object.path("spec") : specs.getLast());
    }
    int pods = 0;
    for (JsonNode spec : specs.stream().filter(JsonNode::isObject).distinct().toList()) {
      JsonNode harness = container(spec, "harness").path("volumeMounts");
      JsonNode workspace = container(spec, "workspace").path("volumeMounts");
      JsonNode written = named(harness, "mountPath", read.git().mirrors().toString());
      JsonNode shown = named(workspace, "mountPath", read.workspace().root() + "/.harness-mirrors");
      assertEquals("mirrors", written.path("name").asText());
      assertFalse(written.path("readOnly").asBoolean());
      assertEquals("mirrors", shown.path("name").asText());
      assertTrue(shown.path("readOnly").asBoolean());
      for (GitCredential credential : read.git().credentials()) {
        String directory = String.valueOf(credential.tokenFile().getParent());
        assertTrue(named(harness, "mountPath", directory).isObject(), directory);
        assertTrue(named(workspace, "mountPath", directory).isMissingNode(), directory);
      }
      pods++;
    }
    assertTrue(pods > 0);
  }

  private static boolean selects(JsonNode selector, JsonNode labels) {
    return selector.properties().stream()
        .allMatch(label -> label.getValue().equals(labels.path(label.getKey())));
  }

  @Test
  void theServiceOfASandboxSelectsNoPodOfThePool() throws Exception {
    List<JsonNode> objects = rendered("k8s/sandbox");
    JsonNode one = the(objects, "Sandbox").at("/spec/podTemplate/metadata/labels");
    JsonNode pool = the(objects, "SandboxTemplate").at("/spec/podTemplate/metadata/labels");
    JsonNode service = the(objects, "Service").at("/spec/selector");
    assertTrue(selects(service, one));
    assertFalse(selects(service, pool));
    for (JsonNode selector :
        List.of(
            the(objects, "NetworkPolicy").at("/spec/podSelector/matchLabels"),
            the(objects, "PodDisruptionBudget").at("/spec/selector/matchLabels"))) {
      assertTrue(selects(selector, one) && selects(selector, pool), selector::toString);
    }
  }

  /** That of the README, with the images of the caller's registry in each pod. */
  @ParameterizedTest
  @ValueSource(strings = {"base", "two-containers", "sandbox"})
  void aKustomizationOfOnesOwnRenders(String kustomization, @TempDir Path directory)
      throws Exception {
    String readme = Files.readString(Path.of("README.md"));
    int begin = readme.indexOf("    resources: [ ../base ]");
    String shown = readme.substring(begin, readme.indexOf("\n\n", begin)).stripIndent();
    Path shipped = directory.toRealPath().relativize(Path.of("k8s").toRealPath());
    Files.writeString(
        directory.resolve("kustomization.yaml"),
        shown
            .replace("../base", shipped.resolve(kustomization).toString())
            .replace("../monitor", shipped.resolve("monitor").toString()));
    Files.copy(Path.of("k8s/base/configuration.yaml"), directory.resolve("configuration.yaml"));
    List<JsonNode> objects = rendered(directory.toString());
    check(objects);
    assertEquals(1, all(objects, "ServiceMonitor").size());
    List<String> images = new ArrayList<>();
    objects.forEach(object -> images.addAll(object.findValuesAsText("image")));
    assertFalse(images.isEmpty());
    assertTrue(
        images.stream().allMatch(image -> image.startsWith("registry.example.com/")),
        images::toString);
  }

  @Test
  void aMisspeltFieldIsSeen() throws Exception {
    JsonNode pod =
        YAML.readTree(
            "{ apiVersion: v1, kind: Pod, spec: { containers: [ { name: a, imgae: b } ] } }");
    assertThrows(AssertionError.class, () -> check(pod, Pod.class));
  }
}
