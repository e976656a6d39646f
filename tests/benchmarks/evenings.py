"""What `stats`, `feed`, `export` and `sheet` take of a long evening, beside one fold of the same record; run as
`python -m tests.benchmarks.evenings [GAME ...]`.

Times are CPU times of this process, each figure beside a fold of the same run. What is wanted: at most `TIMES_A_FOLD`
times one fold, and of twice the entries at most `TWICE` times as long. Below the feed stands what it cannot do without:
the state after each step, which where the past was put right is folded again and again, what the rules show the whole
table of it, and the bytes of its lines out of ready-made dicts. `least` is the sum, with not one event made.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from pydantic_core import to_json

from companion.cli import main
from companion.display.panels import panels_of
from companion.feed.events import line_of
from companion.feed.feed import FeedReading
from companion.journal.collector import collector_frozen
from companion.journal.entries import Entry, steps_of
from companion.rules.facts import TABLE, Setup
from companion.rules.game import Game
from companion.rules.outcome import ending_of
from companion.rules.registry import open_game
from companion.session.readings import timeline_of
from tests.benchmarks.long_records import in_memory, on_disk
from tests.games.hints import setup_of
from tests.games.own.files import learned, own

SIZES = ((4_400, 800), (8_800, 1_600))
"""Entries, and how many of them are voids of an undo."""
SEATS = 4
RUNS = 3
TIMES_A_FOLD = 4.0
TWICE = 2.2
GAMES = ("panic-fire", "skyfire", "sky-rise", "fractured-sky", "drills", own("wizard").id)
COMMANDS: Mapping[str, Sequence[str]] = {
    "stats": ("stats",),
    "feed": ("feed", "long"),
    "export": ("export", "long"),
    "jsonl": ("export", "long", "--format", "jsonl"),
    "csv": ("export", "long", "--format", "csv"),
    "json": ("export", "long", "--format", "json"),
    "sheet": ("sheet", "long"),
}
PARTS = ("steps", "shown", "lines")
ROWS = ("stats", "feed", *PARTS, "least", "export", "jsonl", "csv", "json", "sheet")


def cpu_ms(work: Callable[[], object]) -> float:
    """Return the milliseconds of CPU time that `work` takes."""
    with collector_frozen():
        start = time.process_time()
        work()
        return (time.process_time() - start) * 1000


def fold(game: Game[Any], setup: Setup, entries: Sequence[Entry]) -> None:
    """Fold a record by the rules of its game."""
    timeline_of(game, setup).extend(entries)


def run(arguments: Sequence[str]) -> None:
    """Run a command of the companion in this process; raise if it fails."""
    written = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    with contextlib.redirect_stdout(written), contextlib.redirect_stderr(io.StringIO()) as told:
        code = main(list(arguments))
    if code:
        raise RuntimeError(f"{arguments}: exit {code}: {told.getvalue()}")


@contextlib.contextmanager
def lying_in(record: Sequence[Entry]) -> Iterator[None]:
    """Put the record alone into a folder of sessions."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["COMPANION_DATA"] = folder
        on_disk(Path(folder) / "sessions" / "long.sqlite", record)
        yield


def ratios(
    game_id: str, size: tuple[int, int], *, corrected: bool
) -> tuple[float, dict[str, tuple[float, float]]]:
    """Return the milliseconds of a fold, and for each command its milliseconds and their ratio to a fold."""
    game, setup = open_game(game_id), setup_of(game_id, SEATS)
    record = in_memory(game, setup, *size, corrected=corrected)
    found: dict[str, tuple[float, float]] = {}
    with lying_in(record):
        for name, arguments in COMMANDS.items():
            pairs = [
                (cpu_ms(partial(fold, game, setup, record)), cpu_ms(partial(run, arguments)))
                for _ in range(RUNS)
            ]
            found[name] = (
                statistics.median(took for _, took in pairs),
                min(took / one for one, took in pairs),
            )
        for name, part in parts_of_feed(game, setup, record).items():
            pairs = [
                (cpu_ms(partial(fold, game, setup, record)), cpu_ms(part)) for _ in range(RUNS)
            ]
            found[name] = (
                statistics.median(took for _, took in pairs),
                min(took / one for one, took in pairs),
            )
        folds = min(cpu_ms(partial(fold, game, setup, record)) for _ in range(RUNS))
    return folds, found


def states_of(game: Game[Any], setup: Setup, record: Sequence[Entry]) -> list[Any]:
    """Return the states after each step of a record, without repeats of an unchanged one."""
    timeline, states = timeline_of(game, setup), list[Any]()
    for step in steps_of(record):
        timeline.extend(step)
        if not states or timeline.state is not states[-1]:
            states.append(timeline.state)
    return states


def show(game: Game[Any], states: Sequence[Any]) -> None:
    """Compute what the rules show the whole table of each state, as an event needs it."""
    panels = panels_of(game.id)
    for state in states:
        common, standings = game.common(state), game.standings(state)
        view = game.view(state, TABLE) if game.glance is None else game.glance(state)
        ending = ending_of(game, state, panels.unit)
        panels.lines(view, common.setup, standings, common.left, ended=ending is not None)
        panels.stands(view, abandoned=common.abandoned is not None)
        panels.clock(view)


def parts_of_feed(
    game: Game[Any], setup: Setup, record: Sequence[Entry]
) -> Mapping[str, Callable[[], object]]:
    """Return the times of the parts that a feed cannot do without, by the names of their rows."""
    states = states_of(game, setup, record)
    lines = [json.loads(line_of(event)) for event in FeedReading(game, setup, record).take()]
    return {
        "steps": partial(states_of, game, setup, record),
        "shown": partial(show, game, states),
        "lines": lambda: [to_json(line) for line in lines],
    }


def row(game_id: str, *, corrected: bool) -> None:
    """Print the lines of a game: each command at both sizes."""
    (small, few), (large, many) = (ratios(game_id, size, corrected=corrected) for size in SIZES)
    kind = "corrected" if corrected else "undone"
    print(f"{game_id:<26} {kind:<10} {'fold':<8} {small:9.0f} {large:9.0f} {large / small:7.2f}")
    for each in (few, many):
        took, times = zip(*(each[name] for name in PARTS), strict=True)
        each["least"] = sum(took), sum(times)
    for name in ROWS:
        (short, folds), (long, more) = few[name], many[name]
        slow = " TOO SLOW" if name in COMMANDS and max(folds, more) > TIMES_A_FOLD else ""
        slow += " GROWS" if name in COMMANDS and long / short > TWICE else ""
        figures = f"{short:9.0f} {long:9.0f} {long / short:7.2f} {folds:7.2f} {more:7.2f}{slow}"
        print(f"{'':<26} {'':<10} {name:<8} {figures}", flush=True)


def table_of_figures(games: Sequence[str]) -> None:
    """Print the table."""
    print(
        f"{'game':<26} {'record':<10} {'what':<8} {'ms':>9} {'twice ms':>9} {'growth':>7} {'x fold':>7} {'twice':>7}"
    )
    with learned():
        for game_id in games:
            for corrected in (False, True):
                row(game_id, corrected=corrected)


if __name__ == "__main__":
    table_of_figures(sys.argv[1:] or GAMES)
