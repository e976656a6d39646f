"""A club of three tables, each with something broken: the others play on, the standings are right in the end, and each
trouble is reported at the table and on the organiser's page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import pytest

from tests.hub.club import POINTS, HubProgram, TableProgram, club, wait_until, why_not

pytestmark = [
    pytest.mark.waits,
    pytest.mark.timeout(400),
    pytest.mark.skipif(bool(why_not()), reason=why_not()),
]
SEATS: Final = ("Ann,Bo", "Cy,Di", "Ed,Flo")
THREE_YEARS_S: Final = 3 * 365.25 * 86400
SILENT_S: Final = 40.0  # longer than a table is heard of without a word
BEHIND: Final = "Nothing reaches the hub just now"
AGAIN: Final = "The hub has everything again."
BOARD: Final = "Its board does not answer: the keyboard does everything."
DISK: Final = "Its disk saves nothing: free some space there, or what is played next can be lost."


def play_on(tables: Sequence[TableProgram]) -> None:
    """Score a point at each of these tables, and wait until the hub has them."""
    for table in tables:
        table.point(2)
    for table in tables:
        wait_until(lambda: table.is_at_the_hub, lambda: table.hub.row(table.number))  # noqa: B023  it is done at once


def a_laptop_hangs_in_mid_body(hub: HubProgram, tables: Sequence[TableProgram]) -> None:
    broken, *others = tables
    broken.door.stall()
    broken.point(2)
    wait_until(broken.door.stalled.is_set)
    play_on(others)
    broken.terminal.wait_for(BEHIND, " behind")
    hub.clock.shift(SILENT_S)
    hub.shows(broken.number, "not heard since")
    hub.clock.shift(0.0)
    broken.point(2)  # it plays on all the same
    broken.door.heal()
    broken.terminal.wait_for(AGAIN)
    play_on(tables)


def a_board_dies(hub: HubProgram, tables: Sequence[TableProgram]) -> None:
    one, broken, other = tables
    broken.board.power_off()
    broken.terminal.wait_for("lost - retrying")
    hub.shows(broken.number, BOARD)
    play_on((one, broken, other))
    broken.board.power_on()
    broken.terminal.wait_for("live")
    wait_until(lambda: BOARD not in hub.row(broken.number))


def a_disk_is_full(hub: HubProgram, tables: Sequence[TableProgram]) -> None:
    *others, broken = tables
    broken.disk.fill()

    def is_shown() -> bool:
        broken.terminal.type("2", "u")  # until the last free page of the log is written
        return "NOT SAVED" in broken.terminal.screen()

    wait_until(is_shown, broken.terminal.screen)
    broken.terminal.wait_for("the disk is full: free some space")
    hub.shows(broken.number, DISK)
    play_on(others)
    broken.disk.empty()
    broken.terminal.wait_for("saved")
    wait_until(lambda: DISK not in hub.row(broken.number))
    play_on(tables)


def a_clock_is_wrong_by_years(hub: HubProgram, tables: Sequence[TableProgram]) -> None:
    broken = tables[0]
    broken.clock.shift(-THREE_YEARS_S)
    play_on(tables)
    broken.terminal.wait_for("This computer's clock is 3 years behind the hub's.")
    hub.shows(broken.number, "Its clock is 3 years behind the hub's: set the wrong one.")
    broken.clock.shift(0.0)
    play_on(tables)
    wait_until(lambda: "clock" not in hub.row(broken.number))


def the_hubs_database_is_full(hub: HubProgram, tables: Sequence[TableProgram]) -> None:
    hub.disk.fill()

    def is_shown() -> bool:
        for table in tables:
            table.terminal.type("2", "u")
        return "The hub saves nothing: the disk is full" in hub.olga.get("/organiser").text

    wait_until(is_shown)
    assert hub.olga.get("/healthz").status == 503
    for table in tables:
        # the reason stood below the log, perhaps before the last of the keys typed here
        table.terminal.wait_for(" behind")
        table.point(2)
    hub.disk.empty()
    for table in tables:
        table.terminal.wait_for(AGAIN)
    play_on(tables)
    assert "saves nothing" not in hub.olga.get("/organiser").text


def the_hub_starts_again(hub: HubProgram, tables: Sequence[TableProgram]) -> None:
    hub.kill()
    for table in tables:
        table.point(2)
        table.terminal.wait_for(" behind")  # the notice may have gone with the next key
    hub.start()
    for table in tables:
        table.terminal.wait_for(AGAIN)
    play_on(tables)


TROUBLES: Final[Sequence[Callable[[HubProgram, Sequence[TableProgram]], None]]] = (
    a_laptop_hangs_in_mid_body,
    a_board_dies,
    a_disk_is_full,
    a_clock_is_wrong_by_years,
    the_hubs_database_is_full,
    the_hub_starts_again,
)


def test_a_club_of_three_tables_with_one_broken_of_each_kind_plays_its_evening(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    # a short path: a socket's name has at most some hundred bytes
    folder: Path = tmp_path_factory.mktemp("c")
    with club(folder, *SEATS) as (hub, tables):
        for trouble in TROUBLES:
            trouble(hub, tables)
        for table in tables:
            for _ in range(POINTS):
                table.point(1)
            table.terminal.wait_for("wins")
        for table in tables:
            wait_until(lambda: table.is_at_the_hub)  # noqa: B023  it is done at once
        assert hub.standings() == {
            "Ann": "4",
            "Cy": "4",
            "Ed": "4",
            "Bo": "3",
            "Di": "3",
            "Flo": "3",
        }
        for table in tables:
            assert hub.chain(table.number) == table.chain
