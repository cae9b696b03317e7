package harness.wire;

import harness.api.AdmissionBody;
import harness.api.AdmissionBody.MenuToolBody;
import harness.fault.RefusedException;
import harness.menu.Menu;
import harness.menu.MenuTool;
import java.util.ArrayList;
import java.util.List;

/** From {@code menu} and {@code allowed} of an admission to what its Turn may end with. */
final class MenuCodec {
  private MenuCodec() {}

  static Menu menu(AdmissionBody in) {
    List<MenuTool> tools = new ArrayList<>();
    for (MenuToolBody tool : in.menu().orElse(List.of())) {
      tools.add(tool(tool, "menu.[" + tools.size() + "]"));
    }
    Menu whole = AdmissionCodec.field("field 'menu'", "menu", () -> Menu.of(tools));
    return in.allowed()
        .map(
            names ->
                AdmissionCodec.field("field 'allowed'", "allowed", () -> whole.allowing(names)))
        .orElse(whole);
  }

  private static MenuTool tool(MenuToolBody in, String field) {
    String name = AdmissionCodec.required(in.name(), field + ".name");
    String description = AdmissionCodec.required(in.description(), field + ".description");
    return AdmissionCodec.field(
        "field '" + field + "'",
        field,
        () ->
            MenuTool.of(
                name,
                description,
                in.input()
                    .filter(schema -> !schema.isNull())
                    .orElseThrow(
                        () ->
                            RefusedException.invalid(
                                "field '"
                                    + field
                                    + ".input' is missing; a pick without input has {\"type\":"
                                    + " \"object\"}",
                                field + ".input"))));
  }
}
