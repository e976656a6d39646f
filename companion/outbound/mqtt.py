"""Publishes a table to an MQTT broker from a thread. MQTT.md describes the topics and their content."""

from __future__ import annotations

import asyncio
import json
import logging
import socket
import ssl
import threading
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import quote

from companion.config.outlets import Broker, NoSecretError
from companion.config.values import file_named
from companion.feed.events import Event, line_of
from companion.program import PROGRAM
from companion.system import sockets

if TYPE_CHECKING:
    import aiomqtt

KEPT: Final = 1000
"""Events that are sent again after each connection: a broker that was killed loses what it acknowledged."""
PAUSES_S: Final = (1.0, 2.0, 4.0, 8.0, 15.0)
"""Seconds until the next try to connect; the last repeats."""
TIME_OUT_S: Final = 10.0
KEEP_ALIVE_S: Final = 15
AT_ONCE: Final = 10
"""Messages under way at once; the library warns about more."""
LOT: Final = 100
"""Events sent before checking for anything else to send."""
AT_LEAST_ONCE: Final = 1
MISSING: Final = f"off: the MQTT library is not installed; `{PROGRAM} doctor` says how to get it"
ONLINE, OFFLINE = "online", "offline"
DISCOVERY: Final = "homeassistant"
"""First part of the topics where Home Assistant looks for announcements."""
_LONGEST_STATE: Final = 255
"""Characters of a state in Home Assistant."""
_SILENT: Final = logging.getLogger("companion.mqtt")
"""Discards what the library logs, which would appear over the screen."""
_SILENT.addHandler(logging.NullHandler())
_SILENT.propagate = False


class Message(NamedTuple):
    """A message: its topic, its payload (empty clears what was retained), and whether the broker retains it."""

    topic: str
    payload: str
    retain: bool = True


class Topics:
    """Topics below one prefix."""

    def __init__(self, prefix: str, *, home_assistant: bool) -> None:
        self.status = f"{prefix}/status"
        self.state = f"{prefix}/state"
        self.event = f"{prefix}/event"
        self.again = f"{prefix}/again"
        """A message there asks for the last events again."""
        self._seat = f"{prefix}/seat/"
        self.seats = f"{self._seat}+"
        self._node = "".join(
            character if character.isascii() and character.isalnum() else "_"
            for character in prefix
        )
        # Home Assistant's ids are letters, digits and underscores
        self._home_assistant = home_assistant

    def of_state(self, event: Event) -> Iterator[Message]:
        """Yield the messages for the table after an event, and for each player; players who left are cleared."""
        fields = {"session", "number", "wall", "text", "table"}
        yield Message(
            self.state,
            json.dumps(event.model_dump(mode="json", include=fields), separators=(",", ":")),
        )
        for player in event.table.players:
            topic = self.seat(player.id)
            if player.left:
                yield from self.cleared(topic)
                continue
            content = player.model_dump(mode="json") | {"turn": player.id in event.table.turn}
            yield Message(topic, json.dumps(content, separators=(",", ":")))
            if self._home_assistant:
                yield self._announced(
                    topic, self._object(topic), player.name, "{{ value_json.score }}"
                )
        if self._home_assistant:
            last = f"{{{{ value_json.text[:{_LONGEST_STATE}] }}}}"
            yield self._announced(self.state, f"{self._node}_last", "Last ruling", last)

    def seat(self, player: str) -> str:
        """Return the topic of a player; characters with a meaning in topics are percent-encoded."""
        return f"{self._seat}{quote(player, safe='')}"

    def cleared(self, topic: str) -> Iterator[Message]:
        """Yield the messages that clear the topic of a player who has left."""
        yield Message(topic, "")
        if self._home_assistant:
            yield Message(self._config(self._object(topic)), "")

    def _object(self, topic: str) -> str:
        """Return a seat's entity id: letters and digits, and what `quote` leaves besides as hexadecimal."""
        seat = topic.removeprefix(self._seat)
        return f"{self._node}_seat_" + "".join(
            character if character.isalnum() else f"_{ord(character):02x}" for character in seat
        )

    def _config(self, name: str) -> str:
        return f"{DISCOVERY}/sensor/{name}/config"

    def _announced(self, topic: str, name: str, title: str, value: str) -> Message:
        content = {
            "name": title,
            "unique_id": name,
            "state_topic": topic,
            "value_template": value,
            "availability_topic": self.status,
            "payload_available": ONLINE,
            "payload_not_available": OFFLINE,
            "device": {"identifiers": [self._node], "name": "Table companion"},
        }
        return Message(self._config(name), json.dumps(content, separators=(",", ":")))


def encryption_of(broker: Broker) -> ssl.SSLContext | None:
    """Return the TLS context for the broker, or None without TLS; raise `NoSecretError` if its `ca_file` cannot be
    used."""
    if not broker.tls:
        return None
    ca_file = None
    if broker.ca_file:
        ca_file = str(file_named(broker.ca_file))
    try:
        return ssl.create_default_context(cafile=ca_file)
    except OSError as problem:
        why = "it holds no certificate" if isinstance(problem, ssl.SSLError) else problem.strerror
        raise NoSecretError(f"the file {broker.ca_file} cannot be used: {why}") from problem


class MqttOutlet:
    """Publishes events, and the table after the last one. `put` never waits."""

    def __init__(self, broker: Broker, pauses_s: Sequence[float] = PAUSES_S) -> None:
        self._broker = broker
        self._pauses_s = pauses_s
        self._topics = Topics(broker.prefix, home_assistant=broker.home_assistant)
        self._lock = threading.Lock()
        self._kept: deque[Event] = deque(maxlen=KEPT)
        self._sent = 0  # number of the last event sent on this connection
        self._sent_to_any = 0  # number of the last event sent on any connection
        self._stale = False  # whether the broker may retain something other than the current state
        self._retained: set[str] = set()  # topics of players that the broker retains
        self._count = self._dropped = 0
        self._state = "connecting"
        self._leaving = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._news = asyncio.Event()
        # A daemon: nothing can end a thread that waits for a name to be resolved.
        self._thread = threading.Thread(target=self._run, name="mqtt", daemon=True)
        self._thread.start()

    @property
    def label(self) -> str:
        """The outlet's name and target, for people."""
        return f"mqtt ({self._broker.place})"

    @property
    def state(self) -> str:
        """The outlet's state, for people."""
        with self._lock:
            state = f"{self._state}; {self._count} sent"
            if self._dropped:
                state += f", {self._dropped} dropped"
            return state

    def put(self, event: Event) -> None:
        """Queue the event, and the table after it."""
        with self._lock:
            if len(self._kept) == KEPT and self._kept[0].number > self._sent_to_any:
                self._dropped += 1
            self._kept.append(event)
        self._wake()

    def leave(self) -> None:
        """Publish what is left, announce that the table is offline, and end."""
        self._leaving = True
        self._wake()

    def join(self, within_s: float) -> None:
        """Wait up to `within_s` seconds for the end."""
        self._thread.join(within_s)

    def _wake(self) -> None:
        if self._loop is not None:
            with suppress(RuntimeError):  # the loop has closed
                self._loop.call_soon_threadsafe(self._news.set)

    def _run(self) -> None:
        try:
            sockets.run(self._keep_connected())
        except ModuleNotFoundError:
            self._state = MISSING

    async def _keep_connected(self) -> None:
        import aiomqtt  # here, so that this thread pays for the import and not the table

        self._loop = asyncio.get_running_loop()
        tried = 0
        while True:
            try:
                async with self._client() as client:
                    tried = 0
                    await self._talk(client)
                return
            except (aiomqtt.MqttError, NoSecretError, OSError, ValueError) as problem:
                self._state = f"not connected: {_why(problem)}"
            pause_s = self._pauses_s[min(tried, len(self._pauses_s) - 1)]
            tried += 1
            if await self._leaves_within(pause_s):
                return

    async def _leaves_within(self, pause_s: float) -> bool:
        with suppress(TimeoutError):
            async with asyncio.timeout(pause_s):
                while not self._leaving:
                    await self._news.wait()
                    self._news.clear()
        return self._leaving

    def _client(self) -> aiomqtt.Client:
        import aiomqtt

        broker = self._broker
        return aiomqtt.Client(
            broker.host,
            broker.port,
            username=broker.username or None,
            password=None if broker.password is None else broker.password.read(),
            tls_context=encryption_of(broker),
            will=aiomqtt.Will(self._topics.status, OFFLINE, qos=AT_LEAST_ONCE, retain=True),
            logger=_SILENT,
            # without it, a short message may wait 40 ms
            socket_options=[(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)],
            timeout=TIME_OUT_S,
            keepalive=KEEP_ALIVE_S,
        )

    async def _talk(self, client: aiomqtt.Client) -> None:
        """Publish until people leave and everything is sent, or raise when the connection ends."""
        self._sent = 0
        # a broker that restarted may have lost everything, so each connection begins with the events kept
        self._state = "connected"
        await self._publish(client, [Message(self._topics.status, ONLINE)])
        await client.subscribe(
            [(self._topics.seats, AT_LEAST_ONCE), (self._topics.again, AT_LEAST_ONCE)]
        )
        both = [asyncio.create_task(self._listen(client)), asyncio.create_task(self._speak(client))]
        try:
            done, _ = await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in both:
                task.cancel()
            await asyncio.gather(*both, return_exceptions=True)
        for task in done:
            task.result()

    async def _speak(self, client: aiomqtt.Client) -> None:
        while True:
            self._news.clear()
            with self._lock:
                events = [event for event in self._kept if event.number > self._sent][:LOT]
                newest = self._kept[-1] if self._kept else None
            if events:
                self._sent, self._stale = events[-1].number, True
                event_messages = (
                    Message(self._topics.event, line_of(event), retain=False) for event in events
                )
                await self._publish(client, event_messages)
                with self._lock:
                    self._count += sum(event.number > self._sent_to_any for event in events)
                    self._sent_to_any = max(self._sent_to_any, events[-1].number)
            elif newest is not None and self._stale:
                # set before publishing: a topic found meanwhile makes the state stale again
                self._stale = False
                players = newest.table.players
                present = {self._topics.seat(player.id) for player in players if not player.left}
                gone = self._retained - present
                self._retained -= gone
                messages = list(self._topics.of_state(newest))
                for topic in gone:
                    messages += self._topics.cleared(topic)
                await self._publish(client, messages)
            elif self._leaving:
                await self._publish(client, [Message(self._topics.status, OFFLINE)])
                return
            else:
                await self._news.wait()

    async def _listen(self, client: aiomqtt.Client) -> None:
        """Note which players the broker retains, also from an earlier session, and send events again when asked."""
        async for message in client.messages:
            topic = message.topic.value
            if topic == self._topics.again:
                self._sent = 0
                self._news.set()
            elif message.payload and topic not in self._retained:
                self._retained.add(topic)
                self._stale = True
                self._news.set()

    async def _publish(self, client: aiomqtt.Client, messages: Iterable[Message]) -> None:
        """Publish messages, a few at once; those of one topic arrive in order."""
        window = asyncio.Semaphore(AT_ONCE)

        async def publish(message: Message) -> None:
            await client.publish(
                message.topic, message.payload, qos=AT_LEAST_ONCE, retain=message.retain
            )
            window.release()

        try:
            async with asyncio.TaskGroup() as group:
                for message in messages:
                    await window.acquire()
                    group.create_task(publish(message))
        except ExceptionGroup as problems:
            raise problems.exceptions[0] from None


def _why(problem: Exception) -> str:
    """Return the problem in plain text, without the library's own prefix."""
    if isinstance(problem, NoSecretError):
        return str(problem)
    cause = problem.__cause__ or problem.__context__ or problem
    if isinstance(cause, ssl.SSLCertVerificationError):
        return f"its certificate is not trusted: {cause.verify_message}"
    if isinstance(cause, OSError) and cause.strerror:
        return cause.strerror
    return str(problem).splitlines()[0] if str(problem) else "the connection ended"
