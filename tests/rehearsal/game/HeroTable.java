import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Characters in the database. */
final class HeroTable {
    private HeroTable() {
    }

    /** By the name that was given, in whatever capitals. Null for an account without a character. */
    static Hero load(Connection database, String account) throws SQLException {
        String sql = "SELECT c.id, a.luong, c.yen, c.bag FROM game_character c"
            + " JOIN game_account a ON a.id = c.account_id WHERE a.username = ?";
        try (PreparedStatement select = database.prepareStatement(sql)) {
            select.setString(1, account);
            try (ResultSet row = select.executeQuery()) {
                if (!row.next()) return null;
                return new Hero(row.getInt(1), account, row.getInt(2), row.getInt(3), Hero.readBag(row.getString(4)));
            }
        }
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
            update.setString(3, hero.bagText());
            update.setInt(4, hero.id);
            if (update.executeUpdate() == 0) throw new SQLException("no character " + hero.id);
        }
    }
}
