import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

final class Server {
    /** Who is in the game, by the name of the account. */
    static final Map<String, Session> sessions = new ConcurrentHashMap<>();

    public static void main(String[] arguments) throws IOException {
        Database.url = arguments[0];
        ScheduledExecutorService timers = Executors.newScheduledThreadPool(2);
        timers.scheduleAtFixedRate(Server::saveAll, 60, 60, TimeUnit.SECONDS);
        timers.scheduleAtFixedRate(Server::payWages, 5, 5, TimeUnit.SECONDS);
        Runtime.getRuntime().addShutdownHook(new Thread(Server::saveAll));
        try (ServerSocket socket = new ServerSocket(7777, 50, InetAddress.getLoopbackAddress())) {
            System.err.println("the game is open");
            while (true) new Thread(new Session(socket.accept())).start();
        }
    }

    private static void saveAll() {
        for (Session session : sessions.values()) session.ninja.save();
    }

    private static void payWages() {
        for (Session session : sessions.values()) session.ninja.yen++;
    }
}
