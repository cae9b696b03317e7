package harness.workspace.git;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import org.eclipse.jgit.attributes.Attribute;
import org.eclipse.jgit.lib.Config;

/** What git does to the ends of a file's lines when it stores the file. */
enum LineEnds {
  /** Nothing. */
  AS_THEY_ARE,
  /** A carriage return before a line feed goes. */
  TEXT,
  /** The same where the content looks like text and the stored one has none of them. */
  WHERE_TEXT;

  private static final int SUBSTITUTE = 0x1A;

  static LineEnds of(Map<String, Attribute> attributes, Config config) {
    String text = state(attributes, "text");
    if (text.isEmpty()) {
      text = state(attributes, "crlf");
    }
    String eol = state(attributes, "eol");
    boolean ends = eol.equals("lf") || eol.equals("crlf");
    return switch (text) {
      case "-" -> AS_THEY_ARE;
      case "+", "input" -> TEXT;
      case "auto" -> WHERE_TEXT;
      default -> {
        if (ends) {
          yield TEXT;
        }
        String auto = String.valueOf(config.getString("core", null, "autocrlf"));
        boolean converts =
            auto.equalsIgnoreCase("input") || config.getBoolean("core", null, "autocrlf", false);
        yield converts ? WHERE_TEXT : AS_THEY_ARE;
      }
    };
  }

  /** {@code +} set, {@code -} unset, a value, or nothing. */
  private static String state(Map<String, Attribute> attributes, String name) {
    Attribute attribute = attributes.get(name);
    if (attribute == null) {
      return "";
    }
    return switch (attribute.getState()) {
      case SET -> "+";
      case UNSET -> "-";
      case UNSPECIFIED -> "";
      case CUSTOM -> String.valueOf(attribute.getValue()).toLowerCase(Locale.ROOT);
    };
  }

  /** Counts of bytes by which git tells text. */
  private record Look(int pairs, int loneReturns, int zeros, int printable, int others) {
    static Look at(byte[] content) {
      int pairs = 0;
      int loneReturns = 0;
      int zeros = 0;
      int printable = 0;
      int others = 0;
      for (int i = 0; i < content.length; i++) {
        int b = content[i] & 0xFF;
        if (b == '\r') {
          boolean pair = i + 1 < content.length && content[i + 1] == '\n';
          pairs += pair ? 1 : 0;
          loneReturns += pair ? 0 : 1;
          i += pair ? 1 : 0;
        } else if (b == 0) {
          zeros++;
          others++;
        } else if (b == 0x7F || (b < ' ' && "\b\t\n\f\033".indexOf(b) < 0)) {
          others++;
        } else if (b != '\n') {
          printable++;
        }
      }
      if (content.length > 0 && content[content.length - 1] == SUBSTITUTE) {
        others--;
      }
      return new Look(pairs, loneReturns, zeros, printable, others);
    }

    boolean binary() {
      return loneReturns > 0 || zeros > 0 || printable >> 7 < others;
    }
  }

  /** Whether content has line ends of Windows, and looks like text. */
  static boolean hasPairs(byte[] content) {
    Look look = Look.at(content);
    return look.pairs > 0 && !look.binary();
  }

  /** Whether it has to be known what is stored. */
  boolean asksForStored(byte[] content) {
    return this == WHERE_TEXT && hasPairs(content);
  }

  /**
   * The content as git stores it.
   *
   * @param storedHasPairs whether what is stored {@link #hasPairs has} them
   */
  byte[] stored(byte[] content, boolean storedHasPairs) {
    boolean converts =
        switch (this) {
          case AS_THEY_ARE -> false;
          case TEXT -> true;
          case WHERE_TEXT -> hasPairs(content) && !storedHasPairs;
        };
    return converts ? withoutReturns(content) : content;
  }

  private static byte[] withoutReturns(byte[] content) {
    byte[] out = new byte[content.length];
    int length = 0;
    for (int i = 0; i < content.length; i++) {
      boolean pair = content[i] == '\r' && i + 1 < content.length && content[i + 1] == '\n';
      if (!pair) {
        out[length++] = content[i];
      }
    }
    return length == content.length ? content : Arrays.copyOf(out, length);
  }
}
