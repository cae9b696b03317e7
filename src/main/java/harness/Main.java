package harness;

/** Starts the program. */
public final class Main {
  private Main() {}

  public static void main(String[] arguments) {
    System.out.println("harness " + Runtime.version());
  }
}
