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
    private String account;
    Ninja ninja;

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
                case Message.REGISTER: send(register(message.first, message.second)); break;
                case Message.PASSWORD: send(changePassword(message.first, message.second)); break;
                case Message.SHOW: send(ninja.luong + " " + ninja.yen + " " + ninja.bag); break;
                case Message.SPEND: ninja.yen -= Integer.parseInt(message.first); break;
                default: send("?");
            }
        } catch (SQLException problem) {
            send("Máy chủ bận.");
        }
    }

    private String login(String name, String password) throws SQLException {
        if (name == null || password == null || !name.matches("[A-Za-z0-9]{3,20}")) return "Sai tên hoặc mật khẩu.";
        try (Connection database = Database.open();
            PreparedStatement select = database.prepareStatement("SELECT password, status, ban, ninja FROM player WHERE username = ?")) {
            select.setString(1, name);
            try (ResultSet row = select.executeQuery()) {
                if (!row.next()) return "Sai tên hoặc mật khẩu.";
                if (!row.getString("password").equals(password)) return "Sai tên hoặc mật khẩu.";
                if (row.getInt("ban") != 0) return "Tài khoản bị khóa.";
                if (row.getInt("status") == 0) return "Tài khoản chưa kích hoạt.";
                if (Server.sessions.containsKey(name)) return "Tài khoản đang chơi.";
                String[] names = row.getString("ninja").replaceAll("[\\[\\]\" ]", "").split(",");
                ninja = Ninja.load(database, name, names[0]);
            }
        }
        account = name;
        Server.sessions.put(account, this);
        return "Chào " + ninja.name;
    }

    private String register(String name, String password) throws SQLException {
        try (Connection database = Database.open()) {
            Ninja.create(database, name, password);
        }
        return "Đã đăng ký.";
    }

    private String changePassword(String before, String after) throws SQLException {
        try (Connection database = Database.open();
            PreparedStatement update = database.prepareStatement("UPDATE player SET password = ? WHERE username = ? AND password = ?")) {
            update.setString(1, after);
            update.setString(2, account);
            update.setString(3, before);
            return update.executeUpdate() == 1 ? "Đã đổi mật khẩu." : "Sai mật khẩu.";
        }
    }

    void disconnect() {
        if (ninja != null && Server.sessions.remove(account, this)) ninja.save();
        try {
            socket.close();
        } catch (IOException closed) {
            // It is.
        }
    }
}
