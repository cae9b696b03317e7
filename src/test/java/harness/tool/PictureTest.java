package harness.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.Seed;
import harness.model.Image;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PictureTest {
  private static final byte[] WEBP_LOSSY =
      Base64.getDecoder().decode("UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA");
  private static final byte[] WEBP_LOSSLESS =
      Base64.getDecoder().decode("UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==");

  private Workplace place;

  @BeforeEach
  void open(@TempDir Path base) throws IOException {
    place = Workplace.in(base);
  }

  private static byte[] picture(String format, int width, int height) throws IOException {
    BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    assertTrue(ImageIO.write(image, format, out));
    return out.toByteArray();
  }

  private ToolResult read(String name, byte[] content) throws IOException {
    place.file(name, content);
    ToolResult result = place.call("read", Workplace.json("{path:'" + name + "'}"));
    assertFalse(result.error(), result.text());
    return result;
  }

  private void assertHanded(String kind, String mediaType, String size, byte[] content)
      throws IOException {
    ToolResult result = read("picture.txt", content);
    assertEquals(
        "[picture.txt is " + kind + " of " + content.length + " bytes, " + size + " pixels]",
        result.text());
    assertEquals(
        List.of(new Image(mediaType, Base64.getEncoder().encodeToString(content))),
        result.images());
  }

  @Test
  void aPictureIsKnownByItsContentAndHandedOver() throws IOException {
    assertHanded("a PNG image", "image/png", "30 x 20", picture("png", 30, 20));
    assertHanded("a JPEG image", "image/jpeg", "30 x 20", picture("jpg", 30, 20));
    assertHanded("a GIF image", "image/gif", "30 x 20", picture("gif", 30, 20));
    assertHanded("a WebP image", "image/webp", "1 x 1", WEBP_LOSSY);
    assertHanded("a WebP image", "image/webp", "1 x 1", WEBP_LOSSLESS);
    place.file("text.png", "not a picture\n");
    assertEquals("     1\tnot a picture", place.ok("read", "{path:'text.png'}"));
    place.file("a.txt", "GIF89a is the mark of a GIF\n");
    assertEquals("     1\tGIF89a is the mark of a GIF", place.ok("read", "{path:'a.txt'}"));
  }

  @Test
  void theSizeOfAnExtendedWebPIsInItsHeader() throws IOException {
    ByteBuffer webp = ByteBuffer.allocate(40).order(ByteOrder.LITTLE_ENDIAN);
    webp.put("RIFF".getBytes(StandardCharsets.US_ASCII)).putInt(32);
    webp.put("WEBPVP8X".getBytes(StandardCharsets.US_ASCII)).putInt(10).putInt(0);
    webp.put(new byte[] {(byte) 0x1F, 3, 0, (byte) 0x57, 2, 0});
    assertHanded("a WebP image", "image/webp", "800 x 600", webp.array());
  }

  /** A provider that refuses a picture refuses every later request of the conversation too. */
  @Test
  void aBrokenOrCutPictureIsDescribedInsteadOfHandedOver() throws IOException {
    long seed = Seed.get(PictureTest.class);
    Random random = new Random(seed);
    for (byte[] whole :
        List.of(
            picture("png", 30, 20), picture("jpg", 30, 20), picture("gif", 30, 20), WEBP_LOSSY)) {
      for (int round = 0; round < 20; round++) {
        byte[] cut = Arrays.copyOf(whole, 16 + random.nextInt(whole.length - 16 - 1));
        ToolResult result = read("a.bin", cut);
        assertEquals(List.of(), result.images(), "seed " + seed + ": " + result.text());
      }
    }
    byte[] png = picture("png", 30, 20);
    png[45] ^= 1;
    assertTrue(
        read("a.png", png).text().endsWith("; it is broken or cut off, so no model is handed it]"));
  }

  @Test
  void aPictureThatIsTooLargeIsDescribedWithItsSize() throws IOException {
    Path file = place.file("a.png", picture("png", 30, 20));
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(new byte[] {1}), 10_000_000_000L);
    }
    ToolResult result = place.call("read", Workplace.json("{path:'a.png'}"));
    assertEquals(
        "[a.png is a PNG image of 10000000001 bytes, 30 x 20 pixels; it is larger than the 3932160"
            + " bytes that a model is handed]",
        result.text());
    assertEquals(List.of(), result.images());
    result = read("b.png", picture("png", 8_001, 2));
    assertTrue(
        result
            .text()
            .endsWith(
                " 8001 x 2 pixels; a side is longer than the 8000 pixels that a"
                    + " model is handed]"),
        result.text());
    assertEquals(List.of(), result.images());
  }

  @Test
  void aPictureThatWasReadMayBeOverwritten() throws IOException {
    read("a.png", picture("png", 3, 2));
    place.ok("write", Map.of("path", "a.png", "content", "x"));
    assertEquals("x", Files.readString(place.cwd.resolve("a.png")));
  }
}
