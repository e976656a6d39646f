from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from companion.journal import store
from companion.journal.entries import Control, Draft, Layer
from companion.journal.errors import (
    NotSaved,
    SessionBusy,
    SessionDeniedError,
    SessionExistsError,
)
from companion.journal.fold import one_step
from companion.journal.journal import Journal, SaveStatus
from companion.journal.mark import HighWater, encode, mark_path
from companion.journal.record import StoredEntry
from companion.journal.store import Store, read_entries
from tests.journal.support import (
    DEADLINE_S,
    HEADER,
    begin,
    evidence,
    fact,
    is_saved,
    recorded,
    resume,
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "evening.sqlite"


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    with begin(path) as journal:
        yield journal


class Gate:
    """Controls the store: while `error` is set, writes fail with it; while `held`, they do not
    return."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.error: Exception | None = None
        self.tries = threading.Semaphore(0)
        self.open = threading.Event()
        self.open.set()
        self.groups: list[int] = []
        self._write = Store.write
        gate = self

        def write(store: Store, rows: Sequence[StoredEntry]) -> None:
            gate.tries.release()
            assert gate.open.wait(DEADLINE_S)
            if gate.error is not None:
                raise gate.error
            gate.groups.append(len(rows))
            gate._write(store, rows)

        monkeypatch.setattr(Store, "write", write)

    def await_try(self) -> None:
        assert self.tries.acquire(timeout=DEADLINE_S)


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Gate:
    return Gate(monkeypatch)


def disk_full() -> sqlite3.OperationalError:
    error = sqlite3.OperationalError("database or disk is full")
    error.sqlite_errorcode = sqlite3.SQLITE_FULL
    return error


def test_the_first_entry_is_the_header_and_is_on_the_disk_at_once(
    journal: Journal, path: Path
) -> None:
    assert journal.entries[0].kind == Control.SESSION
    assert journal.entries[0].body == HEADER
    assert read_entries(path) == list(journal.entries)


def test_an_entry_has_its_number_before_it_is_on_the_disk(journal: Journal, gate: Gate) -> None:
    gate.open.clear()
    appended = journal.append(evidence(), fact(causes=(2,)))
    assert [entry.n for entry in appended.entries] == [2, 3]
    assert not is_saved(journal, appended)
    assert journal.saved == SaveStatus(1, 3)
    gate.open.set()
    journal.wait(appended.last_n, DEADLINE_S)
    assert is_saved(journal, appended)


def test_what_was_recorded_is_read_back_equal(path: Path) -> None:
    draft = Draft(
        Layer.EVIDENCE,
        "log",
        {"text": "Zoë \ud800 \x00", "peak": 0.1, "list": (1, None)},
        "board",
        (1,),
        None,
        2**64,
        "k",
    )
    with begin(path) as journal:
        entry = journal.append(draft).entries[0]
    assert entry.body == {"text": "Zoë \ud800 \x00", "peak": 0.1, "list": [1, None]}
    assert (entry.actor, entry.causes, entry.t_us, entry.key) == ("board", (1,), 2**64, "k")
    assert read_entries(path)[1] == entry


def test_a_body_is_copied_when_it_is_recorded(journal: Journal) -> None:
    body = {"cards": [1]}
    entry = journal.append(Draft(Layer.FACT, "deal", body)).entries[0]
    body["cards"].append(2)
    assert entry.body == {"cards": [1]}


def test_entries_that_come_while_the_disk_is_busy_share_one_commit(
    journal: Journal, gate: Gate
) -> None:
    gate.open.clear()
    journal.append(fact())
    gate.await_try()
    rest = [journal.append(fact(number)) for number in range(50)]
    gate.open.set()
    journal.wait(rest[-1].last_n, DEADLINE_S)
    assert gate.groups == [1, 50]


def test_threads_append_without_holes_and_each_batch_stays_together(path: Path) -> None:
    with begin(path) as journal:

        def write(actor: str) -> None:
            for number in range(40):
                journal.append(fact(number, actor=actor), fact(number, actor=actor))

        threads = [threading.Thread(target=write, args=(f"t{i}",)) for i in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(DEADLINE_S)
    entries = read_entries(path)
    assert [entry.n for entry in entries] == list(range(1, 322))
    assert all(
        first.actor == second.actor
        for first, second in zip(entries[1::2], entries[2::2], strict=True)
    )


def test_a_second_draft_with_a_key_is_answered_with_the_entry_that_has_it(journal: Journal) -> None:
    first = journal.append(evidence(1, key="boot-1:7")).entries[0]
    again = journal.append(evidence(2, key="boot-1:7"), fact())
    assert again.entries[0] is first
    assert [entry.n for entry in again.added] == [3]


def test_a_key_is_unique_within_one_append_too(journal: Journal) -> None:
    appended = journal.append(evidence(1, key="k"), evidence(2, key="k"))
    assert appended.entries[0] is appended.entries[1]
    assert len(appended.added) == 1


def test_a_key_stays_taken_after_a_restart_and_after_a_void(path: Path) -> None:
    with begin(path) as journal:
        first = journal.append(fact(key="k")).entries[0]
        journal.append(Draft(Layer.CONTROL, Control.VOID, {"entry": first.n, "reason": "undo"}))
    with resume(path) as journal:
        assert journal.append(fact(key="k")).entries == (first,)
        assert len(journal.entries) == 3


def test_a_draft_joined_to_one_that_was_there_before_is_a_step_of_its_own(journal: Journal) -> None:
    journal.append(fact(key="k"), fact())
    appended = journal.append(*one_step(fact(key="k"), fact(), fact()))
    assert [entry.joined for entry in appended.added] == [False, True]


def test_only_facts_and_voids_are_joined(journal: Journal) -> None:
    with pytest.raises(ValueError, match="joined"):
        journal.append(evidence(), fact(joined=True))
    with pytest.raises(ValueError, match="joined"):
        journal.append(fact(), evidence(joined=True))
    with pytest.raises(ValueError, match="joined"):
        journal.append(fact(), evidence(), fact(joined=True))
    assert len(journal.entries) == 1


def test_waiting_for_an_entry_that_was_there_before_returns_at_once(path: Path) -> None:
    with begin(path) as journal:
        journal.append(fact(key="k"))
    with resume(path) as journal:
        journal.wait(journal.append(fact(key="k")).last_n, 0)


@pytest.mark.parametrize(
    "draft",
    [
        fact(causes=(2,)),
        fact(causes=(0,)),
        fact(after=2),
        evidence(after=1),
        fact(key="\ud800"),
        Draft(Layer.FACT, "f", {"x": float("nan")}),
        Draft(Layer.FACT, "f", {"x": object()}),
        Draft(Layer.CONTROL, Control.VOID, {"entry": 2}),
        Draft(Layer.CONTROL, Control.VOID, {"entry": 1}),
        Draft(Layer.CONTROL, Control.VOID, {}),
    ],
)
def test_a_draft_that_cannot_be_recorded_records_nothing(journal: Journal, draft: Draft) -> None:
    with pytest.raises((ValueError, TypeError)):
        journal.append(draft)
    assert len(journal.entries) == 1
    assert journal.append(fact()).entries[0].n == 2


def test_a_void_may_name_a_fact_of_the_same_append(journal: Journal) -> None:
    appended = journal.append(
        fact(), Draft(Layer.CONTROL, Control.VOID, {"entry": 2, "reason": "slip"})
    )
    assert appended.entries[1].body["entry"] == 2


def test_a_full_disk_acknowledges_nothing_and_is_tried_again(path: Path, gate: Gate) -> None:
    news: list[SaveStatus] = []
    with begin(path, on_status=news.append, retry_s=0.05) as journal:
        gate.error = disk_full()
        appended = journal.append(fact(1))
        gate.await_try()
        with pytest.raises(NotSaved):
            journal.wait(appended.last_n, 0)
        gate.await_try()  # what the first try came to has been told by now
        later = journal.append(fact(2))
        assert [entry.body["i"] for entry in journal.entries[1:]] == [1, 2]
        gate.error = None
        journal.wait(later.last_n, DEADLINE_S)
    assert news[0] == SaveStatus(
        1,
        2,
        f"Entries from 2 on are not saved, because the disk is full: free some space; {path} is tried again.",
    )
    assert news[-1] == SaveStatus(3, 3, None)
    assert len(read_entries(path)) == 3


@pytest.mark.parametrize("lacking", [0, 3])
def test_reading_a_long_session_tells_how_far_it_is(
    path: Path, monkeypatch: pytest.MonkeyPatch, lacking: int
) -> None:
    entries = recorded(path, 6)
    mark_path(path).write_bytes(encode(HighWater(7 + lacking, entries[-1].digest)))
    monkeypatch.setattr(store, "STEP", 3)
    read: list[int] = []
    resume(path, step=read.append).close()
    assert read == [3, 6] * (2 if lacking else 1)


def test_a_session_that_is_gone_on_with_tells_how_far_the_disk_is(path: Path, gate: Gate) -> None:
    begin(path).close()
    news: list[SaveStatus] = []
    with resume(path, on_status=news.append) as journal:
        journal.wait(journal.append(fact()).last_n, DEADLINE_S)
    assert news[-1] == SaveStatus(2, 2)


def test_who_waits_for_a_disk_that_does_not_answer_waits_no_longer_than_he_said(
    journal: Journal, gate: Gate
) -> None:
    gate.open.clear()
    appended = journal.append(fact())
    gate.await_try()
    with pytest.raises(NotSaved, match="the disk is slow"):
        journal.wait(appended.last_n, 0.001)
    gate.open.set()
    journal.wait(appended.last_n, DEADLINE_S)


def test_a_disk_that_hangs_keeps_no_program_from_ending(journal: Journal, path: Path) -> None:
    (writer,) = (
        thread for thread in threading.enumerate() if thread.name == f"journal {path.name}"
    )
    assert writer.daemon


def test_a_failed_write_is_tried_again_by_itself(path: Path, gate: Gate) -> None:
    with begin(path, retry_s=0.001) as journal:
        gate.error = disk_full()
        appended = journal.append(fact())
        for _ in range(3):
            gate.await_try()
        gate.error = None
        journal.wait(appended.last_n, DEADLINE_S)
    assert len(read_entries(path)) == 2


def test_a_mark_that_cannot_be_written_holds_the_acknowledgement_back(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with begin(path, retry_s=0.001) as journal:
        with monkeypatch.context() as patch:
            tried = threading.Event()

            def refuse(*_: object) -> None:
                tried.set()
                raise OSError(28, "No space left on device")

            patch.setattr("companion.journal.mark.MarkFile.write", refuse)
            appended = journal.append(fact())
            assert tried.wait(DEADLINE_S)
            assert not is_saved(journal, appended)
        journal.wait(appended.last_n, DEADLINE_S)
    assert len(read_entries(path)) == 2


def test_closing_in_spite_of_a_full_disk_tries_once_more_and_says_so(
    path: Path, gate: Gate
) -> None:
    journal = begin(path, retry_s=3600)
    gate.error = disk_full()
    appended = journal.append(fact())
    gate.await_try()
    with pytest.raises(NotSaved, match="the disk is full") as failure:
        journal.close()
    assert str(failure.value).endswith(f"; {path} ends with entry 1."), "nobody tries again then"
    assert not is_saved(journal, appended)
    with pytest.raises(NotSaved, match="the disk is full"):
        journal.wait(appended.last_n)
    assert len(read_entries(path)) == 1


def test_closing_gives_up_on_a_disk_that_does_not_answer(path: Path, gate: Gate) -> None:
    journal = begin(path)
    gate.open.clear()
    journal.append(fact())
    gate.await_try()
    with pytest.raises(NotSaved, match="the disk is slow"):
        journal.close(timeout=0.01)
    gate.open.set()
    journal.close(DEADLINE_S)
    assert len(read_entries(path)) == 2


def test_a_closed_journal_takes_nothing_more(path: Path) -> None:
    journal = begin(path)
    journal.close()
    with pytest.raises(NotSaved, match="open the session again"):
        journal.append(fact())
    journal.close()


def test_a_callback_that_fails_is_reported_and_does_not_stop_the_writer(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    faults: list[threading.ExceptHookArgs] = []
    monkeypatch.setattr(threading, "excepthook", faults.append)

    def fail(_: SaveStatus) -> None:
        raise RuntimeError("screen gone")

    journal.on_status = fail
    journal.wait(journal.append(fact()).last_n, DEADLINE_S)
    journal.wait(journal.append(fact()).last_n, DEADLINE_S)
    journal.close()
    assert {str(fault.exc_value) for fault in faults} == {"screen gone"}


def test_two_writers_of_one_session_are_refused(journal: Journal, path: Path) -> None:
    with pytest.raises(
        SessionBusy, match=rf"is being written by (process {os.getpid()} |another companion)"
    ):
        resume(path)
    journal.wait(journal.append(fact()).last_n, DEADLINE_S)


def test_a_session_is_not_begun_over_another(path: Path) -> None:
    begin(path).close()
    with pytest.raises(SessionExistsError, match="exists already"):
        begin(path)
    assert len(read_entries(path)) == 1


def test_a_session_below_a_file_is_refused(path: Path) -> None:
    path.touch()
    with pytest.raises(SessionDeniedError, match="a file stands where a folder is needed"):
        begin(path / "evening.sqlite")


def test_a_session_that_cannot_be_begun_leaves_nothing(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise disk_full()

    monkeypatch.setattr("companion.journal.store._prepare", refuse)
    with pytest.raises(SessionDeniedError, match="the disk is full"):
        begin(path)
    assert list(path.parent.iterdir()) == []


def test_what_cannot_be_removed_does_not_hide_why_a_session_cannot_be_opened(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise disk_full()

    def hold(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    begin(path).close()
    monkeypatch.setattr("companion.journal.store._prepare", refuse)
    monkeypatch.setattr(Path, "unlink", hold)
    with pytest.raises(SessionDeniedError, match="the disk is full"):
        begin(path.with_name("other.sqlite"))
    with pytest.raises(SessionDeniedError, match="the disk is full"):
        resume(path)
    monkeypatch.undo()
    resume(path).close()
