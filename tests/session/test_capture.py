"""Captures: their size limit, damage, what a report leaves out, and every fixture replayed."""

from __future__ import annotations

import json
import zipfile
from functools import partial
from itertools import count
from pathlib import Path, PurePath, PureWindowsPath

import pytest

from companion.commands.bundle import facts, redacted, without_home, without_names
from companion.demo.capture import (
    Capture,
    CaptureLine,
    captured,
    captured_table,
    read_header,
    read_lines,
    result_of,
)
from companion.demo.replay import replay
from companion.display.panels import panels_of
from companion.errors import CommandError
from companion.exits import Exit
from companion.journal.store import read_entries
from companion.link.dispatcher import TapeEvent
from companion.rules.gestures import GestureSettings
from companion.session.opening import begin, resume
from companion.session.projection import SessionProjection
from companion.session.roles import Role
from companion.session.seat_entries import own_entries
from companion.session.seat_notes import SeatNote
from companion.session.taps import Device, Step, Tap
from tests.commands.ran import Ran
from tests.games.skyfire.playing import example_deck

CAPTURES = sorted((Path(__file__).parent.parent / "fixtures" / "captures").glob("*.capture"))
SEATS = ("Anna", "Ben", "Carl")


def played(folder: Path) -> tuple[Path, Path]:
    """Return the record and the capture of a short session without a board."""
    session, capture = folder / "game.sqlite", folder / "game.capture"
    table = begin("panic-fire", SEATS, {}, session, make=captured(capture))
    table.do("panic-fire.fire")
    table.enter("score_set", {"seat": "anna", "score": 2, "reason": "a card under the sofa"})
    table.do("undo")
    table.do("redo")
    table.do("nonsense")
    table.close()
    return session, capture


def sentence(path: Path) -> tuple[int, str]:
    ran = Ran("replay", str(path))
    return ran.code, ran.err


@pytest.mark.parametrize("path", CAPTURES, ids=lambda path: path.stem)
def test_a_captured_fault_replays_into_what_it_was(path: Path) -> None:
    replayed = replay(path)
    assert replayed.expected is not None
    assert replayed.result == replayed.expected
    assert replayed.whole


def test_there_are_captures_of_faults() -> None:
    assert CAPTURES


def test_what_hands_did_replays_without_a_board(tmp_path: Path) -> None:
    session, capture = played(tmp_path)
    replayed = replay(capture)
    assert replayed.result == replayed.expected == result_of(read_entries(session))
    ran = Ran("replay", str(capture))
    assert ran.code == Exit.DONE
    assert "the same as in the session" in ran.out


def test_where_no_session_can_be_begun_no_capture_is_left_behind(tmp_path: Path) -> None:
    capture = tmp_path / "game.capture"
    for seats in ("Ann", "Ann,Ben"):
        ran = Ran(
            "play",
            "panic-fire",
            "--plain",
            "--port",
            "none",
            "--seats",
            seats,
            "--capture",
            str(capture),
        )
        assert (ran.code, capture.exists()) == ((0, True) if "," in seats else (65, False)), ran.err


def test_another_reading_of_the_evidence_is_read_so_again(tmp_path: Path) -> None:
    session, capture = tmp_path / "game.sqlite", tmp_path / "game.capture"
    table = begin("panic-fire", SEATS, {}, session, make=captured(capture))
    table.do("panic-fire.fire")
    table.accept(table.inspection.reread(GestureSettings(hold_us=700_000)), why="a weak spring")
    table.close()
    assert [
        entry.body["hold_us"] for entry in read_entries(session) if entry.kind == "settings"
    ] == [700_000]
    assert replay(capture).result == replay(capture).expected == result_of(read_entries(session))


def test_taps_on_pages_are_repeated(tmp_path: Path) -> None:
    session, capture = tmp_path / "game.sqlite", tmp_path / "game.capture"
    table = begin("panic-fire", SEATS, {}, session, make=captured(capture))
    tablet = Device("tablet", "Bo's tablet", Role.TABLE)
    seen = table.view().newest
    for number, action in enumerate(("panic-fire.fire", "table.pause", "no such action")):
        wish = Step(action)
        table.tap(tablet, Tap(f"tap-{number:012}", seen, wish, heard_us=0))
    table.close()
    assert [entry.kind for entry in read_entries(session)].count("tapped") == 2
    assert replay(capture).result == replay(capture).expected == result_of(read_entries(session))


def test_what_chance_shuffled_is_shuffled_so_again_and_left_out_of_a_report(tmp_path: Path) -> None:
    session, capture = tmp_path / "game.sqlite", tmp_path / "game.capture"
    table = begin(
        "fractured-sky",
        ("Ada",),
        {"map": "example"},
        session,
        components={},
        make=captured(capture),
    )
    for does in ("answer.1", "answer.1", "next", "next", "answer.3", "next"):
        table.do(f"fractured-sky.{does}")
    table.close()
    assert [entry.kind for entry in read_entries(session)].count("shuffle") == 2
    assert replay(capture).result == replay(capture).expected == result_of(read_entries(session))
    assert ' d {"order":' in capture.read_text()
    assert '"order":' not in redacted(capture)


def test_a_resumed_session_is_captured_with_all_that_came_before(tmp_path: Path) -> None:
    session, _ = played(tmp_path)
    second = tmp_path / "second.capture"
    table = resume(session, captured(second))
    table.take_back(2, "never happened")
    table.close()
    assert replay(second).result == result_of(read_entries(session))


def noted(folder: Path, *, over: bool) -> tuple[Path, Path]:
    """Return the record and the capture of a game with private notes: from behind a curtain,
    amended, inserted, and from a phone."""
    session, capture = folder / "game.sqlite", folder / "game.capture"
    box = example_deck()
    table = begin("skyfire", SEATS, {}, session, components=box, make=captured(capture))
    table.do("skyfire.deal")
    table.enter("hand_noted", {"seat": "anna", "cards": ["Comet", "Ember", "Wave", "Poppy"]})
    table.amend(3, {"seat": "anna", "cards": ["Reed", "Ember", "Wave", "Poppy"]})
    table.insert(
        "hand_noted", {"seat": "ben", "cards": ["Fern", "Ember", "Wave", "Poppy"]}, after=2
    )
    table.note("carl", SeatNote("0123456789abcdef", "hand", {"cards": "rub,lag,fern,ree"}))
    table.do("skyfire.place.1")
    if over:
        table.enter("abandon", {"reason": "late"})
    table.close()
    return session, capture


CARDS = ("Comet", "Reed", "Fern", "Ember", "rub,lag")


def test_a_capture_has_no_private_note_before_the_game_is_over(tmp_path: Path) -> None:
    _, capture = noted(tmp_path, over=False)
    # the first line has the box, which names all cards
    _, *lines = capture.read_text().splitlines()
    assert [card for card in CARDS for line in lines if card in line] == []
    assert "facts" not in lines[-1]
    ran = Ran("replay", str(capture))
    assert ran.code == Exit.DONE
    assert "private notes are not in a capture" in ran.out


def test_a_capture_of_a_game_that_is_over_has_its_notes_and_replays_into_what_it_was(
    tmp_path: Path,
) -> None:
    session, capture = noted(tmp_path, over=True)
    text = capture.read_text()
    assert all(card in text for card in CARDS)
    assert replay(capture).result == replay(capture).expected == result_of(read_entries(session))


def test_what_a_phone_proposed_and_the_table_accepted_replays_also_before_the_end(
    tmp_path: Path,
) -> None:
    session, capture = tmp_path / "game.sqlite", tmp_path / "game.capture"
    clock = count(step=1_000_000)
    table = begin(
        "panic-fire", SEATS, {}, session, make=captured(capture), clock_us=lambda: next(clock)
    )
    table.take_proposals(True)
    table.do("panic-fire.fire")
    for number, does in enumerate(("table.accept", "table.dismiss")):
        table.note("ben", SeatNote(f"0123456789abcde{number}", propose="draw"))
        for _ in range(2):  # the guard of a key that means something else now
            table.do(does)
    table.close()
    assert [entry.kind for entry in read_entries(session) if entry.causes] == ["draw", "ignored"]
    assert replay(capture).result == replay(capture).expected == result_of(read_entries(session))


def test_what_a_player_entered_on_a_phone_replays_also_before_the_end(tmp_path: Path) -> None:
    session, capture = tmp_path / "game.sqlite", tmp_path / "game.capture"
    table = begin("panic-fire", SEATS, {}, session, make=captured(capture))
    table.allow_entries(True)
    table.do("panic-fire.fire")
    (drew,) = own_entries(panels_of("panic-fire"), table.view().game, "ben")
    table.note("ben", SeatNote("0123456789abcdef", enter=drew.id, waited_ms=500))
    table.close()
    draw = read_entries(session)[-2]
    assert (draw.kind, draw.body["at"]["pm"]) == ("draw", 700_000)
    assert replay(capture).result == replay(capture).expected == result_of(read_entries(session))


def test_a_capture_that_begins_amid_private_notes_has_none_of_them(tmp_path: Path) -> None:
    session, _ = noted(tmp_path, over=False)
    second, third = tmp_path / "second.capture", tmp_path / "third.capture"
    resume(session, captured(second)).close()
    _, *lines = second.read_text().splitlines()
    assert [card for card in CARDS for line in lines if card in line] == []
    code, text = sentence(second)
    assert code == Exit.DATA
    assert "has none of them" in text
    table = resume(session, captured(third))
    table.enter("abandon", {"reason": "late"})
    table.close()
    assert replay(third).result == replay(third).expected == result_of(read_entries(session))


def test_a_result_that_is_not_the_sessions_is_said(tmp_path: Path) -> None:
    _, capture = played(tmp_path)
    lines = capture.read_text().splitlines(keepends=True)
    without = [line for line in lines if "score_set" not in line]
    assert len(without) == len(lines) - 1
    capture.write_text("".join(without))
    ran = Ran("replay", str(capture))
    assert ran.code == Exit.DATA
    assert "NOT what the session came to" in ran.out


def test_a_capture_of_a_program_that_was_killed_is_replayed_as_far_as_it_goes(
    tmp_path: Path,
) -> None:
    _, capture = played(tmp_path)
    text = capture.read_text()
    capture.write_text(text[: text.index("0 = ") + 7])
    replayed = replay(capture)
    assert replayed.expected is None
    assert replayed.same


def test_a_file_that_is_no_capture_and_a_damaged_line_are_one_sentence(tmp_path: Path) -> None:
    session, capture = played(tmp_path)
    code, output = sentence(session)
    assert (code, output.count("\n")) == (Exit.DATA, 1)
    assert "is no capture" in output
    assert sentence(tmp_path / "missing")[0] == Exit.NO_INPUT
    text = capture.read_text()
    for wrong in ("12 < 0g\n", "x < 00\n", "5 h {\n", "5 ? 1\n"):
        capture.write_text(text + wrong)
        assert "is damaged in line" in sentence(capture)[1]
    capture.write_text(text + "5 < 00\n")
    assert "makes no sense at its place" in sentence(capture)[1]
    capture.write_text(text.replace('"capture":1', '"capture":9', 1))
    assert "format 9" in sentence(capture)[1]
    capture.write_text(text.replace('"rules":', '"rules":9', 1))
    assert "version 9" in sentence(capture)[1]


def test_a_capture_stops_at_its_bound_with_a_notice_and_costs_the_session_nothing(
    tmp_path: Path,
) -> None:
    capture = Capture(tmp_path / "small", limit=3_100)
    table = begin(
        "panic-fire", SEATS, {}, tmp_path / "game.sqlite", make=partial(captured_table, capture)
    )
    for _ in range(20):
        table.do("undo")
    table.do("panic-fire.fire")
    notice = table.view().log[-1]
    table.close()
    assert "fire" in notice.text
    assert (tmp_path / "small").stat().st_size <= 3_200
    replayed = replay(tmp_path / "small")
    assert not replayed.whole
    assert replayed.expected is None


def test_the_end_of_a_full_capture_is_told_once(tmp_path: Path) -> None:
    notices: list[str] = []
    capture = Capture(tmp_path / "small", limit=40)
    capture.tell = notices.append
    for number in range(9):
        capture.tape(TapeEvent.READ, number, b"1234567890")
    capture.end({})
    assert len(notices) == 1
    assert "as large as it may become" in notices[0]


def test_a_file_that_exists_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "there").write_text("mine")
    with pytest.raises(CommandError, match="is there already"):
        captured(tmp_path / "there")
    with pytest.raises(CommandError, match="cannot be written"):
        captured(tmp_path / "no" / "folder")
    assert (tmp_path / "there").read_text() == "mine"


def test_every_byte_comes_back(tmp_path: Path) -> None:
    path = tmp_path / "bytes"
    capture = Capture(path)
    capture.begin({"name": "é"}, (), 5, "now")
    capture.tape(TapeEvent.READ, 7, bytes(range(256)))
    capture.tape(TapeEvent.ENDED, 8, "weg für immer\n<".encode())
    capture.end(None)
    with path.open(encoding="ascii") as file:
        assert read_header(file, path)["session"] == {"name": "é"}
        messages, ended = read_lines(file, path)
    assert messages == CaptureLine(7, "<", bytes(range(256)).hex(), bytes(range(256)))
    assert "weg" in ended.text


def test_a_report_has_everything_but_names_and_what_was_typed(tmp_path: Path) -> None:
    session, capture = played(tmp_path)
    out = tmp_path / "report.zip"
    ran = Ran("report", str(session), "--out", str(out))
    assert ran.code == Exit.DONE
    assert str(out) in ran.out
    with zipfile.ZipFile(out) as archive:
        texts = {name: archive.read(name).decode() for name in archive.namelist()}
    assert {
        "README.txt",
        "versions.json",
        "session.json",
        "evidence.jsonl",
        "facts.txt",
        "capture",
    } <= set(texts)
    everything = "".join(texts.values()).casefold()
    assert [word for word in (*SEATS, "sofa") if word.casefold() in everything] == []
    assert json.loads(texts["session.json"])["seats"] == 3
    assert "Seat 1" in texts["facts.txt"]
    again = Ran("report", str(session), "--out", str(out), "--capture", str(capture))
    assert again.code == Exit.CANNOT_CREATE
    assert "is there already" in again.err


def test_a_report_of_nothing_or_with_a_capture_that_is_none_is_refused(tmp_path: Path) -> None:
    session, _ = played(tmp_path)
    for capture in (session, tmp_path / "missing"):
        ran = Ran(
            "report", str(session), "--out", str(tmp_path / "report.zip"), "--capture", str(capture)
        )
        assert ran.code != Exit.DONE
        assert ran.err.count("\n") == 1
    assert not (tmp_path / "report.zip").exists()


def test_a_capture_without_people_still_replays_its_evidence(tmp_path: Path) -> None:
    for number, capture in enumerate(CAPTURES):
        path = tmp_path / f"{number}.capture"
        path.write_text(redacted(capture))
        replayed = replay(path)
        assert replayed.expected is not None
        assert set(replayed.expected) == {"evidence"}
        assert replayed.same
        assert " h " not in path.read_text()


@pytest.mark.parametrize("home", [Path("/home/ada"), PureWindowsPath("C:\\Users\\Ada")])
def test_the_name_of_the_home_folder_is_in_no_report(home: PurePath) -> None:
    port = str(home / "port")
    assert without_home(f"{port} is open", home) == f"~{port[len(str(home)) :]} is open"
    assert (
        json.loads(without_home(json.dumps({"port": port}), home))["port"].casefold().count("ada")
        == 0
    )
    assert without_home("/dev/x", Path("/")) == "/dev/x"


def test_names_are_replaced_as_words_the_longest_first_and_whatever_their_case() -> None:
    nameless = without_names(["Ann", "Ann Lee", "Bo+"])
    assert (
        nameless("ann lee shot ANN; Annie and Bo+ watched")
        == "Seat 2 shot Seat 1; Annie and Seat 3 watched"
    )
    assert without_names([])("Ann") == "Ann"


def test_facts_are_numbered_and_say_what_was_taken_back(tmp_path: Path) -> None:
    session, _ = played(tmp_path)
    table = resume(session)
    table.take_back(2, "never happened")
    game, setup = table.game, table._record.setup
    table.close()
    lines = list(facts(SessionProjection(game, setup, read_entries(session))))
    assert lines[0].startswith("2 (undone): ")
