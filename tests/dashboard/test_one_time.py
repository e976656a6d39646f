"""One shot has one time, with the same rounding, zero and error wherever it is shown."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from companion.dashboard.screens.correcting.page import about_ruling
from companion.dashboard.screens.correcting.times import MomentWriter
from companion.dashboard.screens.record_pages import ruling_rows
from companion.games.panic_fire.panels import tables
from companion.games.panic_fire.screen.gun import gun
from companion.reports.page import format_html
from companion.reports.record import read_record
from companion.rules.facts import TABLE
from companion.rules.gestures import GestureSettings
from companion.rules.spans import KEY_ERROR_US
from companion.session.marshal_view import MarshalView, RulingLine
from tests.reports.support import Player
from tests.web.game_pages import page_of

FIRE_US, PAUSE_US, LONG_US, SHOT_US = 1_000_000, 2_000_000, 4_000_000, 9_491_999
TIME = re.compile(r"(\d+\.\d+) s(?: \N{PLUS-MINUS SIGN}([\d.]+ \w+))?")


def played(path: Path, clock: str, pm: int) -> Player:
    """Return a round with a pause of four seconds before its shot."""
    player = Player(path)
    for kind, us, body in (
        ("fire", FIRE_US, {}),
        ("draw", FIRE_US + 500_000, {"seat": "anna"}),
        ("pause", PAUSE_US, {}),
        ("unpause", PAUSE_US + LONG_US, {}),
        ("shot", SHOT_US, {}),
        ("target", None, {"seat": "bo"}),
        ("shooter", None, {"seat": "anna"}),
    ):
        at = None if us is None else {"us": us, "pm": pm, "clock": clock}
        player.enter(player.game.parse(kind, {**body, "at": at}))
    return player


def surfaces(player: Player, path: Path) -> dict[str, str]:
    """Return the text of each place that shows the shot's time."""
    game, state = player.game, player.timeline.state
    view: Any = game.view(state, TABLE)
    facts = [entry for entry in player.journal.entries if entry.layer == "fact"]
    rulings = tuple(
        RulingLine(
            fact.n, fact.kind, fact.body, fact.kind, game.parse(fact.kind, fact.body).at, (), True
        )
        for fact in facts
    )
    marshal = MarshalView((), rulings, GestureSettings(), {})
    times = MomentWriter(marshal, {"fire"})
    shot = next(line for line in rulings if line.kind == "shot")
    player.close()
    marks = re.findall(
        r"<title>([^<]* s [^<]*: [^<]*shot[^<]*)</title>", format_html(read_record(path))
    )
    return {
        "gun line": "\n".join(row.plain for row in gun(view, 60, "o")),
        "statistics": " ".join(
            str(cell) for table in tables(view) for row in table.rows for cell in row
        ),
        "phone page": " ".join(page_of(game, state).values()),
        "F3": about_ruling(shot, marshal, times, {}).plain,
        "F3 column": f"{times.text(shot.at)} s",
        "reasons": " ".join(
            row.plain for row in ruling_rows(shot, marshal, times, game.id, {}, 80)
        ),
        "plain lines": next(line for line in game.summary(state) if "first shot" in line),
        "report": " ".join(marks),
    }


@pytest.mark.parametrize(
    ("clock", "pm", "time", "error"),
    [("board-5f3a", 25, "4.491", "100 µs"), ("host-1", 0, "4.4", "0.1 s")],
)
def test_one_shot_has_one_time_everywhere(
    tmp_path: Path, clock: str, pm: int, time: str, error: str
) -> None:
    path = tmp_path / "evening.sqlite"
    words_by_place = surfaces(played(path, clock, pm), path)
    for place, words in words_by_place.items():
        times = {
            (written, pm_of) for written, pm_of in TIME.findall(words) if written.startswith("4.")
        }
        assert times, (place, words)
        assert {written for written, _ in times} == {time}, (place, words)
        assert {pm_of for _, pm_of in times} <= {error, ""}, (place, words)


def test_a_time_that_is_typed_behind_a_pause_is_the_one_that_is_shown_there(tmp_path: Path) -> None:
    player = played(tmp_path / "evening.sqlite", "board-5f3a", 25)
    facts = [entry for entry in player.journal.entries if entry.layer == "fact"]
    moments = [player.game.parse(fact.kind, fact.body).at for fact in facts]
    rulings = tuple(
        RulingLine(fact.n, fact.kind, fact.body, fact.kind, at, (), True)
        for fact, at in zip(facts, moments, strict=True)
    )
    player.close()
    times = MomentWriter(MarshalView((), rulings, GestureSettings(), {}), {"fire"})
    shot = next(
        at
        for fact, at in zip(facts, moments, strict=True)
        if fact.kind == "shot" and at is not None
    )
    later = times.moment("+5.500", shot)
    assert (times.text(shot), times.text(later)) == ("+4.491", "+5.500")
    assert later.us == FIRE_US + 5_500_000 + LONG_US
    assert times.moment("+0.250", shot).us == FIRE_US + 250_000  # before the pause
    by_key = shot.model_copy(update={"pm": KEY_ERROR_US + 300})
    assert times.moment("+5.500", by_key).pm == 500, (
        "as exact as it is written, however rough the key was"
    )
