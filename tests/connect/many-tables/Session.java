import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** The connection of a player: a line is a message. */
final class Session implements Runnable {
    private final Socket socket;
    private PrintWriter out;
    private String user;
    private String pass;
    private int accountId;
    Hero hero;

    Session(Socket socket) {
        this.socket = socket;
    }

    @Override
    public void run() {
        try (BufferedReader in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))) {
            out = new PrintWriter(socket.getOutputStream(), true, StandardCharsets.UTF_8);
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                Message message = new Message(line);
                onMessage(message);
            }
        } catch (IOException gone) {
            // As if the player had left.
        } finally {
            disconnect();
        }
    }

    void send(String line) {
        out.println(line);
    }

    private void onMessage(Message message) {
        try {
            switch (message.command) {
                case Message.LOGIN: send(login(message.first, message.second)); break;
                case Message.CREATE: send(create(message.first)); break;
                case Message.PASSWORD: send(changePassword(message.first, message.second)); break;
                case Message.SHOW: send(hero.luong + " " + hero.yen + " " + hero.items.size()); break;
                case Message.SPEND: hero.yen -= Integer.parseInt(message.first); break;
                default: send("?");
            }
        } catch (SQLException problem) {
            send("Máy chủ bận.");
        }
    }

    private String login(String name, String password) throws SQLException {
        user = name.trim().replace("'", "''");
        pass = password.replace("'", "''");
        try (Connection database = Database.open();
            PreparedStatement select = database.prepareStatement("SELECT id, ban FROM game_account WHERE username = '" + user + "' AND password = '" + pass + "'");
            ResultSet row = select.executeQuery()) {
            if (!row.next()) return "Sai tên hoặc mật khẩu.";
            if (row.getInt("ban") != 0) return "Tài khoản bị khóa.";
            accountId = row.getInt("id");
            for (Session other : Server.sessions) if (other.user.equals(user)) return "Tài khoản đang chơi.";
            return enter(database);
        }
    }

    /** With the first character, or asks for its name. */
    private String enter(Connection database) throws SQLException {
        hero = Hero.load(database, accountId);
        if (hero == null) return "Hãy tạo nhân vật.";
        Server.sessions.add(this);
        return "Chào " + hero.name;
    }

    private String create(String name) throws SQLException {
        try (Connection database = Database.open()) {
            // Whoever sends this without having logged in.
            try (PreparedStatement select = database.prepareStatement("SELECT id FROM game_account WHERE username = ? AND password = ?")) {
                select.setString(1, user);
                select.setString(2, pass);
                if (!select.executeQuery().next()) return "Sai tên hoặc mật khẩu.";
            }
            Hero.create(database, accountId, name);
            return enter(database);
        }
    }

    private String changePassword(String before, String after) throws SQLException {
        if (!before.equals(pass)) return "Sai mật khẩu.";
        try (Connection database = Database.open();
            PreparedStatement update = database.prepareStatement("UPDATE game_account SET password = ? WHERE id = ?")) {
            update.setString(1, after);
            update.setInt(2, accountId);
            update.executeUpdate();
        }
        pass = after;
        return "Đã đổi mật khẩu.";
    }

    void disconnect() {
        if (Server.sessions.remove(this)) hero.save();
        try {
            socket.close();
        } catch (IOException closed) {
            // It is.
        }
    }
}
