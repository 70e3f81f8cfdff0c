import java.sql.Connection;
import java.sql.SQLException;

/** What a test may let happen at the next gift or log-in. */
final class Faults {
    private final RehearsalGame game;
    private volatile String next = "";

    Faults(RehearsalGame game) {
        this.game = game;
    }

    void atNextGift(String fault) {
        next = fault;
        FaultyDriver.isAway = false;
    }

    /** The character is written, nothing is committed. */
    void duringGive(Connection database, Hero hero) throws SQLException {
        // As a thread of the game would that does not take the lock.
        if (isNext("change-before-commit")) hero.yen -= 10;
        if (isNext("change-at-commit")) FaultyDriver.atNextCommit(() -> hero.yen -= 10);
        if (isNext("kill-before-commit")) kill();
        if (isNext("commit-in-give")) database.commit();
        if (isNext("deadlock")) throw new SQLException("Deadlock found when trying to get lock", "40001", 1213);
        if (isNext("commit-lost-before")) FaultyDriver.loseNextCommit("before");
        if (isNext("commit-lost-after")) FaultyDriver.loseNextCommit("after");
        if (isNext("commit-lost-open")) FaultyDriver.loseNextCommit("open");
        if (isNext("commit-lost-away")) FaultyDriver.loseNextCommit("away");
    }

    /** Committed; memory is as before. */
    void afterCommit(Hero hero) throws SQLException {
        if (isNext("kill-after-commit")) kill();
        if (isNext("leave-at-commit")) game.leaveAsItWas(hero);
    }

    /** The character is read, and not yet in the game. */
    void afterLoad(String account) throws SQLException {
        if (isNext("visit-after-load")) game.visit(account);
    }

    private boolean isNext(String fault) {
        if (!next.equals(fault)) return false;
        next = "";
        return true;
    }

    /** As `kill -9`: nothing is saved, no hook runs. */
    private static void kill() {
        Runtime.getRuntime().halt(137);
    }
}
