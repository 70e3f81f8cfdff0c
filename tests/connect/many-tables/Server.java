import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.CopyOnWriteArrayList;

final class Server {
    /** Who is in the game. */
    static final List<Session> sessions = new CopyOnWriteArrayList<>();

    public static void main(String[] arguments) throws IOException {
        Database.url = arguments[0];
        new Timer(true).schedule(new Saver(), 60_000, 60_000);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> new Saver().run()));
        try (ServerSocket socket = new ServerSocket(7777, 50, InetAddress.getLoopbackAddress())) {
            System.err.println("the game is open");
            while (true) new Thread(new Session(socket.accept())).start();
        }
    }

    private static final class Saver extends TimerTask {
        @Override
        public void run() {
            for (Session session : sessions) session.hero.save();
        }
    }
}
