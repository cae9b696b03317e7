package harness.menu;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * All that an Agent can say to end a Turn, and what it may say now. In the order of names, so that
 * the same Menu has the same bytes however its caller lists it.
 *
 * @param tools at most {@value #MAX_TOOLS}; each name once
 * @param allowed the names of those that may be picked in this Turn; with none, the Turn ends with
 *     its text
 */
public record Menu(List<MenuTool> tools, List<String> allowed) {
  /** The most tools of a Menu. */
  public static final int MAX_TOOLS = 64;

  /** A Turn that ends with its text. */
  public static final Menu NONE = new Menu(List.of(), List.of());

  public Menu {
    tools = tools.stream().sorted(Comparator.comparing(MenuTool::name)).toList();
    allowed = allowed.stream().sorted().toList();
  }

  /**
   * Checks a Menu that a caller brings.
   *
   * @throws IllegalArgumentException with a sentence that names the tool and the mend
   */
  public static Menu of(List<MenuTool> tools) {
    if (tools.size() > MAX_TOOLS) {
      throw new IllegalArgumentException(
          "a menu has at most " + MAX_TOOLS + " tools; this one has " + tools.size());
    }
    Set<String> names = new HashSet<>();
    for (MenuTool tool : tools) {
      if (!names.add(tool.name())) {
        throw new IllegalArgumentException(
            "the menu has two tools named '" + tool.name() + "'; give each a name of its own");
      }
    }
    return new Menu(tools, List.copyOf(names));
  }

  /**
   * The same with what this Turn may pick.
   *
   * @throws IllegalArgumentException with a sentence that names the tool and the mend
   */
  public Menu allowing(List<String> names) {
    Set<String> known = new HashSet<>();
    for (String name : names) {
      if (find(name).isEmpty()) {
        throw new IllegalArgumentException(
            "'" + name + "' is not in the menu, which has " + listed(names(tools)));
      }
      if (!known.add(name)) {
        throw new IllegalArgumentException("'" + name + "' is named twice; name it once");
      }
    }
    return new Menu(tools, names);
  }

  /** Whether the Agent may say anything but text, now or in another Turn. */
  public boolean hasTools() {
    return !tools.isEmpty();
  }

  /** Whether the Turn is to end with a pick. */
  public boolean wantsPick() {
    return !allowed.isEmpty();
  }

  public Optional<MenuTool> find(String name) {
    return tools.stream().filter(tool -> tool.name().equals(name)).findFirst();
  }

  /**
   * Why a call of one of these tools is no pick: a sentence for the model, which says what it may
   * do instead. Empty where the call is accepted.
   */
  public Optional<String> refusal(MenuTool tool, JsonNode input) {
    if (!allowed.contains(tool.name())) {
      return Optional.of(
          "'"
              + tool.name()
              + "' is not allowed now. "
              + (allowed.isEmpty()
                  ? "No pick is: end your turn by answering without calling a tool."
                  : "Allowed picks: " + listed(allowed) + "."));
    }
    return InputSchema.wrong(tool.schema(), input)
        .map(
            wrong ->
                "The input of '"
                    + tool.name()
                    + "' is wrong: "
                    + wrong
                    + ". Mend that and call it again. Allowed picks: "
                    + listed(allowed)
                    + ".");
  }

  private static List<String> names(List<MenuTool> tools) {
    return tools.stream().map(MenuTool::name).toList();
  }

  private static String listed(List<String> names) {
    return names.isEmpty() ? "no tools" : String.join(", ", names);
  }
}
