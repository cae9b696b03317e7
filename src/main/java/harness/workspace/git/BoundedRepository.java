package harness.workspace.git;

import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import org.eclipse.jgit.attributes.AttributesNodeProvider;
import org.eclipse.jgit.lib.BaseRepositoryBuilder;
import org.eclipse.jgit.lib.ObjectDatabase;
import org.eclipse.jgit.lib.ObjectReader;
import org.eclipse.jgit.lib.RefDatabase;
import org.eclipse.jgit.lib.ReflogReader;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.lib.StoredConfig;
import org.jspecify.annotations.Nullable;

/**
 * A repository whose objects can be read until an instant only: for what of JGit makes its readers
 * itself and looks at no interrupt. Closing it leaves the one behind it open.
 */
final class BoundedRepository extends Repository {
  private final Repository repository;
  private final InstantSource clock;
  private final Instant end;

  BoundedRepository(Repository repository, InstantSource clock, Instant end) {
    super(new BaseRepositoryBuilder<>().setFS(repository.getFS()));
    this.repository = repository;
    this.clock = clock;
    this.end = end;
  }

  @Override
  public ObjectReader newObjectReader() {
    return new BoundedReader(repository.newObjectReader(), clock, end);
  }

  @Override
  public void create(boolean bare) throws IOException {
    throw new IOException("this view makes no repository");
  }

  @Override
  public String getIdentifier() {
    return repository.getIdentifier();
  }

  @Override
  public ObjectDatabase getObjectDatabase() {
    return repository.getObjectDatabase();
  }

  @Override
  public RefDatabase getRefDatabase() {
    return repository.getRefDatabase();
  }

  @Override
  public StoredConfig getConfig() {
    return repository.getConfig();
  }

  @Override
  public AttributesNodeProvider createAttributesNodeProvider() {
    return repository.createAttributesNodeProvider();
  }

  @Override
  public void scanForRepoChanges() throws IOException {
    repository.scanForRepoChanges();
  }

  @Override
  public void notifyIndexChanged(boolean internal) {
    repository.notifyIndexChanged(internal);
  }

  @Override
  @SuppressWarnings("deprecation") // the only one that has to be there
  public @Nullable ReflogReader getReflogReader(String refName) throws IOException {
    return repository.getReflogReader(refName);
  }

  @Override
  public void close() {
    // What is read is the other one's.
  }
}
