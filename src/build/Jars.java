import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassElement;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.ClassHierarchyResolverOption;
import java.lang.classfile.ClassFile.StackMapsOption;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeTransform;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Collections;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Makes the jars of a directory such that all of their classes can be cached: takes off signatures
 * and what a manifest says of single files (Maven has checked what it fetched, and each start would
 * read them), and gives classes of before Java 6 the stack maps that the verifier of today asks for.
 * Puts SQLite's library for this machine beside them and leaves out those for others: each start
 * would unpack it, where there is a place to unpack it to.
 *
 * <pre>java Jars.java DIRECTORY</pre>
 */
final class Jars {
  private static final int FIRST_WITH_STACK_MAPS = ClassFile.JAVA_6_VERSION;

  private static final String LIBRARIES = "org/sqlite/native/";
  private static final String LIBRARY = LIBRARIES + machine() + "/libsqlitejdbc.so";

  private Jars() {}

  public static void main(String[] arguments) throws IOException {
    try (DirectoryStream<Path> jars = Files.newDirectoryStream(Path.of(arguments[0]), "*.jar")) {
      for (Path jar : jars) {
        if (needs(jar)) {
          rewrite(jar);
        }
      }
    }
  }

  private static boolean needs(Path jar) throws IOException {
    try (JarFile file = new JarFile(jar.toFile())) {
      for (ZipEntry entry : Collections.list(file.entries())) {
        if (isLeftOut(entry) || isOld(entry, file.getInputStream(entry).readNBytes(8))) {
          return true;
        }
      }
      Manifest manifest = file.getManifest();
      return manifest != null && !manifest.getEntries().isEmpty();
    }
  }

  private static void rewrite(Path jar) throws IOException {
    FileTime time = Files.getLastModifiedTime(jar);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipFile in = new ZipFile(jar.toFile());
        URLClassLoader loader = new URLClassLoader(new URL[] {jar.toUri().toURL()});
        ZipOutputStream out = new ZipOutputStream(bytes)) {
      for (ZipEntry entry : Collections.list(in.entries())) {
        if (entry.getName().equals(LIBRARY)) {
          try (InputStream library = in.getInputStream(entry)) {
            Files.copy(library, jar.resolveSibling(Path.of(LIBRARY).getFileName()), REPLACE_EXISTING);
          }
        }
        if (!isLeftOut(entry)) {
          ZipEntry written = new ZipEntry(entry.getName());
          written.setTime(entry.getTime());
          out.putNextEntry(written);
          try (InputStream content = in.getInputStream(entry)) {
            out.write(rewritten(entry, content.readAllBytes(), loader));
          }
          out.closeEntry();
        }
      }
    }
    Files.write(jar, bytes.toByteArray());
    Files.setLastModifiedTime(jar, time);
  }

  private static byte[] rewritten(ZipEntry entry, byte[] content, ClassLoader loader)
      throws IOException {
    if (entry.getName().equals(JarFile.MANIFEST_NAME)) {
      Manifest manifest = new Manifest(new java.io.ByteArrayInputStream(content));
      Manifest plain = new Manifest();
      plain.getMainAttributes().putAll(manifest.getMainAttributes());
      plain.getMainAttributes().putIfAbsent(Attributes.Name.MANIFEST_VERSION, "1.0");
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      plain.write(bytes);
      return bytes.toByteArray();
    }
    return isOld(entry, content) ? withStackMaps(content, loader) : content;
  }

  private static byte[] withStackMaps(byte[] old, ClassLoader loader) {
    ClassFile classFile =
        ClassFile.of(
            StackMapsOption.GENERATE_STACK_MAPS,
            ClassHierarchyResolverOption.of(ClassHierarchyResolver.ofClassLoading(loader)));
    ClassTransform version =
        (builder, element) -> builder.with(element instanceof ClassFileVersion ? today() : element);
    return classFile.transformClass(
        classFile.parse(old),
        version.andThen(ClassTransform.transformingMethodBodies(CodeTransform.ACCEPT_ALL)));
  }

  private static ClassElement today() {
    return ClassFileVersion.of(ClassFile.JAVA_8_VERSION, 0);
  }

  private static boolean isLeftOut(ZipEntry entry) {
    String name = entry.getName();
    return name.startsWith(LIBRARIES) || name.matches("META-INF/[^/]*\\.(SF|RSA|DSA|EC)");
  }

  /** As SQLite's driver names it. */
  private static String machine() {
    String arch = System.getProperty("os.arch");
    return System.getProperty("os.name") + "/" + (arch.equals("amd64") ? "x86_64" : arch);
  }

  private static boolean isOld(ZipEntry entry, byte[] content) {
    return entry.getName().endsWith(".class")
        && ((content[6] & 0xFF) << 8 | (content[7] & 0xFF)) < FIRST_WITH_STACK_MAPS;
  }
}
