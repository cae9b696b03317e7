package harness.store;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** A disk below the writer that can be made small, and statements that fail when told to. */
final class FaultyDisk implements Sqlite.Wrapping {
  private final Map<String, SQLException> armed = new ConcurrentHashMap<>();
  private final ConcurrentLinkedQueue<Connection> opened = new ConcurrentLinkedQueue<>();
  private final AtomicInteger refusals = new AtomicInteger();
  private volatile int pages = Integer.MAX_VALUE;

  /** The file may not be larger than this many pages from now on. */
  void limit(int most) throws SQLException {
    pages = most;
    for (Connection connection : opened) {
      if (!connection.isClosed()) {
        limit(connection);
      }
    }
  }

  private void limit(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("PRAGMA max_page_count = " + pages);
    }
  }

  /** This statement fails each time, until it is mended. */
  void fail(String sql, SQLiteErrorCode code) {
    armed.put(sql, new SQLiteException("the disk said no at " + sql, code));
  }

  void mend() {
    armed.clear();
  }

  /** How often a statement failed because it was told to. */
  int refusals() {
    return refusals.get();
  }

  int connections() {
    return opened.size();
  }

  @Override
  public Connection wrap(Connection connection) throws SQLException {
    opened.add(connection);
    limit(connection);
    return proxy(
        Connection.class,
        connection,
        (name, arguments, result) ->
            name.equals("prepareStatement")
                ? faulty((PreparedStatement) result, (String) arguments[0])
                : result,
        _ -> {});
  }

  private PreparedStatement faulty(PreparedStatement statement, String sql) {
    return proxy(
        PreparedStatement.class,
        statement,
        (_, _, result) -> result,
        name -> {
          SQLException failure = armed.get(sql);
          if (name.startsWith("execute") && failure != null) {
            refusals.incrementAndGet();
            throw failure;
          }
        });
  }

  private interface After {
    Object apply(String name, Object[] arguments, Object result);
  }

  private interface Before {
    void check(String name) throws SQLException;
  }

  private static <T> T proxy(Class<T> type, T real, After after, Before before) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (_, method, arguments) -> {
              before.check(method.getName());
              try {
                return after.apply(method.getName(), arguments, method.invoke(real, arguments));
              } catch (InvocationTargetException wrapped) {
                throw wrapped.getCause();
              }
            }));
  }
}
