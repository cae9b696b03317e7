package harness;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The arrows between packages go one way, and each library lives where it is said to. */
class ArchitectureTest {
  /** From the top down: a package knows only those below it. */
  private static final List<String> ORDER =
      List.of(
          "cli",
          "scenario",
          "client",
          "wire",
          "metrics",
          "log",
          "admission",
          "turn",
          "tool",
          "workspace",
          "conversation",
          "store",
          "menu",
          "briefing",
          "model",
          "author",
          "api",
          "agent",
          "fault");

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("harness");

  @Test
  void arrowsBetweenPackagesGoDownTheList() {
    Set<String> wrong = new TreeSet<>();
    for (JavaClass from : CLASSES) {
      from.getDirectDependenciesFromSelf().stream()
          .filter(dependency -> isUpwards(from, dependency.getTargetClass()))
          .forEach(dependency -> wrong.add(dependency.getDescription()));
    }
    assertEquals(Set.of(), wrong);
  }

  private static boolean isUpwards(JavaClass from, JavaClass to) {
    if (!to.getPackageName().startsWith("harness") || part(from).equals(part(to))) {
      return false;
    }
    if (part(from).isEmpty()) {
      return false;
    }
    return part(to).isEmpty() || ORDER.indexOf(part(to)) < ORDER.indexOf(part(from));
  }

  /** The part of the program that a class is in; empty for the top. */
  private static String part(JavaClass type) {
    String[] names = type.getPackageName().split("\\.");
    return names.length > 1 ? names[1] : "";
  }

  @Test
  void everyPackageIsInTheList() {
    Set<String> parts = new TreeSet<>();
    CLASSES.forEach(type -> parts.add(part(type)));
    parts.remove("");
    parts.removeAll(ORDER);
    assertEquals(Set.of(), parts);
  }

  @Test
  void theLeavesKnowNothingOfTheProject() {
    for (String leaf : List.of("api", "agent", "fault")) {
      noClasses()
          .that()
          .resideInAPackage("harness." + leaf + "..")
          .should()
          .dependOnClassesThat(
              new DescribedPredicate<JavaClass>("are of other packages") {
                @Override
                public boolean test(JavaClass type) {
                  return type.getPackageName().startsWith("harness") && !part(type).equals(leaf);
                }
              })
          .check(CLASSES);
    }
  }

  @Test
  void theClientKnowsTheShapesOfTheWireAlone() {
    noClasses()
        .that()
        .resideInAPackage("harness.client..")
        .should()
        .dependOnClassesThat(
            new DescribedPredicate<JavaClass>("are of other packages than api") {
              @Override
              public boolean test(JavaClass type) {
                return type.getPackageName().startsWith("harness")
                    && !Set.of("client", "api").contains(part(type));
              }
            })
        .check(CLASSES);
  }

  @Test
  void whomAConversationActsForIsAskedAndNeverRead() {
    fields()
        .that()
        .areDeclaredIn("harness.conversation.Authorship")
        .and()
        .areNotStatic()
        .should()
        .bePrivate()
        .check(CLASSES);
    noFields()
        .that()
        .areDeclaredInClassesThat()
        .resideInAPackage("harness.conversation..")
        .and()
        .areDeclaredInClassesThat()
        .doNotHaveSimpleName("Authorship")
        .should()
        .haveNameMatching("actingAuthor|actingActor|currentAuthor")
        .check(CLASSES);
  }

  @Test
  void eachLibraryLivesWhereItIsSaidTo() {
    only("io.micronaut..", "harness");
    only("io.helidon..", "harness", "harness.wire..");
    only("io.github.resilience4j..", "harness.model..", "harness.admission..");
    only("com.networknt..", "harness.menu..");
    only("io.prometheus..", "harness.metrics..");
    only("picocli..", "harness.cli..");
    only("org.sqlite..", "harness.store..");
    only("java.sql..", "harness.store..");
    only("org.eclipse.jgit..", "harness.workspace..", "harness.tool..", "harness.scenario..");
    only("java.lang.foreign..", "harness.workspace..");
  }

  private static void only(String library, String... packages) {
    noClasses()
        .that()
        .resideOutsideOfPackages(packages)
        .should()
        .dependOnClassesThat()
        .resideInAPackage(library)
        .check(CLASSES);
  }

  @Test
  void toolsOpenNoFilesThemselves() {
    noClasses()
        .that()
        .resideInAPackage("harness.tool..")
        .should()
        .dependOnClassesThat()
        .haveFullyQualifiedName("java.nio.file.Files")
        .orShould()
        .dependOnClassesThat()
        .haveFullyQualifiedName("java.io.File")
        .orShould()
        .dependOnClassesThat()
        .haveFullyQualifiedName("java.nio.channels.FileChannel")
        .check(CLASSES);
  }

  @Test
  void timeAndRandomnessAreHandedIn() {
    noClasses()
        .that()
        .doNotHaveFullyQualifiedName("harness.Wiring")
        .and()
        .doNotHaveFullyQualifiedName("harness.Main")
        .should()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .callMethod(System.class, "nanoTime")
        .orShould()
        .callMethod(java.time.Instant.class, "now")
        .orShould()
        .callMethod(Math.class, "random")
        .orShould()
        .callConstructor(java.util.Random.class)
        .orShould()
        .callConstructor(java.security.SecureRandom.class)
        .check(CLASSES);
  }

  @Test
  void everyRecordAndClassIsFinalOrSealedOrAbstract() {
    classes()
        .that()
        .areNotInterfaces()
        .and()
        .areNotEnums()
        .and()
        .areNotAnonymousClasses()
        .and()
        .haveSimpleNameNotContaining("$")
        .should()
        .haveModifier(JavaModifier.FINAL)
        .orShould()
        .haveModifier(JavaModifier.ABSTRACT)
        .allowEmptyShould(false)
        .check(CLASSES.that(new OwnCode()));
  }

  /** What people wrote, not what a processor made. */
  private static final class OwnCode extends DescribedPredicate<JavaClass> {
    OwnCode() {
      super("are written by people");
    }

    @Override
    public boolean test(JavaClass type) {
      return !type.getName().contains("$Definition") && !type.isNestedClass();
    }
  }
}
