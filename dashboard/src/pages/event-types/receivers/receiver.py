import base64, hashlib, hmac, json, os, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ["WEBHOOK_SECRET"]  # whsec_…, or the public key whpk_…
KEY = base64.b64decode(SECRET.partition("_")[2])
IS_PUBLIC = SECRET.startswith("whpk_")
VERSION = "v1a" if IS_PUBLIC else "v1"

if IS_PUBLIC:  # needs: pip install cryptography
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey


def is_right(signed, given):
    """Whether one signature is right: Ed25519 for a public key, HMAC-SHA256 for a secret."""
    if not IS_PUBLIC:
        expected = base64.b64encode(hmac.new(KEY, signed, hashlib.sha256).digest())
        return hmac.compare_digest(given.encode(), expected)
    try:
        Ed25519PublicKey.from_public_bytes(KEY).verify(base64.b64decode(given), signed)
        return True
    except (InvalidSignature, ValueError):
        return False


def is_genuine(headers, body):
    """Whether these bytes were signed for the key, at most 5 minutes ago."""
    sent_at = headers.get("webhook-timestamp", "")
    if not sent_at.isdecimal() or abs(time.time() - int(sent_at)) > 300:
        return False
    signed = f"{headers.get('webhook-id', '')}.{sent_at}.".encode() + body
    # Two signatures while the key is rotated.
    signatures = (each.partition(",") for each in headers.get("webhook-signature", "").split(" "))
    return any(version == VERSION and is_right(signed, given) for version, _, given in signatures)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        # The raw bytes, before any parser.
        body = self.rfile.read(int(self.headers.get("content-length", "0")))
        if not is_genuine(self.headers, body):
            return self.answer(401)
        event = json.loads(body)
        # Store the event here, unless you know its id. Then answer, and work later.
        if event["type"] == "cart.order.completed":
            print("Received", event["id"], flush=True)
        self.answer(204)

    def answer(self, status):
        self.send_response(status)
        self.end_headers()


server = ThreadingHTTPServer(("", int(os.environ.get("PORT", "3000"))), Receiver)
print(f"Listening on port {server.server_port}", flush=True)
server.serve_forever()
