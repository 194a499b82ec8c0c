"""Verifies the `webhook-signature` of deliveries, as Standard Webhooks describes it."""

import base64
import hmac
import json
import re
import time
from collections.abc import Iterable, Sequence
from typing import Literal, Protocol, cast

from .types import Event

Reason = Literal[
    "secret_format",
    "missing_header",
    "malformed_timestamp",
    "unknown_version",
    "no_match",
    "too_old",
    "too_new",
    "malformed_body",
]


class VerificationError(ValueError):
    """The request must not be trusted: `reason` names what is wrong, the message what to do."""

    def __init__(self, reason: Reason, message: str) -> None:
        super().__init__(reason, message)
        self.reason = reason
        self.message = message

    def __str__(self) -> str:
        return f"{self.reason}: {self.message}"


class Headers(Protocol):
    """The headers of a request, as web frameworks have them; their case does not matter."""

    def items(self) -> Iterable[tuple[str, str]]: ...


def verify(
    body: bytes,
    headers: Headers,
    secret: str | Sequence[str],
    tolerance: float = 300,
    *,
    now: float | None = None,
) -> Event:
    """Returns the event of a request that was signed with a secret at most `tolerance` seconds ago.

    `body` is the raw bytes of the request, before any parser. `secret` is one or several, as while
    it is rotated. `now` is in seconds since 1970, by default the time of this machine. Raises
    VerificationError for any other request.
    """
    if not isinstance(body, bytes):
        raise TypeError("body must be the raw bytes of the request; parsed and printed, it differs")

    keys = _keys(secret)
    identifier, timestamp, signatures = _signed_headers(headers)
    message = f"{identifier}.{timestamp}.".encode(errors="surrogatepass") + body

    # Every pair is compared, each in constant time.
    matches = [
        hmac.compare_digest(signature, base64.b64encode(hmac.digest(key, message, "sha256")))
        for key in keys
        for signature in signatures
    ]
    if not any(matches):
        raise VerificationError(
            "no_match", "no signature fits: the secret is another, or the body is not the raw one"
        )

    _check_age((time.time() if now is None else now) - int(timestamp), tolerance)
    try:
        event = json.loads(body)
    except (ValueError, RecursionError):
        event = None
    if not isinstance(event, dict):
        raise VerificationError("malformed_body", "the signed body is not a JSON object")
    return cast(Event, event)


def _keys(secret: str | Sequence[str]) -> list[bytes]:
    secrets = [secret] if isinstance(secret, str) else list(secret)
    keys = []
    for number, text in enumerate(secrets, 1):
        match = re.fullmatch(r"whsec_([A-Za-z0-9+/_-]+)=*", text)
        # Base64 has no such length.
        if match is None or len(match[1]) % 4 == 1:
            raise VerificationError(
                "secret_format", f"secret {number} of {len(secrets)} is not whsec_ and base64"
            )
        letters = match[1].replace("-", "+").replace("_", "/")
        keys.append(base64.b64decode(letters + "=" * (-len(letters) % 4)))

    if not keys:
        raise VerificationError("secret_format", "there is no secret")
    return keys


def _signed_headers(headers: Headers) -> tuple[str, str, list[bytes]]:
    values = {name.lower(): value for name, value in headers.items()}
    names = ("webhook-id", "webhook-timestamp", "webhook-signature")
    missing = [name for name in names if not values.get(name)]
    if missing:
        raise VerificationError("missing_header", f"the request has no {', '.join(missing)}")

    identifier, timestamp, signature = (values[name] for name in names)
    if not re.fullmatch(r"[0-9]{1,12}", timestamp):
        raise VerificationError(
            "malformed_timestamp", "webhook-timestamp is not a number of seconds"
        )

    known = [
        part[3:].encode()
        for part in signature.split(" ")
        if re.fullmatch(r"v1,[A-Za-z0-9+/]{43}=", part)
    ]
    if not known:
        raise VerificationError(
            "unknown_version", "webhook-signature has no complete signature of version v1"
        )
    return identifier, timestamp, known


def _check_age(age: float, tolerance: float) -> None:
    advice = f"at most {tolerance:.0f} s are accepted; check the clock"
    if age > tolerance:
        raise VerificationError("too_old", f"the request was signed {age:.0f} s ago, {advice}")
    if age < -tolerance:
        raise VerificationError("too_new", f"the request is signed for in {-age:.0f} s, {advice}")
