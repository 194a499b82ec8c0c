import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Run it with: java Receiver.java */
public class Receiver {
  private static final String SECRET = System.getenv("WEBHOOK_SECRET"); // whsec_…
  private static final byte[] KEY =
      Base64.getDecoder().decode(SECRET.replaceFirst("^whsec_", ""));

  public static void main(String[] args) throws IOException {
    int port = Integer.parseInt(System.getenv().getOrDefault("PORT", "3000"));
    HttpServer server = HttpServer.create(new InetSocketAddress(port), 0);
    server.createContext("/", Receiver::receive);
    server.start();
    System.out.println("Listening on port " + server.getAddress().getPort());
  }

  private static void receive(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readAllBytes(); // the raw bytes, before any parser
    int status = isGenuine(exchange.getRequestHeaders(), body) ? 204 : 401;
    if (status == 204) {
      // Store the event here, unless you know its id. Then answer, and work later.
      // Parse the body with your JSON library; look for "type": "cart.order.completed".
      System.out.println("Received " + exchange.getRequestHeaders().getFirst("webhook-id"));
    }
    exchange.sendResponseHeaders(status, -1);
    exchange.close();
  }

  /** Whether these bytes were signed with the secret, at most 5 minutes ago. */
  private static boolean isGenuine(Headers headers, byte[] body) {
    try {
      String time = headers.getFirst("webhook-timestamp");
      if (Math.abs(Instant.now().getEpochSecond() - Long.parseLong(time)) > 300) return false;
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(KEY, "HmacSHA256"));
      String start = headers.getFirst("webhook-id") + "." + time + ".";
      mac.update(start.getBytes(StandardCharsets.UTF_8));
      byte[] expected = mac.doFinal(body);
      // Two signatures while the secret is rotated.
      for (String each : headers.getFirst("webhook-signature").split(" ")) {
        if (!each.startsWith("v1,")) continue;
        if (MessageDigest.isEqual(Base64.getDecoder().decode(each.substring(3)), expected)) return true;
      }
      return false;
    } catch (GeneralSecurityException | IllegalArgumentException | NullPointerException refused) {
      return false;
    }
  }
}
