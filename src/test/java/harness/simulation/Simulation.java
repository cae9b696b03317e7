package harness.simulation;

import harness.admission.AdmissionRequest;
import harness.admission.Answers;
import harness.agent.Instance;
import harness.conversation.Decoded;
import harness.conversation.Limits;
import harness.store.StoreUnableException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * One seed: callers, crashes and a bad disk around the real core, for a while, and then quiet, in
 * which all that should end has to.
 */
final class Simulation {
  private static final int MOST_ACTS = 50;
  private static final int MOST_CALLERS = 12;

  /** How long the end may take: no wait of the core is as long. */
  private static final Duration PATIENCE = Duration.ofHours(2);

  private final SimulatedProcess.Core core;
  private final Figures figures;
  private final Trace trace = new Trace();
  private final Chance chance;
  private final Scheduler scheduler;
  private final Law law;
  private final Limits limits;
  private final LabAuthority authority;
  private final Witness witness;
  private final Disk disk;
  private final Seats seats;
  private final LabModel model;
  private final SimulatedProcess.Ground ground;
  private final Callers callers;
  private final Requests requests;
  private final Ears ears;
  private int processes;
  private Optional<SimulatedProcess> process = Optional.empty();

  Simulation(long seed, SimulatedProcess.Core core, Figures figures) {
    this.core = core;
    this.figures = figures;
    this.chance = new Chance(new SplittableRandom(seed));
    this.scheduler = new Scheduler(chance.random(), trace);
    this.law = new Law(scheduler);
    this.limits =
        new Limits(
            1 + chance.below(3),
            1 + chance.below(5),
            4 + chance.below(12),
            chance.upTo(Duration.ofMinutes(3)));
    this.authority = new LabAuthority(scheduler, chance);
    this.witness = new Witness(law, limits, authority);
    this.disk = new Disk(chance, witness);
    this.seats = new Seats(scheduler, law, chance, witness, limits, trace);
    this.model = new LabModel(scheduler, chance, seats);
    this.ground =
        new SimulatedProcess.Ground(
            scheduler,
            chance,
            limits,
            disk,
            model,
            new LabTools(scheduler, chance, seats),
            authority);
    this.callers = new Callers(scheduler, law, witness, seats, disk, authority, trace, figures);
    this.requests = new Requests(chance, witness);
    this.ears = new Ears(scheduler, law, chance, witness, disk);
  }

  /** Runs it; what failed, if something did. */
  Optional<String> run() throws InterruptedException {
    Optional<String> failure = scheduler.run(this::drive);
    figures.ended(scheduler.steps(), witness);
    return failure;
  }

  /** Equal where everything happened alike. */
  long digest() {
    return trace.digest();
  }

  private void drive() {
    start();
    for (int acts = 10 + chance.below(MOST_ACTS - 10); acts > 0; acts--) {
      scheduler.pause("for the next act", chance.upTo(Duration.ofSeconds(20)));
      act();
    }
    quiet();
    tell("starts once more");
    crash();
    start();
    quiet();
    scheduler.kill(processes);
  }

  private void act() {
    if (process.isEmpty()) {
      start();
    }
    switch (chance.below(48)) {
      case 0, 1, 2 -> abort();
      case 3, 4 -> free();
      case 5, 6, 7 -> listen();
      case 8, 9 -> {
        tell("crashes");
        crash();
        start();
      }
      case 10 -> drain();
      case 11, 12, 13 -> {
        Disk.Mood mood = chance.of(List.of(Disk.Mood.values()));
        tell("the disk is " + mood);
        disk.become(mood);
      }
      case 14 -> corrupt();
      case 15, 16 -> abortThenAdmit();
      case 17, 18, 19, 20, 21, 23, 24, 25 -> answer();
      case 22 -> {
        tell("rights change");
        authority.change(Requests.AUTHORS);
      }
      default -> {
        for (int many = chance.oneIn(3) ? 1 + chance.below(5) : 1; many > 0; many--) {
          admit();
        }
      }
    }
    if (chance.oneIn(4)) {
      disk.become(Disk.Mood.WELL);
    }
  }

  private void tell(String what) {
    trace.add(scheduler.nanos(), scheduler.me(), what);
  }

  private void start() {
    while (true) {
      int number = ++processes;
      SimulatedProcess next = SimulatedProcess.start(number, ground, core);
      boolean[] ready = new boolean[1];
      call(
          number,
          "boot",
          () -> {
            try {
              next.conversations().recover();
              ready[0] = true;
            } catch (StoreUnableException e) {
              tell("can't start: " + e.getMessage());
            }
          });
      boolean cut = chance.oneIn(8);
      scheduler.await(
          "for the start",
          () -> ready[0] || scheduler.count(number) == 0,
          cut ? scheduler.after(chance.upTo(Duration.ofSeconds(1))) : Long.MAX_VALUE);
      if (ready[0]) {
        tell("process " + number + " is ready");
        process = Optional.of(next);
        call(number, "faults", () -> ears.follow(next.conversations().faults()));
        return;
      }
      crash(number);
      disk.become(Disk.Mood.WELL);
    }
  }

  private void call(int life, String name, Runnable body) {
    scheduler.start(life, name, body);
  }

  private void caller(String name, Runnable body) {
    if (scheduler.count(processes) < MOST_CALLERS + limits.queueTotal()) {
      call(processes, name, body);
    }
  }

  private void crash() {
    crash(processes);
    process = Optional.empty();
  }

  private void crash(int number) {
    scheduler.kill(number);
    disk.crash();
    seats.crash();
    figures.restarted();
    witness.requireKept(disk.committed());
  }

  private SimulatedProcess process() {
    return process.orElseThrow();
  }

  private void admit() {
    SimulatedProcess to = process();
    AdmissionRequest request = requests.next();
    caller("caller", () -> callers.admit(to, request));
    if (request.key().isPresent() && chance.oneIn(4)) {
      caller("twin", () -> callers.admit(to, request));
    }
  }

  private void abort() {
    SimulatedProcess to = process();
    Instance instance = chance.oneIn(4) ? requests.instance() : requests.busyInstance();
    caller("aborter", () -> callers.abort(to, instance));
  }

  private void answer() {
    SimulatedProcess to = process();
    Instance instance =
        witness.paused().isEmpty() || chance.oneIn(8)
            ? requests.busyInstance()
            : chance.of(witness.paused()).instance;
    Answers.Answer answer = requests.answer(instance);
    caller("answerer", () -> callers.answer(to, instance, answer));
    if (chance.oneIn(4)) {
      Answers.Answer other = requests.answer(instance);
      caller("answerer", () -> callers.answer(to, instance, other));
    }
  }

  private void abortThenAdmit() {
    SimulatedProcess to = process();
    Instance instance = requests.busyInstance();
    AdmissionRequest request = requests.next();
    caller(
        "aborter",
        () -> {
          callers.abort(to, instance);
          callers.admit(to, request);
        });
  }

  private void free() {
    SimulatedProcess to = process();
    Set<Instance> live = new HashSet<>();
    witness.known().stream().filter(_ -> chance.oneIn(3)).forEach(live::add);
    Duration grace = chance.oneIn(2) ? Duration.ZERO : chance.upTo(Duration.ofMinutes(5));
    caller("freer", () -> callers.free(to, live, grace));
  }

  private void listen() {
    SimulatedProcess to = process();
    Instance instance = requests.instance();
    caller("reader", () -> ears.listen(to.conversations(), instance));
  }

  private void corrupt() {
    Instance instance = requests.instance();
    if (chance.oneIn(3) && witness.held(instance).isPresent()) {
      tell("an event of " + instance + " is corrupt");
      disk.corrupt(instance);
    }
  }

  private void drain() {
    SimulatedProcess to = process();
    tell("drains");
    Duration time = chance.upTo(Duration.ofMinutes(3));
    boolean[] done = new boolean[1];
    call(
        processes,
        "drain",
        () -> {
          to.admissions().drain();
          try {
            to.conversations().drain(time);
          } catch (InterruptedException e) {
            throw scheduler.fail("the drain is interrupted: " + Trace.shown(e));
          }
          seats.stop();
          done[0] = true;
        });
    scheduler.await("for the drain", () -> done[0]);
    if (chance.oneIn(2)) {
      scheduler.pause("for what goes on after the drain", chance.upTo(Duration.ofSeconds(30)));
    }
    crash();
    start();
  }

  /** Nobody calls any more, the disk is well and models answer soon. */
  private void quiet() {
    disk.become(Disk.Mood.WELL);
    model.calm();
    authority.calm();
    if (process.isEmpty()) {
      start();
    }
    tell("all is quiet");
    SimulatedProcess last = process();
    scheduler.await(
        "for the end",
        () -> scheduler.tasks().stream().allMatch(Simulation::mayStay),
        scheduler.after(PATIENCE));
    ears.end();
    scheduler.await(
        "for the end", () -> scheduler.count(processes) == 0, scheduler.after(PATIENCE));
    law.holds(scheduler.count(processes) == 0, () -> "there is no end: " + scheduler.tasks());
    requireSettled(last);
    ears.goOn();
  }

  private static boolean mayStay(Task task) {
    return task.name.equals("driver") || task.name.equals("faults") || task.name.equals("reader");
  }

  private void requireSettled(SimulatedProcess last) {
    witness.requireKept(disk.committed());
    int excused = 0;
    for (Fate fate : witness.unsettled()) {
      boolean corrupt = disk.isCorrupt(fate.past.instance);
      law.holds(corrupt, () -> "lost: " + fate + " is never settled");
      excused++;
    }
    boolean[] quiet = new boolean[1];
    int left = excused;
    call(
        processes,
        "last drain",
        () -> {
          try {
            quiet[0] = last.conversations().drain(Duration.ZERO);
          } catch (InterruptedException e) {
            throw scheduler.fail("the drain is interrupted: " + Trace.shown(e));
          }
        });
    scheduler.await("for the last drain", () -> scheduler.count(processes) == 0);
    law.holds(quiet[0] || left > 0, () -> "the process counts something that is not there");
    law.holds(
        Decoded.awake(last.conversations()) <= left,
        () -> Decoded.awake(last.conversations()) + " conversations stay in memory");
  }
}
