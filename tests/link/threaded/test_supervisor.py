from __future__ import annotations

import os
import threading
from pathlib import Path

from companion.link.evidence import LastEvidence
from companion.link.status import LinkState
from firmware_protocol.messages import Config, Cue, Event, Log, Standby
from tests.link.fake_board import UID, FakeBoard
from tests.link.threaded.fake_port import Cable, MutePort, failing
from tests.link.threaded.linked import linked
from tests.link.threaded.listening import Notebook

CONFIG = Config(8_000, 300, 900, 3_000, 30_000)


def test_a_link_opens_identifies_arms_stores_acknowledges_and_becomes_live() -> None:
    cable, notebook = Cable(), Notebook()
    cable.press(20)
    with linked("/dev/board", notebook, cable.open, armed=True, config=CONFIG) as link:
        status = notebook.wait_for(LinkState.LIVE)
        notebook.wait(lambda: notebook.status.armed)
        notebook.wait(lambda: len(notebook.settled) > 2)
        cable.press()
        notebook.wait(lambda: len(notebook.evidence) >= 22)
        # The last ACK waits a while for others.
        notebook.wait(lambda: cable.board.ring == {})
        now = link.device_now()

    assert status.uid == UID
    assert status.board == "Pico (fake 1)"
    assert "live" in status.sentence
    assert notebook.seqs() == list(range(1, 23))
    assert now is not None
    assert now[2] == 7
    assert notebook.identified == [7]
    assert notebook.statuses[0].state is LinkState.OPENING
    assert notebook.statuses[-1].state is LinkState.CLOSED


def test_unplugging_is_lost_and_replugging_brings_everything_that_happened_meanwhile() -> None:
    cable, notebook = Cable(), Notebook()
    with linked("/dev/board", notebook, cable.open) as link:
        notebook.wait_for(LinkState.LIVE)
        cable.unplug()
        lost = notebook.wait_for(LinkState.LOST)
        assert link.device_now() is None
        assert not link.cue(0, 10)
        cable.press(30)
        seen = len(notebook.statuses)
        cable.plug()
        notebook.wait_for(LinkState.LIVE, seen)
        notebook.wait(lambda: len(notebook.evidence) >= 30)

    assert "unplugged, or another program" in lost.sentence
    assert notebook.seqs() == list(range(1, 31))
    assert notebook.booted == []


def test_a_board_that_lost_its_power_while_unplugged_is_reported_as_a_new_boot() -> None:
    cable, notebook = Cable(), Notebook()
    with linked("/dev/board", notebook, cable.open, armed=True):
        notebook.wait_for(LinkState.LIVE)
        cable.unplug()
        notebook.wait_for(LinkState.LOST)
        cable.power_cycle(8)
        cable.plug()
        notebook.wait(lambda: notebook.identified == [7, 8])
        notebook.wait(lambda: notebook.status.armed and notebook.status.boot_id == 8)

    assert notebook.booted == [(7, 8)]
    assert notebook.seqs(8)[0] == 1


def test_a_resumed_session_learns_that_the_board_restarted_meanwhile() -> None:
    cable, notebook = Cable(), Notebook()
    with linked("/dev/board", notebook, cable.open, last=LastEvidence(UID, 3, 17)):
        notebook.wait_for(LinkState.LIVE)

    assert notebook.identified == [7]


def test_a_resumed_session_goes_on_where_the_journal_ends() -> None:
    cable, notebook = Cable(), Notebook()
    cable.press(5)
    with linked("/dev/board", notebook, cable.open, last=LastEvidence(UID, 7, 3)):
        notebook.wait(lambda: len(notebook.evidence) >= 2)
        notebook.wait(lambda: cable.board.ring == {})

    assert notebook.seqs() == [4, 5]


def test_what_cannot_be_stored_is_not_acknowledged_and_comes_again() -> None:
    cable, notebook = Cable(), Notebook()
    notebook.broken = "The disk is full: make room."
    cable.press(3)
    with linked("/dev/board", notebook, cable.open):
        status = notebook.wait_for(LinkState.UNSAVED)
        notebook.wait(lambda: notebook.refused >= 2)
        assert len(cable.board.ring) == 3
        assert notebook.settled == []
        notebook.broken = None
        notebook.wait(lambda: len(notebook.evidence) == 3)
        notebook.wait(lambda: bool(notebook.settled))
        notebook.wait(lambda: notebook.status.state is LinkState.LIVE)
        notebook.wait(lambda: cable.board.ring == {})

    assert "The disk is full: make room." in status.sentence
    assert notebook.seqs() == [1, 2, 3]


def test_a_clean_end_sends_standby_and_an_unclean_one_does_not() -> None:
    for clean in (True, False):
        cable, notebook = Cable(), Notebook()
        with linked("/dev/board", notebook, cable.open, clean=clean):
            notebook.wait_for(LinkState.LIVE)

        assert (Standby() in cable.board.heard) is clean


def test_a_clean_end_leaves_a_board_alone_that_still_keeps_unsaved_events() -> None:
    cable, notebook = Cable(), Notebook()
    notebook.broken = "The disk is full: make room."
    cable.press(3)
    with linked("/dev/board", notebook, cable.open, clean=True):
        notebook.wait(lambda: notebook.refused >= 1)

    assert Standby() not in cable.board.heard
    assert len(cable.board.ring) == 3


def test_a_clean_end_leaves_a_board_alone_whose_last_event_is_lost_on_the_way() -> None:
    cable, notebook = Cable(), Notebook()
    with linked("/dev/board", notebook, cable.open, armed=True, clean=True):
        notebook.wait(lambda: notebook.status.armed)
        with cable.board_at_now() as board:
            board.withheld = {board.next_seq}
            board.press()

    assert Standby() not in cable.board.heard
    assert len(cable.board.ring) == 1


def test_a_cue_reaches_the_board_and_its_stamp_comes_back() -> None:
    cable, notebook = Cable(), Notebook()
    with linked("/dev/board", notebook, cable.open) as link:
        notebook.wait_for(LinkState.LIVE)
        assert link.cue(1, 250)
        notebook.wait(lambda: notebook.status.last_cue is not None)

    assert Cue(1, 1, 250) in cable.board.heard


def test_a_clash_in_a_batch_does_not_hold_back_the_acknowledgement_of_the_others() -> None:
    cable, notebook = Cable(), Notebook()
    cable.press()
    with linked("/dev/board", notebook, cable.open):
        notebook.wait_for(LinkState.LIVE)
        with cable.board_at_now() as board:
            board.press()
            board.poll()
            board.say(Event(1, 1, 999), 1)
        notebook.wait(lambda: len(notebook.evidence) == 3)
        notebook.wait(lambda: cable.board.ring == {})

    assert notebook.seqs() == [1, 2, 1]


def test_notes_tell_of_a_clash_and_of_what_the_firmware_says() -> None:
    cable, notebook = Cable(), Notebook()
    with linked("/dev/board", notebook, cable.open):
        notebook.wait_for(LinkState.LIVE)
        with cable.board_at_now() as board:
            board.say(Log(b"ring is half full"))
            board.say(Event(1, 1, 111), 1)
            board.say(Event(1, 1, 222), 1)
        notebook.wait(lambda: len(notebook.notes) >= 2)
        notebook.wait(lambda: len(notebook.evidence) >= 2)

    assert "ring is half full" in notebook.notes[0]
    assert "two different frames" in notebook.notes[1]
    assert [(item.seq, item.message.t_us) for item in notebook.evidence] == [(1, 111), (1, 222)]  # type: ignore[union-attr]


def test_auto_finds_the_board_and_after_a_loss_the_same_board_at_another_port() -> None:
    ports = {"/dev/a": Cable(FakeBoard(uid=99)), "/dev/b": Cable()}
    notebook = Notebook()
    listed = ["/dev/b"]
    with linked(
        "auto",
        notebook,
        lambda port: ports[port].open(port),
        lister=lambda: list(listed),
        probe_ns=500_000_000,
    ):
        assert notebook.wait_for(LinkState.LIVE).port == "/dev/b"
        listed[:] = ["/dev/a", "/dev/c"]
        ports["/dev/c"] = Cable(ports["/dev/b"].board)
        seen = len(notebook.statuses)
        ports["/dev/b"].unplug()
        notebook.wait_for(LinkState.LIVE, seen)
        status = notebook.status

    assert status.port == "/dev/c"
    assert status.uid == UID


def test_auto_says_what_it_found_when_there_is_no_board() -> None:
    notebook = Notebook()
    with linked("auto", notebook, failing(OSError(16, "busy")), lister=lambda: ["/dev/x"]):
        status = notebook.wait_for(LinkState.REFUSED)

    assert "/dev/x is held by another program" in status.sentence


def test_auto_goes_on_searching_beside_a_device_that_is_no_board() -> None:
    notebook = Notebook()
    with linked(
        "auto", notebook, lambda _: MutePort(), lister=lambda: ["/dev/x"], probe_ns=50_000_000
    ):
        notebook.wait(
            lambda: any(
                "/dev/x: no table board answered" in said.sentence for said in notebook.statuses
            )
        )
    states = {status.state for status in notebook.statuses}
    assert states == {LinkState.SEARCHING, LinkState.CLOSED}


def test_auto_warns_of_such_a_device_once_the_session_has_had_a_board() -> None:
    notebook = Notebook()
    with linked(
        "auto",
        notebook,
        lambda _: MutePort(),
        lister=lambda: ["/dev/x"],
        probe_ns=50_000_000,
        last=LastEvidence(UID, 0xB007, 5),
    ):
        status = notebook.wait_for(LinkState.REFUSED)
    assert "/dev/x: no table board answered" in status.sentence
    searched = [one for one in notebook.statuses if one.state is not LinkState.CLOSED]
    assert {one.uid for one in searched} == {UID}


def test_auto_waits_for_a_port_to_be_listed() -> None:
    cable, notebook = Cable(), Notebook()
    listed: list[str] = []
    looks: list[int] = []

    def lister() -> list[str]:
        looks.append(len(listed))
        return list(listed)

    with linked("auto", notebook, cable.open, lister=lister):
        notebook.wait(
            lambda: any("No USB serial port" in status.sentence for status in notebook.statuses)
        )
        notebook.wait(lambda: len(looks) > 3)
        assert not any("Asking" in status.sentence for status in notebook.statuses)
        listed.append("/dev/board")
        notebook.wait_for(LinkState.LIVE)

    assert cable.board.heard


def test_reconnecting_leaks_neither_threads_nor_files() -> None:
    cable, notebook = Cable(), Notebook()
    with linked("/dev/board", notebook, cable.open):
        notebook.wait_for(LinkState.LIVE)
        threads = threading.active_count()
        files = len(os.listdir("/proc/self/fd")) if Path("/proc/self/fd").exists() else 0  # noqa: PTH208
        for turn in range(10):
            seen = len(notebook.statuses)
            cable.unplug()
            notebook.wait_for(LinkState.LOST, seen)
            cable.press()
            cable.plug()
            notebook.wait_for(LinkState.LIVE, seen)
            notebook.wait(lambda turn=turn: len(notebook.evidence) > turn)  # type: ignore[misc]
        assert threading.active_count() <= threads + 1
        if files:
            assert len(os.listdir("/proc/self/fd")) <= files + 1  # noqa: PTH208

    assert notebook.seqs() == list(range(1, 11))
