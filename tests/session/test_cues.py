"""The lamp is the true zero of a reaction to *fire!*: its stamp is evidence, and statistics count
from it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from companion.games.panic_fire.panels import tables
from companion.games.panic_fire.rules.timing import since_lamp
from companion.journal.entries import Entry
from companion.link.events import CueGiven
from companion.rules.facts import Moment
from companion.rules.pauses import Span
from companion.session.accessories import LAMP_ERROR_US, Lamp
from companion.session.intake import hello_draft
from companion.session.opening import begin
from tests.games.panic_fire.screen.views import game_view
from tests.session.parts import hello

BOOT = 0x5F3A
CLOCK = "board-5f3a"


def at(us: int, pm: int = 25, clock: str = CLOCK) -> Moment:
    return Moment(us=us, pm=pm, clock=clock)


def test_the_lamps_stamp_is_recorded_once_and_the_buzzers_never(tmp_path: Path) -> None:
    table = begin("panic-fire", ("red", "blue"), {}, tmp_path / "s.sqlite")
    try:
        for cue in (
            CueGiven(1, 700, 0),
            CueGiven(1, 700, 0),
            CueGiven(2, 900, 1),
            CueGiven(3, 950, None),
        ):
            table.board.on_cue(cue, BOOT)
        (line,) = table.inspection.marshal().evidence
        assert (line.text, line.at) == ("the lamp is lit", at(700, LAMP_ERROR_US))
        assert table.view().lit == at(700, LAMP_ERROR_US)
        assert "lamp" not in str(table.view().log)
    finally:
        table.close()


def test_what_the_board_says_and_nobody_keeps_counts_for_no_hand_of_a_capture(
    tmp_path: Path,
) -> None:
    table = begin("panic-fire", ("red", "blue"), {}, tmp_path / "s.sqlite")
    counts: list[int] = []
    try:
        table.board.before_each = lambda: counts.append(table.board.heard)
        for cue in (CueGiven(1, 900, 1), CueGiven(2, 950, 0)):  # the buzzer, then the lamp
            table.board.on_cue(cue, BOOT)
        table.board.on_note("noise")
    finally:
        table.close()
    assert (counts, table.board.heard) == ([0, 1], 2)


def test_the_lamp_is_less_certain_than_a_press(tmp_path: Path) -> None:
    from companion.journal.journal import Journal
    from companion.session.intake import cue_draft

    with Journal.create(
        tmp_path / "s.sqlite", {}, wall=lambda: "2024-05-01T20:15:00+00:00"
    ) as journal:
        journal.append(
            hello_draft(hello(stamp_error_us=25), BOOT), cue_draft(CueGiven(1, 700, 0), BOOT)
        )
        entries: tuple[Entry, ...] = tuple(journal.entries)
    lamp = Lamp()
    lamp.read(entries)
    assert lamp.lit == at(700, pm=LAMP_ERROR_US)


def test_a_reaction_is_counted_from_the_lamp_where_one_clock_stamped_it() -> None:
    game = replace(game_view(), fire=at(1_000_000), first_shot=Span(500_000, 50), pauses=())
    fire, shot = game.fire, game.first_shot
    assert since_lamp(fire, [at(7), at(1_080_000, 30), at(1_090_000)], shot) == Span(420_000, 55)
    assert ("lamp to the first shot", "0.420 s ±55 µs") in tables(game, at(1_080_000, 30))[0].rows
    for lit in (None, at(900_000), at(1_600_000), at(1_080_000, clock="host-1")):
        assert since_lamp(fire, [] if lit is None else [lit], shot) is None
    assert "lamp" not in str(tables(game))
    paused = replace(game, pauses=((at(1_000_100), at(1_000_200)),))
    assert since_lamp(fire, [at(1_080_000)], shot, paused.pauses) is None
