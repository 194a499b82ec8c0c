"""Receives events, and prints the genuine ones.

SIGNALPOST_SECRETS=whsec_… python receiver.py 8000

While you rotate the secret, name both, with a space between them. The service sends to https only:
a proxy in front of this ends TLS.
"""

import os
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from signalpost import VerificationError, verify

SECRETS = os.environ["SIGNALPOST_SECRETS"].split()
LARGEST_BODY = 1_048_576


class Receiver(BaseHTTPRequestHandler):
    timeout = 10

    def do_POST(self) -> None:
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or int(length) > LARGEST_BODY:
            return self.answer(413)

        try:
            event = verify(self.rfile.read(int(length)), self.headers, SECRETS)
        except VerificationError as error:
            self.log_message("refused: %s", error)
            return self.answer(401)

        # Store it here, once for each id, in the transaction of its effects: it can come again.
        print(event["id"], event["type"], flush=True)
        self.answer(204)

    def answer(self, status: int) -> None:
        self.send_response(status)
        self.end_headers()


if __name__ == "__main__":
    with ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Receiver) as server:
        print(f"listening on port {server.server_port}", flush=True)
        server.serve_forever()
