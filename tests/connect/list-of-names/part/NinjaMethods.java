import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

final class NinjaMethods implements PortalGame.Game {
    private static final Set<String> ITEMS = new HashSet<>(Arrays.asList("pet", "companion", "sword"));

    @Override
    public List<PortalGame.Player> online() {
        List<PortalGame.Player> players = new ArrayList<>();
        for (Session session : Server.sessions.values())
            players.add(new PortalGame.Player(session.ninja.account, String.valueOf(session.ninja.id), session));
        return players;
    }

    @Override
    public PortalGame.Fits fits(PortalGame.Player player, List<PortalGame.Good> goods) {
        Ninja ninja = ((Session) player.character).ninja;
        for (PortalGame.Good good : goods)
            if (good.kind.equals("item") && !ITEMS.contains(good.code)) return PortalGame.Fits.UNKNOWN_ITEM;
        if (ninja.luong + sum(goods, "luong") > Ninja.CAP || ninja.yen + sum(goods, "yen") > Ninja.CAP)
            return PortalGame.Fits.OVER_LIMIT;
        return bagWith(ninja, goods).split(",").length > Ninja.BAG_SIZE ? PortalGame.Fits.BAG_FULL : PortalGame.Fits.YES;
    }

    @Override
    public Runnable give(Connection database, PortalGame.Player player, List<PortalGame.Good> goods, String purchase)
        throws SQLException {
        Session session = (Session) player.character;
        Ninja ninja = session.ninja;
        int luong = (int) sum(goods, "luong");
        int yen = (int) sum(goods, "yen");
        String bag = bagWith(ninja, goods);
        ninja.write(database, ninja.luong + luong, ninja.yen + yen, bag);
        return () -> {
            ninja.luong += luong;
            ninja.yen += yen;
            ninja.bag = bag;
            session.send("Bạn nhận được quà từ cổng.");
        };
    }

    @Override
    public Runnable take(Connection database, PortalGame.Player player, long luong, String charge) throws SQLException {
        Ninja ninja = ((Session) player.character).ninja;
        if (ninja.luong < luong) return null;
        ninja.write(database, ninja.luong - (int) luong, ninja.yen, ninja.bag);
        return () -> ninja.luong -= (int) luong;
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

    private static long sum(List<PortalGame.Good> goods, String kind) {
        return goods.stream().filter(good -> good.kind.equals(kind)).mapToLong(good -> good.quantity).sum();
    }

    private static String bagWith(Ninja ninja, List<PortalGame.Good> goods) {
        List<String> bag = new ArrayList<>();
        if (!ninja.bag.isEmpty()) bag.add(ninja.bag);
        for (PortalGame.Good good : goods) if (good.kind.equals("item")) bag.add(good.code + ":" + good.quantity);
        return String.join(",", bag);
    }
}
