/** `command first second`, with blanks between. */
final class Message {
    static final String LOGIN = "login";
    static final String REGISTER = "register";
    static final String PASSWORD = "password";
    static final String SHOW = "show";
    static final String CREATE = "create";
    static final String SPEND = "spend";

    final String command;
    final String first;
    final String second;

    Message(String line) {
        String[] words = line.split(" ", 3);
        command = words[0];
        first = words.length > 1 ? words[1] : null;
        second = words.length > 2 ? words[2] : null;
    }
}
