"""The errors of a call. Each can be pickled, and prints as one line without control characters."""

from . import types

_LONGEST_TEXT = 1_000


class SignalpostError(Exception):
    """A call failed; `idempotency_key` is the key of the change, None of a read.

    For 24 hours the same change under this key is made once, even if the failed call did make it.
    """

    idempotency_key: str | None


class NoResponse(SignalpostError):
    """No complete response arrived, so a change may or may not have been made."""

    def __init__(self, reason: str, idempotency_key: str | None = None) -> None:
        super().__init__(reason, idempotency_key)
        self.reason = _line(reason)
        self.idempotency_key = idempotency_key

    def __str__(self) -> str:
        return self.reason


class UnexpectedResponse(SignalpostError):
    """The response is none of `/v1`: it comes from a proxy, or from another service."""

    def __init__(
        self,
        reason: str,
        status: int,
        idempotency_key: str | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(reason, status, idempotency_key, retry_after)
        self.reason = _line(reason)
        self.status = status
        self.idempotency_key = idempotency_key
        self.retry_after = retry_after

    def __str__(self) -> str:
        return f"{self.status}: {self.reason}"


class Problem(SignalpostError):
    """The service refused the request: `code` says why, `errors` has one entry for each refusal.

    `retry_after` is in seconds, None if the service named no time.
    """

    def __init__(
        self,
        body: types.Problem,
        idempotency_key: str | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(body, idempotency_key, retry_after)
        self.type = body["type"]
        self.title = body["title"]
        self.status = body["status"]
        self.code: str = body["code"]
        self.errors = body["errors"]
        self.detail = body.get("detail")
        self.request_id = body.get("request_id")
        self.idempotency_key = idempotency_key
        self.retry_after = retry_after

    @property
    def param(self) -> str | None:
        """The first refused field, as it was sent; None if the request as a whole is refused."""
        return next((error["param"] for error in self.errors if "param" in error), None)

    def __str__(self) -> str:
        details = [
            f"{error['param']}: {error['detail']}" if "param" in error else error["detail"]
            for error in self.errors
        ]
        request = f" ({self.request_id})" if self.request_id else ""
        text = "; ".join(details) or self.detail or self.title
        return _line(f"{self.status} {self.code}: {text}") + _line(request)


def _line(text: str) -> str:
    shown = "".join(
        letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text
    )
    return shown if len(shown) <= _LONGEST_TEXT else f"{shown[:_LONGEST_TEXT]}…"
