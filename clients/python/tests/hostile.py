"""A server that answers each request as a test says, over plain sockets."""

import json
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Answer = bytes | Callable[[socket.socket], None]


@dataclass(frozen=True)
class Request:
    method: str
    path: str
    headers: dict[str, str]
    body: bytes


class HostileServer:
    """Takes the next answer for each request. A function closes the connection when it returns."""

    def __init__(self, *answers: Answer) -> None:
        self.requests: list[Request] = []
        self._answers = list(answers)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._closed = threading.Event()
        self._threads = [threading.Thread(target=self._accept)]
        self._threads[0].start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._listener.getsockname()[1]}"

    def add(self, *answers: Answer) -> None:
        self._answers += answers

    def until_closed(self, _: socket.socket) -> None:
        """Answers nothing."""
        self._closed.wait()

    def byte_by_byte(self, data: bytes) -> Answer:
        """Sends `data`, and then its last byte again and again."""

        def answer(connection: socket.socket) -> None:
            connection.sendall(data)
            while not self._closed.wait(0.01):
                connection.sendall(data[-1:])

        return answer

    def close(self) -> None:
        self._closed.set()
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for thread in self._threads:
            thread.join()

    def _accept(self) -> None:
        while not self._closed.is_set():
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            thread = threading.Thread(target=self._serve, args=(connection,))
            self._threads.append(thread)
            thread.start()

    def _serve(self, connection: socket.socket) -> None:
        # Its end lets a client wait for nothing, and a thread of the server for no client.
        connection.settimeout(30)
        with connection, connection.makefile("rb") as file:
            try:
                while (request := _read(file)) is not None:
                    self.requests.append(request)
                    answer = self._answers.pop(0) if self._answers else response(500, {})
                    if not isinstance(answer, bytes):
                        return answer(connection)
                    connection.sendall(answer)
            except OSError:
                # The client has closed the connection.
                return


def _read(file: Any) -> Request | None:
    line = file.readline().decode().split()
    if not line:
        return None
    headers: dict[str, str] = {}
    while text := file.readline().decode("utf-8").strip():
        name, _, value = text.partition(":")
        headers[name.lower()] = value.strip()
    body = file.read(int(headers.get("content-length", "0")))
    return Request(line[0], line[1], headers, body)


def response(status: int, body: object, **headers: str) -> bytes:
    """An answer with a JSON body, or with bytes as they are."""
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    fields = {"Content-Length": str(len(content)), **headers}
    lines = [f"{name.replace('_', '-')}: {value}\r\n" for name, value in fields.items()]
    return f"HTTP/1.1 {status} Status\r\n{''.join(lines)}\r\n".encode() + content


def problem(status: int, code: str, **headers: str) -> bytes:
    error = {"code": "required", "detail": "Is required.", "param": "url"}
    body = {
        "type": f"https://api.example.com/problems/{code}",
        "title": "Refused",
        "status": status,
        "code": code,
        "detail": "One or more fields were refused.",
        "request_id": "req_00Q8sKq2Vn4LxT7mWb3Zp9Rd",
        "errors": [error],
    }
    return response(status, body, **headers)
