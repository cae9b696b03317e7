package harness.fault;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** The known name that a mistyped one most likely meant. */
public final class Nearest {
  private Nearest() {}

  /** Empty where nothing is known. */
  public static Optional<String> of(String name, Collection<String> known) {
    return known.stream()
        .min(
            Comparator.<String>comparingInt(each -> distance(name, each))
                .thenComparing(Comparator.naturalOrder()));
  }

  /** How many letters must be added, dropped or changed to make one name the other. */
  public static int distance(String one, String other) {
    int[] row = new int[other.length() + 1];
    for (int j = 0; j < row.length; j++) {
      row[j] = j;
    }
    for (int i = 1; i <= one.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j < row.length; j++) {
        int changed = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(changed, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[other.length()];
  }
}
