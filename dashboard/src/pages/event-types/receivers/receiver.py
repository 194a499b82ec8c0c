import base64, hashlib, hmac, json, os, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ["WEBHOOK_SECRET"]  # whsec_…
KEY = base64.b64decode(SECRET.removeprefix("whsec_"))


def is_genuine(headers, body):
    """Whether these bytes were signed with the secret, at most 5 minutes ago."""
    sent_at = headers.get("webhook-timestamp", "")
    if not sent_at.isdecimal() or abs(time.time() - int(sent_at)) > 300:
        return False
    signed = f"{headers.get('webhook-id', '')}.{sent_at}.".encode() + body
    digest = hmac.new(KEY, signed, hashlib.sha256).digest()
    expected = b"v1," + base64.b64encode(digest)
    # Two signatures while the secret is rotated.
    given = headers.get("webhook-signature", "").encode().split(b" ")
    return any(hmac.compare_digest(each, expected) for each in given)


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
