"""What the keys of the last page do: report, BG Stats, another game; and which game follows."""

from __future__ import annotations

import io
import json
from pathlib import Path

from companion.commands.after_game import AfterGame
from companion.commands.play_options import PlayOptions
from companion.commands.playing import afterwards
from companion.config.schema import Preferences
from companion.dashboard.registry import BG_STATS, REMATCH, REPORT
from companion.journal.folder import sessions_dir
from companion.journal.sessions import list_sessions
from companion.journal.store import read_entries
from companion.session.opening import begin
from companion.session.plain import LinePrinter
from companion.session.views import Unsaved
from tests.commands.test_leaving import over

__all__ = ["over"]


def test_the_report_is_written_where_the_user_is_opened_and_named(
    over: Path, tmp_path: Path
) -> None:
    opened: list[str] = []

    def open_it(address: str) -> bool:
        opened.append(address)
        return True

    offers = AfterGame(over, tmp_path, open_it).offers()
    text = offers[REPORT.id]()
    out = tmp_path / "evening.html"
    assert text == f"Report: {out}\nIt is open in your browser."
    assert opened == [out.as_uri()]
    assert "<html" in out.read_text(encoding="utf-8")


def test_where_no_browser_can_be_opened_the_path_is_told(over: Path, tmp_path: Path) -> None:
    text = AfterGame(over, tmp_path, lambda _: False).offers()[REPORT.id]()
    assert text == f"Report: {tmp_path / 'evening.html'}\nOpen it in a browser."


def test_a_report_that_is_wanted_again_takes_a_place_of_its_own(over: Path, tmp_path: Path) -> None:
    (tmp_path / "evening.html").write_text("mine")
    offers = AfterGame(over, tmp_path, lambda _: True).offers()
    lines = [offers[REPORT.id]().splitlines()[0] for _ in range(2)]
    assert lines == [f"Report: {tmp_path / name}" for name in ("evening-2.html", "evening-3.html")]
    assert (tmp_path / "evening.html").read_text() == "mine"


def test_bg_stats_gets_its_file_and_the_code_to_scan(over: Path, tmp_path: Path) -> None:
    text = AfterGame(over, tmp_path).offers()[BG_STATS.id]()
    out = tmp_path / "evening.bgstats.json"
    assert text == f"BG Stats: {out}\nTo scan it into the app: {out.with_suffix('.svg')}"
    assert json.loads(out.read_text(encoding="utf-8"))["players"][0]["winner"] is True
    assert "<svg" in out.with_suffix(".svg").read_text(encoding="utf-8")


def test_what_cannot_be_written_is_said_in_a_sentence(over: Path, tmp_path: Path) -> None:
    (tmp_path / "gone").touch()
    text = AfterGame(over, tmp_path / "gone", lambda _: True).offers()[REPORT.id]()
    assert "evening.html cannot be written: Not a directory" in text


def test_who_only_looks_on_is_offered_no_rematch(over: Path) -> None:
    assert set(AfterGame(over).offers(rematch=False)) == {REPORT.id, BG_STATS.id}


def test_a_rematch_that_was_wanted_on_the_page_follows_without_a_question_and_has_the_same_keys(
    over: Path,
) -> None:
    after = AfterGame(over)
    assert afterwards(after, over, PlayOptions("none")) is None
    after.offers()[REMATCH.id]()
    following = afterwards(
        after, over, PlayOptions("none", wanted=Preferences(keys={"table.undo": ("f9",)}))
    )
    assert following is not None
    table = following()
    table.close()
    assert [action.keys for action in table.actions if action.id == "table.undo"] == [("f9",)]
    assert read_entries(table.path)[0].body["rematch_of"] == read_entries(over)[0].digest.hex()


def test_a_game_that_was_ended_early_is_offered_for_resuming_no_more() -> None:
    table = begin("panic-fire", ("ada", "bo"), {})
    table.enter("fire", {})
    table.enter("abandon", {"reason": "the bus"})
    out = io.StringIO()
    LinePrinter(table, out).print_new()
    table.close()
    assert "the table ends the game early: the bus" in out.getvalue()
    assert "** The game was ended early. Nobody has won: the bus." in out.getvalue()
    assert [info.ended for info in list_sessions(sessions_dir())] == [True]
    text = AfterGame(table.path, table.path.parent).offers()[BG_STATS.id]()
    assert "was ended early: nobody has won" in text


def test_no_file_is_written_of_a_game_whose_end_is_not_saved(over: Path, tmp_path: Path) -> None:
    after = AfterGame(over, tmp_path, unsaved=lambda: Unsaved(2, "The disk is full.", 5))
    for offer in (REPORT.id, BG_STATS.id):
        assert after.offers()[offer]() == (
            "2 entries are not saved, so a report would lack the end. The disk is full. Ask again once they are saved."
        )
    assert [*tmp_path.glob("*.html")] == []
