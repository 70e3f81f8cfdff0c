import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

final class Database {
    static String url;
    static final String PASSWORD = System.getenv("DATABASE_PASSWORD");

    private Database() {
    }

    static Connection open() throws SQLException {
        return DriverManager.getConnection(url, "game", PASSWORD);
    }
}
