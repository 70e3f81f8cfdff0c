import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

final class HeroMethods implements PortalGame.Game {
    private static final Set<String> ITEMS = new HashSet<>(Arrays.asList("pet", "companion", "sword"));

    @Override
    public List<PortalGame.Player> online() {
        List<PortalGame.Player> players = new ArrayList<>();
        for (Session session : Server.sessions)
            players.add(new PortalGame.Player(session.user, String.valueOf(session.hero.id), session));
        return players;
    }

    @Override
    public PortalGame.Fits fits(PortalGame.Player player, List<PortalGame.Good> goods) {
        Hero hero = ((Session) player.character).hero;
        for (PortalGame.Good good : goods)
            if (good.kind.equals("item") && !ITEMS.contains(good.code)) return PortalGame.Fits.UNKNOWN_ITEM;
        if (hero.luong + sum(goods, "luong") > Hero.CAP || hero.yen + sum(goods, "yen") > Hero.CAP)
            return PortalGame.Fits.OVER_LIMIT;
        return hero.items.size() + itemsOf(goods).size() > Hero.BAG_SIZE ? PortalGame.Fits.BAG_FULL : PortalGame.Fits.YES;
    }

    @Override
    public Runnable give(Connection database, PortalGame.Player player, List<PortalGame.Good> goods, String purchase)
        throws SQLException {
        Session session = (Session) player.character;
        Runnable change = change(database, session.hero, (int) sum(goods, "luong"), (int) sum(goods, "yen"), itemsOf(goods));
        return () -> {
            change.run();
            session.send("Bạn nhận được quà từ cổng.");
        };
    }

    @Override
    public Runnable take(Connection database, PortalGame.Player player, long luong, String charge) throws SQLException {
        Hero hero = ((Session) player.character).hero;
        return hero.luong < luong ? null : change(database, hero, (int) -luong, 0, new ArrayList<>());
    }

    @Override
    public void notice(PortalGame.Player player, String text) {
        ((Session) player.character).send(text);
    }

    @Override
    public void disconnect(PortalGame.Player player, String sentence) {
        Session session = (Session) player.character;
        session.send(sentence);
        session.disconnect();
    }

    private static Runnable change(Connection database, Hero hero, int luong, int yen, List<Hero.Item> items) throws SQLException {
        add(hero, luong, yen, items);
        try {
            hero.save(database);
        } finally {
            hero.luong -= luong;
            hero.yen -= yen;
            hero.items.removeAll(items);
        }
        return () -> add(hero, luong, yen, items);
    }

    private static void add(Hero hero, int luong, int yen, List<Hero.Item> items) {
        hero.luong += luong;
        hero.yen += yen;
        hero.items.addAll(items);
    }

    private static long sum(List<PortalGame.Good> goods, String kind) {
        return goods.stream().filter(good -> good.kind.equals(kind)).mapToLong(good -> good.quantity).sum();
    }

    private static List<Hero.Item> itemsOf(List<PortalGame.Good> goods) {
        List<Hero.Item> items = new ArrayList<>();
        for (PortalGame.Good good : goods) if (good.kind.equals("item")) items.add(new Hero.Item(good.code, (int) good.quantity));
        return items;
    }
}
