package harness.tool;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class OpenedThroughRootTest {
  @Test
  void noFileToolOpensAFileItself() {
    noClasses()
        .that()
        .resideInAPackage("harness.tool")
        .and()
        .haveSimpleNameNotStartingWith("Git")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("java.nio.file..", "java.nio.channels..")
        .orShould()
        .dependOnClassesThat()
        .haveNameMatching("java\\.io\\.(File.*|RandomAccessFile)")
        .because("a path that a tool opens by its name is not held to the roots")
        .check(
            new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages("harness.tool"));
  }
}
