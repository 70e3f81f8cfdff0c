import java.util.ArrayList;
import java.util.List;

/** A character in memory, as its player changes it. Read and changed with RehearsalGame.LOCK only. */
final class Hero {
    static final int CAP = 2_000_000_000;
    static final int BAG_SIZE = 30;

    static final class Item {
        final String code;
        final long quantity;
        final int days;

        Item(String code, long quantity, int days) {
            this.code = code;
            this.quantity = quantity;
            this.days = days;
        }
    }

    final int id;
    final String account;
    /** Of the account: every character of it would have the same. */
    int luong;
    int yen;
    List<Item> bag;

    Hero(int id, String account, int luong, int yen, List<Item> bag) {
        this.id = id;
        this.account = account;
        this.luong = luong;
        this.yen = yen;
        this.bag = bag;
    }

    /** Another object with the same values. */
    Hero copy() {
        return new Hero(id, account, luong, yen, new ArrayList<>(bag));
    }

    void receive(List<PortalGame.Good> goods) {
        for (PortalGame.Good good : goods) {
            if (good.kind.equals("luong")) luong += (int) good.quantity;
            if (good.kind.equals("yen")) yen += (int) good.quantity;
            if (good.kind.equals("item")) bag.add(new Item(good.code, good.quantity, good.days));
        }
    }

    /** The bag as one text, as such games store it: `code:quantity:days` with commas between. */
    String bagText() {
        StringBuilder text = new StringBuilder();
        for (Item item : bag) {
            if (text.length() > 0) text.append(',');
            text.append(item.code).append(':').append(item.quantity).append(':').append(item.days);
        }
        return text.toString();
    }

    static List<Item> readBag(String text) {
        List<Item> items = new ArrayList<>();
        if (text.isEmpty()) return items;
        for (String one : text.split(",")) {
            String[] parts = one.split(":");
            items.add(new Item(parts[0], Long.parseLong(parts[1]), Integer.parseInt(parts[2])));
        }
        return items;
    }
}
