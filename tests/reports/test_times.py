"""People's times over many sessions: a table, a plot, and what is left out of both."""

from __future__ import annotations

from pathlib import Path

from companion.games.drills.rules.facts import Plate
from companion.reports.statistics import as_json, people, plots, read_records, table
from companion.rules.facts import Setup
from companion.rules.registry import open_game
from companion.rules.seats import GLYPHS, seats_from_names
from tests.games.drills.playing import at, lit, string, zero
from tests.reports.support import Player

S = 1_000_000


def evening(
    path: Path,
    day: int,
    names: tuple[str, ...],
    *reactions: int,
    by: str = "lamp",
    actor: str = "board",
) -> None:
    """Return an evening on which everybody in turn fires `after` the signal."""
    options = {"strings": "0"}
    player = Player(
        path,
        Setup("drills", open_game("drills").rules_version, seats_from_names(names), options),
        day,
    )
    for number, us in enumerate(reactions):
        for fact in string(names[number % len(names)].lower(), number * 10 * S, us):
            if fact.kind == "signal":
                player.enter(fact.model_copy(update={"by": by}), "board")
            else:
                player.enter(fact, actor)
    player.journal.close()


def test_best_last_median_spread_and_trend_are_over_all_sessions(tmp_path: Path) -> None:
    evening(tmp_path / "one.sqlite", 11, ("Ann",), 400_000, 390_000, 410_000)
    evening(tmp_path / "two.sqlite", 12, ("Ann",), 300_000, 290_000, 310_000)
    persons = people(read_records(tmp_path).records)
    line = next(line for line in table(persons).splitlines() if "Reaction" in line)
    assert line.split() == ["Ann", "Reaction", "6", "0.290", "0.310", "0.350", "0.120", "-0.100"]
    assert "delays of\nlamp and sensor" in table(persons)
    assert [time["us"] for time in as_json(persons)[0]["times"]["Reaction"]] == [
        400_000, 390_000, 410_000, 300_000, 290_000, 310_000,
    ]  # fmt: skip


def test_a_time_that_no_lamp_began_is_no_time_to_compare(tmp_path: Path) -> None:
    evening(tmp_path / "one.sqlite", 11, ("Ann",), 400_000, by="screen")
    persons = people(read_records(tmp_path).records)
    assert "Reaction" not in table(persons)
    assert plots(persons) == ""


def test_a_time_by_key_is_no_time_to_compare_though_a_board_is_there(tmp_path: Path) -> None:
    evening(tmp_path / "one.sqlite", 11, ("Ann",), 400_000, actor="keyboard")
    assert "Reaction" not in table(people(read_records(tmp_path).records))


def test_at_the_plates_a_round_is_won_by_who_was_first(tmp_path: Path) -> None:
    options = {"drill": "plates"}
    seats = seats_from_names(("Ann", "Ben"))
    player = Player(
        tmp_path / "one.sqlite",
        Setup("drills", open_game("drills").rules_version, seats, options),
        11,
    )
    pressed = [
        Plate(seat=seat, at=at(zero(S) + us)) for seat, us in (("ben", 200_000), ("ann", 300_000))
    ]
    for fact in (*lit("ann", S), *pressed):
        player.enter(fact)
    player.journal.close()
    won = {
        person.name: person.figures.rounds_won for person in people(read_records(tmp_path).records)
    }
    assert won == {"Ann": 0, "Ben": 1}


def test_the_plot_has_a_sign_for_each_person_and_the_newest_time_last(tmp_path: Path) -> None:
    evening(tmp_path / "one.sqlite", 11, ("Ann", "Ben"), 400_000, 200_000, 300_000, 250_000)
    lines = plots(people(read_records(tmp_path).records)).splitlines()
    title = lines.index("Reaction: seconds, string by string")
    drawn = lines[title + 1 : -1]
    assert drawn[0].startswith(" 0.400 ")
    assert drawn[-1].startswith(" 0.200 ")
    columns = [
        {row[7 + place] for row in drawn if len(row) > 7 + place} - {" "} for place in (0, 1)
    ]
    assert columns == [{GLYPHS[0], GLYPHS[1]}] * 2
    assert "Ann" in lines[-1]
    assert "Ben" in lines[-1]
