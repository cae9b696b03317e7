package harness.workspace.git;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Arrays;
import org.eclipse.jgit.lib.PersonIdent;
import org.eclipse.jgit.revwalk.RevCommit;
import org.eclipse.jgit.revwalk.RevTag;
import org.eclipse.jgit.util.RawParseUtils;
import org.jspecify.annotations.Nullable;

/** Who did something and when, of whatever a commit or a tag says: anybody can write any of it. */
record Moment(String name, String email, ZonedDateTime when) {
  /** Beyond it the years have more than four digits. */
  private static final Instant LAST =
      LocalDateTime.of(9999, 12, 31, 0, 0).toInstant(ZoneOffset.UTC);

  static final Moment NOBODY = new Moment("", "", Instant.EPOCH.atZone(ZoneOffset.UTC));

  /** The author of a commit. */
  static Moment author(RevCommit commit) {
    return of(commit.getRawBuffer(), RawParseUtils.author(commit.getRawBuffer(), 0));
  }

  static Moment committer(RevCommit commit) {
    return of(commit.getRawBuffer(), RawParseUtils.committer(commit.getRawBuffer(), 0));
  }

  /** The tagger of a tag; one that names none is of nobody. */
  static Moment tagger(RevTag tag) {
    byte[] raw = tag.getRawBuffer();
    return of(raw, RawParseUtils.tagger(raw, 0));
  }

  /** A time that can't be one is the beginning of time, and a zone that can't be one is UTC. */
  private static Moment of(byte[] raw, int at) {
    if (at < 0) {
      return NOBODY;
    }
    try {
      return of(RawParseUtils.parsePersonIdent(raw, at));
    } catch (DateTimeException e) {
      // It is the time that can't be read, and it stands behind the name.
      byte[] name = Arrays.copyOf(raw, RawParseUtils.next(raw, at, '>'));
      return of(RawParseUtils.parsePersonIdent(name, at));
    }
  }

  private static Moment of(@Nullable PersonIdent person) {
    if (person == null) {
      return NOBODY;
    }
    Instant when = person.getWhenAsInstant();
    boolean possible = !when.isBefore(Instant.EPOCH) && when.isBefore(LAST);
    return new Moment(
        person.getName(),
        person.getEmailAddress(),
        (possible ? when : Instant.EPOCH).atZone(zone(person)));
  }

  private static ZoneId zone(PersonIdent person) {
    try {
      return person.getZoneId();
    } catch (DateTimeException e) {
      return ZoneOffset.UTC;
    }
  }

  /** As in a commit's header, without the time. */
  String person() {
    return name + " <" + email + ">";
  }
}
