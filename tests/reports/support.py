"""Sessions for the tests of reports."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from companion.cli import main
from companion.journal.entries import Control, Draft, Entry, Layer
from companion.journal.fold import amend_drafts, one_step, void_draft
from companion.journal.journal import Journal
from companion.journal.timeline import Timeline
from companion.reports.importing import parse_export
from companion.rules.facts import Fact, Moment, Refused, Setup
from companion.rules.game import Game
from companion.rules.header import header
from companion.rules.registry import open_game
from companion.rules.seats import MOST_OF_NAME, seats_from_names

CLOCK = "board-5f3a"
FIXTURES = Path(__file__).parent.parent / "fixtures" / "panic-fire"
START = "2026-01-31T20:00:00.000+00:00"


def run_export(session: str, wanted: str, out: Path | None = None, *more: str) -> int:
    """Export a session by the command line; `more` are options."""
    return main(["export", session, "--format", wanted, *_out(out), *more])


def run_import(file: Path, out: Path | None = None) -> int:
    return main(["import", str(file), *_out(out)])


def run_sheet(session: str, out: Path | None = None) -> int:
    return main(["sheet", session, *_out(out)])


def _out(out: Path | None) -> list[str]:
    return [] if out is None else ["--out", str(out)]


def seconds(day: int) -> Callable[[], str]:
    """Return a clock of times of day that advances a second at each reading."""
    passed = itertools.count()

    def wall() -> str:
        at = next(passed)
        return f"2026-01-{day}T{20 + at // 3600}:{at // 60 % 60:02d}:{at % 60:02d}.000+00:00"

    return wall


def setup(names: str = "Anna Bo Cleo", **options: str) -> Setup:
    """Return a game of these people, whose names may be as long as those of older records."""
    whole = names.split()
    seats = []
    for seat, name in zip(
        seats_from_names([name[:MOST_OF_NAME] for name in whole]), whole, strict=True
    ):
        seats.append(replace(seat, name=name))
    return Setup("panic-fire", 3, tuple(seats), options)


class Player:
    """A session on disk, with methods to play and to correct it."""

    def __init__(
        self,
        path: Path,
        chosen: Setup | None = None,
        day: int = 31,
        wall: Callable[[], str] | None = None,
    ) -> None:
        self.setup = chosen or setup()
        self.game: Game[Any] = open_game(self.setup.game)
        self.journal = Journal.create(
            path, header(self.setup, path.stem), wall=wall or seconds(day)
        )
        self.timeline: Timeline[Any] = Timeline(self.game.start(self.setup), self._apply, Refused)

    def _apply(self, state: Any, entry: Entry) -> Any:
        return self.game.apply(state, self.game.parse(entry.kind, entry.body), entry.n)

    def append(self, *drafts: Draft) -> tuple[Entry, ...]:
        added = self.journal.append(*drafts).added
        self.timeline.extend(added)
        return added

    def do(
        self,
        kind: str,
        us: int | None = None,
        *,
        clock: str = CLOCK,
        actor: str = "board",
        **body: Any,
    ) -> Entry:
        at = None if us is None else Moment(us=us, pm=25, clock=clock)
        return self.enter(self.game.parse(kind, body).model_copy(update={"at": at}), actor)

    def enter(self, fact: Fact, actor: str = "keyboard", **more: Any) -> Entry:
        body = fact.model_dump(mode="json", exclude={"kind"}, exclude_none=True)
        t_us = fact.at.us if fact.at is not None else None
        return self.append(Draft(Layer.FACT, fact.kind, body, actor, t_us=t_us, **more))[0]

    def win(self, winner: str, us: int) -> None:
        """Play a round from `us` on: a second after fire! `winner` shoots, and once more for each
        other seat."""
        self.do("fire", us)
        others = [seat.id for seat in self.setup.seats if seat.id != winner]
        for place, other in enumerate(others, start=1):
            self.do("draw", us + place * 500_000, seat=winner)
            self.do("shot", us + place * 1_000_000, lag_us=3000, peak=700)
            self.do("target", us + place * 1_000_000 + 1, seat=other)
            self.do("shooter", us + place * 1_000_000 + 2, seat=winner)

    def close(self) -> None:
        self.journal.close()


class RandomHands:
    """Plays anything at all: by the rules, against them, and changes of the past."""

    def __init__(self, player: Player, rng: random.Random) -> None:
        self.player = player
        self.rng = rng
        self.us = 0

    def act(self) -> None:
        self.rng.choice(
            [
                self.play,
                self.play,
                self.play,
                self.undo,
                self.redo,
                self.void,
                self.amend,
                self.insert,
                self.say,
            ]
            if self.rng.random() < 0.8
            else [self.people, self.decide]
        )()

    def play(self) -> None:
        legal = self.player.game.legal(self.player.timeline.state)
        if legal:
            self.us += self.rng.randrange(3_000_000)
            clock = self.rng.choice([CLOCK, CLOCK, CLOCK, "host-1"])
            at = self.rng.choice([Moment(us=self.us, pm=25, clock=clock)] * 4 + [None])
            self.player.enter(
                self.rng.choice(legal).model_copy(update={"at": at}),
                self.rng.choice(["board", "Bo"]),
            )

    def undo(self) -> None:
        self.player.append(*self.player.timeline.steps.undo_drafts())

    def redo(self) -> None:
        self.player.append(*self.player.timeline.steps.redo_drafts())

    def void(self) -> None:
        facts = self._facts()
        if facts:
            chosen = self.rng.sample(facts, min(len(facts), self.rng.randint(1, 2)))
            self.player.append(
                *one_step(*(void_draft(entry.n, "wrong, said Bo") for entry in chosen))
            )

    def amend(self) -> None:
        seated = [entry for entry in self._facts() if "seat" in entry.body]
        if seated:
            entry = self.rng.choice(seated)
            seat = self.rng.choice(self.player.setup.seats).id
            self.player.append(*amend_drafts(entry, {**entry.body, "seat": seat}, "another seat"))

    def insert(self) -> None:
        legal = self.player.game.legal(self.player.timeline.state)
        if legal:
            after = self.rng.randint(1, len(self.player.journal.entries))
            self.player.enter(self.rng.choice(legal), after=after)

    def say(self) -> None:
        n = len(self.player.journal.entries) + 1
        press = {"boot": 1, "seq": n, "channel": "zone-1", "flags": 1, "bounces": 0, "peak": 0}
        evidence = Draft(Layer.EVIDENCE, "event", press, "board", t_us=self.us, key=f"1/1/{n}")
        ignored = Draft(
            Layer.CONTROL, "ignored", {"reason": "why not"}, "companion", (n,), key=f"ignored:{n}"
        )
        self.player.append(evidence, ignored)

    def people(self) -> None:
        seat = self.rng.choice(self.player.setup.seats).id
        facts: list[tuple[str, dict[str, Any]]] = [
            ("seat_leaves", {"seat": seat, "reason": "the last train"}),
            ("seat_joins", {"name": self.rng.choice(["Dora", "Bo", "Anna"]), "left_of": seat}),
            ("seat_changes", {"seat": seat, "name": self.rng.choice(["Eve", "Bo"])}),
            ("score_set", {"seat": seat, "score": self.rng.randint(0, 6), "reason": "agreed"}),
        ]
        kind, body = self.rng.choice(facts)
        self.player.enter(self.player.game.parse(kind, body))

    def decide(self) -> None:
        n = len(self.player.journal.entries)
        controls: list[tuple[str, dict[str, Any]]] = [
            (Control.REMARK, {"entries": [n], "why": "missed", "who": "Bo"}),
            (
                Control.CONSENT,
                {"entry": n, "agreed": self.rng.random() < 0.5, "text": "a hand, to Bo"},
            ),
            (Control.LEVELS, {"draws": "proposed"}),
            (
                Control.SETTINGS,
                {"hold_us": 500_000, "window_us": 40_000, "min_peak": None, "why": "", "who": ""},
            ),
        ]
        kind, body = self.rng.choice(controls)
        self.player.append(Draft(Layer.CONTROL, kind, body))

    def _facts(self) -> list[Entry]:
        return [entry for entry in self.player.journal.entries if entry.layer is Layer.FACT]


def fixture(name: str) -> tuple[Entry, ...]:
    """Return the entries of a recorded game."""
    return parse_export((FIXTURES / f"{name}.jsonl").read_text(encoding="utf-8"), name, START)
