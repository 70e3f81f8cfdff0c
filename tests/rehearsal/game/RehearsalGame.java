import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A small game server in the shape of those that the portal is connected to: characters are loaded at login, live in memory
 * and are saved at log-out and at shut-down, under one lock for everything. Tests drive it over standard input: the first
 * line holds its settings as a JSON object, each further one a command `[number, name, argument …]`, which is answered with
 * `[number, result]` or `[number, null, problem]`. It shuts down when standard input ends.
 */
final class RehearsalGame {
    static final Object LOCK = new Object();

    /** What players do takes this one: the same, or another one in a game with half a lock. */
    private final Object messages;

    /** The players in the game, by account. */
    final Map<String, Hero> heroes = new LinkedHashMap<>();
    final Faults faults = new Faults(this);
    private final PortalGame.Guesses guesses = new PortalGame.Guesses();
    private final List<PortalGame> collectors = new ArrayList<>();
    private final List<String> disconnected = Collections.synchronizedList(new ArrayList<>());
    private final List<String> notices = Collections.synchronizedList(new ArrayList<>());
    private final String databaseUrl;

    public static void main(String[] arguments) throws Exception {
        FaultyDriver.register();
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        RehearsalGame game = new RehearsalGame((Map<?, ?>) new PortalGame.Json(input.readLine()).read());
        game.serve(input);
        game.shutDown();
        System.exit(0);
    }

    private RehearsalGame(Map<?, ?> given) {
        databaseUrl = (String) given.get("databaseUrl");
        messages = Boolean.TRUE.equals(given.get("isHalfLocked")) ? new Object() : LOCK;
        HeroTable.isOfManyTables = Boolean.TRUE.equals(given.get("isOfManyTables"));
        for (Object name : (List<?>) given.get("collectors")) {
            PortalGame.Settings settings = new PortalGame.Settings();
            settings.databaseUrl = FaultyDriver.PREFIX + databaseUrl.substring("jdbc:".length());
            settings.portalUrl = (String) given.get("portalUrl");
            settings.secret = (String) given.get("secret");
            settings.lock = LOCK;
            settings.name = (String) name;
            settings.collectMs = ((BigDecimal) given.get("collectMs")).intValue();
            PortalGame.Game methods = HeroTable.isOfManyTables ? new MemoryMethods(this) : new HeroMethods(this);
            collectors.add(new PortalGame(settings, new TestedMethods(methods, faults)));
        }
        for (PortalGame collector : collectors) collector.start();
    }

    private void serve(BufferedReader input) throws IOException {
        ExecutorService threads = Executors.newCachedThreadPool();
        print("[0,\"ready\"]");
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            List<?> command = (List<?>) new PortalGame.Json(line).read();
            threads.execute(() -> print(answer(command)));
        }
    }

    private String answer(List<?> command) {
        try {
            return "[" + command.get(0) + "," + run(command) + "]";
        } catch (Exception problem) {
            return "[" + command.get(0) + ",null," + quote(String.valueOf(problem)) + "]";
        }
    }

    private static synchronized void print(String line) {
        System.out.println(line);
    }

    private static String quote(String text) {
        return text == null ? "null" : PortalGame.Json.quote(text);
    }

    private String run(List<?> command) throws SQLException {
        String account = command.size() > 2 ? (String) command.get(2) : "";
        switch ((String) command.get(1)) {
            case "login": return login(account, (String) command.get(3), (String) command.get(4));
            case "enter": return String.valueOf(enter(account));
            case "leave": return String.valueOf(leave(account));
            case "show": return show(account);
            case "spend": return spend(account, Integer.parseInt((String) command.get(3)));
            case "trade": return trade(account, (String) command.get(3));
            case "fill": return fill(account, Integer.parseInt((String) command.get(3)));
            case "fault":
                faults.atNextGift(account);
                return "true";
            case "disconnected": return disconnectedAsJson();
            case "notices": return "[" + String.join(",", notices) + "]";
            case "online": return online();
            case "guess": return guess(account, (String) command.get(3), (String) command.get(4));
            default: throw new IllegalArgumentException("unknown command");
        }
    }

    // What players do.

    private String login(String account, String password, String address) throws SQLException {
        long start = System.nanoTime();
        PortalGame.LoginAnswer answer = collectors.get(0).login(account, password, address);
        long ms = (System.nanoTime() - start) / 1_000_000;
        if (answer.result == PortalGame.LoginResult.OK && !enter(answer.account)) {
            try (Connection database = DriverManager.getConnection(databaseUrl)) {
                HeroTable.create(database, answer.account);
            }
            enter(answer.account);
        }
        String until = answer.until == null ? null : answer.until.toString();
        return "{\"result\":" + quote(answer.result.name()) + ",\"account\":" + quote(answer.account)
            + ",\"until\":" + quote(until) + ",\"sentence\":" + quote(answer.sentence) + ",\"ms\":" + ms + "}";
    }

    private boolean enter(String account) throws SQLException {
        if (isInGame(account)) return true;
        collectors.get(0).enter(account, () -> load(account), hero -> {
            if (hero != null) heroes.putIfAbsent(account, hero);
        });
        return isInGame(account);
    }

    private boolean isInGame(String account) {
        synchronized (LOCK) {
            return heroes.containsKey(account);
        }
    }

    private Hero load(String account) throws SQLException {
        try (Connection database = DriverManager.getConnection(databaseUrl)) {
            Hero hero = HeroTable.load(database, account);
            faults.afterLoad(account);
            return hero;
        }
    }

    /** As by another connection of the same player. */
    void visit(String account) throws SQLException {
        enter(account);
        spend(account, 7);
        leave(account);
    }

    private boolean leave(String account) throws SQLException {
        Hero hero;
        synchronized (LOCK) {
            hero = heroes.get(account);
        }
        if (hero == null) return false;
        if (messages == LOCK) return collectors.get(0).save(String.valueOf(hero.id), () -> heroes.remove(account));
        synchronized (messages) {
            leaveAsItWas(hero);
            return true;
        }
    }

    /** As a log-out without the lock that began before a gift. */
    void leaveAsItWas(Hero hero) throws SQLException {
        save(hero);
        heroes.remove(hero.account);
    }

    private String show(String account) {
        synchronized (LOCK) {
            Hero hero = heroes.get(account);
            if (hero == null) return "null";
            return "{\"luong\":" + hero.luong + ",\"yen\":" + hero.yen + ",\"bag\":" + quote(hero.bagText()) + "}";
        }
    }

    private String spend(String account, int yen) {
        synchronized (messages) {
            Hero hero = heroes.get(account);
            hero.yen -= yen;
            return String.valueOf(hero.yen);
        }
    }

    /** One luong and the first thing of the bag, if both players are in the game. */
    private String trade(String from, String to) {
        synchronized (messages) {
            Hero giver = heroes.get(from);
            Hero taker = heroes.get(to);
            if (giver == null || taker == null) return "false";
            giver.luong--;
            taker.luong++;
            if (!giver.bag.isEmpty()) taker.bag.add(giver.bag.remove(0));
            return "true";
        }
    }

    private String fill(String account, int items) {
        synchronized (LOCK) {
            Hero hero = heroes.get(account);
            hero.bag.removeIf(item -> item.code.equals("stone"));
            for (int count = 0; count < items; count++) hero.bag.add(new Hero.Item("stone", 1, 0));
            return String.valueOf(hero.bag.size());
        }
    }

    void notice(String account, String text) {
        notices.add("{\"account\":" + quote(account) + ",\"sentence\":" + quote(text) + "}");
        // Outlives the process.
        System.err.println("[shown] " + System.currentTimeMillis() + " " + account + " " + text);
    }

    /** The portal's wish, with a save as usual. */
    void disconnect(String account, String sentence) {
        try {
            if (leave(account)) disconnected.add("{\"account\":" + quote(account) + ",\"sentence\":" + quote(sentence) + "}");
        } catch (SQLException problem) {
            System.err.println("not saved: " + problem);
        }
    }

    /** Without the hash that a guess costs. `letIn`: the portal has let this account in there. */
    private String guess(String account, String address, String outcome) {
        if (outcome.equals("letIn")) guesses.isAt(account, address);
        if (!guesses.begin(account, address)) return "false";
        guesses.end(account, address, !outcome.equals("wrong"));
        return "true";
    }

    private String online() {
        synchronized (LOCK) {
            List<String> names = new ArrayList<>();
            for (String account : heroes.keySet()) names.add(quote(account));
            return "[" + String.join(",", names) + "]";
        }
    }

    private String disconnectedAsJson() {
        synchronized (disconnected) {
            return "[" + String.join(",", disconnected) + "]";
        }
    }

    // The database.

    private void save(Hero hero) throws SQLException {
        try (Connection database = DriverManager.getConnection(databaseUrl)) {
            database.setAutoCommit(false);
            HeroTable.save(database, hero);
            database.commit();
        }
    }

    private void shutDown() throws SQLException {
        for (PortalGame collector : collectors) collector.stop();
        synchronized (LOCK) {
            for (Hero hero : heroes.values()) save(hero);
        }
    }
}
