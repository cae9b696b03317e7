package harness.tool;

import harness.tool.Picture.Size;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.CRC32;

/** The formats of pictures that models take, as far as their frames go; no pixel is decoded. */
enum PictureFormat {
  PNG("a PNG image", "image/png", "\u0089PNG\r\n\u001A\n", 0) {
    @Override
    Optional<Size> size(byte[] bytes) {
      return bytes.length >= 24 && ascii(bytes, 12, 4).equals("IHDR")
          ? sized(big(bytes).getInt(16), big(bytes).getInt(20))
          : Optional.empty();
    }

    /** Chunk after chunk, each with its length, name and sum, to the last one. */
    @Override
    boolean whole(byte[] bytes) {
      for (int at = 8; bytes.length - at >= 12; ) {
        int length = big(bytes).getInt(at);
        if (length < 0 || length > bytes.length - at - 12) {
          return false;
        }
        CRC32 sum = new CRC32();
        sum.update(bytes, at + 4, length + 4);
        if ((int) sum.getValue() != big(bytes).getInt(at + 8 + length)) {
          return false;
        }
        if (ascii(bytes, at + 4, 4).equals("IEND")) {
          return true;
        }
        at += 12 + length;
      }
      return false;
    }
  },

  JPEG("a JPEG image", "image/jpeg", "\u00FF\u00D8\u00FF", 0) {
    /** In the header of the frame, which comes after any number of other segments. */
    @Override
    Optional<Size> size(byte[] bytes) {
      for (int at = 2; bytes.length - at >= 9 && (bytes[at] & 0xFF) == 0xFF; ) {
        int marker = bytes[at + 1] & 0xFF;
        if (marker == 0xFF) {
          at++;
        } else if (marker >= 0xC0
            && marker <= 0xCF
            && marker != 0xC4
            && marker != 0xC8
            && marker != 0xCC) {
          return sized(
              Short.toUnsignedInt(big(bytes).getShort(at + 7)),
              Short.toUnsignedInt(big(bytes).getShort(at + 5)));
        } else {
          at += 2 + Math.max(2, Short.toUnsignedInt(big(bytes).getShort(at + 2)));
        }
      }
      return Optional.empty();
    }

    @Override
    boolean whole(byte[] bytes) {
      for (int at = bytes.length - 2; at > 2; at--) {
        if ((bytes[at] & 0xFF) == 0xFF && (bytes[at + 1] & 0xFF) == 0xD9) {
          return true;
        }
      }
      return false;
    }
  },

  GIF("a GIF image", "image/gif", "GIF8", 0) {
    @Override
    Optional<Size> size(byte[] bytes) {
      return bytes.length >= 10
          ? sized(
              Short.toUnsignedInt(little(bytes).getShort(6)),
              Short.toUnsignedInt(little(bytes).getShort(8)))
          : Optional.empty();
    }

    @Override
    boolean whole(byte[] bytes) {
      int end = bytes.length;
      while (end > 0 && bytes[end - 1] == 0) {
        end--;
      }
      return end > 13 && bytes[end - 1] == ';';
    }
  },

  WEBP("a WebP image", "image/webp", "WEBP", 8) {
    @Override
    Optional<Size> size(byte[] bytes) {
      if (bytes.length < 30 || !ascii(bytes, 0, 4).equals("RIFF")) {
        return Optional.empty();
      }
      ByteBuffer little = little(bytes);
      return switch (ascii(bytes, 12, 4)) {
        case "VP8 " -> sized(little.getShort(26) & 0x3FFF, little.getShort(28) & 0x3FFF);
        case "VP8L" -> {
          int bits = little.getInt(21);
          yield sized((bits & 0x3FFF) + 1, (bits >>> 14 & 0x3FFF) + 1);
        }
        case "VP8X" ->
            sized((little.getInt(24) & 0xFFFFFF) + 1, (little.getInt(26) >>> 8 & 0xFFFFFF) + 1);
        default -> Optional.empty();
      };
    }

    @Override
    boolean whole(byte[] bytes) {
      return Integer.toUnsignedLong(little(bytes).getInt(4)) + 8 <= bytes.length;
    }
  };

  private final String kind;
  private final String mediaType;
  private final byte[] mark;
  private final int markAt;

  PictureFormat(String kind, String mediaType, String mark, int markAt) {
    this.kind = kind;
    this.mediaType = mediaType;
    this.mark = mark.getBytes(StandardCharsets.ISO_8859_1);
    this.markAt = markAt;
  }

  static Optional<PictureFormat> of(byte[] head) {
    return Arrays.stream(values()).filter(format -> format.marks(head)).findFirst();
  }

  private boolean marks(byte[] head) {
    return head.length >= markAt + mark.length
        && Arrays.equals(head, markAt, markAt + mark.length, mark, 0, mark.length)
        && (this != WEBP || ascii(head, 0, 4).equals("RIFF"));
  }

  String kind() {
    return kind;
  }

  String mediaType() {
    return mediaType;
  }

  /** What its header says; empty where that is none, or not among these bytes. */
  abstract Optional<Size> size(byte[] bytes);

  /** Whether all of it is there, down to its end. */
  abstract boolean whole(byte[] bytes);

  private static Optional<Size> sized(int width, int height) {
    return width > 0 && height > 0 ? Optional.of(new Size(width, height)) : Optional.empty();
  }

  private static ByteBuffer big(byte[] bytes) {
    return ByteBuffer.wrap(bytes);
  }

  private static ByteBuffer little(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static String ascii(byte[] bytes, int from, int length) {
    return new String(bytes, from, length, StandardCharsets.ISO_8859_1);
  }
}
