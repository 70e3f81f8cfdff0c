import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.util.ArrayDeque;
import java.util.Queue;
import javafx.animation.AnimationTimer;
import javafx.application.Application;
import javafx.concurrent.Worker;
import javafx.embed.swing.SwingFXUtils;
import javafx.scene.Group;
import javafx.scene.Scene;
import javafx.scene.web.WebView;
import javafx.stage.Stage;
import javax.imageio.ImageIO;

/**
 * Pages in the WebKit of JavaFX. Each line of the input is a width, an address and a file for a picture, between tabs; the
 * argument is an expression whose text about each page is printed.
 */
public class OldWebKit extends Application {
  private static final int HEIGHT = 800;
  private static final int HEIGHT_MAX = 4000;
  /** It paints what was made larger within some of its frames. */
  private static final int FRAMES = 30;

  private final Queue<String[]> pages = new ArrayDeque<>();
  private final WebView view = new WebView();

  public static void main(String[] words) {
    launch(OldWebKit.class, words);
  }

  @Override
  public void start(Stage stage) throws Exception {
    BufferedReader input = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
    for (String line; (line = input.readLine()) != null; ) pages.add(line.split("\t"));
    // Not laid out by the window, but as large as each page.
    stage.setScene(new Scene(new Group(view), 1280, HEIGHT_MAX));
    stage.show();
    view.getEngine().getLoadWorker().stateProperty().addListener((value, before, now) -> {
      if (now == Worker.State.FAILED) fail("it was not loaded");
      if (now == Worker.State.SUCCEEDED) look();
    });
    next();
  }

  private void next() {
    if (pages.isEmpty()) System.exit(0);
    resize(HEIGHT);
    view.getEngine().load(pages.peek()[1]);
  }

  private void look() {
    System.out.println(run(getParameters().getRaw().get(0)));
    resize(Math.min(HEIGHT_MAX, (Integer) run("document.documentElement.scrollHeight")));
    new AnimationTimer() {
      private int frames = 0;

      @Override
      public void handle(long now) {
        if ((frames += 1) < FRAMES) return;
        stop();
        try {
          File file = new File(pages.remove()[2]);
          ImageIO.write(SwingFXUtils.fromFXImage(view.snapshot(null, null), null), "png", file);
        } catch (Exception error) {
          fail(String.valueOf(error));
        }
        next();
      }
    }.start();
  }

  private Object run(String script) {
    return view.getEngine().executeScript(script);
  }

  private void resize(double height) {
    view.setPrefSize(Double.parseDouble(pages.peek()[0]), height);
    view.autosize();
  }

  private static void fail(String reason) {
    System.err.println(reason);
    System.exit(1);
  }
}
