"""Judge a round: who is in, whose Shield is in play, and the verdict on each shot (PF-10 to PF-14)."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.panic_fire.rules.facts import Override, ShieldInPlay
from companion.games.panic_fire.rules.model import (
    NEW_SET,
    Happening,
    PileCount,
    Pull,
    Reading,
    Round,
    ShotVerdict,
    Stalemate,
    State,
)
from companion.rules.common import SeatLeaves
from companion.rules.facts import SeatId
from companion.rules.house_rules import Options
from companion.rules.replacing import replace


def read_round(
    players: Sequence[SeatId], happenings: Sequence[Happening], options: Options, rules_version: int
) -> Reading:
    """Judge a round's happenings in order; tied shots in the order that the players gave them (PF-R2)."""
    reader = _RoundReader(players, options, rules_version)
    for happening, rival in _in_order(happenings):
        reader.take(happening, rival)
    return reader.reading(happenings)


def with_happenings(state: State, current: Round, happenings: tuple[Happening, ...]) -> State:
    """Return the state with the current round replaced by these happenings and judged again."""
    reading = read_round(current.players, happenings, state.options, current.rules_version)
    return replace(state, current=replace(current, happenings=happenings, reading=reading))


def _in_order(happenings: Sequence[Happening]) -> Sequence[tuple[Happening, Pull | None]]:
    """Return the happenings in the players' order, each with its rival if both shots count, else None."""
    ordered: list[tuple[Happening, Pull | None]] = []
    before: Pull | None = None
    for item in happenings:
        if not isinstance(item, Pull) or not item.fired:
            ordered.append((item, None))
            continue
        if item.order == "swapped" and before is not None:
            # Before its rival, not at the end: other things may have happened between the two.
            ordered.insert([other for other, _ in ordered].index(before), (item, None))
        else:
            ordered.append((item, before if item.order == "both" else None))
        before = item
    return ordered


class _RoundReader:
    """Accumulates a round's state while its happenings are judged one by one."""

    def __init__(self, players: Sequence[SeatId], options: Options, rules_version: int) -> None:
        self.options = options
        self.rules_version = rules_version
        self.alive = set(players)
        self.shields: set[SeatId] = set()
        self.spent: set[SeatId] = set()
        self.stalemate = False
        self.verdicts: dict[int, ShotVerdict] = {}
        self.pile: PileCount | None = None

    def reading(self, happenings: Sequence[Happening]) -> Reading:
        pulls = [item for item in happenings if isinstance(item, Pull)]
        settled = self.pile.settled if self.pile is not None else frozenset()
        least = most = 0
        for entry, verdict in self.verdicts.items():
            # Cards laid for these shots were on the table when the new pile was counted.
            if entry not in settled:
                least += verdict.replaced + verdict.new_set[0]
                most += verdict.replaced + verdict.new_set[1]
        return Reading(
            alive=frozenset(self.alive),
            shields=frozenset(self.shields & self.alive),
            spent=frozenset(self.spent),
            stalemate=self.stalemate,
            verdicts=tuple((pull, self.verdicts[pull.entry]) for pull in pulls if pull.fired),
            laid=(least, most),
            pile=self.pile,
        )

    def take(self, happening: Happening, rival: Pull | None) -> None:
        match happening:
            case Pull():
                self._pull(happening, rival)
            case ShieldInPlay(seat=seat, present=True):
                self.shields.add(seat)
            case ShieldInPlay(seat=seat):
                self.shields.discard(seat)
            case Override(seat=seat, status="in"):
                self.alive.add(seat)
            case Override(seat=seat):
                self.alive.discard(seat)
            # The last survivor keeps the round won, even after leaving (PF-T1).
            case SeatLeaves(seat=seat) if len(self.alive) > 1:
                self.alive.discard(seat)
            case Stalemate():
                self.stalemate = True
            case PileCount():
                self.pile = happening

    def _pull(self, pull: Pull, rival: Pull | None) -> None:
        if not pull.fired:
            return
        # A shot that counts beside its rival sees the table as the rival did.
        before = self.verdicts[rival.entry].before if rival is not None else frozenset(self.alive)
        verdict = self._judge(pull, before)
        self.verdicts[pull.entry] = verdict
        if verdict.eliminated is not None:
            self.alive.discard(verdict.eliminated)
        if rival is not None and verdict.eliminated is not None:
            self._withdraw_new_set(rival, verdict.eliminated)

    def _withdraw_new_set(self, rival: Pull, eliminated: SeatId) -> None:
        """Cancel the new set of a player who is out at the same instant: the cards have left the table (PF-13)."""
        verdict = self.verdicts[rival.entry]
        if self.rules_version == 2:  # took back all that the shot laid, whoever laid it
            if eliminated == rival.shooter:
                self.verdicts[rival.entry] = replace(verdict, new_set=(0, 0), replaced=0)
        elif eliminated == verdict.laid_by:
            self.verdicts[rival.entry] = replace(verdict, new_set=(0, 0))

    def _judge(self, pull: Pull, before: frozenset[SeatId]) -> ShotVerdict:
        if not pull.complete:
            return ShotVerdict("open", "PF-10", before)
        if len(before) <= 1:
            return ShotVerdict("void", "PF-17", before)
        if pull.shooter not in before or (pull.target not in before and not pull.accident):
            return ShotVerdict("void", "PF-13", before)
        if pull.illegal or pull.accident:
            return self._backfire(pull, before)
        return self._hit(pull, before)

    def _backfire(self, pull: Pull, before: frozenset[SeatId]) -> ShotVerdict:
        shooter = pull.shooter or ""
        if self.options["illegal_shot_shield"] == "saves":
            if self._spend(shooter):
                return ShotVerdict("blocked", "PF-R7", before)
            if pull.shield_hand == shooter:
                return ShotVerdict("saved", "PF-R7", before, replaced=self._replacement())
        return ShotVerdict("backfired", "PF-R3" if pull.accident else "PF-11", before, shooter)

    def _hit(self, pull: Pull, before: frozenset[SeatId]) -> ShotVerdict:
        target = pull.target or ""
        if self._spend(target):
            cleared = self._cleared(pull)
            return ShotVerdict("blocked", "PF-12", before, new_set=cleared, laid_by=target)
        if pull.shield_hand == target:
            cleared, drawn = self._cleared(pull), self._replacement()
            return ShotVerdict(
                "saved", "PF-12", before, new_set=cleared, laid_by=target, replaced=drawn
            )
        # Nobody lays a new set after the shot that ends the round, nor a shooter who is out at the same instant.
        ends_round = len(self.alive - {target}) <= 1 or pull.shooter not in self.alive
        new_set = (0, 0)
        if not ends_round:
            new_set = self._new_set(pull.shooter, pull.basis in ("shooter", "both"), pull)
        return ShotVerdict("eliminated", "PF-12", before, target, new_set, pull.shooter)

    def _spend(self, seat: SeatId) -> bool:
        """Discard the seat's Shield in play; return True if there was one."""
        if seat not in self.shields:
            return False
        self.shields.discard(seat)
        self.spent.add(seat)
        return True

    def _replacement(self) -> int:
        return int(self.options["shield_discard_draws"] == "yes")

    def _cleared(self, pull: Pull) -> tuple[int, int]:
        """Return the size of the new set of a target saved by a Shield whose match is cleared all the same
        (PF-R7)."""
        if self.options["blocked_match"] == "stays":
            return (0, 0)
        return self._new_set(pull.target, pull.basis in ("target", "both"), pull)

    def _new_set(self, seat: SeatId | None, certain: bool, pull: Pull) -> tuple[int, int]:
        """Return the least and most cards of a new set (PF-14): four, none, or either if nobody said who held
        the match."""
        if not certain and pull.basis != "unknown":
            return (0, 0)
        if self.options["new_set_shields"] == "as_opening":
            self.spent.discard(seat or "")
        elif certain and seat is not None:
            self.spent.add(seat)
        return (NEW_SET if certain else 0, NEW_SET)
