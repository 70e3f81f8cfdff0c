import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Only for the tests: the methods of the game with a journal of what was given, and with what a test lets go wrong. */
final class TestedMethods implements PortalGame.Game {
    private final PortalGame.Game game;
    private final Faults faults;

    TestedMethods(PortalGame.Game game, Faults faults) {
        this.game = game;
        this.faults = faults;
    }

    @Override
    public List<PortalGame.Player> online() {
        return game.online();
    }

    /** The game believes that it knows the item "broken". */
    @Override
    public PortalGame.Fits fits(PortalGame.Player player, List<PortalGame.Good> goods) {
        List<PortalGame.Good> known = new ArrayList<>(goods);
        known.replaceAll(good -> isBroken(good) ? new PortalGame.Good(good.kind, "sword", good.quantity, good.days) : good);
        return game.fits(player, known);
    }

    @Override
    public Runnable give(Connection database, PortalGame.Player player, List<PortalGame.Good> goods, String purchase)
        throws SQLException {
        Runnable change = game.give(database, player, goods, purchase);
        if (goods.isEmpty()) return change;
        for (PortalGame.Good good : goods)
            if (isBroken(good)) throw new IllegalStateException("this item cannot be given");
        writeJournal(database, Integer.parseInt(player.characterId), goods, purchase);
        return withFaults(database, player, change);
    }

    /** In the journal with a minus. */
    @Override
    public Runnable take(Connection database, PortalGame.Player player, long luong, String charge) throws SQLException {
        Runnable change = game.take(database, player, luong, charge);
        if (change == null) return null;
        List<PortalGame.Good> taken = Collections.singletonList(new PortalGame.Good("luong", null, -luong, 0));
        writeJournal(database, Integer.parseInt(player.characterId), taken, charge);
        return withFaults(database, player, change);
    }

    private Runnable withFaults(Connection database, PortalGame.Player player, Runnable change) throws SQLException {
        // Nothing goes wrong where nothing is written yet.
        if (Proxy.getInvocationHandler(database) instanceof PortalGame.Recording) return change;
        faults.duringGive(database, (Hero) player.character);
        return () -> {
            try {
                faults.afterCommit((Hero) player.character);
            } catch (SQLException problem) {
                throw new IllegalStateException(problem);
            }
            change.run();
        };
    }

    @Override
    public void notice(PortalGame.Player player, String text) {
        game.notice(player, text);
    }

    @Override
    public void disconnect(PortalGame.Player player, String sentence) {
        game.disconnect(player, sentence);
    }

    private static boolean isBroken(PortalGame.Good good) {
        return "broken".equals(good.code);
    }

    /** What was really given, in the same transaction and with nothing that prevents a second row. */
    private static void writeJournal(Connection database, int hero, List<PortalGame.Good> goods, String purchase)
        throws SQLException {
        long luong = 0;
        long yen = 0;
        List<String> items = new ArrayList<>();
        for (PortalGame.Good good : goods) {
            if (good.kind.equals("luong")) luong += good.quantity;
            if (good.kind.equals("yen")) yen += good.quantity;
            if (good.kind.equals("item")) items.add(good.code);
        }
        String sql = "INSERT INTO game_journal (purchase, character_id, luong, yen, items) VALUES (?, ?, ?, ?, ?)";
        try (PreparedStatement insert = database.prepareStatement(sql)) {
            insert.setString(1, purchase);
            insert.setInt(2, hero);
            insert.setLong(3, luong);
            insert.setLong(4, yen);
            insert.setString(5, String.join(",", items));
            insert.executeUpdate();
        }
    }
}
