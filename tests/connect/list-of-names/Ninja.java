import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** A character in memory; luong is its account's. */
final class Ninja {
    static final int CAP = 2_000_000_000;
    static final int BAG_SIZE = 30;

    final int id;
    final String account;
    final String name;
    int luong;
    int yen;
    /** `code:quantity`, with commas between. */
    String bag;

    Ninja(int id, String account, String name) {
        this.id = id;
        this.account = account;
        this.name = name;
    }

    int things() {
        return bag.isEmpty() ? 0 : bag.split(",").length;
    }

    static Ninja load(Connection database, String account, String name) throws SQLException {
        String sql = "SELECT n.id, p.luong, n.yen, n.bag FROM ninja n JOIN player p ON p.username = ? WHERE n.name = ?";
        try (PreparedStatement select = database.prepareStatement(sql)) {
            select.setString(1, account);
            select.setString(2, name);
            try (ResultSet row = select.executeQuery()) {
                if (!row.next()) throw new SQLException("no ninja " + name);
                Ninja ninja = new Ninja(row.getInt(1), account, name);
                ninja.luong = row.getInt(2);
                ninja.yen = row.getInt(3);
                ninja.bag = row.getString(4);
                return ninja;
            }
        }
    }

    /** Of a new account, whose first ninja has its name. */
    static void create(Connection database, String name, String password) throws SQLException {
        try (PreparedStatement player = database.prepareStatement("INSERT INTO player (username, password, ninja) VALUES (?, ?, ?)");
            PreparedStatement ninja = database.prepareStatement("INSERT INTO ninja (name, bag) VALUES (?, '')")) {
            player.setString(1, name);
            player.setString(2, password);
            player.setString(3, "[\"" + name + "\"]");
            player.executeUpdate();
            ninja.setString(1, name);
            ninja.executeUpdate();
        }
    }

    void save() {
        try (Connection database = Database.open()) {
            write(database, luong, yen, bag);
        } catch (SQLException problem) {
            System.err.println(name + " is not saved: " + problem);
        }
    }

    private void write(Connection database, int luong, int yen, String bag) throws SQLException {
        String sql = "UPDATE player p JOIN ninja n ON n.id = ? SET p.luong = ?, n.yen = ?, n.bag = ? WHERE p.username = ?";
        try (PreparedStatement update = database.prepareStatement(sql)) {
            update.setInt(1, id);
            update.setInt(2, luong);
            update.setInt(3, yen);
            update.setString(4, bag);
            update.setString(5, account);
            if (update.executeUpdate() == 0) throw new SQLException("no ninja " + name);
        }
    }
}
