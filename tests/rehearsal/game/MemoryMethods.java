import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** As HeroMethods, for a game whose saves read memory: an example for the owner of such a one. */
final class MemoryMethods implements PortalGame.Game {
    private final HeroMethods others;

    MemoryMethods(RehearsalGame game) {
        others = new HeroMethods(game);
    }

    @Override
    public List<PortalGame.Player> online() {
        return others.online();
    }

    @Override
    public PortalGame.Fits fits(PortalGame.Player player, List<PortalGame.Good> goods) {
        return others.fits(player, goods);
    }

    @Override
    public Runnable give(Connection database, PortalGame.Player player, List<PortalGame.Good> goods, String purchase)
        throws SQLException {
        long luong = 0;
        long yen = 0;
        List<Hero.Item> items = new ArrayList<>();
        for (PortalGame.Good good : goods) {
            if (good.kind.equals("luong")) luong += good.quantity;
            if (good.kind.equals("yen")) yen += good.quantity;
            if (good.kind.equals("item")) items.add(new Hero.Item(good.code, good.quantity, good.days));
        }
        return change(database, (Hero) player.character, (int) luong, (int) yen, items);
    }

    @Override
    public Runnable take(Connection database, PortalGame.Player player, long luong, String charge) throws SQLException {
        Hero hero = (Hero) player.character;
        return hero.luong < luong ? null : change(database, hero, (int) -luong, 0, new ArrayList<>());
    }

    @Override
    public void notice(PortalGame.Player player, String text) {
        others.notice(player, text);
    }

    @Override
    public void disconnect(PortalGame.Player player, String sentence) {
        others.disconnect(player, sentence);
    }

    /** Saved with the change, which is taken away again: by what was added, not by what was there before. */
    private static Runnable change(Connection database, Hero hero, int luong, int yen, List<Hero.Item> items) throws SQLException {
        add(hero, luong, yen, items);
        try {
            HeroTable.save(database, hero);
        } finally {
            hero.luong -= luong;
            hero.yen -= yen;
            hero.bag.removeAll(items); // items have no equals: these very ones
        }
        return () -> add(hero, luong, yen, items);
    }

    private static void add(Hero hero, int luong, int yen, List<Hero.Item> items) {
        hero.luong += luong;
        hero.yen += yen;
        hero.bag.addAll(items);
    }
}
