import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** A character in memory, which its save reads; luong is its account's. */
final class Hero {
    static final int CAP = 2_000_000_000;
    static final int BAG_SIZE = 30;

    static final class Item {
        final String code;
        final int quantity;

        Item(String code, int quantity) {
            this.code = code;
            this.quantity = quantity;
        }
    }

    final int id;
    final int accountId;
    final String name;
    int luong;
    int yen;
    final List<Item> items = new ArrayList<>();

    private Hero(int id, int accountId, String name) {
        this.id = id;
        this.accountId = accountId;
        this.name = name;
    }

    static Hero load(Connection database, int accountId) throws SQLException {
        String sql = "SELECT c.id, c.name, a.luong, c.yen FROM game_character c JOIN game_account a ON a.id = c.account_id WHERE a.id = " + accountId;
        Hero hero;
        try (PreparedStatement select = database.prepareStatement(sql); ResultSet row = select.executeQuery()) {
            if (!row.next()) return null;
            hero = new Hero(row.getInt(1), accountId, row.getString(2));
            hero.luong = row.getInt(3);
            hero.yen = row.getInt(4);
        }
        String bag = "SELECT code, quantity FROM game_item WHERE character_id = " + hero.id + " ORDER BY slot";
        try (PreparedStatement select = database.prepareStatement(bag); ResultSet row = select.executeQuery()) {
            while (row.next()) hero.items.add(new Item(row.getString(1), row.getInt(2)));
        }
        return hero;
    }

    static void create(Connection database, int accountId, String name) throws SQLException {
        try (PreparedStatement insert = database.prepareStatement("INSERT INTO game_character (account_id, name) VALUES (?, ?)")) {
            insert.setInt(1, accountId);
            insert.setString(2, name);
            insert.executeUpdate();
        }
    }

    void save() {
        try (Connection database = Database.open()) {
            database.setAutoCommit(false);
            saveSelf(database);
            saveItems(database);
            database.commit();
        } catch (SQLException problem) {
            System.err.println(name + " is not saved: " + problem);
        }
    }

    private void saveSelf(Connection database) throws SQLException {
        String sql = "UPDATE game_account a JOIN game_character c ON c.account_id = a.id SET a.luong = ?, c.yen = ? WHERE c.id = ?";
        try (PreparedStatement update = database.prepareStatement(sql)) {
            update.setInt(1, luong);
            update.setInt(2, yen);
            update.setInt(3, id);
            if (update.executeUpdate() == 0) throw new SQLException("no hero " + name);
        }
    }

    private void saveItems(Connection database) throws SQLException {
        try (PreparedStatement delete = database.prepareStatement("DELETE FROM game_item WHERE character_id = ?")) {
            delete.setInt(1, id);
            delete.executeUpdate();
        }
        try (PreparedStatement insert = database.prepareStatement("INSERT INTO game_item VALUES (?, ?, ?, ?)")) {
            for (int slot = 0; slot < items.size(); slot++) {
                insert.setInt(1, id);
                insert.setInt(2, slot);
                insert.setString(3, items.get(slot).code);
                insert.setInt(4, items.get(slot).quantity);
                insert.addBatch();
            }
            if (!items.isEmpty()) insert.executeBatch();
        }
    }
}
