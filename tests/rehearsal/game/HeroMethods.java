import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The methods of PortalGame.java for this game: an example for the owner of another one. */
final class HeroMethods implements PortalGame.Game {
    private static final Set<String> ITEMS = new HashSet<>(Arrays.asList("pet", "companion", "sword"));

    private final RehearsalGame game;

    HeroMethods(RehearsalGame game) {
        this.game = game;
    }

    @Override
    public List<PortalGame.Player> online() {
        List<PortalGame.Player> players = new ArrayList<>();
        for (Hero hero : game.heroes.values())
            players.add(new PortalGame.Player(hero.account, String.valueOf(hero.id), hero));
        return players;
    }

    @Override
    public PortalGame.Fits fits(PortalGame.Player player, List<PortalGame.Good> goods) {
        Hero hero = (Hero) player.character;
        long luong = hero.luong;
        long yen = hero.yen;
        int items = hero.bag.size();
        for (PortalGame.Good good : goods) {
            if (good.kind.equals("luong")) luong += good.quantity;
            if (good.kind.equals("yen")) yen += good.quantity;
            if (good.kind.equals("item")) {
                if (!ITEMS.contains(good.code)) return PortalGame.Fits.UNKNOWN_ITEM;
                items++;
            }
        }
        if (luong > Hero.CAP || yen > Hero.CAP) return PortalGame.Fits.OVER_LIMIT;
        return items > Hero.BAG_SIZE ? PortalGame.Fits.BAG_FULL : PortalGame.Fits.YES;
    }

    @Override
    public Runnable give(Connection database, PortalGame.Player player, List<PortalGame.Good> goods, String purchase)
        throws SQLException {
        Hero hero = (Hero) player.character;
        // The character as it will be, beside the one in memory.
        Hero after = hero.copy();
        after.receive(goods);
        HeroTable.save(database, after);
        return () -> hero.receive(goods);
    }

    @Override
    public Runnable take(Connection database, PortalGame.Player player, long luong, String charge) throws SQLException {
        Hero hero = (Hero) player.character;
        if (hero.luong < luong) return null;
        Hero after = hero.copy();
        after.luong -= (int) luong;
        HeroTable.save(database, after);
        return () -> hero.luong -= (int) luong;
    }

    @Override
    public void notice(PortalGame.Player player, String text) {
        game.notice(player.account, text);
    }

    @Override
    public void disconnect(PortalGame.Player player, String sentence) {
        game.disconnect(player.account, sentence);
    }
}
