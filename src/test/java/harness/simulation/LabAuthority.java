package harness.simulation;

import harness.agent.Instance;
import harness.author.Actor;
import harness.author.Authority;
import harness.author.Permission;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Rights that come and go as the seed wants them, and what was last said of them. */
final class LabAuthority implements Authority {
  /**
   * @param starts whether a Turn asked, about to begin or go on
   */
  private record Question(Actor actor, Permission permission, Instance instance, boolean starts) {}

  private final Scheduler scheduler;
  private final Chance chance;
  private final Map<Question, Boolean> answers = new HashMap<>();
  private final Set<String> barred = new HashSet<>();
  private final Set<String> refused = new HashSet<>();

  LabAuthority(Scheduler scheduler, Chance chance) {
    this.scheduler = scheduler;
    this.chance = chance;
  }

  /** Takes some people's rights, and gives back others'. */
  void change(List<Actor> actors) {
    barred.clear();
    for (Actor actor : actors) {
      if (chance.oneIn(4)) {
        barred.add(author(actor));
      }
    }
  }

  /** Everybody may do all. */
  void calm() {
    barred.clear();
  }

  private static String author(Actor actor) {
    return actor instanceof Actor.Agent agent
        ? agent.onBehalfOf().map(LabAuthority::author).orElse("no one")
        : actor.actsFor().map(Actor::participant).orElse("no one");
  }

  @Override
  public boolean permits(Actor actor, Permission permission, Instance instance) {
    boolean may = !barred.contains(author(actor));
    if (!may) {
      refused.add(author(actor));
    }
    answers.put(
        new Question(actor, permission, instance, scheduler.me().name.startsWith("turn ")), may);
    return may;
  }

  /** Whether anything was refused to them, or to an agent for them. */
  boolean everRefused(Actor author) {
    return refused.contains(author(author));
  }

  /** Whether a Turn that was about to begin or go on was told so last. */
  boolean said(boolean may, Actor actor, Permission permission, Instance instance) {
    Boolean told = answers.get(new Question(actor, permission, instance, true));
    return told != null && told == may;
  }
}
