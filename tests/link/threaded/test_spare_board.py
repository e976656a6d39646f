"""The session's board is away and another one is there: when it is offered, and what follows if it is accepted."""

from __future__ import annotations

import threading

from companion.link.evidence import LastEvidence
from companion.link.finder import ANY_BOARD, BoardSearch, Finder, Sought
from companion.link.status import LinkState, OtherBoard
from companion.link.transport import Opener
from tests.link.fake_board import UID, FakeBoard
from tests.link.threaded.fake_port import Cable
from tests.link.threaded.linked import linked
from tests.link.threaded.listening import Notebook

SPARE = 99
AGAIN = 0x10000  # what is added to a boot id of 16 bits that another boot of the record has
MS = 1_000_000


def swap(cable: Cable, board: FakeBoard) -> None:
    """Take a board away and put another one on the same cable."""
    cable.unplug()
    cable.board = board
    cable.plug()


def test_a_spare_that_drew_the_same_boot_id_has_an_epoch_of_its_own() -> None:
    cable, notebook = Cable(), Notebook()
    with linked("/dev/board", notebook, cable.open, armed=True, ask_after_ns=0) as link:
        notebook.wait(lambda: bool(notebook.points))
        swap(cable, FakeBoard(uid=SPARE))
        notebook.wait(lambda: notebook.status.others == (OtherBoard(SPARE, "/dev/board", UID),))
        link.adopt(SPARE)
        notebook.wait(lambda: {point.boot_id for point in notebook.points} == {7, 7 + AGAIN})
    (replaced,) = notebook.replaced
    assert (replaced.uid, replaced.boot_id, replaced.first_seq) == (UID, 7, 1)
    assert replaced.away_us is not None
    assert replaced.away_pm_us is not None
    assert replaced.away_us - replaced.away_pm_us >= 0
    assert {(evidence.uid, evidence.boot_id) for evidence in notebook.evidence} == {
        (UID, 7),
        (SPARE, 7 + AGAIN),
    }


def test_nobody_is_told_of_a_spare_while_the_sessions_board_may_only_be_starting_anew() -> None:
    cable, notebook, now_ns = Cable(), Notebook(), [0]

    def clock_ns() -> int:
        now_ns[0] += MS
        return now_ns[0]

    with linked("/dev/board", notebook, cable.open, clock_ns=clock_ns, ask_after_ns=10**15):
        notebook.wait_for(LinkState.LIVE)
        swap(cable, FakeBoard(uid=SPARE))
        notebook.wait_for(LinkState.REFUSED)
        assert notebook.status.others == ()
        now_ns[0] += 10**15
        notebook.wait(lambda: notebook.status.others != ())


def test_a_board_that_is_back_before_the_spare_is_there_goes_on_with_its_own_boot() -> None:
    cable, notebook = Cable(), Notebook()
    own = cable.board
    with linked("/dev/board", notebook, cable.open, armed=True, ask_after_ns=0) as link:
        notebook.wait(lambda: len(notebook.seqs()) == 1)
        swap(cable, FakeBoard(uid=SPARE))
        notebook.wait(lambda: notebook.status.others != ())
        swap(cable, own)
        notebook.wait(lambda: notebook.status.state is LinkState.LIVE)
        link.adopt(SPARE)
        cable.press()
        notebook.wait(lambda: len(notebook.seqs()) >= 2)
    assert notebook.replaced == []
    assert set(notebook.identified) == {7}


def test_a_yes_that_came_to_nothing_lets_no_later_board_in() -> None:
    cable, notebook = Cable(), Notebook()
    own = cable.board
    with linked("/dev/board", notebook, cable.open, ask_after_ns=0) as link:
        notebook.wait_for(LinkState.LIVE)
        swap(cable, FakeBoard(uid=SPARE))
        notebook.wait(lambda: notebook.status.others != ())
        cable.unplug()
        notebook.wait(lambda: notebook.status.others == ())
        link.adopt(SPARE)
        cable.board = own
        cable.plug()
        notebook.wait(lambda: len(notebook.identified) >= 2)
        swap(cable, FakeBoard(uid=SPARE))
        notebook.wait(lambda: notebook.status.others != ())
    assert notebook.replaced == []


def test_a_board_that_comes_back_with_its_power_sends_only_what_the_record_lacks() -> None:
    cable, notebook = Cable(), Notebook()
    own, spare = cable.board, FakeBoard(uid=SPARE, boot_id=8)
    with linked("/dev/board", notebook, cable.open, armed=True, ask_after_ns=0) as link:
        cable.press(3)
        notebook.wait(lambda: len(notebook.seqs()) == 4)
        swap(cable, spare)
        own.press()
        notebook.wait(lambda: notebook.status.others != ())
        link.adopt(SPARE)
        notebook.wait(lambda: len(notebook.seqs(8)) == 1)
        swap(cable, own)
        notebook.wait(lambda: notebook.status.others == (OtherBoard(UID, "/dev/board", SPARE),))
        link.adopt(UID)
        notebook.wait(lambda: len(notebook.seqs(7 + AGAIN)) >= 2)
    assert sorted(notebook.seqs()) == [1, 2, 3, 4]
    assert notebook.seqs(7 + AGAIN) == [5, 6]
    assert notebook.replaced[1].first_seq == 5


def test_a_resumed_session_knows_what_it_has_of_a_board_that_comes_back() -> None:
    cable, notebook = Cable(), Notebook()
    cable.press(3)
    last = LastEvidence(SPARE, 8, 1, earlier=(7,), left={UID: (7, 2)})
    with linked("/dev/board", notebook, cable.open, last=last) as link:
        notebook.wait(lambda: notebook.status.others != ())
        link.adopt(UID)
        notebook.wait(lambda: bool(notebook.seqs(7 + AGAIN)))
    assert notebook.seqs(7 + AGAIN) == [3]
    assert notebook.replaced[0].away_us is None


def test_after_a_sleep_of_the_computer_nobody_knows_how_long_no_board_was_there() -> None:
    cable, notebook, naps = Cable(), Notebook(), threading.Event()

    def slept() -> bool:
        found = naps.is_set()
        naps.clear()
        return found

    with linked("/dev/board", notebook, cable.open, ask_after_ns=0, slept=slept) as link:
        notebook.wait_for(LinkState.LIVE)
        cable.unplug()
        notebook.wait_for(LinkState.LOST)
        naps.set()
        cable.board = FakeBoard(uid=SPARE)
        cable.plug()
        notebook.wait(lambda: notebook.status.others != ())
        link.adopt(SPARE)
        notebook.wait(lambda: bool(notebook.replaced))
    assert notebook.replaced[0].away_us is None


def find(ports: dict[str, Cable], sought: Sought = ANY_BOARD) -> BoardSearch:
    opener = Opener(lambda port: ports[port].open(port))
    return Finder(lambda: ports, opener, probe_ns=200 * MS).find(sought)


def test_a_session_that_looks_for_its_board_and_finds_two_of_one_number_says_so_as_a_new_one_does() -> (
    None
):
    ports = {"/dev/a": Cable(), "/dev/b": Cable(FakeBoard(boot_id=8))}
    new, resumed = find(ports), find(ports, Sought((UID,)))
    assert new == resumed
    assert resumed.several
    assert f"{UID:016x} at /dev/b" in resumed.sentence


def test_the_log_of_a_session_says_that_there_are_two_boards_of_its_number() -> None:
    ports, notebook = {"/dev/a": Cable(), "/dev/b": Cable(FakeBoard(boot_id=8))}, Notebook()
    with linked(
        "auto",
        notebook,
        lambda port: ports[port].open(port),
        lister=lambda: list(ports),
        probe_ns=200 * MS,
        last=LastEvidence(UID, 7, 0),
    ):
        notebook.wait_for(LinkState.LIVE)
    assert any(f"also found: {UID:016x} at /dev/b" in note for note in notebook.notes)


def test_of_two_boards_of_one_number_the_one_of_the_sessions_boot_is_used() -> None:
    ports = {"/dev/a": Cable(FakeBoard(boot_id=8)), "/dev/b": Cable()}
    found = find(ports, Sought((UID,), 7))
    assert found.port == "/dev/b"
    assert found.several


def test_auto_names_every_board_that_could_take_over() -> None:
    ports = {"/dev/a": Cable(FakeBoard(uid=SPARE)), "/dev/b": Cable(FakeBoard(uid=98))}
    assert find(ports, Sought((UID,))).others == (("/dev/a", SPARE), ("/dev/b", 98))


def test_the_board_that_the_table_wants_now_comes_before_the_sessions() -> None:
    ports = {"/dev/a": Cable(), "/dev/b": Cable(FakeBoard(uid=SPARE))}
    assert find(ports, Sought((SPARE, UID))).port == "/dev/b"
    assert find({"/dev/a": Cable()}, Sought((SPARE, UID))).port == "/dev/a"
