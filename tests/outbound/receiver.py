"""A real server on this machine that hooks post to, and the posts it received."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TIMEOUT_S = 20.0


@dataclass(frozen=True, slots=True)
class Posted:
    path: str
    fields: dict[str, str]
    body: bytes


Answer = Callable[[BaseHTTPRequestHandler], None]


def status(code: int, **fields: str) -> Answer:
    """Return an empty answer with this status."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(code)
        for name, value in fields.items():
            handler.send_header(name, value)
        handler.send_header("content-length", "0")
        handler.end_headers()

    return answer


class Receiver:
    """Answers as `answers` says in turn, then with 204."""

    def __init__(self, *answers: Answer) -> None:
        self.posted: list[Posted] = []
        self.answers = list(answers)
        self.otherwise = status(204)
        self.over = threading.Event()
        self._more = threading.Condition()
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                receiver._got(
                    Posted(self.path, {k.lower(): v for k, v in self.headers.items()}, body)
                )(self)

            def log_message(self, *_args: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self._thread = threading.Thread(
            target=self.server.serve_forever, kwargs={"poll_interval": 0.01}
        )
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.server_port}"

    def _got(self, posted: Posted) -> Answer:
        with self._more:
            self.posted.append(posted)
            self._more.notify_all()
            return self.answers.pop(0) if self.answers else self.otherwise

    def until(self, count: int) -> list[Posted]:
        """Wait for some posts."""
        with self._more:
            assert self._more.wait_for(lambda: len(self.posted) >= count, TIMEOUT_S), (
                f"{len(self.posted)} of {count}"
            )
            return list(self.posted)

    def never(self, handler: BaseHTTPRequestHandler) -> None:
        """Never answer during the test."""
        self.over.wait(TIMEOUT_S)
        handler.close_connection = True

    def close(self) -> None:
        self.over.set()
        self.server.shutdown()
        self._thread.join()
        self.server.server_close()


@contextmanager
def receiver(*answers: Answer) -> Iterator[Receiver]:
    server = Receiver(*answers)
    try:
        yield server
    finally:
        server.close()
