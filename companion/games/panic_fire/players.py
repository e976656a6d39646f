"""Demo players for Panic Fire: three people and one toy gun."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from companion.demo.steps import DemoStep, ScriptedPlayers, zone
from companion.games.panic_fire.rules.view import PanicFireView


@dataclass(slots=True)
class PanicFirePlayers(ScriptedPlayers[PanicFireView]):
    """Three people with a toy gun; each seed gives a different game."""

    game: ClassVar[str] = "panic-fire"
    seats: ClassVar[tuple[str, ...]] = ("Red", "Blue", "Green")

    def steps(self) -> Iterator[DemoStep]:
        """Yield steps until there is a champion."""
        while self.look().phase != "finished":
            yield self.hold(
                zone(self.random.randrange(len(self.seats))),
                lambda view: view.phase == "open",
                "the round is open",
            )
            if self.random.random() < 0.5:
                yield self._shield(self._somebody())
            while self.look().phase == "open":
                for _ in range(self.random.randint(1, 4)):
                    yield self._draw(self._somebody(), self.random.uniform(40, 160))
                yield from self._noise()
                yield from self._shooting()

    def _shield(self, seat: int) -> DemoStep:
        return self.key(
            f"shield.{seat + 1}", lambda view: view.seats[seat].shield, "the Shield is in play"
        )

    def _draw(self, seat: int, hold_ms: float) -> DemoStep:
        before = self.look().seats[seat].draws
        return self.tap(
            zone(seat),
            lambda view: bool(view.seats[seat].draws > before),
            f"{self.seats[seat]}'s draw is counted",
            hold_ms,
            self.random.uniform(0.1, 1.2),
        )

    def _noise(self) -> Iterator[DemoStep]:
        """Pull the trigger without a hit, drop the gun, or brush against it."""
        entries = len(self.table.view().log)
        brush = partial(self.board.knock, None)
        noise = self.random.choice([None, None, self.board.dry_pull, self.board.knock, brush])
        if noise is not None:
            yield DemoStep(
                noise,
                lambda _: len(self.table.view().log) > entries,
                "the gun's noise is logged",
                0.5,
            )

    def _shooting(self) -> Iterator[DemoStep]:
        """Shoot somebody, perhaps mark the shot illegal, then name the target and the shooter."""
        shooter, target = self.random.sample(self._in(), 2)
        lag_ms = self.random.uniform(-3, 9)
        before = self._silent_pulls()
        yield DemoStep(
            lambda: self.board.shot(lag_ms=lag_ms),
            lambda view: _shot_is_open(view) or self._silent_pulls() > before,
            "the shot is open, or a dry pull in its place",
            0.3,
        )
        # The lag is random, so the board may have taken the shot for a dry pull, as a real sensor does.
        if not _shot_is_open(self.look()):
            yield self.key("promote", _shot_is_open, "what looked like a dry pull is a shot")
        ruling = self.random.choices(["illegal", "match", None], [3, 7, 10])[0]
        if ruling is not None:
            yield self.key(ruling, _shot_is_open, "the shot still needs its names")
        yield self.hold(zone(target), _target_is_named, "the target is named")
        if self.random.random() < 0.2:
            yield self.key(
                "mend", lambda view: not _target_is_named(view), "the target is taken back"
            )
            yield self.hold(zone(target), _target_is_named, "the target is named again")
        yield self.hold(zone(shooter), lambda view: not view.open_shots, "the shooter is named")
        if self.random.random() < 0.15 and self.look().seats[target].status == "out":
            yield self.key(
                "hand", lambda view: view.seats[target].status != "out", "the hand Shield counts"
            )

    def _silent_pulls(self) -> int:
        """Count the log lines of pulls and knocks that were not shots."""
        return sum(line.text.startswith(("dry pull", "knock")) for line in self.table.view().log)

    def _somebody(self) -> int:
        return self.random.choice(self._in())

    def _in(self) -> list[int]:
        return [place for place, seat in enumerate(self.look().seats) if seat.status == "in"]


def _shot_is_open(view: PanicFireView) -> bool:
    return bool(view.open_shots)


def _target_is_named(view: PanicFireView) -> bool:
    return bool(view.open_shots) and view.open_shots[0].target is not None
