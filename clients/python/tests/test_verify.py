"""The vector is that of docs/receiving.md."""

import base64
import hmac
import pickle
import unittest
from email.message import Message
from typing import Any, get_args

from signalpost import VerificationError, verify
from signalpost.webhooks import Reason

NOW = 1_795_132_800
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw0123456789AB"
OTHER_SECRET = SECRET.replace("MfKQ", "0000")
BODY = (
    '{"specversion":"1.0","id":"evt_test_1","type":"cart.order.completed",'
    '"data":{"metadata":{"k":"é"}}}'
).encode()
SIGNATURE = "v1,yugBIPB3JAVY7TsUHc6Vchi/4svQkZSgsRojWkD+Jy4="
HEADERS = {
    "webhook-id": "evt_test_1",
    "webhook-timestamp": str(NOW),
    "webhook-signature": SIGNATURE,
}


def sign(body: bytes, secret: str, timestamp: object = NOW) -> str:
    key = base64.b64decode(secret.removeprefix("whsec_"))
    message = f"evt_test_1.{timestamp}.".encode() + body
    return "v1," + base64.b64encode(hmac.digest(key, message, "sha256")).decode()


class Verify(unittest.TestCase):
    def verify(self, **changes: Any) -> Any:
        given = {"body": BODY, "headers": HEADERS, "secret": SECRET, "now": NOW, **changes}
        return verify(**given)

    def check_refusal(self, reason: Reason, **changes: Any) -> str:
        with self.assertRaises(VerificationError) as raised:
            self.verify(**changes)
        self.assertEqual(raised.exception.reason, reason)
        self.assertNotIn("MfKQ9r8GKYqrTwjUPD8", repr(raised.exception))
        return str(raised.exception)

    def test_accepts_what_the_service_signs(self) -> None:
        event = self.verify()
        self.assertEqual(event["id"], "evt_test_1")
        self.assertEqual(event["data"], {"metadata": {"k": "é"}})

    def test_takes_headers_in_any_case_and_of_any_framework(self) -> None:
        self.verify(headers={name.title(): value for name, value in HEADERS.items()})
        message = Message()
        for name, value in HEADERS.items():
            message[name.upper()] = value
        self.verify(headers=message)

    def test_accepts_while_the_secret_is_rotated(self) -> None:
        both = f"{sign(BODY, OTHER_SECRET)} {SIGNATURE}"
        headers = {**HEADERS, "webhook-signature": both}
        for secret in (SECRET, OTHER_SECRET, [OTHER_SECRET, SECRET], (SECRET,)):
            self.verify(headers=headers, secret=secret)
        self.verify(secret=[OTHER_SECRET, SECRET])

    def test_ignores_versions_that_it_does_not_know(self) -> None:
        self.verify(headers={**HEADERS, "webhook-signature": f"v1a,abc {SIGNATURE} v2,abc"})

    def test_accepts_times_up_to_the_tolerance(self) -> None:
        for now in (NOW - 300, NOW + 300):
            self.verify(now=now)
        self.verify(now=NOW + 600, tolerance=600)

    def test_says_how_old_a_genuine_request_is(self) -> None:
        self.assertIn("301 s ago", self.check_refusal("too_old", now=NOW + 301))
        self.assertIn("in 301 s", self.check_refusal("too_new", now=NOW - 301))
        self.check_refusal("too_old", now=NOW + 61, tolerance=60)
        self.check_refusal("too_old", now=None, tolerance=1e-9, headers=self.signed(0))

    def signed(self, timestamp: object) -> dict[str, str]:
        signature = sign(BODY, SECRET, timestamp)
        times = {"webhook-timestamp": str(timestamp), "webhook-signature": signature}
        return {**HEADERS, **times}

    def test_names_the_headers_that_are_missing(self) -> None:
        for name in HEADERS:
            others = {other: value for other, value in HEADERS.items() if other != name}
            self.assertIn(name, self.check_refusal("missing_header", headers=others))
            self.check_refusal("missing_header", headers={**others, name: ""})
        text = self.check_refusal("missing_header", headers={})
        self.assertIn("webhook-id, webhook-timestamp, webhook-signature", text)

    def test_refuses_a_timestamp_that_is_no_number_of_seconds(self) -> None:
        wrong = ("x", "-1", "1.5", " 1", "1_000", "١٢", "9" * 13, f"{NOW}\n", "1e3")
        for timestamp in wrong:
            self.check_refusal("malformed_timestamp", headers=self.signed(timestamp))

    def test_refuses_a_signature_of_versions_that_it_does_not_know(self) -> None:
        complete = SIGNATURE[3:]
        others = (f"v1a,{complete}", complete, f"V1,{complete}", f"v1={complete}", f"x{SIGNATURE}")
        cut = (SIGNATURE[:-1], f"{SIGNATURE}=", f"{SIGNATURE}\n", "v1,", "v1,é", "v1,\ud800", " ")
        for signature in (*others, *cut):
            headers = {**HEADERS, "webhook-signature": signature}
            self.check_refusal("unknown_version", headers=headers)

    def test_refuses_what_was_not_signed(self) -> None:
        self.check_refusal("no_match", body=BODY.replace(b"cart", b"Cart"))
        self.check_refusal("no_match", body=BODY + b"\n")
        self.check_refusal("no_match", secret=OTHER_SECRET)
        self.check_refusal("no_match", headers={**HEADERS, "webhook-id": "evt_test_2"})
        self.check_refusal("no_match", headers={**HEADERS, "webhook-timestamp": str(NOW + 1)})
        self.check_refusal("no_match", headers={**HEADERS, "webhook-id": "\ud800"})

    def test_says_which_secret_is_malformed_without_showing_it(self) -> None:
        for secret in (SECRET[6:], "", "whsec_", f"{SECRET}é", f"{SECRET}A", f"{SECRET}\n", "sk_a"):
            self.check_refusal("secret_format", secret=secret)
            text = self.check_refusal("secret_format", secret=[SECRET, secret])
            self.assertIn("secret 2 of 2", text)
        self.check_refusal("secret_format", secret=[])

    def test_refuses_a_signed_body_that_is_no_json_object(self) -> None:
        for body in (b"", b"{", b"[]", b"null", b"\xff", b"[" * 100_000):
            headers = {**HEADERS, "webhook-signature": sign(body, SECRET)}
            self.check_refusal("malformed_body", body=body, headers=headers)

    def test_asks_for_the_raw_bytes(self) -> None:
        with self.assertRaisesRegex(TypeError, "raw bytes"):
            self.verify(body=BODY.decode())

    def test_errors_can_be_pickled(self) -> None:
        error = VerificationError("no_match", "no signature fits")
        self.assertEqual(str(pickle.loads(pickle.dumps(error))), "no_match: no signature fits")

    def test_every_reason_is_tested(self) -> None:
        with open(__file__, encoding="utf-8") as file:
            text = file.read()
        for reason in get_args(Reason):
            self.assertIn(f'check_refusal("{reason}"', text)


if __name__ == "__main__":
    unittest.main()
