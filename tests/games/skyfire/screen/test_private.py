"""Everybody else sees exactly the same, whatever a seat noted, or whether it noted anything."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from companion.dashboard.app import Dashboard
from companion.feed.feed import Feed
from companion.rules.facts import TABLE
from companion.session.table import Table
from companion.web.lookers import TableLooker
from tests.dashboard.fakes import ManualClock
from tests.dashboard.screen import screen_text, until
from tests.games.skyfire.screen.parts import skyfire_table

Notes = Callable[[Table, str], None]
"""Notes something at a step of the game."""

HANDS = {
    "ada": ["Comet", "Ember", "Poppy", "Ruby"],
    "bo": ["Wave", "Lagoon", "Kingfisher", "Fern"],
    "cleo": ["Willow", "Iris", "Reed", "Beetle"],
}
OTHERS = {
    "ada": ["Wave", "Lagoon", "Kingfisher", "Fern"],
    "bo": ["Willow", "Iris", "Reed", "Beetle"],
    "cleo": ["Comet", "Ember", "Poppy", "Ruby"],
}


def nothing(_table: Table, _step: str) -> None:
    """Note nothing."""


def hands(table: Table, step: str) -> None:
    if step == "dealt":
        for seat, cards in HANDS.items():
            table.enter("hand_noted", {"seat": seat, "cards": cards})


def exchanged(table: Table, step: str) -> None:
    if step == "dealt":
        for seat, cards in OTHERS.items():
            table.enter("hand_noted", {"seat": seat, "cards": cards})
    if step == "failed":
        table.enter("place_noted", {"seat": "ada", "zone": 1, "card": OTHERS["ada"][0]})


def late(table: Table, step: str) -> None:
    """Note late, correct the note, and take it back."""
    if step == "failed":
        table.enter("hand_noted", {"seat": "bo", "cards": HANDS["bo"][:3]})
        noted = len(table.inspection._record.entries)
        table.amend(noted, {"seat": "bo", "cards": HANDS["bo"][1:]}, why="Wave is gone")
        table.enter("hand_noted", {"seat": "cleo", "cards": HANDS["cleo"][:3]})
        assert table.take_note_back("cleo") == ""
    if step == "end":
        table.enter("place_noted", {"seat": "bo", "zone": 1, "card": "Lagoon"})


def play(table: Table, notes: Notes, *, faces: list[str] | None, back: str = "rocket") -> None:
    """Play a round with a failed launch, and a correction after it."""
    table.do("skyfire.deal")
    table.enter("target", {"card": "Meadow"})
    notes(table, "dealt")
    for zone in (1, 2, 1):
        table.do(f"skyfire.place.{zone}")
    table.enter("backs", {"zone": 2, "backs": [back]})
    table.do("skyfire.launch.1")
    table.enter("satisfied", {"satisfied": False})
    if faces is not None:
        table.enter("revealed", {"zone": 1, "cards": faces})
    notes(table, "failed")
    table.do("skyfire.place.1")
    table.do("skyfire.place.1")
    table.do("table.undo")
    notes(table, "end")
    table.tell("")


async def shown(folder: Path, notes: Notes, **played: Any) -> dict[str, str]:
    """Return each screen and page that others than the noting seats can see."""
    folder.mkdir()
    found: dict[str, str] = {}
    with skyfire_table(folder / "evening.sqlite") as table:
        play(table, notes, **played)
        table._journal.wait(len(table._journal.entries))  # how much is saved stands on every screen
        for size in SIZES:
            app = Dashboard(table, clock=ManualClock())
            async with app.run_test(size=size) as pilot:
                for name, (key, *texts) in SCREENS.items():
                    await pilot.press(*filter(None, [key]))
                    await until(pilot, app, *texts)
                    await pilot.pause()
                    await app.workers.wait_for_complete()
                    await pilot.pause()
                    await pilot.pause()
                    found[f"{name} {size}"] = screen_text(app)
                    await pilot.press("escape")
                    await pilot.pause()
        looker = TableLooker(table)
        found |= {
            f"page of {viewer}": "".join(blocks.values())
            for viewer, blocks in looker.showing.blocks.items()
        }
        looker.close()
        record = table.inspection._record
        events = Feed(record.game, record.setup, record.entries).take(len(record.entries))
        found["overlay"] = "\n".join(
            json.dumps(event.model_dump(mode="json", exclude={"session"})) for event in events
        )
    return found


SIZES = ((80, 24), (160, 50))
SCREENS: Mapping[str, tuple[str, ...]] = {
    "table": ("", "Zone 1", "%"),
    "log": ("l", "Log"),
    "statistics": ("v", "Statistics", "Odds by what everybody can see"),
    "rulings": ("c", "Fix mistakes", "Ada places a card in zone 1"),
    "why": ("ctrl+r", "Why", "The last ruling"),
}
"""The key of each screen, and what is there once it is complete."""


def public(found: Mapping[str, str], *noting: str) -> dict[str, str]:
    """Return the pages without those of seats that noted something."""
    return {
        name: text
        for name, text in found.items()
        if name not in {f"page of {seat}" for seat in noting}
    }


FACES = ["Comet", "Wave"]


@pytest.mark.parametrize("faces", [None, FACES], ids=["faces not entered", "faces entered"])
async def test_no_screen_tells_what_somebody_noted_or_that_anybody_did(
    tmp_path: Path, faces: list[str] | None
) -> None:
    without = await shown(tmp_path / "nothing", nothing, faces=faces)
    assert "%" in without["table (80, 24)"]
    for notes, noting in ((hands, HANDS), (exchanged, OTHERS), (late, ("bo",))):
        found = await shown(tmp_path / notes.__name__, notes, faces=faces)
        assert public(found, *noting) == public(without, *noting), notes.__name__
        assert any(found[f"page of {seat}"] != without[f"page of {seat}"] for seat in noting)


async def test_a_seat_is_shown_the_same_whatever_the_others_noted(tmp_path: Path) -> None:
    def with_adas(notes: Notes) -> Notes:
        def noted(table: Table, step: str) -> None:
            if step == "dealt":
                table.enter("hand_noted", {"seat": "ada", "cards": HANDS["ada"]})
            notes(table, step)

        return noted

    without = await shown(tmp_path / "nothing", with_adas(nothing), faces=None)
    others = await shown(tmp_path / "late", with_adas(late), faces=None)
    assert "Comet" in without["page of ada"]
    assert public(others, "bo") == public(without, "bo")


async def test_another_face_or_another_back_is_shown_to_everybody(tmp_path: Path) -> None:
    one = await shown(tmp_path / "one", nothing, faces=["Comet", "Wave"])
    other = await shown(tmp_path / "other", nothing, faces=["Comet", "Fern"])
    back = await shown(tmp_path / "back", nothing, faces=["Comet", "Wave"], back="fountain")
    for differs in (other, back):
        assert one.keys() == differs.keys()
        for name in ("table (80, 24)", "table (160, 50)", "page of table", "page of bo", "overlay"):
            assert one[name] != differs[name], name
    assert TABLE in "page of table"
