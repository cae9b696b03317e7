package harness.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Repositories that name programs and places in every way that git has, and a process of its own
 * that calls all git tools in them, watched by strace: it runs nothing and opens nothing outside.
 */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class GitRunsNothingTest {
  private static final String SECRET = "s3cret-beyond-the-root";
  private static final Path STRACE = Path.of("/usr/bin/strace");

  /** Keys of a configuration that name a program. */
  private static final List<String> PROGRAMS =
      List.of(
          "alias.status=!P",
          "commit.gpgSign=true",
          "core.alternateRefsCommand=P",
          "core.askPass=P",
          "core.editor=P",
          "core.fsmonitor=P",
          "core.gitProxy=P",
          "core.pager=P",
          "core.sshCommand=P",
          "credential.helper=!P",
          "diff.external=P",
          "diff.x.command=P",
          "diff.x.textconv=P",
          "filter.lfs.clean=P",
          "filter.lfs.process=P",
          "filter.lfs.smudge=P",
          "filter.lfs.required=true",
          "filter.x.clean=P",
          "filter.x.smudge=P",
          "gpg.program=P",
          "gpg.ssh.program=P",
          "gpg.ssh.defaultKeyCommand=P",
          "interactive.diffFilter=P",
          "merge.x.driver=P",
          "pager.log=P",
          "remote.origin.uploadpack=P",
          "remote.origin.vcs=P",
          "sequence.editor=P",
          "tag.gpgSign=true",
          "trailer.x.command=P",
          "trailer.x.cmd=P",
          "uploadpack.packObjectsHook=P",
          "user.signingKey=P");

  /** Keys that name a place outside. */
  private static final List<String> PLACES =
      List.of(
          "blame.ignoreRevsFile=O/secret.txt",
          "commit.template=O/secret.txt",
          "core.attributesFile=O/attributes",
          "core.excludesFile=O/secret.txt",
          "core.hooksPath=O/hooks",
          "core.worktree=O",
          "gpg.ssh.allowedSignersFile=O/secret.txt",
          "include.path=O/config",
          "includeIf.gitdir:/**.path=O/config",
          "mailmap.file=O/secret.txt");

  private static final List<String> HOOKS =
      List.of(
          "applypatch-msg",
          "commit-msg",
          "fsmonitor-watchman",
          "post-checkout",
          "post-commit",
          "post-index-change",
          "post-rewrite",
          "pre-auto-gc",
          "pre-commit",
          "pre-merge-commit",
          "prepare-commit-msg",
          "reference-transaction");

  @TempDir private Path temporary;
  private Path base;
  private Path outside;
  private Path canary;
  private Path program;

  @BeforeEach
  void makeWhatLiesOutside() throws Exception {
    base = temporary.toRealPath();
    outside = Files.createDirectories(base.resolve("outside"));
    canary = base.resolve("canary");
    program = outside.resolve("program");
    executable(program);
    Files.writeString(outside.resolve("secret.txt"), SECRET + "\n");
    Files.writeString(outside.resolve("attributes"), "* filter=x diff=x merge=x\n");
    Files.writeString(
        outside.resolve("config"), "[filter \"x\"]\n\tclean = " + program + "\n\trequired\n");
    Files.createDirectories(outside.resolve("hooks"));
    for (String hook : HOOKS) {
      executable(outside.resolve("hooks").resolve(hook));
    }
    repository(outside.resolve("repo"), SECRET);
  }

  private void executable(Path file) throws IOException {
    Files.writeString(file, "#!/bin/sh\necho ran \"$0\" \"$@\" >> " + canary + "\ncat\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private static void git(Path directory, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("git", "-c", "user.name=A", "-c"));
    command.add("user.email=a@example.org");
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
    builder.environment().put("HOME", "/nonexistent");
    builder.environment().put("GIT_CONFIG_NOSYSTEM", "1");
    Process process = builder.redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), () -> command + ": " + output);
  }

  /** One with two commits, an untracked file, and a changed one in the worktree. */
  private static Path repository(Path directory, String word) throws Exception {
    Files.createDirectories(directory);
    git(directory, "init", "-q", "-b", "main");
    Files.writeString(directory.resolve("a.txt"), word + " one\n");
    Files.writeString(directory.resolve("b.txt"), "b\n");
    Files.writeString(directory.resolve("x.none"), "not filtered\n");
    Files.writeString(directory.resolve(".gitattributes"), "*.none filter=x diff=x merge=x\n");
    git(directory, "add", ".");
    git(directory, "commit", "-qm", "First of " + word);
    Files.writeString(directory.resolve("a.txt"), word + " two\n");
    git(directory, "commit", "-qam", "Second of " + word);
    Files.writeString(directory.resolve("a.txt"), word + " three\n");
    Files.writeString(directory.resolve("b.txt"), "changed\n");
    Files.writeString(directory.resolve("x.none"), "nor this\n");
    Files.writeString(directory.resolve("new.txt"), "new\n");
    return directory;
  }

  private void plant(Path config) throws IOException {
    StringBuilder text = new StringBuilder(Files.exists(config) ? Files.readString(config) : "");
    List<String> settings = new ArrayList<>(PROGRAMS);
    settings.addAll(PLACES);
    for (String setting : settings) {
      int equals = setting.lastIndexOf('=');
      int first = setting.indexOf('.');
      int last = setting.lastIndexOf('.', equals);
      String subsection = first < last ? " \"" + setting.substring(first + 1, last) + "\"" : "";
      String value = setting.substring(equals + 1);
      value = value.replaceFirst("^(!?)P$", "$1" + program).replaceFirst("^O", outside.toString());
      text.append("[" + setting.substring(0, first) + subsection + "]\n\t")
          .append(setting, last + 1, equals)
          .append(" = " + value + "\n");
    }
    Files.writeString(config, text);
  }

  private Path workplace(String name) throws IOException {
    return Files.createDirectories(base.resolve(name).resolve("work/target")).resolve("feature-x");
  }

  private void hooks(Path git) throws IOException {
    for (String hook : HOOKS) {
      executable(Files.createDirectories(git.resolve("hooks")).resolve(hook));
    }
  }

  /** All workplaces; in the first two the tools can work, in the rest they have to refuse. */
  private List<String> workplaces() throws Exception {
    Path planted = repository(workplace("planted"), "planted");
    git(planted, "submodule", "--quiet", "init");
    Path inner = repository(planted.resolve("inner"), "inner");
    Files.writeString(planted.resolve("lfs.bin"), "as it is\n");
    Files.writeString(
        planted.resolve(".gitattributes"),
        "*.txt diff=x merge=x\n*.none filter=x\nlfs.bin filter=lfs diff=lfs merge=lfs -text\n");
    Files.writeString(planted.resolve(".lfsconfig"), "[lfs]\n\turl = file://" + outside + "\n");
    Files.writeString(
        planted.resolve(".gitmodules"),
        "[submodule \"inner\"]\n\tpath = inner\n\turl = ../outside\n\tupdate = !" + program + "\n");
    Files.writeString(planted.resolve(".git/info/attributes"), "b.txt diff=x merge=x\n");
    for (Path repository : List.of(planted, inner)) {
      plant(repository.resolve(".git/config"));
      hooks(repository.resolve(".git"));
    }
    Path linked = workplace("linked");
    Path main = repository(linked.resolveSibling("default"), "linked");
    git(main, "worktree", "add", "-q", "-b", "x", linked.toString());
    Files.writeString(linked.resolve("a.txt"), "linked three\n");
    Files.writeString(linked.resolve("b.txt"), "changed\n");
    Files.writeString(linked.resolve("new.txt"), "new\n");
    git(main, "config", "core.repositoryformatversion", "1");
    git(main, "config", "extensions.worktreeConfig", "true");
    plant(main.resolve(".git/config.worktree"));
    plant(main.resolve(".git/worktrees/feature-x/config.worktree"));
    hooks(main.resolve(".git"));
    Path pointer = repository(workplace("pointer"), "pointer");
    Files.move(pointer.resolve(".git"), base.resolve("gone"));
    Files.writeString(pointer.resolve(".git"), "gitdir: " + outside.resolve("repo/.git") + "\n");
    Path common = repository(workplace("common"), "common");
    Files.writeString(common.resolve(".git/commondir"), outside.resolve("repo/.git") + "\n");
    Path borrowing = repository(workplace("borrowing"), "borrowing");
    Files.createDirectories(borrowing.resolve(".git/objects/info"));
    Files.writeString(
        borrowing.resolve(".git/objects/info/alternates"), outside + "/repo/.git/objects\n");
    return List.of("planted", "linked", "pointer", "common", "borrowing");
  }

  @Test
  void aRepositoryWhoseConfigNamesProgramsAndPlacesMakesNoGitToolRunOrShowThem() throws Exception {
    Assumptions.assumeTrue(traces(), "needs strace, and the right to trace");
    List<String> workplaces = workplaces();
    assertFalse(Files.exists(canary), "what made the repositories ran something itself");
    Path trace = base.resolve("trace");
    List<String> command =
        new ArrayList<>(
            List.of(
                STRACE.toString(),
                "-f",
                "-y",
                "--seccomp-bpf",
                "-e",
                "trace=execve,execveat,open,openat,openat2,creat",
                "-o",
                trace.toString(),
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                GitToolsRun.class.getName()));
    workplaces.forEach(name -> command.add(base.resolve(name).toString()));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("LC_ALL", "C.UTF-8");
    Process process = builder.redirectErrorStream(true).start();
    String shown = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), shown);
    assertFalse(Files.exists(canary), "something ran, see " + canary);
    assertFalse(shown.contains(SECRET), shown);
    checkShown(shown);
    checkTrace(Files.readAllLines(trace, StandardCharsets.ISO_8859_1));
  }

  /** That the tools did their work where they could shows that something was traced at all. */
  private static void checkShown(String shown) {
    for (String line : shown.lines().toList()) {
      if (line.startsWith("DONE ") || line.startsWith("FAILED ")) {
        boolean works = line.contains("/planted/") || line.contains("/linked/");
        assertEquals(works, line.startsWith("DONE "), () -> line + "\n" + shown);
      }
    }
    assertTrue(shown.contains("+planted three") && shown.contains("+linked three"), shown);
  }

  private void checkTrace(List<String> trace) {
    List<String> started = trace.stream().filter(line -> line.contains("execve")).toList();
    assertEquals(1, started.size(), () -> "started besides java: " + started);
    Pattern opened = Pattern.compile("= \\d+<([^>]*)>");
    int files = 0;
    for (String line : trace) {
      Matcher result = opened.matcher(line);
      if (result.find()) {
        files++;
        assertFalse(result.group(1).startsWith(outside + "/"), line);
      }
    }
    assertTrue(files > 100, "the trace shows too little");
  }

  private static boolean traces() throws Exception {
    return Files.isExecutable(STRACE)
        && new ProcessBuilder(STRACE.toString(), "-f", "-o", "/dev/null", "true")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor()
            == 0;
  }

  @Test
  void everyGitToolIsAmongThoseThatAreWatched() {
    Set<String> offered = new TreeSet<>();
    WorkingTools.specs().stream()
        .map(ToolSpec::name)
        .filter(name -> name.startsWith("git_"))
        .forEach(offered::add);
    Set<String> called = new TreeSet<>();
    GitToolsRun.CALLS.forEach(call -> called.add(call.substring(0, call.indexOf(' '))));
    assertEquals(offered, called);
  }
}
