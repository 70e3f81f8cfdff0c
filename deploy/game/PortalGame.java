// If your game has packages, write here: package your.game;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.URL;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.text.Normalizer;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.Temporal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * The portal's part inside the game. It gives purchased goods to characters, asks the portal whether a password is right,
 * disconnects banned players, and reports that it works. Java 8, the JDBC driver of the game, nothing else.
 *
 * <pre>
 *   PortalGame.Settings settings = new PortalGame.Settings();
 *   settings.databaseUrl = "jdbc:mysql://127.0.0.1/ninja";
 *   settings.databaseUser = "game";
 *   settings.databasePassword = "…";
 *   settings.portalUrl = "https://portal.example";
 *   settings.secret = "…";                      // GAME_SERVER_SECRET of the portal
 *   settings.lock = Server.LOCK;                // the lock that every save of a character takes
 *   PortalGame portal = new PortalGame(settings, new MyGame());   // MyGame has the methods of Game
 *   portal.start();                             // when the game accepts players
 *   …
 *   portal.login(account, password, address);   // at each login, instead of your own look at the password
 *   portal.enter(account, load, add);           // after it: loads the character
 *   portal.save(characterId, remove);           // at log-out
 *   …
 *   portal.stop();                              // at shut-down, before the characters are saved
 * </pre>
 *
 * The tables portal_… are made by `npm run game-adapter -- install`. Only the first part of this file, up to THE END OF WHAT
 * YOU NEED TO READ, matters to whoever connects a game.
 */
public final class PortalGame {

    /** What you write: four methods, `take` if players pay fees of tournaments in luong, and `notice`. Everything else stays as it is. */
    public interface Game {

        /**
         * The players that are in the game now, each with its character in memory. A player that is just being saved at
         * log-out is in this list until the save is over, or not at all: add and remove players under the lock.
         * Called with the lock, often: no database, no network.
         */
        List<Player> online();

        /**
         * Whether the character can take ALL of these goods: the item codes are known, the bag has room for all of them, luong
         * and yen stay within the largest number that your game can hold. Called with the lock. Changes nothing.
         */
        Fits fits(Player player, List<Good> goods);

        /**
         * Gives the goods, in two halves.
         * First half, the method itself: write the character WITH the goods into the database, through `database`, as your
         * save writes it, every column from memory. (A single column beside others of an older save is a mixed character
         * after a crash.) See that each UPDATE changed a row, and throw an exception otherwise. Do not change memory here.
         * Do not commit, roll back or close `database`, and do not use another connection. Only write: what you need to know
         * is in memory, and the game waits for whatever you read.
         * Second half, what the method returns: the same change in memory, and the message to the player. It is run when the
         * first half is committed, and may not fail: work everything out in the first half. Add to what is there rather than
         * put something else in its place.
         * Both are called with the lock. After any exception in the first half nothing is given, and it is tried again later. The tables are InnoDB.
         * The first half is called several times for one purchase, at first with a `database` that only notes down what you
         * write. Without any goods it writes the character as it is (and nothing into a journal): so PortalGame sees when
         * something changes characters without the lock, and waits instead of overwriting it.
         * `purchase` is the portal's id of it, for a journal of your own.
         */
        Runnable give(Connection database, Player player, List<Good> goods, String purchase) throws SQLException;

        /**
         * Not needed by a game without fees: they are then refused as not supported. Takes luong, in two halves like `give`,
         * under the same conditions. Returns null, with nothing changed, when the character has less than that.
         * `charge` is the portal's id of it, for a journal of your own. What is given back later comes through `give`.
         */
        default Runnable take(Connection database, Player player, long luong, String charge) throws SQLException {
            throw new UnsupportedOperationException("take");
        }

        /**
         * Not needed: the portal then shows nothing in the game. Shows the sentence to this player, such as a code by which he
         * proves at the portal whose account it is. Called with the lock, once for each notice: no database, no network.
         */
        default void notice(Player player, String text) {
            throw new UnsupportedOperationException("notice");
        }

        /**
         * Shows the sentence and ends the connection of this player, with the usual save. Called WITHOUT the lock, again every
         * two seconds until the player is no longer in `online`. Return soon: do not wait for the player.
         */
        void disconnect(Player player, String sentence);
    }

    /** The answer of `fits`. All but YES: the goods wait, the portal tells the player why, and it is tried again. */
    public enum Fits { YES, BAG_FULL, OVER_LIMIT, UNKNOWN_ITEM }

    /** One player in the game. */
    public static final class Player {
        /** The name of the account, in any case. */
        public final String account;
        /** The id of the character as the adapter lists it (its key in the database). */
        public final String characterId;
        /** Your own object, for your methods. */
        public final Object character;

        public Player(String account, String characterId, Object character) {
            this.account = account;
            this.characterId = characterId;
            this.character = character;
        }
    }

    /** One line of a purchase. */
    public static final class Good {
        /** "luong", "yen" or "item". */
        public final String kind;
        /** Which item; null for luong and yen. */
        public final String code;
        public final long quantity;
        /** After how many days the item ends; 0 when it does not. */
        public final int days;

        Good(String kind, String code, long quantity, int days) {
            this.kind = kind;
            this.code = code;
            this.quantity = quantity;
            this.days = days;
        }
    }

    public static final class Settings {
        /** As your game has it. A connection of the game itself must not be shared: transactions would mix. */
        public String databaseUrl;
        public String databaseUser;
        public String databasePassword;
        /** Without a path: https://portal.example */
        public String portalUrl;
        public String secret;
        /** The id of this server in the portal. */
        public String serverId = "1";
        /** Two processes of one game need two names. */
        public String name = "game";
        /**
         * The lock that every save of a character takes, and everything that changes its luong, yen or bag. A game without one
         * gets one: `static final Object LOCK = new Object()`, taken (`synchronized`) where messages of players are handled (but
         * not the login and the log-out, which wait for portal and database and take it themselves), and by timers that change
         * these.
         */
        public Object lock;
        /** The pause between two rounds of collecting. */
        public int collectMs = 3_000;
        /** Takes each line of the log. No line holds a password or the secret. */
        public Consumer<String> log = line -> System.err.println("[portal] " + line);
    }

    /** What came of a login. Let the player in at OK, and at NOT_ACTIVATED if your game admits such players. */
    public enum LoginResult { OK, NOT_ACTIVATED, WRONG, BANNED, SLOW_DOWN, AWAY }

    public static final class LoginAnswer {
        public final LoginResult result;
        /** The account in lower case, the same however it was typed and whether or not the portal is there; null when it is not known. */
        public final String account;
        /** Of a ban: until when; null when it has no end. */
        public final Instant until;
        /** For the player, in Vietnamese; empty at OK. */
        public final String sentence;

        LoginAnswer(LoginResult result, String account, Instant until, String sentence) {
            this.result = result;
            this.account = account;
            this.until = until;
            this.sentence = sentence;
        }
    }

    // ------------------------------------------------------------------------------------ start and stop

    public PortalGame(Settings settings, Game game) {
        need("databaseUrl", settings.databaseUrl);
        need("portalUrl", settings.portalUrl);
        need("secret", settings.secret);
        need("lock", settings.lock);
        need("game", game);
        if (!settings.portalUrl.matches("https?://[^/?#@\\s]+/*"))
            throw new IllegalArgumentException("portalUrl is no address without a path, such as https://portal.example: " + settings.portalUrl);
        this.settings = settings;
        this.game = game;
    }

    private static void need(String name, Object value) {
        if (value == null || value.equals("")) throw new IllegalArgumentException(name + " is missing");
    }

    /** Starts four threads, which do not prevent the game from ending. A missing database or portal is waited for. */
    public void start() {
        startThread("portal-collector", settings.collectMs, collecting, () -> {
            if (canTake()) takeAll();
            collectAll();
            storeHalfLock();
            writeSignOfLife();
        });
        startThread("portal-accounts", ACCOUNTS_MS, accounts, () -> {
            disconnectPlayers();
            if (canShow()) showNotices();
        });
        startThread("portal-logins", KEEPING_MS, keeping, this::keepLogins);
        startThread("portal-answer", ASK_MS, null, this::askForAnswer);
    }

    /** Ends what is being given and returns. Call it WITHOUT the lock, before the characters are saved at shut-down. */
    public void stop() {
        synchronized (stopSignal) {
            isStopped = true;
            stopSignal.notifyAll();
        }
        calls.shutdownNow();
        for (Thread thread : threads) {
            try {
                thread.join(STOP_MS);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        finishKeeping();
        comparing.close();
        // Who stops with the lock after all would wait for somebody who waits for the lock.
        if (!Thread.holdsLock(settings.lock)) {
            synchronized (saving) {
                saving.close();
            }
        }
        synchronized (logins) {
            logins.close();
        }
    }

    /**
     * Asks the portal. Waits for it, up to five seconds: call it on the thread of the player's connection, WITHOUT the lock.
     * `address` is the player's own, as the socket gives it: the portal counts wrong passwords by it.
     */
    public LoginAnswer login(String account, String password, String address) {
        String name = nameOf(account);
        boolean isPassword = password != null && !password.isEmpty() && password.length() <= PASSWORD_LENGTH_MAX;
        if (name == null || !isPassword) return answer(LoginResult.WRONG, null);
        String from = cleanAddress(address);
        try {
            return loginByPortal(name, password, from);
        } catch (PortalAway away) {
            logRarely("portal", "The portal at " + settings.portalUrl + " does not answer a login: " + away.getMessage());
            if (away.isRefusal) return away("");
        }
        try {
            return loginByKeptHash(name, password, from);
        } catch (SQLException | GeneralSecurityException | DateTimeException problem) {
            logRarely("kept login", "The kept login could not be read", problem);
            return away("");
        }
    }

    /** Reads a character from the database; null when there is none. */
    public interface Load<T> {
        T load() throws SQLException;
    }

    /**
     * Log-in: what `load` reads is given to `add`, which puts it among the players (or leaves it, where they are in the game
     * already). `load` runs without the lock, `add` with it; when the character was saved in between, it is loaded again.
     * Waits for the database: call it WITHOUT the lock, on the thread of the player's connection. `account` as `login` said it.
     */
    public <T> void enter(String account, Load<T> load, Consumer<T> add) throws SQLException {
        need("account", account);
        needNoLock("enter");
        for (;;) {
            Entering one = new Entering(account);
            synchronized (settings.lock) {
                entering.add(one);
            }
            try {
                T loaded = load.load();
                synchronized (settings.lock) {
                    if (!one.isOutdated) {
                        add.accept(loaded);
                        return;
                    }
                }
            } finally {
                synchronized (settings.lock) {
                    entering.remove(one);
                }
            }
        }
    }

    /**
     * Log-out, and the automatic save: writes the character as `give` does, and runs `then` (at log-out: take it off the list of
     * players), both with the lock. While the database does not answer this player waits, still in the game, and nobody else.
     * Call it WITHOUT the lock. False, and `then` not run, when the character is not in the game, or `stop` was called first.
     * What `give` throws, other than of the database, is thrown here too, and `then` not run.
     */
    public boolean save(String characterId, Runnable then) {
        needNoLock("save");
        for (; !isStopped; pause(SAVE_AGAIN_MS)) {
            synchronized (saving) {
                try {
                    return saveOnce(characterId, then);
                } catch (SQLException problem) {
                    saving.abandon();
                    logRarely("save", "A character cannot be saved yet, and stays in the game", problem);
                } finally {
                    saving.endAfter(0);
                    saving.rollback();
                }
            }
        }
        return false;
    }

    // ------------------------------------------------------------------ THE END OF WHAT YOU NEED TO READ

    private static final int ACCOUNTS_MS = 2_000;
    /** After this long the rest of the claims has to wait for the next round, so that the sign of life is written. */
    private static final int ROUND_MS_MAX = 5_000;
    private static final int STOP_MS = 15_000;
    private static final int DATABASE_MS = 10_000;
    private static final int IDLE_MS = 20_000;
    private static final int ATTEMPTS = 3;
    /** For all that the database has to do while the game's lock is held. */
    private static final int LOCK_MS = 600;
    /** As long as a log-out may take that began before a gift. */
    private static final int LEFT_MS = 300;
    /** Between two tries at a character that cannot be saved. */
    private static final int AGAIN_MS = 100;
    private static final int SAVE_AGAIN_MS = 1_000;
    /** For logins while the portal is away. */
    private static final int LOGIN_DATABASE_MS = 2_000;
    private static final int LOGINS_AWAY_MS = 2_000;
    private static final int PORTION = 200;
    private static final String INSUFFICIENT = "insufficient";
    /** In the place of a purchase's id: only the character is written. */
    private static final String SAVE = "save";
    private static final int NAME_LENGTH_MAX = 64;
    private static final int PASSWORD_LENGTH_MAX = 128;

    private final Settings settings;
    private final Game game;
    private final List<Thread> threads = new ArrayList<>();
    private final Object stopSignal = new Object();
    private volatile boolean isStopped;

    /** What one thread does again and again. */
    private interface Work {
        void run() throws Exception;
    }

    /** `database` is used by this thread alone; `stop` waits for the threads that have one. */
    private void startThread(String name, int pauseMs, Database database, Work work) {
        Thread thread = daemon(name, () -> {
            while (!isStopped) {
                try {
                    work.run();
                } catch (Throwable problem) { // whatever it is, the next round may succeed
                    logRarely(name, "A round of " + name + " failed", problem);
                }
                pause(pauseMs);
            }
            if (database != null) database.close();
        });
        if (database != null) threads.add(thread);
        thread.start();
    }

    private static Thread daemon(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        return thread;
    }

    /** Waits that long, or until `stop`. */
    private void pause(long ms) {
        long end = System.nanoTime() + ms * 1_000_000;
        synchronized (stopSignal) {
            for (long left = ms; left > 0 && !isStopped; left = (end - System.nanoTime()) / 1_000_000) {
                try {
                    stopSignal.wait(left);
                } catch (InterruptedException interrupted) {
                    return; // the thread is ours, nobody has a reason to interrupt it
                }
            }
        }
    }

    private List<Player> onlineNow() {
        synchronized (settings.lock) {
            return new ArrayList<>(game.online());
        }
    }

    // ---------------------------------------------------------------------------------------- collecting
    //
    // A claim is a row of portal_delivery that is `applied` and not collected. It is given in one transaction that holds the
    // lock of its row: whoever comes second, in this process or another one, finds it collected. Until the commit nothing has
    // happened, after it the goods are in the database; a game that is killed in between loads them there.

    /** The collector's connection; used by its thread only. */
    private final Database collecting = new Database(DATABASE_MS);
    /** Claims that were made before this and wait have a reason. */
    private String offlineNotedTo = "1970-01-01 00:00:00.000";

    private void collectAll() throws SQLException {
        List<Player> players = onlineNow();
        List<String> ids = new ArrayList<>();
        for (Player player : players) ids.add(player.characterId);
        List<String> claims = new ArrayList<>();
        List<String> waiting = new ArrayList<>();
        for (List<String> some : portions(ids)) findClaims(some, claims, waiting);
        // Those that wait come last and in another order each time: many of them never hold up a new one.
        Collections.shuffle(waiting);
        claims.addAll(waiting);
        long end = System.nanoTime() + ROUND_MS_MAX * 1_000_000L;
        for (String claim : claims) {
            if (isStopped || System.nanoTime() > end) break;
            carryOut(new Gift(claim));
            pause(1); // a turn for the game's threads that wait for the lock
            lookAfterLeavers();
        }
        if (!lately.isEmpty()) pause(LEFT_MS);
        lookAfterLeavers();
        noteOffline(ids);
    }

    /** Without locks: each claim is looked at again before it is given. */
    private void findClaims(List<String> characterIds, List<String> claims, List<String> waiting) throws SQLException {
        String sql = "SELECT id, waiting FROM portal_delivery WHERE character_id IN (" + marks(characterIds) + ")"
            + " AND status = 'applied' AND collected_at IS NULL ORDER BY created_at, id";
        try (PreparedStatement find = collecting.open().prepareStatement(sql)) {
            fill(find, characterIds);
            try (ResultSet rows = find.executeQuery()) {
                while (rows.next()) {
                    String reason = rows.getString(2);
                    (reason == null || reason.equals("offline") ? claims : waiting).add(rows.getString(1));
                }
            }
        } finally {
            collecting.rollback();
        }
    }

    /**
     * One claim or charge. No call of the database is made with the lock before the same statements have just succeeded without
     * it, and with the lock there is a bound for their time: a table that somebody locks, or a database that stops, never stops
     * the game.
     */
    private abstract class Task {
        final String id;
        String characterId;
        /** The database's time. */
        String now;

        Task(String id) {
            this.id = id;
        }

        /** False when there is nothing to do any more. Locks the row. */
        abstract boolean read(Connection database) throws SQLException;

        /** Null when it can be done now. */
        abstract String hindrance(Player player);

        abstract void noteHindrance(Connection database, String reason) throws SQLException;

        /** The first half. Null, with nothing to be committed, when it cannot be done after all. */
        abstract Runnable write(Connection database, Player player) throws SQLException;

        abstract void mark(Connection database) throws SQLException;

        /** Reads the time that `mark` wrote. */
        abstract String markedAt();
    }

    /** Does one claim or charge, or stores why not. Throws only when there is no database. */
    private void carryOut(Task task) throws SQLException {
        for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
            collecting.open();
            try {
                decide(task);
                return;
            } catch (SQLException problem) {
                // 1213, a deadlock, is over at once. 1205, a row or table that stays locked, is not: others come first.
                boolean isDeadlock = problem.getErrorCode() == 1213;
                if (!isDeadlock && problem.getErrorCode() != 1205) collecting.close();
                if (isDeadlock && attempt < ATTEMPTS) continue;
                logRarely(task.id, "The claim " + task.id + " is tried again later", problem);
                return;
            } catch (Throwable problem) { // of the game's methods
                logRarely(task.id, "The claim " + task.id + " is tried again later", problem);
                return;
            } finally {
                collecting.rollback();
            }
        }
    }

    private void decide(Task task) throws SQLException {
        Connection database = collecting.open();
        if (!task.read(database)) return;
        // Nobody who has the game's lock may have to wait for a row that is held here.
        database.rollback();
        String reason;
        Recording recording = null;
        synchronized (settings.lock) {
            Player player = playerOf(task.characterId);
            reason = task.hindrance(player);
            if (reason == null) recording = Recording.of(given -> task.write(given, player));
        }
        if (recording != null && recording.unseen != null)
            logRarely("unseen", "The game waits for the database with its lock: give and take read from it (" + recording.unseen + ")");
        else if (recording != null && recording.change == null) reason = INSUFFICIENT;
        if (reason != null) {
            note(task, reason);
            return;
        }
        long began = System.nanoTime();
        if (!task.read(database)) return;
        recording.play(database);
        task.mark(database);
        database.rollback();
        long ms = lockMsAfter(began);
        Written written;
        collecting.endAfter(ms);
        try {
            synchronized (settings.lock) {
                collecting.endAfter(ms); // the wait for the lock is nobody's
                written = writeWithLock(task);
            }
        } finally {
            collecting.endAfter(0);
        }
        if (written == null) return;
        if (written.change == null) {
            note(task, INSUFFICIENT);
            return;
        }
        try {
            if (written.isCommitted == null) written.isCommitted = isCommittedLater(task);
            if (!written.isCommitted) throw new SQLException("the commit did not succeed");
            if (!written.isInMemory) changeLater(written);
            written.since = System.nanoTime();
        } finally {
            if (written.since == 0) forget(written);
        }
    }

    /** How long the lock may be held for what took the time since `began` without it. */
    private static long lockMsAfter(long began) {
        long took = (System.nanoTime() - began) / 1_000_000;
        // Where a save takes long the lock is held longer: a purchase that never arrives is worse.
        return 2 * took < LOCK_MS ? LOCK_MS : 3 * took;
    }

    private void note(Task task, String reason) throws SQLException {
        collecting.rollback(); // whatever the game may have written
        task.noteHindrance(collecting.open(), reason);
        collecting.open().commit();
    }

    /** What came of the half with the lock. */
    private static final class Written {
        final Task task;
        /** As it was last in the game, as far as `save` has seen it leave. */
        Player player;
        /** The character as a save wrote it just before; null when that cannot be seen. */
        final Recording before;
        final Runnable change;
        /** Null when the answer to the commit was lost. */
        Boolean isCommitted;
        boolean isInMemory;
        /** When everything about it was done; 0 before. */
        long since;

        Written(Task task, Player player, Recording before, Runnable change) {
            this.task = task;
            this.player = player;
            this.before = before;
            this.change = change;
        }
    }

    /** What was written lately, the oldest first. Changed by the collector, and only with the lock. */
    private final List<Written> lately = new ArrayList<>();

    private void forget(Written written) {
        synchronized (settings.lock) {
            lately.remove(written);
        }
    }

    /** Null when there is nothing to do any more. */
    private Written writeWithLock(Task task) throws SQLException {
        Connection database = collecting.bounded();
        Player player = playerOf(task.characterId);
        if (!task.read(database) || task.hindrance(player) != null) return null;
        Recording before = savingOf(player);
        Written written = new Written(task, player, before, task.write(database, player));
        if (written.change == null) return written;
        lately.add(written);
        task.mark(database);
        written.isCommitted = commit(task);
        // What somebody without the lock has changed must not be overwritten by what was worked out before.
        if (!Boolean.TRUE.equals(written.isCommitted) || isChanged(player, before)) return written;
        changeMemory(task.id, written.change);
        written.isInMemory = true;
        return written;
    }

    /** Whether somebody without the lock changed the character, or took it out of the game, since it looked like this. */
    private boolean isChanged(Player player, Recording before) {
        if (before == null) return false;
        Player there = playerOf(player.characterId);
        if (there == null || there.character != player.character) {
            noteHalfLock("left the game: the log-out (and whatever else removes a player) does not take it");
            return true;
        }
        Recording now = savingOf(player);
        if (now != null && before.print().equals(now.print())) return false;
        noteHalfLock("was changed: a message of the game or a timer that changes characters does not take it");
        return true;
    }

    /** The character as the game would save it now; null when that cannot be seen. */
    private Recording savingOf(Player player) {
        try {
            return Recording.of(given -> game.give(given, player, Collections.emptyList(), SAVE));
        } catch (SQLException | RuntimeException unknown) {
            logRarely("print", "Whether characters are changed without the lock is not watched:"
                + " give with an empty list of goods has to write the character as it is", unknown);
            return null;
        }
    }

    /**
     * It is in the database and not in memory, and the game went on meanwhile. Its character is changed as it is now, and saved with
     * that, also when its player has left since: with the lock no save of the game comes between.
     */
    private void changeLater(Written written) {
        Task task = written.task;
        boolean isInMemory = written.isInMemory;
        for (long end = 0; ; sleep(AGAIN_MS)) {
            if (isStopped && end == 0) end = System.nanoTime() + STOP_MS / 2 * 1_000_000L;
            try {
                collecting.open();
                synchronized (settings.lock) {
                    collecting.endAfter(LOCK_MS);
                    Player there = playerOf(task.characterId);
                    if (isInMemory && there != null && there.character != written.player.character) return; // loaded since
                    if (there != null) written.player = there;
                    Player of = written.player;
                    if (!isInMemory) {
                        Recording recording = Recording.of(given -> task.write(given, of));
                        changeMemory(task.id, recording.change == null ? written.change : recording.change);
                        isInMemory = true;
                    }
                    game.give(collecting.bounded(), of, Collections.emptyList(), SAVE);
                    collecting.commit();
                    noteSaved(of);
                }
                return;
            } catch (SQLException problem) {
                collecting.abandon();
                logRarely(task.id, "The character of the claim " + task.id + " is not saved yet", problem);
            } catch (Throwable problem) {
                log("The character of the claim " + task.id + " cannot be saved with it; the game's next save does", problem);
                return;
            } finally {
                collecting.endAfter(0);
                collecting.rollback();
            }
            if (isStopped && System.nanoTime() > end) return;
        }
    }

    /** As `collecting`; an UPDATE counts the rows that it changed, and not those that were so already. */
    private final Database comparing = new Database(DATABASE_MS, "useAffectedRows");

    /**
     * A log-out without the lock may save a character as it was before the gift, right after the gift: then the stored character
     * is not the one that left, but the one of before. It is saved again. One that is neither was played again since.
     */
    private void lookAfterLeavers() throws SQLException {
        while (!lately.isEmpty() && System.nanoTime() - lately.get(0).since > LEFT_MS * 1_000_000L) {
            Written one = lately.get(0);
            try {
                if (!isStoredAsBefore(one)) continue;
                noteHalfLock("left the game with an older save: the log-out does not take it");
                changeLater(one);
            } finally {
                forget(one);
            }
        }
    }

    private boolean isStoredAsBefore(Written one) throws SQLException {
        Recording save;
        synchronized (settings.lock) {
            if (playerOf(one.player.characterId) != null) return false;
            save = savingOf(one.player);
        }
        if (save == null) return false;
        try {
            // Rows that are written anew show nothing: they are only saved again in a game that is known for this.
            if (save.play(comparing.open()) == 0 && (save.isOfUpdates() || !isHalfLockKnown)) return false;
            comparing.rollback();
            return one.before == null || one.before.play(comparing.open()) == 0;
        } catch (SQLException problem) {
            comparing.abandon();
            throw problem;
        } finally {
            comparing.rollback();
        }
    }

    // ------------------------------------------------------------------------- entering and leaving the game

    /** A player whose character is being loaded. */
    private static final class Entering {
        final String account;
        /** The character was saved since its loading began. */
        boolean isOutdated;

        Entering(String account) {
            this.account = account;
        }
    }

    /** Used with the lock only. */
    private final List<Entering> entering = new ArrayList<>();
    /** Used by one thread at a time, which holds its monitor. */
    private final Database saving = new Database(DATABASE_MS);

    private void needNoLock(String method) {
        if (Thread.holdsLock(settings.lock)) throw new IllegalStateException(method + " waits for the database: call it without the lock");
    }

    private void noteSaved(Player player) {
        for (Entering one : entering) if (one.account.equalsIgnoreCase(player.account)) one.isOutdated = true;
    }

    private void noteLeft(Player player) {
        for (Written one : lately) if (one.player.characterId.equals(player.characterId)) one.player = player;
    }

    private boolean saveOnce(String characterId, Runnable then) throws SQLException {
        Recording recording;
        synchronized (settings.lock) {
            Player player = playerOf(characterId);
            if (player == null) return false;
            recording = savingOf(player);
        }
        // What locks a table or a row, or stops the database, is waited for here.
        long began = System.nanoTime();
        if (recording != null) recording.play(saving.open());
        saving.rollback();
        long ms = lockMsAfter(began);
        synchronized (settings.lock) {
            Player player = playerOf(characterId);
            if (player == null) return false;
            saving.endAfter(ms);
            game.give(saving.bounded(), player, Collections.emptyList(), SAVE);
            saving.commit();
            noteSaved(player);
            then.run();
            if (playerOf(characterId) == null) noteLeft(player);
            return true;
        }
    }

    private void changeMemory(String id, Runnable change) {
        try {
            change.run();
        } catch (Throwable problem) {
            log("The claim " + id + " IS IN THE DATABASE BUT NOT IN MEMORY: the next save of the character undoes it", problem);
        }
    }

    /** When a half lock was last seen; null when that is stored or was never seen. */
    private Instant halfLockSeenAt;
    private boolean isHalfLockKnown;

    private void noteHalfLock(String what) {
        halfLockSeenAt = Instant.now();
        isHalfLockKnown = true;
        logRarely("half lock", "HALF A LOCK: with settings.lock held, a character " + what + ". Nothing was overwritten, but the game"
            + " itself may lose things so. Take the lock where messages of players are handled, see connect-a-game.md, The lock");
    }

    private void storeHalfLock() throws SQLException {
        if (halfLockSeenAt == null) return;
        String sql = "REPLACE INTO portal_state (name, value) VALUES ('half_lock_seen_at', ?)";
        update(collecting.open(), sql, sqlTime(halfLockSeenAt));
        collecting.open().commit();
        halfLockSeenAt = null;
    }

    /** Goods for a character. */
    private final class Gift extends Task {
        String waiting;
        /** Null when this program cannot read them. */
        List<Good> goods;

        Gift(String id) {
            super(id);
        }

        @Override
        boolean read(Connection database) throws SQLException {
            String sql = "SELECT character_id, goods, waiting, CAST(UTC_TIMESTAMP(3) AS CHAR) FROM portal_delivery"
                + " WHERE id = ? AND status = 'applied' AND collected_at IS NULL FOR UPDATE";
            try (PreparedStatement select = database.prepareStatement(sql)) {
                select.setString(1, id);
                try (ResultSet row = select.executeQuery()) {
                    if (!row.next()) return false;
                    characterId = row.getString(1);
                    goods = readGoods(row.getString(2));
                    waiting = row.getString(3);
                    now = row.getString(4);
                    return true;
                }
            }
        }

        @Override
        String hindrance(Player player) {
            return whyWaiting(player, goods);
        }

        @Override
        void noteHindrance(Connection database, String reason) throws SQLException {
            // A better reason stays after log-out: the bag is still full.
            boolean isNews = reason.equals("offline") ? waiting == null : !reason.equals(waiting);
            if (isNews) update(database, "UPDATE portal_delivery SET waiting = ? WHERE id = ?", reason, id);
        }

        @Override
        Runnable write(Connection database, Player player) throws SQLException {
            Runnable change = game.give(database, player, goods, id);
            if (change == null) throw new IllegalStateException("give returned null instead of the change in memory");
            return change;
        }

        @Override
        void mark(Connection database) throws SQLException {
            update(database, "UPDATE portal_delivery SET collected_at = ?, waiting = NULL WHERE id = ?", now, id);
        }

        @Override
        String markedAt() {
            return "SELECT CAST(collected_at AS CHAR) FROM portal_delivery WHERE id = ? FOR UPDATE";
        }
    }

    private Player playerOf(String characterId) {
        for (Player player : game.online()) if (player.characterId.equals(characterId)) return player;
        return null;
    }

    /** Null when the goods fit. */
    private String whyWaiting(Player player, List<Good> goods) {
        if (player == null) return "offline";
        if (goods == null) return "unknown-item";
        switch (game.fits(player, goods)) {
            case YES: return null;
            case BAG_FULL: return "bag-full";
            case OVER_LIMIT: return "over-limit";
            default: return "unknown-item";
        }
    }

    /** Null when there is anything in it that this program does not know. */
    private static List<Good> readGoods(String text) {
        try {
            List<Good> goods = new ArrayList<>();
            for (Object line : (List<?>) new Json(text).read()) {
                Map<?, ?> good = (Map<?, ?>) line;
                String kind = (String) good.get("kind");
                String code = (String) good.get("code");
                long quantity = ((BigDecimal) good.get("quantity")).longValueExact();
                Object days = good.get("days");
                int wholeDays = days == null ? 0 : ((BigDecimal) days).intValueExact();
                boolean isKnown = "item".equals(kind) ? code != null : "luong".equals(kind) || "yen".equals(kind);
                if (!isKnown || quantity < 1 || wholeDays < 0) return null;
                goods.add(new Good(kind, code, quantity, wholeDays));
            }
            return goods.isEmpty() ? null : goods;
        } catch (RuntimeException unreadable) {
            return null;
        }
    }

    /**
     * Commits. When the answer is lost, only the database knows whether it was committed: it is asked as long as the lock may be
     * held. Null when it does not tell by then.
     */
    private Boolean commit(Task task) throws SQLException {
        collecting.limitTime();
        try {
            collecting.open().commit();
            return true;
        } catch (SQLException | RuntimeException lost) { // whatever a driver throws
            log("The answer to the commit of the claim " + task.id + " was lost; the database is asked for it", lost);
        }
        collecting.abandon();
        while (collecting.hasTime()) {
            try {
                return isCommitted(task);
            } catch (SQLException problem) {
                collecting.abandon();
            }
            sleep(20);
        }
        return null;
    }

    /** Without the lock: the game goes on, and its goods come when this is known. */
    private boolean isCommittedLater(Task task) throws SQLException {
        long end = 0;
        while (true) {
            try {
                return isCommitted(task);
            } catch (SQLException problem) {
                collecting.abandon();
                logRarely("lost commit", "Whether the claim " + task.id + " was committed is not known yet", problem);
            }
            if (isStopped && end == 0) end = System.nanoTime() + STOP_MS / 2 * 1_000_000L;
            if (isStopped && System.nanoTime() > end) throw new SQLException("stopped before the database answered");
            sleep(50);
        }
    }

    private static void sleep(long ms) {
        try {
            Thread.sleep(ms);
        } catch (InterruptedException interrupted) {
            // The thread is ours, nobody has a reason to interrupt it.
        }
    }

    /** On another connection. Waits for the row if the lost transaction is still open. */
    private boolean isCommitted(Task task) throws SQLException {
        try (PreparedStatement select = collecting.open().prepareStatement(task.markedAt())) {
            select.setString(1, task.id);
            try (ResultSet row = select.executeQuery()) {
                // Another time would be another collector's.
                return row.next() && task.now.equals(row.getString(1));
            }
        } finally {
            collecting.rollback();
        }
    }

    // Charges: rows of portal_charge that the portal asked for. Taken as goods are given: with the lock, in one transaction that
    // holds the lock of the row. Of characters that are not in the game nothing is taken; the adapter refuses those in time.

    private boolean isTakingKnown;

    /** Whether the game has written its own `take`. */
    private boolean canTake() throws NoSuchMethodException {
        return !game.getClass().getMethod("take", Connection.class, Player.class, long.class, String.class).isDefault();
    }

    /** Before goods are given: somebody waits for the answer. Whatever goes wrong, the goods come next. */
    private void takeAll() {
        try {
            if (!isTakingKnown) {
                update(collecting.open(), "INSERT IGNORE INTO portal_state (name, value) VALUES ('takes_charges', 'yes')");
                collecting.open().commit();
                isTakingKnown = true;
            }
            List<String> ids = new ArrayList<>();
            for (Player player : onlineNow()) ids.add(player.characterId);
            for (List<String> some : portions(ids)) {
                for (String charge : findCharges(some)) {
                    if (isStopped) return;
                    carryOut(new Charge(charge));
                }
            }
        } catch (SQLException problem) {
            collecting.rollback();
            logRarely("charges", "Charges are tried again later", problem);
        }
    }

    private List<String> findCharges(List<String> characterIds) throws SQLException {
        String sql = "SELECT id FROM portal_charge WHERE character_id IN (" + marks(characterIds) + ")"
            + " AND status = 'asked' ORDER BY created_at, id LIMIT 500";
        List<String> charges = new ArrayList<>();
        try (PreparedStatement find = collecting.open().prepareStatement(sql)) {
            fill(find, characterIds);
            try (ResultSet rows = find.executeQuery()) {
                while (rows.next()) charges.add(rows.getString(1));
            }
        } finally {
            collecting.rollback();
        }
        return charges;
    }

    /** Luong from a character. */
    private final class Charge extends Task {
        private long luong;

        Charge(String id) {
            super(id);
        }

        @Override
        boolean read(Connection database) throws SQLException {
            String sql = "SELECT character_id, luong, CAST(UTC_TIMESTAMP(3) AS CHAR) FROM portal_charge"
                + " WHERE id = ? AND status = 'asked' FOR UPDATE";
            try (PreparedStatement select = database.prepareStatement(sql)) {
                select.setString(1, id);
                try (ResultSet row = select.executeQuery()) {
                    if (!row.next()) return false; // taken, refused or given back meanwhile
                    characterId = row.getString(1);
                    luong = row.getLong(2);
                    now = row.getString(3);
                    return true;
                }
            }
        }

        @Override
        String hindrance(Player player) {
            return player == null ? "offline" : null;
        }

        /** Who has just left is refused by the adapter. */
        @Override
        void noteHindrance(Connection database, String reason) throws SQLException {
            if (reason.equals(INSUFFICIENT))
                update(database, "UPDATE portal_charge SET status = 'refused', reason = 'insufficient' WHERE id = ? AND status = 'asked'", id);
        }

        @Override
        Runnable write(Connection database, Player player) throws SQLException {
            return game.take(database, player, luong, id);
        }

        @Override
        void mark(Connection database) throws SQLException {
            update(database, "UPDATE portal_charge SET status = 'applied', taken_at = ? WHERE id = ?", now, id);
        }

        @Override
        String markedAt() {
            return "SELECT CAST(taken_at AS CHAR) FROM portal_charge WHERE id = ? FOR UPDATE";
        }
    }

    /** Stores 'offline' for claims without a reason whose characters are not in the game, some hundred a round. */
    private void noteOffline(List<String> onlineIds) throws SQLException {
        Set<String> online = new HashSet<>(onlineIds);
        // Again those of the last minute: an older one may be committed after a younger one.
        String sql = "SELECT id, character_id, CAST(created_at - INTERVAL 1 MINUTE AS CHAR) FROM portal_delivery"
            + " WHERE status = 'applied' AND collected_at IS NULL AND created_at >= ? AND waiting IS NULL"
            + " ORDER BY created_at, id LIMIT 500";
        try (PreparedStatement find = collecting.open().prepareStatement(sql)) {
            find.setString(1, offlineNotedTo);
            List<String> offline = new ArrayList<>();
            String notedTo = offlineNotedTo;
            try (ResultSet rows = find.executeQuery()) {
                while (rows.next()) {
                    if (!online.contains(rows.getString(2))) offline.add(rows.getString(1));
                    notedTo = rows.getString(3);
                }
            }
            collecting.rollback();
            for (List<String> some : portions(offline)) {
                String note = "UPDATE portal_delivery SET waiting = 'offline'"
                    + " WHERE id IN (" + marks(some) + ") AND collected_at IS NULL AND waiting IS NULL";
                update(collecting.open(), note, some.toArray());
                collecting.open().commit();
            }
            offlineNotedTo = notedTo;
        } finally {
            collecting.rollback();
        }
    }

    private void writeSignOfLife() throws SQLException {
        String sql = "INSERT INTO portal_collector (name, seen_at, portal_answered_at) VALUES (?, UTC_TIMESTAMP(3), ?)"
            + " ON DUPLICATE KEY UPDATE seen_at = UTC_TIMESTAMP(3),"
            + " portal_answered_at = COALESCE(VALUES(portal_answered_at), portal_answered_at)";
        Instant answered = portalAnsweredAt;
        try {
            update(collecting.open(), sql, settings.name, answered == null ? null : sqlTime(answered));
            collecting.open().commit();
        } finally {
            collecting.rollback();
        }
    }

    /** The first half of a gift or charge. */
    private interface FirstHalf {
        Runnable run(Connection database) throws SQLException;
    }

    private static final Set<String> ENDS = new HashSet<>(Arrays.asList("commit", "rollback", "close", "setAutoCommit", "abort"));

    private static void refuseEnd(Method method) {
        if (ENDS.contains(method.getName())) throw new IllegalStateException("give may not call " + method.getName());
    }

    @SuppressWarnings("unchecked")
    private static <Shape> Shape proxy(Class<Shape> shape, InvocationHandler handler) {
        return (Shape) Proxy.newProxyInstance(PortalGame.class.getClassLoader(), new Class<?>[] {shape}, handler);
    }

    private static Object invoke(Object target, Method method, Object[] given) throws Throwable {
        try {
            return method.invoke(target, given);
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
        }
    }

    /** Stands for a connection that executes nothing: what the first half wants to write, seen without the database. */
    static final class Recording implements InvocationHandler {
        /** One call of the connection (0) or of a statement that was made by it (1, 2, …). */
        private static final class Call {
            final int target;
            final Method method;
            final Object[] given;

            Call(int target, Method method, Object[] given) {
                this.target = target;
                this.method = method;
                this.given = given;
            }
        }

        private final List<Call> calls = new ArrayList<>();
        private int statements;
        Runnable change;
        /** What it asked the database for, so that it cannot be seen; null when it only writes. */
        String unseen;

        static Recording of(FirstHalf half) throws SQLException {
            Recording recording = new Recording();
            try {
                recording.change = half.run(proxy(Connection.class, recording));
            } catch (SQLException | RuntimeException problem) {
                if (recording.unseen == null) throw problem;
            }
            return recording;
        }

        @Override
        public Object invoke(Object self, Method method, Object[] given) {
            refuseEnd(method);
            switch (method.getName()) {
                case "prepareStatement": return statement(PreparedStatement.class, method, given);
                case "createStatement": return statement(Statement.class, method, given);
                case "getAutoCommit": case "isClosed": return false;
                default: return ofObject(self, method, given);
            }
        }

        private Object statement(Class<? extends Statement> shape, Method method, Object[] given) {
            calls.add(new Call(0, method, given));
            int number = ++statements;
            int[] batch = {0};
            return proxy(shape, (self, called, with) -> {
                String name = called.getName();
                if (name.equals("close")) return null;
                if (name.equals("isClosed")) return false;
                if (name.equals("getUpdateCount")) return 1;
                boolean isWrite = name.startsWith("execute") && !name.equals("executeQuery");
                if (!isWrite && !name.startsWith("set") && !name.endsWith("Batch") && !name.equals("clearParameters"))
                    return ofObject(self, called, with);
                calls.add(new Call(number, called, with));
                if (name.equals("addBatch")) batch[0]++;
                if (name.equals("executeUpdate")) return 1;
                if (name.equals("executeLargeUpdate")) return 1L;
                if (name.equals("execute")) return false;
                if (!name.equals("executeBatch")) return null;
                int[] counts = new int[batch[0]];
                Arrays.fill(counts, 1);
                batch[0] = 0;
                return counts;
            });
        }

        private Object ofObject(Object self, Method method, Object[] given) {
            switch (method.getName()) {
                case "hashCode": return System.identityHashCode(self);
                case "equals": return self == given[0];
                case "toString": return "what give writes";
                default:
                    unseen = method.getName();
                    throw new UnsupportedOperationException(unseen);
            }
        }

        /** Does what was recorded, and counts the rows of its UPDATEs. */
        int play(Connection database) throws SQLException {
            if (unseen != null) return 0;
            int updated = 0;
            List<String> sql = new ArrayList<>(Collections.singletonList(""));
            List<Object> targets = new ArrayList<>();
            targets.add(database);
            try {
                for (Call call : calls) {
                    Object result = PortalGame.invoke(targets.get(call.target), call.method, call.given);
                    boolean isText = call.given != null && call.given.length > 0 && call.given[0] instanceof String;
                    if (call.target == 0) {
                        targets.add(result);
                        sql.add(isText ? (String) call.given[0] : "");
                    } else if (result instanceof Integer && isUpdate(isText ? (String) call.given[0] : sql.get(call.target))) {
                        updated += (Integer) result;
                    }
                }
                return updated;
            } catch (SQLException | RuntimeException | Error problem) {
                throw problem;
            } catch (Throwable problem) {
                throw new IllegalStateException(problem);
            } finally {
                for (Object statement : targets.subList(1, targets.size())) ((Statement) statement).close();
            }
        }

        private static boolean isUpdate(String sql) {
            return sql.trim().regionMatches(true, 0, "UPDATE", 0, 6);
        }

        boolean isOfUpdates() {
            for (Call call : calls) if (call.target == 0 && (call.given == null || !isUpdate((String) call.given[0]))) return false;
            return true;
        }

        /** The same for the same character, also a moment later; null when it was not seen. */
        String print() {
            if (unseen != null) return null;
            StringBuilder print = new StringBuilder();
            for (Call call : calls) {
                print.append('\n').append(call.target).append(call.method.getName());
                if (call.given != null) for (Object value : call.given) print.append(' ').append(print(value));
            }
            return print.toString();
        }

        private static String print(Object value) {
            if (value instanceof byte[]) return Arrays.toString((byte[]) value);
            if (value instanceof java.util.Date || value instanceof Temporal) return "time";
            boolean isText = value == null || value instanceof CharSequence || value instanceof Number || value instanceof Boolean;
            return isText ? withoutTimes(String.valueOf(value)) : value.getClass().getName();
        }

        private static final Pattern TIME =
            Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{2}:[0-9]{2}(:[0-9.]+)?|(?<![0-9])[0-9]{10}([0-9]{3})?(?![0-9])");

        /** A save may write when it was: what is near to now is the same in each. */
        private static String withoutTimes(String text) {
            StringBuffer without = new StringBuffer();
            Matcher time = TIME.matcher(text);
            while (time.find()) {
                String found = time.group();
                long ms = found.length() == 10 ? Long.parseLong(found) * 1_000 : found.length() == 13 ? Long.parseLong(found) : 0;
                boolean isNear = found.contains("-") || Math.abs(ms - System.currentTimeMillis()) < 60_000;
                time.appendReplacement(without, isNear ? "time" : found);
            }
            return time.appendTail(without).toString();
        }
    }

    // -------------------------------------------------------------------------------------------- logins

    private static final String LOGIN_PATH = "/api/game/logins";
    private static final int CONNECT_MS = 2_000;
    private static final int READ_MS = 3_000;
    private static final int CALL_MS = 5_000;
    private static final int ANSWER_BYTES_MAX = 65_536;
    /** After so many calls without an answer the portal is not asked for a while. */
    private static final int FAILURES = 3;
    private static final int NOT_ASKED_MS = 5_000;

    /** The connection for stored logins; `synchronized (logins)`. */
    private final Database logins = new Database(LOGIN_DATABASE_MS);
    private long loginsAwayUntil = System.nanoTime();
    /** The portal's clock: when it answered last. */
    private volatile Instant portalAnsweredAt;
    /** The portal's clock: when the password of an account was found to be right. */
    private final Map<String, Instant> acceptedAt = new ConcurrentHashMap<>();
    private final Object failuresLock = new Object();
    private int failures;
    private long notAskedUntil;

    /** Each call has a thread of its own, so that a portal that never answers holds up nobody for long. */
    private final ThreadPoolExecutor calls =
        new ThreadPoolExecutor(0, 64, 30, TimeUnit.SECONDS, new SynchronousQueue<>(), work -> daemon("portal-call", work));

    /** The portal gave no answer that can be used; the message says why. */
    private static final class PortalAway extends Exception {
        private static final long serialVersionUID = 1;

        /** It is there, and refuses what was sent: a password that it cannot read is not tried at what was kept either. */
        final boolean isRefusal;

        PortalAway(String message) {
            this(message, false);
        }

        PortalAway(String message, boolean isRefusal) {
            super(message, null, false, false);
            this.isRefusal = isRefusal;
        }
    }

    private LoginAnswer loginByPortal(String account, String password, String address) throws PortalAway {
        synchronized (failuresLock) {
            if (failures >= FAILURES && System.nanoTime() < notAskedUntil)
                throw new PortalAway("it did not answer the last calls");
        }
        Reply reply;
        LoginAnswer answer;
        try {
            reply = callPortal(account, password, address);
            answer = readAnswer(account, reply);
        } catch (PortalAway away) {
            if (away.isRefusal) throw away;
            synchronized (failuresLock) {
                failures++;
                notAskedUntil = System.nanoTime() + NOT_ASKED_MS * 1_000_000L;
            }
            throw away;
        }
        synchronized (failuresLock) {
            failures = 0;
        }
        portalAnsweredAt = reply.portalTime;
        try {
            byte[] mix = mix(account, password);
            boolean isActivated = answer.result == LoginResult.OK;
            if (isActivated || answer.result == LoginResult.NOT_ACTIVATED) {
                acceptedAt.put(account, reply.askedAt);
                keep(account, new Change(mix, isActivated, reply.askedAt));
                guesses.isAt(account, address);
            }
            if (answer.result == LoginResult.BANNED) forget(account);
            if (answer.result == LoginResult.WRONG) forgetRefused(account, mix);
        } catch (GeneralSecurityException problem) {
            // The answer counts all the same; only while the portal is away this player cannot log in.
            logRarely("kept login", "A login could not be kept", problem);
        }
        return answer;
    }

    /** What keyboards and copied pages put around a name, or into it without being seen. */
    private static final String UNSEEN = "[\\p{Cf}\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u3164\\ufe00-\\ufe0f\\uffa0]";
    private static final String AROUND = "[\\s\\p{Z}\\p{Cc}\"'`\\u00ab\\u00bb\\u2018-\\u201f\\u2039\\u203a]+";

    /**
     * The one form of a name, in which everything here is asked, kept and counted: in lower case, without quotes, blanks and
     * what cannot be seen; full-width letters are ordinary ones. Null for what can be nobody's name: another alphabet's
     * letter must not become one of somebody's name, and a blank at the end would be ignored by the database.
     */
    private static String nameOf(String typed) {
        if (typed == null || typed.length() > NAME_LENGTH_MAX) return null;
        StringBuilder letters = new StringBuilder();
        for (char letter : typed.replaceAll(UNSEEN, "").toCharArray())
            letters.append(letter >= '\uff01' && letter <= '\uff5e' ? (char) (letter - 0xfee0) : letter);
        String name = letters.toString().replaceAll("^" + AROUND + "|" + AROUND + "$", "");
        return name.matches("[!-~]+") ? lower(name) : null;
    }

    /** `203.0.113.7` of `/203.0.113.7:51234`, which is how sockets write it; IPv6 likewise. */
    private static String cleanAddress(String address) {
        if (address == null || address.isEmpty()) return "0.0.0.0";
        String text = address.substring(address.lastIndexOf('/') + 1).replaceAll("[%\\]].*$", "").replace("[", "");
        boolean hasPort = text.matches("[^:]*:[0-9]+") || text.matches("([0-9a-fA-F]*:){8}[0-9]+");
        String bare = hasPort ? text.substring(0, text.lastIndexOf(':')) : text;
        return bytesOf(bare) == null ? "0.0.0.0" : bare;
    }

    private static final String BYTE = "(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";

    /** Null for what is no address. A name is never looked up: that takes long. */
    private static byte[] bytesOf(String address) {
        if (!address.matches(BYTE + "(\\." + BYTE + "){3}") && !address.matches("[0-9a-fA-F.]*:[0-9a-fA-F:.]*")) return null;
        try {
            return InetAddress.getByName(address).getAddress();
        } catch (UnknownHostException noAddress) {
            return null;
        }
    }

    /** One answer over HTTP. Times are the portal's, so that they can be compared with those in portal_account. */
    private static final class Reply {
        int status;
        String body;
        Instant askedAt;
        Instant portalTime;
    }

    private Reply callPortal(String account, String password, String address) throws PortalAway {
        String body = "{\"server_id\":" + Json.quote(settings.serverId) + ",\"account\":" + Json.quote(account)
            + ",\"password\":" + Json.quote(password) + ",\"address\":" + Json.quote(address) + "}";
        try {
            HttpURLConnection connection =
                (HttpURLConnection) new URL(settings.portalUrl.replaceAll("/+$", "") + LOGIN_PATH).openConnection();
            Future<Reply> call = calls.submit(() -> send(connection, body.getBytes(StandardCharsets.UTF_8)));
            try {
                return call.get(CALL_MS, TimeUnit.MILLISECONDS);
            } catch (TimeoutException late) {
                calls.execute(connection::disconnect);
                throw new PortalAway("no answer within " + CALL_MS + " ms");
            }
        } catch (ExecutionException problem) {
            throw new PortalAway(describe(problem.getCause()));
        } catch (RejectedExecutionException full) {
            throw new PortalAway("too many calls without an answer");
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new PortalAway("the game's thread was interrupted");
        } catch (IOException problem) {
            throw new PortalAway(describe(problem));
        }
    }

    private Reply send(HttpURLConnection connection, byte[] body) throws IOException, GeneralSecurityException {
        Reply reply = new Reply();
        reply.askedAt = Instant.now();
        long seconds = reply.askedAt.getEpochSecond();
        connection.setConnectTimeout(CONNECT_MS);
        connection.setReadTimeout(READ_MS);
        connection.setInstanceFollowRedirects(false); // a password goes to the portal and nowhere else
        connection.setUseCaches(false);
        connection.setRequestMethod("POST");
        connection.setRequestProperty("Content-Type", "application/json");
        connection.setRequestProperty("X-Portal-Signature", "t=" + seconds + ",v1=" + sign(seconds, body));
        connection.setDoOutput(true);
        connection.getOutputStream().write(body);
        reply.status = connection.getResponseCode();
        InputStream stream = reply.status < 400 ? connection.getInputStream() : connection.getErrorStream();
        reply.body = stream == null ? "" : readText(stream, System.nanoTime() + READ_MS * 1_000_000L);
        // The clocks of both machines may differ: then the portal's counts.
        Instant now = Instant.now();
        long date = connection.getDate();
        long difference = date == 0 ? 0 : date - now.toEpochMilli();
        boolean isSame = Math.abs(difference) <= 2_000;
        reply.portalTime = isSame ? now : now.plusMillis(difference);
        if (!isSame) reply.askedAt = reply.askedAt.plusMillis(difference);
        return reply;
    }

    private String sign(long seconds, byte[] body) throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(settings.secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        mac.update((seconds + ".POST." + LOGIN_PATH + ".").getBytes(StandardCharsets.UTF_8));
        StringBuilder hex = new StringBuilder();
        for (byte one : mac.doFinal(body)) hex.append(String.format("%02x", one));
        return hex.toString();
    }

    private static String readText(InputStream stream, long end) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        byte[] buffer = new byte[4096];
        try (InputStream in = stream) {
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                bytes.write(buffer, 0, count);
                if (bytes.size() > ANSWER_BYTES_MAX) throw new IOException("the answer is too long");
                if (System.nanoTime() > end) throw new IOException("the answer comes too slowly");
            }
        }
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes.toByteArray())).toString();
        } catch (CharacterCodingException problem) {
            throw new IOException("the answer is not UTF-8");
        }
    }

    /** Strict: what is not exactly as in the contract is no answer. */
    private static LoginAnswer readAnswer(String account, Reply reply) throws PortalAway {
        if (reply.status == 401) throw new PortalAway("it does not accept the signature (401): are secret and clock right?");
        if (reply.status == 400 || reply.status == 422) throw new PortalAway("it cannot read what was sent (" + reply.status + ")", true);
        if (reply.status != 200) throw new PortalAway("status " + reply.status);
        try {
            Map<?, ?> fields = (Map<?, ?>) new Json(reply.body).read();
            String name = (String) fields.get("account");
            if (name != null && !account.equals(nameOf(name))) throw new PortalAway("an answer about another account");
            String until = (String) fields.get("until");
            Instant end = until == null ? null : OffsetDateTime.parse(until).toInstant();
            switch ((String) fields.get("status")) {
                // A bare "ok" is what many programs say of their health.
                case "ok": return new LoginAnswer(LoginResult.OK, nameIn(name), null, "");
                case "not-activated": return answer(LoginResult.NOT_ACTIVATED, nameIn(name));
                case "wrong": return answer(LoginResult.WRONG, null);
                case "slow-down": return answer(LoginResult.SLOW_DOWN, null);
                case "banned": return banned(name == null ? null : account, end);
                default: throw new PortalAway("a status that is not known");
            }
        } catch (RuntimeException unreadable) {
            throw new PortalAway("an answer that cannot be read");
        }
    }

    private static String nameIn(String name) throws PortalAway {
        if (name == null) throw new PortalAway("an answer about no account");
        return nameOf(name);
    }

    private static LoginAnswer answer(LoginResult result, String account) {
        String sentence = "Tên đăng nhập hoặc mật khẩu không đúng.";
        if (result == LoginResult.NOT_ACTIVATED)
            sentence = "Tài khoản chưa được kích hoạt. Hãy kích hoạt trên trang web của game.";
        if (result == LoginResult.SLOW_DOWN) sentence = "Bạn đã thử đăng nhập quá nhiều lần. Hãy thử lại sau ít phút.";
        return new LoginAnswer(result, account, null, sentence);
    }

    private static LoginAnswer away(String reason) {
        String sentence = reason + "Máy chủ tài khoản tạm thời không trả lời. Hãy thử lại sau ít phút.";
        return new LoginAnswer(LoginResult.AWAY, null, null, sentence);
    }

    private static final DateTimeFormatter VIETNAMESE_TIME =
        DateTimeFormatter.ofPattern("HH:mm 'ngày' dd/MM/yyyy").withZone(ZoneId.of("Asia/Ho_Chi_Minh"));
    /** A ban for good is stored with an end so far away. */
    private static final Instant NEVER = Instant.parse("9000-01-01T00:00:00Z");

    private static LoginAnswer banned(String account, Instant until) {
        boolean hasEnd = until != null && until.isBefore(NEVER);
        String sentence = hasEnd ? "Tài khoản bị khóa đến " + VIETNAMESE_TIME.format(until) + "." : "Tài khoản đã bị khóa.";
        return new LoginAnswer(LoginResult.BANNED, account, hasEnd ? until : null, sentence);
    }

    // ------------------------------------------------------------------------- logins without the portal
    //
    // While the portal is away whoever it let in within 24 hours logs in with the same password. Who was not activated then is
    // not now, unless the portal has told of it since: the game decides as it did. What is kept for that, a row of portal_login, is
    // worth nothing without the secret, and is forgotten when the portal refuses this password, when it tells of a ban, an
    // erasure or another password, and after a day. Another password that is refused forgets nothing: otherwise anybody could
    // lock out anybody by one guess.

    /** What OWASP advises for PBKDF2 with HMAC-SHA256: 0.2 to 1 second. */
    private static final int ROUNDS = 600_000;
    /** Of what is kept, in portal_state; what another version of this program has kept is removed. */
    private static final String FORM = "2";
    /** How much older than the portal's last answer the known bans and password changes may be. */
    private static final int BANS_SECONDS_MAX = 300;
    private static final int KEPT_SECONDS = 86_400;
    /** Hashes of the logins that wait, so that the game keeps its processor. */
    private static final int HASHES_AT_ONCE = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
    private static final int HASH_WAIT_MS = 5_000;

    private static final String IS_TOO_OLD = "(l.accepted_at <= UTC_TIMESTAMP(3) - INTERVAL 24 HOUR"
        + " OR l.accepted_at > UTC_TIMESTAMP(3) + INTERVAL 1 HOUR)";

    private final Guesses guesses = new Guesses();
    private final Semaphore hashing = new Semaphore(HASHES_AT_ONCE, true);
    private final byte[] nobodysSalt = newSalt();

    /** Whoever does not get in is answered alike, after the same work: nobody learns here who plays, or who was banned. */
    private LoginAnswer loginByKeptHash(String account, String password, String address)
        throws SQLException, GeneralSecurityException {
        if (!guesses.begin(account, address)) return answer(LoginResult.SLOW_DOWN, null);
        Boolean isRight = null;
        KeptLogin kept;
        try {
            Change change = changeOf(account); // before the row: it is removed after the row is written
            try {
                kept = readKeptLogin(account);
            } catch (SQLException away) {
                logRarely("kept login", "The kept login could not be read: what this process knows counts", away);
                kept = knownWithoutDatabase();
                if (change == null) change = rememberedOf(account);
            }
            if (!kept.areBansKnown) return away("");
            isRight = isRight(kept, change, account, mix(account, password));
        } finally {
            guesses.end(account, address, isRight);
        }
        if (isRight == null) return away("");
        if (!isRight) {
            return away("Hiện chỉ người đã đăng nhập trong 24 giờ qua vào được game."
                + " Nếu bạn đã đăng nhập trong 24 giờ qua, hãy kiểm tra lại mật khẩu. ");
        }
        acceptedAt.put(account, kept.acceptedAt);
        if (!kept.isActivated()) return answer(LoginResult.NOT_ACTIVATED, account);
        return new LoginAnswer(LoginResult.OK, account, null, "");
    }

    /** Null when too many others wait for a hash. */
    private Boolean isRight(KeptLogin kept, Change change, String account, byte[] mix) throws SQLException, GeneralSecurityException {
        try {
            if (!hashing.tryAcquire(HASH_WAIT_MS, TimeUnit.MILLISECONDS)) return null;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return null;
        }
        byte[] hash;
        try {
            hash = hash(mix, kept.hash == null ? nobodysSalt : kept.salt);
        } finally {
            hashing.release();
        }
        kept.wasActivated = kept.hash != null && MessageDigest.isEqual(kept.hash, hash);
        boolean isSame = kept.wasActivated || (kept.hash != null && MessageDigest.isEqual(kept.hash, notActivated(hash)));
        if (change != null) { // not in the database yet
            isSame = change.mix != null && MessageDigest.isEqual(change.mix, mix);
            kept.wasActivated = change.isActivated;
            kept.acceptedAt = change.acceptedAt;
        }
        boolean isOver = kept.isBanned || (isSame && kept.passwordChangedAt != null && kept.passwordChangedAt.isAfter(kept.acceptedAt));
        return isSame && !isOver && isStillKept(account, mix, change == null ? kept.hash : null);
    }

    /** The portal may have come back while this was being hashed, and have refused the password. */
    private boolean isStillKept(String account, byte[] mix, byte[] hash) throws SQLException {
        Change change = changeOf(account);
        if (change != null) return change.mix != null && MessageDigest.isEqual(change.mix, mix);
        if (hash != null) return MessageDigest.isEqual(hash, readKeptLogin(account).hash);
        synchronized (changes) {
            Stored one = stored.get(account);
            return one != null && MessageDigest.isEqual(one.mix, mix);
        }
    }

    private static final class KeptLogin {
        /** Null when there is none of the last 24 hours. */
        byte[] salt;
        byte[] hash;
        Instant acceptedAt;
        boolean isBanned;
        Instant passwordChangedAt;
        /** When the portal accepted the password. */
        boolean wasActivated;
        /** What the portal has told of the account by itself; null for nothing yet. */
        Boolean toldActivated;
        boolean areBansKnown;

        boolean isActivated() {
            return toldActivated == null ? wasActivated : toldActivated;
        }
    }

    /** Bans and changes of passwords as of the last look at all of them, which may not be long ago. */
    private KeptLogin knownWithoutDatabase() {
        KeptLogin known = new KeptLogin();
        boolean isFresh = System.nanoTime() - bansSeenAt < BANS_SECONDS_MAX * 1_000_000_000L;
        known.areBansKnown = isFresh && areBansKnown(accountsUntilSeen, null);
        return known;
    }

    /** What this process has kept, and neither a day nor a ban nor another password has ended. */
    private Change rememberedOf(String account) {
        synchronized (changes) {
            Stored one = stored.get(account);
            boolean isKept = one != null && one.acceptedAt.isAfter(Instant.now().minusSeconds(KEPT_SECONDS));
            return isKept ? new Change(one.mix, one.isActivated, one.acceptedAt) : null;
        }
    }

    private KeptLogin readKeptLogin(String account) throws SQLException {
        String sql = "SELECT l.salt, l.hash, CAST(l.accepted_at AS CHAR), COALESCE(a.banned_until > UTC_TIMESTAMP(3), 0),"
            + " CAST(a.password_changed_at AS CHAR), a.activated,"
            + " (SELECT value FROM portal_state WHERE name = 'accounts_until'),"
            + " (SELECT CAST(MAX(portal_answered_at) AS CHAR) FROM portal_collector)"
            + " FROM (SELECT 1) one LEFT JOIN portal_login l ON l.account = ? AND NOT " + IS_TOO_OLD
            + " LEFT JOIN portal_account a ON a.account = ?";
        synchronized (logins) {
            // Otherwise each of many who log in would wait for a database that does not answer, one after the other.
            if (System.nanoTime() < loginsAwayUntil) throw new SQLException("the database did not answer a moment ago");
            try (PreparedStatement select = logins.open().prepareStatement(sql)) {
                fill(select, Arrays.asList(account, account));
                try (ResultSet row = select.executeQuery()) {
                    row.next();
                    KeptLogin kept = new KeptLogin();
                    kept.salt = row.getBytes(1);
                    kept.hash = row.getBytes(2);
                    kept.acceptedAt = instantOf(row.getString(3));
                    kept.isBanned = row.getBoolean(4);
                    kept.passwordChangedAt = instantOf(row.getString(5));
                    boolean isTold = row.getBoolean(6);
                    kept.toldActivated = row.wasNull() ? null : isTold;
                    kept.areBansKnown = areBansKnown(row.getString(7), instantOf(row.getString(8)));
                    return kept;
                }
            } catch (SQLException problem) {
                loginsAwayUntil = System.nanoTime() + LOGINS_AWAY_MS * 1_000_000L;
                logins.abandon();
                throw problem;
            } finally {
                logins.rollback();
            }
        }
    }

    /** Whether the changes of accounts, which the portal sends, had arrived when the portal was last there. */
    private boolean areBansKnown(String accountsUntil, Instant storedAnswer) {
        Instant answered = portalAnsweredAt;
        if (answered == null || (storedAnswer != null && storedAnswer.isAfter(answered))) answered = storedAnswer;
        if (accountsUntil == null || answered == null) return false;
        return !OffsetDateTime.parse(accountsUntil).toInstant().isBefore(answered.minusSeconds(BANS_SECONDS_MAX));
    }

    /** The password mixed with the secret and the name: a stolen table cannot be tried without the secret, nor a row moved. */
    private byte[] mix(String account, String password) throws GeneralSecurityException {
        byte[] key = hmac(settings.secret.getBytes(StandardCharsets.UTF_8), "passwords kept by PortalGame");
        return hmac(key, account + " " + Normalizer.normalize(password, Normalizer.Form.NFC));
    }

    private static byte[] hmac(byte[] key, String text) throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(key, "HmacSHA256"));
        return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] hash(byte[] mix, byte[] salt) throws GeneralSecurityException {
        PBEKeySpec key = new PBEKeySpec(new BigInteger(1, mix).toString(36).toCharArray(), salt, ROUNDS, 256);
        return SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256").generateSecret(key).getEncoded();
    }

    /** What is kept of who was not activated, so that the table cannot be edited to activate anybody. */
    private static byte[] notActivated(byte[] hash) throws GeneralSecurityException {
        return hmac(hash, "not activated");
    }

    private static byte[] newSalt() {
        byte[] salt = new byte[16];
        RANDOM.nextBytes(salt);
        return salt;
    }

    /**
     * Limits what can be tried while the portal, which limits guesses otherwise, is away: of one name one password at a time,
     * and wrong ones by name and place, by name, by place and in all, each within ten minutes. A try counts before it is
     * judged. Who was let in by the portal at this place has to keep to the first of these only, so that others lock out
     * nobody. Whether a name is known changes nothing.
     */
    static final class Guesses {
        private static final int WRONG_OF_NAME_AND_PLACE = 10;
        private static final int WRONG_OF_NAME = 30;
        private static final int WRONG_OF_PLACE = 100;
        private static final int WRONG_OF_ALL = 1_000;
        private static final int WRONG_MS = 600_000;
        /** Afterwards each wrong one doubles the time until the next. */
        private static final int FREE = 4;
        private static final int AT_ONCE = 60;
        private static final int PLACES_MAX = 50_000;
        /** A name or place has no blank at its end. */
        private static final String ALL = "all ";

        private final Map<String, Integer> wrong = new HashMap<>();
        private final Map<String, Long> notBefore = new HashMap<>();
        private final Set<String> underWay = new HashSet<>();
        private long since = System.nanoTime();
        /** Where the portal last let an account in. */
        private final Map<String, String> places = new LinkedHashMap<String, String>() {
            private static final long serialVersionUID = 1;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
                return size() > PLACES_MAX;
            }
        };

        /** Who has one address of IPv6 has the 2^64 around it. */
        private static String placeOf(String address) {
            byte[] bytes = bytesOf(address);
            return " at " + Arrays.toString(bytes.length == 16 ? Arrays.copyOf(bytes, 8) : bytes);
        }

        synchronized void isAt(String account, String address) {
            places.put(account, placeOf(address));
        }

        /** False when this one comes too soon; otherwise `end` follows. */
        synchronized boolean begin(String account, String address) {
            long now = System.nanoTime();
            if (now - since > WRONG_MS * 1_000_000L) {
                wrong.clear();
                notBefore.clear();
                since = now;
            }
            String place = placeOf(address);
            String here = account + place;
            boolean isOften = wrong.getOrDefault(here, 0) >= WRONG_OF_NAME_AND_PLACE || notBefore.getOrDefault(here, now) - now > 0;
            boolean isAtHome = place.equals(places.get(account));
            boolean isOftenElsewhere = wrong.getOrDefault(account, 0) >= WRONG_OF_NAME
                || wrong.getOrDefault(place, 0) >= WRONG_OF_PLACE
                || wrong.getOrDefault(ALL, 0) >= WRONG_OF_ALL;
            if (isOften || (isOftenElsewhere && !isAtHome)) return false;
            if (underWay.size() >= AT_ONCE || !underWay.add(account)) return false;
            for (String counted : Arrays.asList(here, account, place, ALL)) wrong.merge(counted, 1, Integer::sum);
            return true;
        }

        /** Null: the password was not looked at. */
        synchronized void end(String account, String address, Boolean isRight) {
            underWay.remove(account);
            String place = placeOf(address);
            String here = account + place;
            if (Boolean.FALSE.equals(isRight)) {
                int more = wrong.getOrDefault(here, 0) - FREE;
                if (more >= 0) notBefore.put(here, System.nanoTime() + (2L << Math.min(more, 8)) * 1_000_000_000L);
                return;
            }
            for (String counted : Arrays.asList(here, account, place, ALL))
                wrong.computeIfPresent(counted, (key, count) -> count > 1 ? count - 1 : null);
        }
    }

    // What is kept changes behind the logins, on a thread of its own: a hash takes long, and the database may be away.

    private static final int KEEPING_MS = 200;
    private static final int SWEEP_MS = 5_000;
    private static final int CHANGES_MAX = 10_000;
    private static final int FINISH_MS = 5_000;
    private static final SecureRandom RANDOM = new SecureRandom();

    /** What the row of an account has to become: `mix` null means none. */
    private static final class Change {
        final byte[] mix;
        final boolean isActivated;
        final Instant acceptedAt;

        Change(byte[] mix, boolean isActivated, Instant acceptedAt) {
            this.mix = mix;
            this.isActivated = isActivated;
            this.acceptedAt = acceptedAt;
        }
    }

    /** What this process has put into a row. */
    private static final class Stored {
        final byte[] mix;
        final byte[] hash;
        final boolean isActivated;
        final Instant acceptedAt;

        Stored(Change change, byte[] hash) {
            this.mix = change.mix;
            this.hash = hash;
            this.isActivated = change.isActivated;
            this.acceptedAt = change.acceptedAt;
        }
    }

    /** The connection of the thread that keeps logins. */
    private final Database keeping = new Database(DATABASE_MS);
    /** By account, not in the database yet; `synchronized (changes)`, as `stored`. */
    private final Map<String, Change> changes = new LinkedHashMap<>();
    private final Map<String, Stored> stored = new HashMap<>();
    private boolean isAllForgotten;
    private boolean isFormKnown;
    private long sweptAt = System.nanoTime() - SWEEP_MS * 1_000_000L;
    /** When all rows were last compared with bans and changed passwords, and up to when the portal had told these. */
    private volatile long bansSeenAt = System.nanoTime() - BANS_SECONDS_MAX * 1_000_000_000L;
    private volatile String accountsUntilSeen;

    private void keep(String account, Change change) {
        synchronized (changes) {
            if (changes.size() < CHANGES_MAX || changes.containsKey(account)) {
                changes.put(account, change);
                return;
            }
        }
        logRarely("kept login", "Too many logins wait to be kept: while the portal is away some players cannot log in");
    }

    /** From now on, whenever the row is removed. When too many wait for the database, all are forgotten. */
    private void forget(String account) {
        synchronized (changes) {
            if (changes.size() >= CHANGES_MAX) {
                changes.clear();
                isAllForgotten = true;
            }
            changes.put(account, new Change(null, false, null));
        }
    }

    /** The portal does not take this password (any more). Nothing is forgotten when another one is known to be kept. */
    private void forgetRefused(String account, byte[] mix) {
        synchronized (changes) {
            Change change = changes.get(account);
            Stored one = stored.get(account);
            byte[] known = change != null ? change.mix : one == null ? null : one.mix;
            if (known == null || MessageDigest.isEqual(known, mix)) forget(account);
        }
    }

    private Change changeOf(String account) {
        synchronized (changes) {
            Change change = changes.get(account);
            return change == null && isAllForgotten ? new Change(null, false, null) : change;
        }
    }

    private void keepLogins() throws SQLException, GeneralSecurityException {
        if (!isFormKnown) removeOtherForms();
        isFormKnown = true;
        removeAllForgotten();
        makeChanges(ROUND_MS_MAX);
        if (System.nanoTime() - sweptAt < SWEEP_MS * 1_000_000L) return;
        removeOverdue();
        sweptAt = System.nanoTime();
        bansSeenAt = sweptAt;
    }

    /** At shut-down, when the thread has ended. */
    private void finishKeeping() {
        try {
            if (isFormKnown) makeChanges(FINISH_MS);
        } catch (SQLException | GeneralSecurityException problem) {
            logRarely("kept login", "Logins could not be kept", problem);
        }
        keeping.close();
    }

    private void makeChanges(long ms) throws SQLException, GeneralSecurityException {
        long end = System.nanoTime() + ms * 1_000_000L;
        for (String account = nextChange(); account != null && System.nanoTime() < end; account = nextChange()) {
            Change change = changeOf(account);
            if (change == null) continue;
            if (change.mix == null) removeRows(Collections.singletonList(account));
            else store(account, change);
            synchronized (changes) {
                changes.remove(account, change); // unless there is another one by now
            }
        }
    }

    /** What is to be forgotten comes first. */
    private String nextChange() {
        synchronized (changes) {
            for (Map.Entry<String, Change> one : changes.entrySet()) if (one.getValue().mix == null) return one.getKey();
            return changes.isEmpty() ? null : changes.keySet().iterator().next();
        }
    }

    private void store(String account, Change change) throws SQLException, GeneralSecurityException {
        Stored before;
        synchronized (changes) {
            before = stored.get(account);
        }
        String at = sqlTime(change.acceptedAt);
        boolean isSame = before != null && before.isActivated == change.isActivated && MessageDigest.isEqual(before.mix, change.mix);
        if (isSame) { // the same password needs no other hash
            String again = "UPDATE portal_login SET accepted_at = ? WHERE account = ? AND hash = ?";
            if (changeLogins(again, Arrays.asList(at, account, before.hash)) == 1) {
                remember(account, new Stored(change, before.hash));
                return;
            }
        }
        byte[] salt = newSalt();
        byte[] hash = hash(change.mix, salt);
        if (!change.isActivated) hash = notActivated(hash);
        if (changeOf(account) != change) return;
        String sql = "REPLACE INTO portal_login (account, salt, hash, accepted_at) VALUES (?, ?, ?, ?)";
        changeLogins(sql, Arrays.asList(account, salt, hash, at));
        remember(account, new Stored(change, hash));
    }

    private void remember(String account, Stored one) {
        synchronized (changes) {
            if (stored.size() >= CHANGES_MAX) stored.clear();
            stored.put(account, one);
        }
    }

    private void removeAllForgotten() throws SQLException {
        synchronized (changes) {
            if (!isAllForgotten) return;
            stored.clear();
        }
        changeLogins("DELETE FROM portal_login", Collections.emptyList());
        synchronized (changes) {
            isAllForgotten = false;
        }
    }

    /** What another version of this program kept was hashed in another way. */
    private void removeOtherForms() throws SQLException {
        String select = "SELECT value FROM portal_state WHERE name = 'kept_logins'";
        try (PreparedStatement find = keeping.open().prepareStatement(select); ResultSet row = find.executeQuery()) {
            if (row.next() && FORM.equals(row.getString(1))) return;
            update(keeping.open(), "DELETE FROM portal_login");
            update(keeping.open(), "REPLACE INTO portal_state (name, value) VALUES ('kept_logins', ?)", FORM);
            keeping.open().commit();
        } catch (SQLException problem) {
            keeping.abandon();
            throw problem;
        } finally {
            keeping.rollback();
        }
    }

    /** Those of more than a day ago, and of whom the portal has told a ban, an erasure or another password since. */
    private void removeOverdue() throws SQLException {
        String until = accountsUntil(); // before: it is said of what is looked at
        String sql = "SELECT l.account FROM portal_login l LEFT JOIN portal_account a ON a.account = l.account"
            + " WHERE " + IS_TOO_OLD + " OR a.banned_until > UTC_TIMESTAMP(3) OR a.password_changed_at > l.accepted_at LIMIT " + PORTION;
        List<String> overdue = new ArrayList<>();
        do {
            overdue.clear();
            try (PreparedStatement find = keeping.open().prepareStatement(sql); ResultSet rows = find.executeQuery()) {
                while (rows.next()) overdue.add(rows.getString(1));
            } finally {
                keeping.rollback();
            }
            removeRows(overdue);
        } while (overdue.size() == PORTION);
        accountsUntilSeen = until;
    }

    private String accountsUntil() throws SQLException {
        String sql = "SELECT value FROM portal_state WHERE name = 'accounts_until'";
        try (PreparedStatement select = keeping.open().prepareStatement(sql); ResultSet row = select.executeQuery()) {
            return row.next() ? row.getString(1) : null;
        } finally {
            keeping.rollback();
        }
    }

    private void removeRows(List<String> names) throws SQLException {
        if (names.isEmpty()) return;
        changeLogins("DELETE FROM portal_login WHERE account IN (" + marks(names) + ")", names);
        synchronized (changes) {
            stored.keySet().removeAll(names);
        }
    }

    private int changeLogins(String sql, List<?> values) throws SQLException {
        try (PreparedStatement change = keeping.open().prepareStatement(sql)) {
            fill(change, values);
            int count = change.executeUpdate();
            keeping.open().commit();
            return count;
        } catch (SQLException problem) {
            keeping.abandon();
            throw problem;
        }
    }

    // ------------------------------------------------------------------------- players who may not stay

    private static final int ASK_MS = 60_000;

    /** The connection of the thread that looks at accounts. */
    private final Database accounts = new Database(DATABASE_MS);
    /** Accounts in the game that did not log in through `login`: when they were first seen. */
    private final Map<String, Instant> firstSeen = new HashMap<>();

    private static Map<String, List<Player>> byAccount(List<Player> all) {
        Map<String, List<Player>> players = new LinkedHashMap<>();
        for (Player player : all) {
            String name = nameOf(player.account);
            players.computeIfAbsent(name == null ? lower(player.account) : name, none -> new ArrayList<>()).add(player);
        }
        return players;
    }

    private void disconnectPlayers() throws SQLException {
        Map<String, List<Player>> players = byAccount(onlineNow());
        firstSeen.keySet().retainAll(players.keySet());
        for (String account : players.keySet()) firstSeen.putIfAbsent(account, Instant.now());
        for (List<String> some : portions(new ArrayList<>(players.keySet()))) {
            for (Map.Entry<String, String> one : mayNotStay(some).entrySet())
                for (Player player : players.get(one.getKey())) disconnect(player, one.getValue());
        }
        // Logins of players who have left; those who are just coming in are not in the list yet.
        Instant tenMinutesAgo = Instant.now().minusSeconds(600);
        acceptedAt.entrySet()
            .removeIf(one -> !players.containsKey(one.getKey()) && one.getValue().isBefore(tenMinutesAgo));
    }

    private void disconnect(Player player, String sentence) {
        try {
            game.disconnect(player, sentence);
        } catch (Throwable problem) {
            logRarely("disconnect " + player.account, "A player could not be disconnected", problem);
        }
    }

    private boolean isShowingKnown;

    /** Whether the game has written its own `notice`. */
    private boolean canShow() throws NoSuchMethodException {
        return !game.getClass().getMethod("notice", Player.class, String.class).isDefault();
    }

    /** What the portal wants to be shown. Marked before it is shown: of two processes one shows it, and never twice. */
    private void showNotices() throws SQLException {
        try {
            if (!isShowingKnown) {
                update(accounts.open(), "INSERT IGNORE INTO portal_state (name, value) VALUES ('shows_notices', 'yes')");
                accounts.open().commit();
                isShowingKnown = true;
            }
            for (List<String> some : portions(new ArrayList<>(byAccount(onlineNow()).keySet())))
                for (Notice notice : findNotices(some)) {
                    if (isStopped) return;
                    if (markShown(notice.id)) show(notice);
                }
            update(accounts.open(), "DELETE FROM portal_notice WHERE expires_at < UTC_TIMESTAMP(3) - INTERVAL 1 DAY LIMIT 500");
            accounts.open().commit();
        } catch (SQLException problem) {
            accounts.abandon();
            throw problem;
        } finally {
            accounts.rollback();
        }
    }

    private static final long LEFT_MICROS_MAX = 86_400_000_000L;

    private static final class Notice {
        final String id;
        final String account;
        final String text;
        /** As System.nanoTime. */
        final long endAt;

        Notice(String id, String account, String text, long endAt) {
            this.id = id;
            this.account = account;
            this.text = text;
            this.endAt = endAt;
        }
    }

    /** What these accounts have not seen yet. */
    private List<Notice> findNotices(List<String> names) throws SQLException {
        List<Notice> notices = new ArrayList<>();
        long now = System.nanoTime();
        String sql = "SELECT id, account, text, TIMESTAMPDIFF(MICROSECOND, UTC_TIMESTAMP(3), expires_at)"
            + " FROM portal_notice WHERE account IN (" + marks(names) + ")"
            + " AND shown_at IS NULL AND expires_at > UTC_TIMESTAMP(3) ORDER BY created_at, id LIMIT 500";
        try (PreparedStatement find = accounts.open().prepareStatement(sql)) {
            fill(find, names);
            try (ResultSet rows = find.executeQuery()) {
                while (rows.next()) {
                    // One of the year 9999 would be too much for nanoseconds.
                    long left = Math.min(rows.getLong(4), LEFT_MICROS_MAX) * 1_000;
                    notices.add(new Notice(rows.getString(1), rows.getString(2), rows.getString(3), now + left));
                }
            }
        } finally {
            accounts.rollback();
        }
        return notices;
    }

    private boolean markShown(String id) throws SQLException {
        String sql = "UPDATE portal_notice SET shown_at = UTC_TIMESTAMP(3)"
            + " WHERE id = ? AND shown_at IS NULL AND expires_at > UTC_TIMESTAMP(3)";
        boolean isMine;
        try (PreparedStatement mark = accounts.open().prepareStatement(sql)) {
            mark.setString(1, id);
            isMine = mark.executeUpdate() == 1;
        }
        accounts.open().commit();
        return isMine;
    }

    /** To every character of the account in the game. For whoever has just left it waits for the next time. */
    private void show(Notice notice) throws SQLException {
        List<Player> players;
        synchronized (settings.lock) {
            // The lock may have taken long.
            if (System.nanoTime() - notice.endAt >= 0) return;
            players = byAccount(game.online()).getOrDefault(notice.account, Collections.emptyList());
            for (Player player : players) {
                try {
                    game.notice(player, notice.text);
                } catch (Throwable problem) {
                    logRarely("notice", "A notice could not be shown", problem);
                }
            }
        }
        if (!players.isEmpty()) return;
        update(accounts.open(), "UPDATE portal_notice SET shown_at = NULL WHERE id = ?", notice.id);
        accounts.open().commit();
    }

    /** Of these accounts those that are banned or have another password now, with the sentence for the player. */
    private Map<String, String> mayNotStay(List<String> names) throws SQLException {
        Map<String, String> found = new LinkedHashMap<>();
        String sql = "SELECT account, CASE WHEN banned_until > UTC_TIMESTAMP(3) THEN CAST(banned_until AS CHAR) END,"
            + " CAST(password_changed_at AS CHAR)"
            + " FROM portal_account WHERE account IN (" + marks(names) + ")";
        try (PreparedStatement select = accounts.open().prepareStatement(sql)) {
            fill(select, names);
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    String account = rows.getString(1);
                    Instant bannedUntil = instantOf(rows.getString(2));
                    Instant changed = instantOf(rows.getString(3));
                    Instant accepted = acceptedAt.getOrDefault(account, firstSeen.get(account));
                    if (bannedUntil != null) found.put(account, banned(account, bannedUntil).sentence);
                    else if (changed != null && changed.isAfter(accepted))
                        found.put(account, "Mật khẩu của tài khoản đã được đổi. Hãy đăng nhập lại.");
                }
            }
        } catch (SQLException problem) {
            accounts.abandon();
            throw problem;
        } finally {
            accounts.rollback();
        }
        return found;
    }

    /**
     * When nobody logs in, asks for a login that nobody can have, once a minute: the time of the portal's last answer shows
     * how long bans may have been unknown here (see areBansKnown).
     */
    private void askForAnswer() {
        Instant answered = portalAnsweredAt;
        if (answered != null && answered.isAfter(Instant.now().minusMillis(ASK_MS))) return;
        try {
            Reply reply = callPortal("", "", "127.0.0.1");
            if (reply.status == 422 && new Json(reply.body).read() instanceof Map) portalAnsweredAt = reply.portalTime;
        } catch (PortalAway | RuntimeException away) {
            // A login says so in the log.
        }
    }

    // ------------------------------------------------------------------------------------------ database

    /** One connection, opened when it is needed and again after an error. Nothing is committed by itself. */
    private final class Database {
        private Connection connection;
        /** A name that the server keeps for this connection (GET_LOCK), by which a lost one is found and ended. */
        private String mark;
        private String lostMark;
        private long usedAt;
        /** For each answer. */
        private final int answerMs;
        /** When all that is asked for has to be over; 0: no such time. */
        private long endAt;

        /** Of the driver, switched on for this one. */
        private final String[] options;

        Database(int answerMs, String... options) {
            this.answerMs = answerMs;
            this.options = options;
        }

        Connection open() throws SQLException {
            // Not every driver says at the next statement, or at a roll-back, that it has given up a connection.
            if (connection != null && connection.isClosed()) abandon();
            // A server closes connections that were not used for long.
            if (connection != null && System.nanoTime() - usedAt > IDLE_MS * 1_000_000L && !connection.isValid(2)) abandon();
            usedAt = System.nanoTime();
            if (connection != null) return connection;
            Properties properties = new Properties();
            if (settings.databaseUser != null) properties.setProperty("user", settings.databaseUser);
            if (settings.databasePassword != null) properties.setProperty("password", settings.databasePassword);
            // Without these a network that fails silently would hold up the game.
            String ms = String.valueOf(timeLeft());
            properties.setProperty("connectTimeout", ms);
            properties.setProperty("socketTimeout", ms);
            for (String option : options) properties.setProperty(option, "true");
            Connection opened = DriverManager.getConnection(settings.databaseUrl, properties);
            try {
                opened.setAutoCommit(false);
                // For rows, and for tables: a backup of the game may lock them all.
                run(opened, "SET SESSION innodb_lock_wait_timeout = 1, lock_wait_timeout = 1");
                // A number or text that does not fit is an error, not cut off.
                run(opened, "SET SESSION sql_mode = CONCAT(@@sql_mode, ',STRICT_TRANS_TABLES')");
                if (lostMark != null) endLost(opened);
                mark = "portal-" + UUID.randomUUID();
                run(opened, "DO GET_LOCK('" + mark + "', 0)");
                opened.commit();
            } catch (SQLException problem) {
                closeQuietly(opened);
                throw problem;
            }
            return connection = opened;
        }

        /** A connection that broke may still be open at the server, with its locks. */
        private void endLost(Connection opened) throws SQLException {
            try (PreparedStatement find = opened.prepareStatement("SELECT IS_USED_LOCK('" + lostMark + "')");
                ResultSet row = find.executeQuery()) {
                row.next();
                long session = row.getLong(1);
                if (!row.wasNull()) run(opened, "KILL " + session);
            } catch (SQLException problem) {
                if (problem.getErrorCode() != 1094) throw problem; // 1094: it has just ended by itself
            }
            lostMark = null;
        }

        /** From now on everything together has this time; 0: each answer its usual one again. */
        void endAfter(long ms) {
            endAt = ms == 0 ? 0 : System.nanoTime() + ms * 1_000_000L;
            try {
                limitTime();
            } catch (SQLException problem) {
                abandon();
            }
        }

        boolean hasTime() {
            return endAt == 0 || System.nanoTime() < endAt;
        }

        private int timeLeft() throws SQLException {
            if (endAt == 0) return answerMs;
            long ms = (endAt - System.nanoTime()) / 1_000_000;
            if (ms <= 0) throw new SQLException("the time with the lock is over", "HY000", 1205);
            return (int) Math.min(ms, answerMs);
        }

        void limitTime() throws SQLException {
            int ms = timeLeft();
            try {
                if (connection != null) connection.setNetworkTimeout(Runnable::run, ms);
            } catch (LinkageError | SQLFeatureNotSupportedException tooOld) {
                // A driver of before 2012 keeps the time it was opened with.
            }
        }

        /** For what happens with the lock: a connection that keeps to the time, without what would end its transaction. */
        Connection bounded() throws SQLException {
            Connection real = open();
            return proxy(Connection.class, (self, method, given) -> {
                refuseEnd(method);
                limitTime();
                return invoke(real, method, given);
            });
        }

        void commit() throws SQLException {
            limitTime();
            connection.commit();
        }

        void rollback() {
            if (connection == null) return;
            try {
                connection.rollback();
            } catch (SQLException problem) {
                abandon();
            }
        }

        /** For a connection whose state is not known. */
        void abandon() {
            if (connection == null) return;
            lostMark = mark;
            closeQuietly(connection);
            connection = null;
        }

        void close() {
            rollback();
            abandon();
        }
    }

    private static void closeQuietly(Connection connection) {
        try {
            connection.close();
        } catch (SQLException problem) {
            // It is of no use any more.
        }
    }

    private static void run(Connection database, String sql) throws SQLException {
        try (Statement statement = database.createStatement()) {
            statement.execute(sql);
        }
    }

    private static void update(Connection database, String sql, Object... values) throws SQLException {
        try (PreparedStatement statement = database.prepareStatement(sql)) {
            fill(statement, Arrays.asList(values));
            statement.executeUpdate();
        }
    }

    private static void fill(PreparedStatement statement, List<?> values) throws SQLException {
        for (int at = 0; at < values.size(); at++) {
            Object value = values.get(at);
            if (value instanceof byte[]) statement.setBytes(at + 1, (byte[]) value);
            else statement.setString(at + 1, (String) value); // a number would not use the index of a text
        }
    }

    private static String marks(List<String> values) {
        return String.join(", ", Collections.nCopies(values.size(), "?"));
    }

    private static List<List<String>> portions(List<String> all) {
        List<List<String>> portions = new ArrayList<>();
        for (int from = 0; from < all.size(); from += PORTION)
            portions.add(all.subList(from, Math.min(from + PORTION, all.size())));
        return portions;
    }

    private static final DateTimeFormatter SQL_TIME =
        DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSS").withZone(ZoneOffset.UTC);

    /** Times go to the database and come back as texts in UTC: a driver would move them to its own time zone. */
    private static String sqlTime(Instant time) {
        return SQL_TIME.format(time);
    }

    private static Instant instantOf(String time) {
        return time == null ? null : Instant.parse(time.replace(' ', 'T') + "Z");
    }

    private static String lower(String account) {
        return account.toLowerCase(Locale.ROOT);
    }

    // ----------------------------------------------------------------------------------------------- log

    private static final long LOG_AGAIN_MS = 60_000;
    private static final int LOG_KEYS_MAX = 1_000;

    private final Map<String, Long> loggedAt = new HashMap<>();

    /** The same thing at most once a minute. */
    private void logRarely(String key, String line, Throwable... problem) {
        synchronized (loggedAt) {
            long now = System.nanoTime();
            Long last = loggedAt.get(key);
            if (last != null && now - last < LOG_AGAIN_MS * 1_000_000) return;
            if (loggedAt.size() >= LOG_KEYS_MAX) loggedAt.clear();
            loggedAt.put(key, now);
        }
        log(line, problem);
    }

    private void log(String line, Throwable... problem) {
        try {
            settings.log.accept(problem.length == 0 ? line : line + ": " + describe(problem[0]));
        } catch (RuntimeException unwritten) {
            // A full disk must not end the loop.
        }
    }

    /** Without anything secret that a driver may have put into its message. */
    private String describe(Throwable problem) {
        String text = problem.getClass().getSimpleName() + ": " + problem.getMessage();
        if (problem instanceof SQLException) text += " (error " + ((SQLException) problem).getErrorCode() + ")";
        if (problem instanceof SQLException && ((SQLException) problem).getErrorCode() == 1146)
            text += ". Has `npm run game-adapter -- install` made the tables?";
        for (String secret : Arrays.asList(settings.secret, settings.databasePassword))
            if (secret != null && !secret.isEmpty()) text = text.replace(secret, "***");
        return text.replaceAll("(?i)(password=)[^&\\s]*", "$1***");
    }

    // ---------------------------------------------------------------------------------------------- JSON

    /** Reads JSON strictly: objects as Map, lists as List, texts as String, numbers as BigDecimal. */
    static final class Json {
        private static final int DEPTH_MAX = 20;

        private final String text;
        private int at;

        Json(String text) {
            this.text = text;
        }

        Object read() {
            Object value = value(0);
            space();
            if (at < text.length()) throw wrong();
            return value;
        }

        private Object value(int depth) {
            if (depth > DEPTH_MAX) throw wrong();
            space();
            switch (peek()) {
                case '{': return object(depth);
                case '[': return list(depth);
                case '"': return string();
                case 't': return word("true", true);
                case 'f': return word("false", false);
                case 'n': return word("null", null);
                default: return number();
            }
        }

        private Map<String, Object> object(int depth) {
            Map<String, Object> fields = new LinkedHashMap<>();
            at++;
            for (space(); peek() != '}'; space()) {
                if (!fields.isEmpty()) expect(',');
                space();
                String name = string();
                space();
                expect(':');
                if (fields.containsKey(name)) throw wrong();
                fields.put(name, value(depth + 1));
            }
            at++;
            return fields;
        }

        private List<Object> list(int depth) {
            List<Object> values = new ArrayList<>();
            at++;
            for (space(); peek() != ']'; space()) {
                if (!values.isEmpty()) expect(',');
                values.add(value(depth + 1));
            }
            at++;
            return values;
        }

        private String string() {
            StringBuilder read = new StringBuilder();
            expect('"');
            while (peek() != '"') {
                char next = text.charAt(at++);
                if (next < ' ') throw wrong();
                read.append(next == '\\' ? escaped() : next);
            }
            at++;
            return read.toString();
        }

        private char escaped() {
            char letter = peek();
            at++;
            int known = "\"\\/bfnrt".indexOf(letter);
            if (known >= 0) return "\"\\/\b\f\n\r\t".charAt(known);
            if (letter != 'u' || at + 4 > text.length() || !text.substring(at, at + 4).matches("[0-9a-fA-F]{4}")) throw wrong();
            at += 4;
            return (char) Integer.parseInt(text.substring(at - 4, at), 16);
        }

        private BigDecimal number() {
            int from = at;
            while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) at++;
            String digits = text.substring(from, at);
            if (digits.length() > 30 || !digits.matches("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]{1,2})?")) throw wrong();
            return new BigDecimal(digits);
        }

        private Object word(String word, Object value) {
            if (!text.startsWith(word, at)) throw wrong();
            at += word.length();
            return value;
        }

        private void expect(char letter) {
            if (peek() != letter) throw wrong();
            at++;
        }

        private char peek() {
            if (at >= text.length()) throw wrong();
            return text.charAt(at);
        }

        private void space() {
            while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at++;
        }

        private IllegalArgumentException wrong() {
            return new IllegalArgumentException("no JSON at character " + at);
        }

        static String quote(String text) {
            StringBuilder quoted = new StringBuilder("\"");
            for (char letter : text.toCharArray()) {
                if (letter == '"' || letter == '\\') quoted.append('\\').append(letter);
                else if (letter < ' ') quoted.append(String.format("\\u%04x", (int) letter));
                else quoted.append(letter);
            }
            return quoted.append('"').toString();
        }
    }
}
