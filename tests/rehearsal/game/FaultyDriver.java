import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.util.Properties;
import java.util.logging.Logger;

/** The usual driver behind `jdbc:rehearsal:`, which loses the answer to a commit when a test wants it. */
final class FaultyDriver implements Driver {
    static final String PREFIX = "jdbc:rehearsal:";

    private static final ThreadLocal<String> LOSS = new ThreadLocal<>();
    private static final ThreadLocal<Runnable> AT_COMMIT = new ThreadLocal<>();

    /** No connection can be opened. */
    static volatile boolean isAway;

    static void register() throws SQLException {
        DriverManager.registerDriver(new FaultyDriver());
    }

    /**
     * Of the next commit of this thread: `before`, the connection breaks and nothing is committed; `after`, it is committed
     * and then breaks; `open`, the client gives up while the server still has the transaction open with its locks; `away`, as
     * `after`, and the database cannot be reached any more.
     */
    static void loseNextCommit(String how) {
        LOSS.set(how);
    }

    /** While the next commit of this thread is under way. */
    static void atNextCommit(Runnable happening) {
        AT_COMMIT.set(happening);
    }

    @Override
    public Connection connect(String url, Properties properties) throws SQLException {
        if (!acceptsURL(url)) return null;
        if (isAway) throw lost();
        Connection real = DriverManager.getConnection("jdbc:" + url.substring(PREFIX.length()), properties);
        boolean[] isLeftOpen = {false};
        Class<?>[] shape = {Connection.class};
        return (Connection) Proxy.newProxyInstance(FaultyDriver.class.getClassLoader(), shape, (proxy, method, given) -> {
            if (isLeftOpen[0] && method.getName().equals("close")) return null;
            if (isLeftOpen[0] && method.getName().equals("rollback")) throw lost();
            if (method.getName().equals("commit") && AT_COMMIT.get() != null) {
                AT_COMMIT.get().run();
                AT_COMMIT.remove();
            }
            if (method.getName().equals("commit") && LOSS.get() != null) {
                String how = LOSS.get();
                LOSS.remove();
                isAway = how.equals("away");
                if (how.equals("after") || isAway) real.commit();
                if (how.equals("open")) isLeftOpen[0] = true;
                else real.close();
                throw lost();
            }
            try {
                return method.invoke(real, given);
            } catch (InvocationTargetException thrown) {
                throw thrown.getCause();
            }
        });
    }

    private static SQLException lost() {
        return new SQLException("Communications link failure", "08S01");
    }

    @Override
    public boolean acceptsURL(String url) {
        return url.startsWith(PREFIX);
    }

    @Override
    public DriverPropertyInfo[] getPropertyInfo(String url, Properties properties) {
        return new DriverPropertyInfo[0];
    }

    @Override
    public int getMajorVersion() {
        return 1;
    }

    @Override
    public int getMinorVersion() {
        return 0;
    }

    @Override
    public boolean jdbcCompliant() {
        return false;
    }

    @Override
    public Logger getParentLogger() {
        return Logger.getGlobal();
    }
}
