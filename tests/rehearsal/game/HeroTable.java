import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Characters in the database. */
final class HeroTable {
    /** Whether bags are rows of game_item; otherwise they are a text of the character. */
    static boolean isOfManyTables;

    private HeroTable() {
    }

    /** By a name in whatever capitals, also where the collation of the column tells them apart. Null without a character. */
    static Hero load(Connection database, String account) throws SQLException {
        String sql = "SELECT c.id, a.luong, c.yen, c.bag FROM game_character c"
            + " JOIN game_account a ON a.id = c.account_id WHERE LOWER(a.username) = LOWER(?)";
        try (PreparedStatement select = database.prepareStatement(sql)) {
            select.setString(1, account);
            try (ResultSet row = select.executeQuery()) {
                if (!row.next()) return null;
                String bag = isOfManyTables ? loadBag(database, row.getInt(1)) : row.getString(4);
                return new Hero(row.getInt(1), account, row.getInt(2), row.getInt(3), Hero.readBag(bag));
            }
        }
    }

    private static String loadBag(Connection database, int hero) throws SQLException {
        String sql = "SELECT code, quantity, days FROM game_item WHERE character_id = ? ORDER BY slot";
        StringBuilder bag = new StringBuilder();
        try (PreparedStatement select = database.prepareStatement(sql)) {
            select.setInt(1, hero);
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    if (bag.length() > 0) bag.append(',');
                    bag.append(row.getString(1)).append(':').append(row.getLong(2)).append(':').append(row.getInt(3));
                }
            }
        }
        return bag.toString();
    }

    /** For an account that the portal knows and the game does not: a new player. */
    static void create(Connection database, String account) throws SQLException {
        String[] statements = {
            "INSERT INTO game_account (username) VALUES (?)",
            "INSERT INTO game_character (account_id, name, bag) SELECT id, username, '' FROM game_account WHERE username = ?",
        };
        for (String sql : statements) {
            try (PreparedStatement insert = database.prepareStatement(sql)) {
                insert.setString(1, account);
                insert.executeUpdate();
            }
        }
    }

    /** Every column from memory; whoever calls it commits. Used by log-out, by shut-down and by what the portal gives. */
    static void save(Connection database, Hero hero) throws SQLException {
        // One statement: either all of it is stored or nothing.
        String sql = "UPDATE game_account a JOIN game_character c ON c.account_id = a.id"
            + " SET a.luong = ?, c.yen = ?, c.bag = ? WHERE c.id = ?";
        try (PreparedStatement update = database.prepareStatement(sql)) {
            update.setInt(1, hero.luong);
            update.setInt(2, hero.yen);
            update.setString(3, isOfManyTables ? "" : hero.bagText());
            update.setInt(4, hero.id);
            if (update.executeUpdate() == 0) throw new SQLException("no character " + hero.id);
        }
        if (isOfManyTables) saveBag(database, hero);
    }

    private static void saveBag(Connection database, Hero hero) throws SQLException {
        try (PreparedStatement delete = database.prepareStatement("DELETE FROM game_item WHERE character_id = ?")) {
            delete.setInt(1, hero.id);
            delete.executeUpdate();
        }
        String sql = "INSERT INTO game_item (character_id, slot, code, quantity, days) VALUES (?, ?, ?, ?, ?)";
        try (PreparedStatement insert = database.prepareStatement(sql)) {
            int slot = 0;
            for (Hero.Item item : hero.bag) {
                insert.setInt(1, hero.id);
                insert.setInt(2, slot++);
                insert.setString(3, item.code);
                insert.setLong(4, item.quantity);
                insert.setInt(5, item.days);
                insert.addBatch();
            }
            if (slot > 0) insert.executeBatch();
        }
    }
}
