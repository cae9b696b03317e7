package harness;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** The fields of an object of the Kubernetes API that its schema does not know, at every level. */
final class Unknown {
  private static final String MODEL = "io.fabric8.kubernetes.api.model.";

  private Unknown() {}

  static List<String> in(Object object) throws ReflectiveOperationException {
    List<String> found = new ArrayList<>();
    look(object, object.getClass().getSimpleName(), found);
    return found;
  }

  private static void look(Object value, String at, List<String> found)
      throws ReflectiveOperationException {
    switch (value) {
      case Collection<?> all -> {
        for (Object one : all) {
          look(one, at, found);
        }
      }
      case Map<?, ?> all -> {
        for (Object one : all.values()) {
          if (one != null) {
            look(one, at, found);
          }
        }
      }
      default -> {
        if (value.getClass().getName().startsWith(MODEL)) {
          fields(value, at, found);
        }
      }
    }
  }

  private static void fields(Object value, String at, List<String> found)
      throws ReflectiveOperationException {
    for (Method method : value.getClass().getMethods()) {
      if (!method.getName().startsWith("get") || method.getParameterCount() != 0) {
        continue;
      }
      if (method.getName().equals("getAdditionalProperties")) {
        ((Map<?, ?>) method.invoke(value)).keySet().forEach(key -> found.add(at + "." + key));
        continue;
      }
      Object inner = method.invoke(value);
      if (inner != null) {
        look(inner, at + "." + method.getName().substring(3), found);
      }
    }
  }
}
