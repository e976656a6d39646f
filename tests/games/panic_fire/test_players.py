"""The demo's players, when the gun's sensor reports something else than they meant."""

from __future__ import annotations

from random import Random
from typing import Any, cast

from companion.games.panic_fire.players import PanicFirePlayers
from tests.dashboard.fakes import FakeTable, line
from tests.games.panic_fire.screen.views import LOG, game_view, panic_fire_table, seat_view


class Gun:
    """A board whose shots are reported as the test says."""

    def __init__(self, table: FakeTable, **reading: Any) -> None:
        self.table = table
        self.reading = reading

    def shot(self, **_lag: float) -> None:
        self.table.publish(**self.reading)


def shooting(**reading: Any) -> list[str]:
    """Let the players shoot at a table that reads the shot so; return the keys they pressed first."""
    seats = tuple(seat_view(place) for place in range(3))
    table = panic_fire_table(3, game=game_view(3, seats=seats, open_shots=()))
    players = PanicFirePlayers(cast(Any, Gun(table, **reading)), cast(Any, table), Random(1))
    steps = players._shooting()
    shot = next(steps)
    assert not shot.until(players.look())
    shot.do()
    assert shot.until(players.look())
    next(steps).do()
    return table.done


def test_players_who_meet_a_dry_pull_where_they_meant_a_shot_say_that_it_was_one() -> None:
    assert shooting(log=(*LOG, line(30, "dry pull: no hit within 30 ms"))) == ["panic-fire.promote"]
    assert shooting(log=(*LOG, line(30, "knock: no trigger pull within 30 ms"))) == [
        "panic-fire.promote"
    ]


def test_players_whose_shot_is_open_do_not_press_that_key() -> None:
    seats = tuple(seat_view(place) for place in range(3))
    opened = game_view(3, seats=seats)
    assert opened.last_shot is not None
    done = shooting(game=game_view(3, seats=seats, open_shots=(opened.last_shot,)))
    assert "panic-fire.promote" not in done
