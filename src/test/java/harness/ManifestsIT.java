package harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
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

  @ParameterizedTest
  @ValueSource(strings = {"k8s/base", "k8s/sandbox", "k8s/instance", "k8s/two-containers"})
  void rendersObjectsThatTheSchemaKnows(String kustomization) throws Exception {
    List<JsonNode> objects = rendered(kustomization);
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

  @Test
  void aMisspeltFieldIsSeen() throws Exception {
    JsonNode pod =
        YAML.readTree(
            "{ apiVersion: v1, kind: Pod, spec: { containers: [ { name: a, imgae: b } ] } }");
    assertThrows(AssertionError.class, () -> check(pod, Pod.class));
  }
}
