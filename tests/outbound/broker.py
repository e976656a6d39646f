"""A real broker as a process in a folder of its own, and a reader of its messages."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

paho = pytest.importorskip(
    "paho.mqtt.client", reason="the extra mqtt is not installed: pip install -e '.[test]'"
)

TIMEOUT_S = 30.0
MOSQUITTO = shutil.which(
    "mosquitto", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin"
)
needs_broker = pytest.mark.skipif(
    MOSQUITTO is None, reason="mosquitto is not installed: apt install mosquitto"
)


class Mosquitto:
    """The broker. It stores nothing when it ends."""

    def __init__(self, folder: Path, *lines: str) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port: int = free.getsockname()[1]
        self._conf = folder / "mosquitto.conf"
        user = ["user root"] if os.geteuid() == 0 else []
        access = (
            ()
            if any(line.startswith("allow_anonymous") for line in lines)
            else ("allow_anonymous true",)
        )
        text = (
            f"listener {self.port} 127.0.0.1",
            *access,
            *user,
            *lines,
            "log_dest stderr",
            "log_type all",
        )
        self._conf.write_text("\n".join((*text, "persistence false", "max_queued_messages 0", "")))
        self.lines: list[str] = []
        self.start()

    def start(self) -> None:
        """Start it, and wait until it can be reached."""
        assert MOSQUITTO is not None
        self._process = subprocess.Popen(
            [MOSQUITTO, "-c", self._conf], stderr=subprocess.PIPE, text=True
        )
        running = threading.Event()
        self._reader = threading.Thread(target=self._read, args=(running,))
        self._reader.start()
        assert running.wait(TIMEOUT_S), self.lines

    def _read(self, running: threading.Event) -> None:
        assert self._process.stderr is not None
        for line in self._process.stderr:
            self.lines.append(line)
            if "running" in line:
                running.set()

    def end(self, by: signal.Signals = signal.SIGKILL) -> None:
        """End it by a signal, and wait until it has ended."""
        self._process.send_signal(by)
        self._process.wait(TIMEOUT_S)
        self._reader.join()
        assert self._process.stderr is not None
        self._process.stderr.close()


@contextmanager
def mosquitto(folder: Path, *lines: str) -> Iterator[Mosquitto]:
    broker = Mosquitto(folder, *lines)
    try:
        yield broker
    finally:
        broker.end()


class Reader:
    """A reader of a broker: the retained messages, and every message in order."""

    def __init__(self, port: int, topic: str = "#") -> None:
        self.messages: list[tuple[str, str]] = []
        self.retained: dict[str, str] = {}
        self._more = threading.Condition()
        self._topic = topic
        self._subscribed = False
        self._client = paho.Client(paho.CallbackAPIVersion.VERSION2)
        self._client.on_message = self._got
        self._client.on_subscribe = self._ready
        self._client.connect("127.0.0.1", port)
        self._client.subscribe(topic, qos=1)
        self._client.loop_start()
        with self._more:
            assert self._more.wait_for(lambda: self._subscribed, TIMEOUT_S)

    def _ready(self, *_: object) -> None:
        with self._more:
            self._subscribed = True
            self._more.notify_all()

    def _got(self, _client: object, _data: object, message: Any) -> None:
        with self._more:
            text = message.payload.decode()
            self.messages.append((message.topic, text))
            self.retained[message.topic] = text
            self._more.notify_all()

    def until(self, holds: Callable[[], bool]) -> None:
        with self._more:
            assert self._more.wait_for(holds, TIMEOUT_S), self.messages[-3:]

    def say(self, topic: str, payload: str = "", *, retain: bool = False) -> None:
        self._client.publish(topic, payload, qos=1, retain=retain)

    def of(self, topic: str) -> list[str]:
        return [text for at, text in list(self.messages) if at == topic]

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()


@contextmanager
def reading(broker: Mosquitto, topic: str = "#") -> Iterator[Reader]:
    reader = Reader(broker.port, topic)
    try:
        yield reader
    finally:
        reader.close()
