"""A table on a real MQTT broker: what is retained, what comes, and that a killed broker costs nobody an event."""

from __future__ import annotations

import gc
import json
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from companion.config.outlets import Broker, Secret
from companion.config.schema import Preferences
from companion.feed.events import EVENT, Event, Player, TableNow, line_of
from companion.outbound.mqtt import KEPT, MqttOutlet
from companion.outbound.outlets import Outlets
from companion.session.table import Table
from tests.feed.feeding import told
from tests.outbound.broker import TIMEOUT_S, Mosquitto, Reader, mosquitto, needs_broker, reading
from tests.outbound.events import event_of
from tests.web.served import played
from tests.web.test_feed import eliminated

pytestmark = needs_broker

SOON_S = 0.01
STATE, EVENTS, STATUS = "table-companion/state", "table-companion/event", "table-companion/status"


def at(broker: Mosquitto, **more: object) -> Broker:
    return Broker(**{"host": "127.0.0.1", "port": broker.port, **more})  # type: ignore[arg-type]


class Pauses(tuple[float, ...]):
    """Very short pauses between tries; `asked` is set at the first."""

    asked: threading.Event

    def __getitem__(self, at: object) -> float:  # type: ignore[override]
        self.asked.set()
        return SOON_S


@contextmanager
def told_to(broker: Broker, failed: threading.Event | None = None) -> Iterator[MqttOutlet]:
    """Yield an outlet, and publish what it was given before the block ends. `failed` is set when a connection fails."""
    pauses = Pauses((SOON_S,))
    pauses.asked = threading.Event() if failed is None else failed
    outlet = MqttOutlet(broker, pauses)
    try:
        yield outlet
    finally:
        outlet.leave()
        outlet.join(TIMEOUT_S)


def table_event(entry: int, *players: str, left: str = "") -> Event:
    seats = tuple(
        Player(
            id=name, name=name.title(), color="#112233", glyph="*", score=entry, left=name == left
        )
        for name in players
    )
    table = TableNow(where="", players=seats, turn=players[:1], paused=False, ended=False)
    return event_of(entry).model_copy(update={"table": table})


def numbers_of(reader: Reader) -> list[int]:
    return [json.loads(text)["number"] for text in reader.of(EVENTS)]


def until_some(reader: Reader, count: int) -> None:
    reader.until(lambda: len(reader.messages) > count)


def until_told(reader: Reader, number: int) -> None:
    """Wait until the newest message is that event."""
    reader.until(
        lambda: bool(reader.messages) and json.loads(reader.messages[-1][1])["number"] == number
    )


def entries_of(table: Table) -> list[Event]:
    return told(list(table._journal.entries))


def test_a_session_comes_event_by_event_and_its_end_is_retained(tmp_path: Path) -> None:
    with mosquitto(tmp_path) as broker:
        with reading(broker) as reader:
            with (
                ExitStack() as ending,
                played(tmp_path) as table,
            ):
                ending.callback(
                    Outlets(table, Preferences(mqtt=at(broker)), leave_s=TIMEOUT_S).close
                )
                eliminated(table)
            events = entries_of(table)
            reader.until(lambda: reader.retained.get(STATUS) == "offline")
            assert [EVENT.validate_json(text) for text in reader.of(EVENTS)] == events
            assert reader.of(STATUS) == ["online", "offline"]
        with reading(broker) as late:
            late.until(lambda: {STATE, STATUS, "table-companion/seat/blue"} <= set(late.retained))
            state = json.loads(late.retained[STATE])
            red = json.loads(late.retained["table-companion/seat/red"])
    assert (state["number"], state["table"]) == (
        events[-1].number,
        events[-1].model_dump(mode="json")["table"],
    )
    assert (red["name"], red["score"]) == ("red", events[-1].table.players[0].score)
    assert not late.of(EVENTS), "an event is not retained"


def test_whoever_left_is_cleared_and_so_is_who_sat_there_before(tmp_path: Path) -> None:
    with mosquitto(tmp_path) as broker, reading(broker) as reader:
        reader.say("table-companion/seat/yesterday", '{"name": "Yesterday"}', retain=True)
        with told_to(at(broker, home_assistant=True)) as outlet:
            outlet.put(table_event(1, "ann", "b/e#n"))
            reader.until(lambda: reader.retained.get("table-companion/seat/b%2Fe%23n", "") != "")
            outlet.put(table_event(2, "ann", "b/e#n", left="b/e#n"))
            reader.until(lambda: reader.retained["table-companion/seat/b%2Fe%23n"] == "")
            reader.until(lambda: reader.retained["table-companion/seat/yesterday"] == "")
            assert json.loads(reader.retained["table-companion/seat/ann"])["turn"] is True
        ann = {"table-companion/seat/ann", "homeassistant/sensor/table_companion_seat_ann/config"}
        with reading(broker) as late:
            late.until(
                lambda: (
                    late.retained.get(STATUS) == "offline" and {STATE, *ann} <= late.retained.keys()
                )
            )
    assert {topic for topic, text in late.retained.items() if text and "seat" in topic} == ann


def test_a_program_that_is_gone_is_said_to_be_offline_by_the_broker(tmp_path: Path) -> None:
    with mosquitto(tmp_path) as broker, reading(broker) as reader:
        source = (
            "import sys\nfrom companion.config.outlets import Broker\nfrom companion.outbound.mqtt import MqttOutlet\n"
            f"outlet = MqttOutlet(Broker('127.0.0.1', {broker.port}))\nsys.stdin.read()\n"
        )
        with subprocess.Popen([sys.executable, "-c", source], stdin=subprocess.PIPE) as program:
            reader.until(lambda: reader.retained.get(STATUS) == "online")
            program.kill()
            reader.until(lambda: reader.retained.get(STATUS) == "offline")


def test_it_is_announced_to_home_assistant_where_that_is_wanted(tmp_path: Path) -> None:
    with mosquitto(tmp_path) as broker, reading(broker, "homeassistant/#") as reader:
        with told_to(at(broker, prefix="home/table")) as outlet:
            outlet.put(table_event(1, "ann"))
        assert not reader.messages
        with told_to(at(broker, prefix="home/table", home_assistant=True)) as outlet:
            outlet.put(table_event(1, "ann"))
        config = "homeassistant/sensor/home_table_seat_ann/config"
        reader.until(lambda: len(reader.retained) == 2)
        report = json.loads(reader.retained[config])
    assert report["state_topic"] == "home/table/seat/ann"
    assert report["availability_topic"] == "home/table/status"
    assert report["name"] == "Ann"


@pytest.mark.parametrize("by", [signal.SIGKILL, signal.SIGTERM])
def test_after_a_broker_was_killed_the_state_and_the_last_events_come_again(
    tmp_path: Path, by: signal.Signals
) -> None:
    with mosquitto(tmp_path) as broker, told_to(at(broker)) as outlet:
        with reading(broker) as reader:
            for entry in range(1, 6):
                outlet.put(table_event(entry, "ann"))
            reader.until(
                lambda: (
                    STATE in reader.retained
                    and json.loads(reader.retained[STATE])["table"]["turn"] != []
                )
            )
            reader.until(lambda: len(reader.of(EVENTS)) == 5)
        broker.end(by)
        outlet.put(table_event(6, "ann"))
        broker.start()
        with reading(broker) as again:
            again.say("table-companion/again")  # for it may have connected before this reader did
            expected = [event_of(entry).number for entry in range(1, 7)]
            again.until(lambda: numbers_of(again)[-6:] == expected)
            again.until(
                lambda: (
                    json.loads(again.retained.get(STATE, '{"number": 0}'))["number"] == expected[-1]
                )
            )


def through_a_broker_that_is_killed(folder: Path, lots: int, size: int) -> list[int]:
    """Return the numbers that readers got of some lots of events; after each second lot the broker is killed, by one
    signal and the other in turn, and a new reader comes."""
    seen: list[int] = []
    with mosquitto(folder) as broker, told_to(at(broker)) as outlet:
        reader = Reader(broker.port, EVENTS)
        for lot in range(lots):
            entries = range(lot * size + 1, (lot + 1) * size + 1)
            for entry in entries:
                outlet.put(event_of(entry))
            if lot % 2:
                until_some(reader, size // 4)
                broker.end(signal.SIGKILL if lot % 4 == 1 else signal.SIGTERM)
                seen += numbers_of(reader)
                reader.close()
                broker.start()
                reader = Reader(broker.port, EVENTS)
                reader.say("table-companion/again")
            last = event_of(entries[-1]).number
            until_told(reader, last)
        seen += numbers_of(reader)
        reader.close()
    return seen


def without_repeats(numbers: Sequence[int]) -> list[int]:
    """Return the events without those whose number is not higher than the last, as readers are told to do."""
    kept: list[int] = []
    for number in numbers:
        if not kept or number > kept[-1]:
            kept.append(number)
    return kept


def test_readers_end_complete_through_a_broker_that_is_killed_five_times(tmp_path: Path) -> None:
    lots, size = 10, 300
    seen = through_a_broker_that_is_killed(tmp_path, lots, size)
    assert without_repeats(seen) == [event_of(entry).number for entry in range(1, lots * size + 1)]


def test_while_there_is_no_broker_the_newest_events_wait_and_the_rest_are_counted(
    tmp_path: Path,
) -> None:
    with mosquitto(tmp_path) as broker:
        broker.end()
        with told_to(at(broker)) as outlet:
            for entry in range(1, KEPT + 4):
                outlet.put(event_of(entry))
            assert outlet.state.endswith("; 0 sent, 3 dropped")
            broker.start()
            with reading(broker, EVENTS) as reader:
                reader.say("table-companion/again")
                until_told(reader, event_of(KEPT + 3).number)
    assert set(numbers_of(reader)) <= {event_of(entry).number for entry in range(4, KEPT + 4)}


def test_a_password_is_sent_and_never_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BROKER_PASSWORD", "opensesame")
    passwords = tmp_path / "passwords"
    subprocess.run(
        ["mosquitto_passwd", "-b", "-c", passwords, "table", "opensesame"],
        check=True,
        stderr=subprocess.DEVNULL,
    )
    passwords.chmod(0o600)
    with mosquitto(tmp_path, "allow_anonymous false", f"password_file {passwords}") as broker:
        known = at(broker, username="table", password=Secret(variable="BROKER_PASSWORD"))
        with told_to(known) as outlet:
            outlet.put(event_of(1))
        assert outlet.state == "connected; 1 sent"
        monkeypatch.setenv("BROKER_PASSWORD", "wrong-word")
        failed = threading.Event()
        with told_to(known, failed) as outlet:
            assert failed.wait(TIMEOUT_S)
            text = outlet.state
    assert text.startswith("not connected: ")
    assert "uthor" in text, text
    assert "opensesame" not in repr(known) + text


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_broker_with_tls_is_trusted_by_its_authority_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key, certificate = tmp_path / "key.pem", tmp_path / "cert.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate],
        check=True, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    with mosquitto(tmp_path, f"certfile {certificate}", f"keyfile {key}") as broker:
        monkeypatch.setenv("HOME", str(tmp_path))
        with told_to(at(broker, tls=True, ca_file="~/cert.pem")) as outlet:
            outlet.put(event_of(1))
        assert outlet.state == "connected; 1 sent"
        failed = threading.Event()
        with told_to(at(broker, tls=True), failed) as outlet:
            assert failed.wait(TIMEOUT_S)
            assert outlet.state.startswith("not connected: its certificate is not trusted: self")
    gc.collect()  # the library leaves the socket of a handshake that failed to be collected


@pytest.mark.parametrize(
    ("more", "why"),
    [
        (
            {"password": Secret(file="/no/such")},
            "the file /no/such cannot be read: No such file or directory",
        ),
        (
            {"tls": True, "ca_file": "~/no such"},
            "the file ~/no such cannot be used: No such file or directory",
        ),
        (
            {"tls": True, "ca_file": __file__},
            f"the file {__file__} cannot be used: it holds no certificate",
        ),
    ],
    ids=["password", "no authority", "no certificate"],
)
def test_a_file_of_the_settings_that_cannot_be_used_is_named(
    more: dict[str, Any], why: str
) -> None:
    failed = threading.Event()
    with told_to(Broker("127.0.0.1", 9, username="me", **more), failed) as outlet:
        assert failed.wait(TIMEOUT_S)
        assert outlet.state.startswith(f"not connected: {why};")


def test_lines_of_the_state_are_those_of_the_last_event(tmp_path: Path) -> None:
    event = table_event(3, "ann")
    with mosquitto(tmp_path) as broker, reading(broker) as reader:
        with told_to(at(broker)) as outlet:
            outlet.put(event)
        reader.until(lambda: reader.retained.get(STATUS) == "offline")
        state = json.loads(reader.retained[STATE])
        assert reader.of(EVENTS) == [line_of(event)]
    whole = event.model_dump(mode="json")
    assert state == {name: whole[name] for name in ("session", "number", "wall", "text", "table")}
