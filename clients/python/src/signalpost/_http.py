"""The requests of a client.

A call sends a request within `deadline` seconds, waits included, and again after at most `retries`
failures. All tries of a change carry one Idempotency-Key: however often it is sent, the service
makes it once. A try is repeated when no complete response came, or when the response says that the
same request may succeed later. While the first request with its key runs, nothing has failed. A response is read as it was sent, up to a number of bytes; it is never unpacked,
because a few bytes unpack to any number. Redirects are not followed: they would take the key to
another address.
"""

import itertools
import json
import random
import re
import time
import urllib.request
import uuid
from collections.abc import Iterable, Mapping
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any, cast
from urllib.parse import urlsplit

import httpcore
import httpx

from . import __version__, types
from .problems import NoResponse, Problem, SignalpostError, UnexpectedResponse

# The service answers within 10 seconds, a replay within 20.
_TRY_SECONDS = 30.0
_LONGEST_PAUSE = 30.0
# A page of orders with the most metadata has some 4 MiB.
_MAX_BYTES = 64 * 1_024 * 1_024
_RETRIED_STATUSES = frozenset({429, 502, 503, 504})


class Requests:
    """Sends the requests of a client; threads may share it."""

    def __init__(self, url: str, key: str, deadline: float, retries: int) -> None:
        self._url = _checked_url(url)
        # Without the key: an error of another package would print it.
        if not re.fullmatch(r"[!-~]+", key):
            raise ValueError("key must be visible ASCII characters, without spaces")
        if not deadline > 0 or retries < 0:
            raise ValueError("deadline must be more than 0, retries at least 0")

        self._deadline = deadline
        self._retries = retries
        self._client = httpx.Client(
            transport=_Transport(_proxy_for(self._url)),
            follow_redirects=False,
            # `/v1` sets no cookies. Those of others are not kept.
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=())),
            headers={
                "Authorization": f"Bearer {key}",
                "Accept": "application/json, application/problem+json",
                "Accept-Encoding": "identity",
                "User-Agent": f"signalpost-python/{__version__}",
            },
        )

    def close(self) -> None:
        self._client.close()

    def send(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, object] | None = None,
        body: Mapping[str, object] | None = None,
        idempotency_key: str | None = None,
    ) -> Any:
        """Returns the JSON of a success, None if it has no body. Raises SignalpostError."""
        end = time.monotonic() + self._deadline
        key = None if method == "GET" else _checked_key(idempotency_key)
        content = b"" if body is None else _json(body)
        headers = {
            **({} if key is None else {b"Idempotency-Key": key.encode()}),
            **({} if body is None else {b"Content-Type": b"application/json"}),
        }
        parameters = {
            name: str(value) for name, value in (query or {}).items() if value is not None
        }
        request = self._client.build_request(
            method, self._url + path, params=parameters, content=content, headers=headers
        )

        failures = 0
        for pauses in itertools.count():
            try:
                return self._try(request, key, end)
            except SignalpostError as error:
                failures += not _is_running(error)
                pause = _pause_after(error, pauses)
                is_last = failures > self._retries
                if pause is None or is_last or time.monotonic() + pause >= end:
                    raise

            time.sleep(pause)

    def _try(self, request: httpx.Request, key: str | None, end: float) -> Any:
        until = min(end, time.monotonic() + _TRY_SECONDS)
        request.extensions["timeout"] = httpx.Timeout(until, pool=_TRY_SECONDS).as_dict()
        try:
            response = self._client.send(request, stream=True)
            try:
                return _read(response, key)
            finally:
                response.close()
        except httpx.TransportError as error:
            reason = str(error) or type(error).__name__
            raise NoResponse(f"{self._url} did not answer: {reason}", key) from error


def _read(response: httpx.Response, key: str | None) -> Any:
    status = response.status_code
    retry_after = _seconds(response.headers.get("Retry-After"))

    def unexpected(reason: str) -> UnexpectedResponse:
        return UnexpectedResponse(reason, status, key, retry_after)

    if response.headers.get("Content-Encoding", "identity") != "identity":
        raise unexpected("the response is packed, although the request forbids that")

    content = bytearray()
    for chunk in response.iter_raw():
        content += chunk
        if len(content) > _MAX_BYTES:
            raise unexpected(f"the response has more than {_MAX_BYTES} bytes")

    if 300 <= status < 400:
        raise unexpected("the response redirects, which is not followed; check url")
    if status == 204:
        return None

    try:
        value = json.loads(content)
    # Nested too deeply, it is a RecursionError.
    except (ValueError, RecursionError):
        raise unexpected("the response is not JSON; check url") from None

    if 200 <= status < 300:
        return value
    problem = _problem(value, status)
    if problem is None:
        raise unexpected("the response is not a problem of Signalpost; check url")
    raise Problem(problem, key, retry_after)


def _problem(value: Any, status: int) -> types.Problem | None:
    """Returns a problem with what it must have, whatever the response leaves out."""
    if not isinstance(value, dict) or not isinstance(value.get("code"), str):
        return None

    texts = {
        name: text
        for name in ("type", "title", "detail", "request_id")
        if isinstance(text := value.get(name), str)
    }
    entries = value.get("errors")
    errors = [
        {name: text for name, text in entry.items() if isinstance(text, str)}
        for entry in (entries if isinstance(entries, list) else [])
        if isinstance(entry, dict)
    ]
    problem = {
        "type": "about:blank",
        "title": value["code"],
        **texts,
        "status": status,
        "code": value["code"],
        "errors": [{"code": value["code"], "detail": "", **error} for error in errors],
    }
    return cast(types.Problem, problem)


def _is_running(error: SignalpostError) -> bool:
    """Whether the first request with the key has not ended."""
    return isinstance(error, Problem) and error.code == "idempotency_key_in_progress"


def _pause_after(error: SignalpostError, pauses: int) -> float | None:
    """Seconds until the same request may succeed; None if it does not, or only after longer."""
    backoff = random.uniform(0.5, 1) * min(5, 0.2 * (1 << min(pauses, 10)))
    if isinstance(error, NoResponse):
        return backoff
    if not isinstance(error, (Problem, UnexpectedResponse)):
        return None

    if not _is_running(error) and error.status not in _RETRIED_STATUSES:
        return None
    # Never sooner than asked, and not all clients at once.
    asked = error.retry_after or 0
    return asked + backoff if asked <= _LONGEST_PAUSE else None


def _seconds(retry_after: str | None) -> float | None:
    """Reads Retry-After, which is seconds or a date; None for anything else."""
    if retry_after is None:
        return None
    if re.fullmatch(r"[0-9]{1,10}", retry_after):
        return float(retry_after)
    try:
        date = parsedate_to_datetime(retry_after)
    except ValueError:
        return None
    if date.tzinfo is None:
        date = date.replace(tzinfo=timezone.utc)
    return max(0.0, (date - datetime.now(timezone.utc)).total_seconds())


def _json(body: Mapping[str, object]) -> bytes:
    return json.dumps(body, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()


def _checked_key(key: str | None) -> str:
    if key is None:
        return str(uuid.uuid4())
    if not 1 <= len(key) <= 255 or key != key.strip() or not key.isprintable():
        raise ValueError(
            "idempotency_key must have 1 to 255 printable characters, and no space around them"
        )
    return key


def _checked_url(url: str) -> str:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("url must be an absolute http or https URL")
    if parts.username is not None or parts.query or parts.fragment:
        raise ValueError("url must have no user name, query or fragment")
    return url.rstrip("/")


def _proxy_for(url: str) -> str | None:
    """The proxy of HTTPS_PROXY, unless NO_PROXY names the host."""
    parts = urlsplit(url)
    if parts.scheme != "https" or urllib.request.proxy_bypass(parts.hostname or ""):
        return None
    return urllib.request.getproxies().get("https")


class _Transport(httpx.HTTPTransport):
    """Takes timeouts as points in time of `time.monotonic()`.

    Otherwise a timeout bounds each wait for bytes, and a server that sends its headers byte by byte
    holds a call for days.
    """

    def __init__(self, proxy: str | None) -> None:
        limits = httpx.Limits(
            max_connections=None, max_keepalive_connections=10, keepalive_expiry=30
        )
        super().__init__(proxy=proxy, limits=limits)
        # httpx hands no backend on; pyproject.toml bounds its versions, and a test its effect.
        self._pool._network_backend = _Backend(self._pool._network_backend)


class _Backend(httpcore.NetworkBackend):
    def __init__(self, backend: httpcore.NetworkBackend) -> None:
        self._backend = backend

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.NetworkStream:
        left = _left(timeout, httpcore.ConnectTimeout)
        return _Stream(self._backend.connect_tcp(host, port, left, local_address, socket_options))


class _Stream(httpcore.NetworkStream):
    # As many bytes as a socket takes at once, so that writing more looks at the clock.
    _WRITTEN_AT_ONCE = 16_384

    def __init__(self, stream: httpcore.NetworkStream) -> None:
        self._stream = stream

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, _left(timeout, httpcore.ReadTimeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        for start in range(0, len(buffer), self._WRITTEN_AT_ONCE):
            part = buffer[start : start + self._WRITTEN_AT_ONCE]
            self._stream.write(part, _left(timeout, httpcore.WriteTimeout))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self,
        ssl_context: Any,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore.NetworkStream:
        left = _left(timeout, httpcore.ConnectTimeout)
        return _Stream(self._stream.start_tls(ssl_context, server_hostname, left))

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


def _left(until: float | None, error: type[httpcore.TimeoutException]) -> float | None:
    if until is None:
        return None
    left = until - time.monotonic()
    # A socket takes 0 as not to wait at all, which is another mode.
    if left <= 0:
        raise error("the deadline has passed")
    return left
