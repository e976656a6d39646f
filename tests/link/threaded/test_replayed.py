"""A link's tape played again: the same calls to the listener, and the same bytes to the board."""

from __future__ import annotations

import pytest

from companion.link.dispatcher import TapeEvent
from companion.link.session import Session
from companion.link.settings import DEFAULTS
from companion.link.status import LinkState
from companion.link.tape import TapePlayer
from tests.link.dialogue import CONFIG
from tests.link.fake_board import FakeBoard
from tests.link.threaded.fake_port import Cable
from tests.link.threaded.linked import linked
from tests.link.threaded.listening import Notebook


def recorded_link() -> tuple[Notebook, list[tuple[TapeEvent, int, bytes]]]:
    """Run a link that meets everything a tape has a mark for."""
    cable, notebook = Cable(), Notebook()
    tape: list[tuple[TapeEvent, int, bytes]] = []
    naps = [False, True]
    options = {
        "config": CONFIG,
        "armed": True,
        "jitter": lambda: 0.5,
        "clean": True,
        "ask_after_ns": 0,
    }
    with linked(
        "/dev/board",
        notebook,
        cable.open,
        tape=lambda *did: tape.append(did),
        slept=lambda: bool(naps) and notebook.evidence != [] and naps.pop(0),
        **options,  # type: ignore[arg-type]
    ) as link:
        notebook.wait_for(LinkState.LIVE)
        cable.press(3)
        notebook.wait(lambda: len(notebook.seqs()) >= 4 and not naps)
        notebook.broken = "the disk is full"
        cable.press(2)
        notebook.wait(lambda: notebook.refused > 0)
        notebook.broken = None
        notebook.wait(lambda: len(notebook.seqs()) >= 6)
        link.configure(DEFAULTS)
        notebook.wait(
            lambda: notebook.configured[-1].told and notebook.configured[-1].config == DEFAULTS
        )
        link.cue(0, 100)
        notebook.wait(lambda: any(status.last_cue is not None for status in notebook.statuses))
        seen = len(notebook.statuses)
        cable.unplug()
        notebook.wait_for(LinkState.LOST, seen)
        cable.power_cycle(9)
        cable.plug()
        notebook.wait(lambda: len(notebook.booted) == 1)
        cable.press()
        notebook.wait(lambda: len(notebook.seqs(9)) >= 2)
        cable.unplug()
        notebook.wait(lambda: notebook.status.state is LinkState.LOST)
        cable.board = FakeBoard(uid=99, boot_id=9)
        cable.plug()
        notebook.wait(lambda: bool(notebook.status.others))
        link.adopt(99)
        notebook.wait(lambda: len(notebook.replaced) == 1)
        cable.press()
        notebook.wait(lambda: len(notebook.seqs(9 + 0x10000)) >= 2)
    return notebook, tape


def test_a_tape_gives_the_same_calls_again_and_the_host_says_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    notebook, tape = recorded_link()
    outgoing, written = Session.outgoing, list[bytes]()

    def noted(session: Session, now_ns: int) -> bytes:
        written.append(outgoing(session, now_ns))
        return written[-1]

    monkeypatch.setattr(Session, "outgoing", noted)
    again = Notebook()
    player = TapePlayer(again, None, lambda: 0.5)
    for mark, now_ns, data in tape:
        player.play(mark, now_ns, data)
    player.play(TapeEvent.OPENED, 0, b"/dev/board")
    player.play(TapeEvent.NOTED, 0, b"somebody else reads it")

    assert {mark for mark, _, _ in tape} >= set(TapeEvent) - {TapeEvent.NOTED}
    assert again.identified == notebook.identified
    assert again.booted == notebook.booted
    assert again.replaced == notebook.replaced
    assert again.configured == notebook.configured
    assert again.settled == notebook.settled
    assert again.points == notebook.points
    assert again.notes == [*notebook.notes, "somebody else reads it"]
    assert list(dict.fromkeys(again.evidence)) == notebook.evidence
    assert written == [data for mark, _, data in tape if mark is TapeEvent.WRITTEN]


def test_a_store_that_took_long_to_fail_is_done_again_when_the_tape_says_so() -> None:
    """The next try counts from when the store began, the tape's line from when it failed."""
    notebook, tape = recorded_link()
    failed = next(place for place, (mark, _, _) in enumerate(tape) if mark is TapeEvent.UNSAVED)
    late_ns = next(now_ns for mark, now_ns, _ in tape[failed:] if mark is TapeEvent.STORED)
    tape[failed] = (TapeEvent.UNSAVED, late_ns, b"")
    again = Notebook()
    player = TapePlayer(again, None, lambda: 0.5)
    for mark, now_ns, data in tape:
        player.play(mark, now_ns, data)
    assert again.settled == notebook.settled
    assert list(dict.fromkeys(again.evidence)) == notebook.evidence


def test_a_line_that_stands_where_no_port_is_open_is_refused() -> None:
    player = TapePlayer(Notebook(), None, lambda: 0.5)
    with pytest.raises(ValueError, match="no port is open"):
        player.play(TapeEvent.READ, 0, b"x")
