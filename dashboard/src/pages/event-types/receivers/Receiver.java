import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Run it with: java Receiver.java */
public class Receiver {
  private static final String SECRET =
      System.getenv("WEBHOOK_SECRET"); // whsec_…, or the public key whpk_…
  private static final byte[] KEY =
      Base64.getDecoder().decode(SECRET.replaceFirst("^wh(sec|pk)_", ""));
  private static final boolean PUBLIC = SECRET.startsWith("whpk_");
  private static final String VERSION = PUBLIC ? "v1a," : "v1,";

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

  /** Whether one signature is right: Ed25519 for a public key, HMAC-SHA256 for a secret. */
  private static boolean isRight(byte[] signed, byte[] given) throws GeneralSecurityException {
    if (!PUBLIC) {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(KEY, "HmacSHA256"));
      return MessageDigest.isEqual(given, mac.doFinal(signed));
    }
    byte[] prefix = HexFormat.of().parseHex("302a300506032b6570032100");
    X509EncodedKeySpec encoded = new X509EncodedKeySpec(join(prefix, KEY));
    Signature signature = Signature.getInstance("Ed25519");
    signature.initVerify(KeyFactory.getInstance("Ed25519").generatePublic(encoded));
    signature.update(signed);
    return signature.verify(given);
  }

  private static byte[] join(byte[] first, byte[] second) {
    return ByteBuffer.allocate(first.length + second.length).put(first).put(second).array();
  }

  /** Whether these bytes were signed for the key, at most 5 minutes ago. */
  private static boolean isGenuine(Headers headers, byte[] body) {
    try {
      String time = headers.getFirst("webhook-timestamp");
      if (Math.abs(Instant.now().getEpochSecond() - Long.parseLong(time)) > 300) return false;
      String start = headers.getFirst("webhook-id") + "." + time + ".";
      byte[] signed = join(start.getBytes(StandardCharsets.UTF_8), body);
      // Two signatures while the key is rotated.
      for (String each : headers.getFirst("webhook-signature").split(" ")) {
        if (!each.startsWith(VERSION)) continue;
        if (isRight(signed, Base64.getDecoder().decode(each.substring(VERSION.length())))) return true;
      }
      return false;
    } catch (GeneralSecurityException | IllegalArgumentException | NullPointerException refused) {
      return false;
    }
  }
}
