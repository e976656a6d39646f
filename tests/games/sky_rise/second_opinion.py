"""A second implementation of Sky Rise, slow and plain, written from the clauses of RULES.md. It shares nothing with the
rules: facts come in as a kind and plain values, and what they come to is counted anew from what lies on the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from tests.games.sky_rise.second_points import (
    WILD,
    Choices,
    Level,
    Pyramid,
    Spot,
    group_points,
    is_column,
    placement_points,
    spot,
)

SIZES = ("large", "medium", "small")
SUITS = ("hearts", "spades", "diamonds", "clubs")


class BreaksRule(Exception):
    """A fact that the clauses do not allow; its text is the clause."""


def require(fine: object, clause: str) -> None:
    """Raise `BreaksRule` with that clause unless a condition holds."""
    if not fine:
        raise BreaksRule(clause)


class SecondOpinion:
    """A game by the clauses, fact by fact. `colors` are those of the component file in its order, and `five_suit` the
    cards that a suit of a five-suit deck has; a key press is good to `key_error_us`."""

    def __init__(
        self,
        seats: Sequence[str],
        chosen: Choices,
        colors: Sequence[str],
        five_suit: int,
        key_error_us: int = 100_000,
    ) -> None:
        self.key_error_us = key_error_us
        self.chosen, self.seats, self.left = chosen, list(seats), set[str]()
        few = len(seats) <= 3
        fine = {"4": few, "5": not few}.get(chosen["colors"], True)
        require(fine, "SR-1")
        self.colors = list(colors[: 4 if few else 5])
        ordinary = chosen["deck"] == "ordinary"
        suits = (*SUITS, "royals" if ordinary else "fifth")[: len(self.colors)]
        self.color_of = dict(zip(suits, self.colors, strict=True))
        self.of_suit = (12 if few else 9) if ordinary else five_suit
        self.wide, self.deep = 3, 2 if few else 3
        self.hands = dict.fromkeys(seats, 3)
        self.pile = self.of_suit * len(suits) - 3 * len(seats)
        self.began: list[str] = []
        self.given: dict[str, tuple[int, ...]] = {}
        self.by_hand = dict.fromkeys(seats, 0)
        self.goals: dict[str, tuple[str, str]] = {}
        self.undealt: list[tuple[str, str]] | None = None
        self.revealed = False
        self.best: list[str] = []  # asked for several times after each fact: counted once
        self.levels = [Level(1, seats[0])]
        self.stage, self.mover = "cards", seats[0]
        self.waiting: list[str] = []
        self.tried: list[str] = []
        self.passed: list[str] = []
        self.at: Any = None
        self.begun_at: Any = None
        self.begun = False
        self.stops: list[tuple[str, Any]] = []
        self.ruling: list[str] | None = None

    # -- the people

    @property
    def playing(self) -> list[str]:
        """Return the seats that have not left."""
        return [seat for seat in self.seats if seat not in self.left]

    def onward(self, seat: str) -> list[str]:
        """Return the players to the left of a seat, that seat last if it plays."""
        at = self.seats.index(seat) + 1
        return [player for player in self.seats[at:] + self.seats[:at] if player not in self.left]

    @property
    def due(self) -> str:
        """Return whose entry comes next: the oldest turn waiting for one, else the current turn (SR-T6)."""
        return self.waiting[0] if self.waiting else self.mover

    # -- the stock

    @property
    def level(self) -> Level:
        """Return the level being built."""
        return self.levels[-1]

    def placed(self, color: str, size: str) -> int:
        """Return how many pyramids of a color and size are on the table."""
        return sum(
            (pyramid.color, pyramid.size) == (color, size)
            for level in self.levels
            for pyramid in level.pyramids
        )

    def stock(self, size: str) -> int:
        """Return how many translucent pyramids of a size are in the common stock (SR-1)."""
        stand = [
            pyramid
            for level in self.levels
            for pyramid in level.pyramids
            if pyramid.size == size and pyramid.color != WILD
        ]
        return 3 * len(self.colors) - len(stand)

    def share(self, seat: str) -> int:
        """Return how many opaque pyramids a seat was given (SR-1)."""
        if seat not in self.in_turn:
            return 0
        shares = [9 // len(self.in_turn)] * len(self.in_turn)
        for at in range(9 % len(self.in_turn)):
            shares[-1 - at] += 1
        return shares[self.in_turn.index(seat)]

    @property
    def in_turn(self) -> list[str]:
        """Return the seats that began the game, the start player first."""
        seats = self.began or self.playing
        first = self.levels[0].starter
        at = seats.index(first) if first in seats else 0
        return seats[at:] + seats[:at]

    def sizes(self, seat: str) -> tuple[int, ...] | None:
        """Return the large, medium and small opaque pyramids a seat was given, or None if unknown (SR-1)."""
        if seat in self.given:
            return self.given[seat]
        if self.share(seat) == 0:
            return (0, 0, 0)
        if self.chosen["opaque_sizes"] == "entered_by_table":
            return None
        row = list(SIZES * 3)
        for other in self.in_turn:
            part, row = row[: self.share(other)], row[self.share(other) :]
            if other == seat:
                return tuple(part.count(size) for size in SIZES)
        raise AssertionError(seat)

    def used(self, seat: str, size: str) -> int:
        """Return how many opaque pyramids of a size a seat placed."""
        stand = [
            pyramid for level in self.levels for pyramid in level.pyramids if pyramid.color == WILD
        ]
        return sum((pyramid.seat, pyramid.size) == (seat, size) for pyramid in stand)

    def wild_left(self, seat: str) -> int:
        """Return how many opaque pyramids a seat has left (SR-16)."""
        sizes = self.sizes(seat)
        had = self.share(seat) if sizes is None else sum(sizes)
        return max(0, had - sum(self.used(seat, size) for size in SIZES))

    def wild_left_of(self, seat: str, size: str) -> set[int]:
        """Return how many of a size a seat may have left, as far as known: one number, or several."""
        sizes = self.sizes(seat)
        if sizes is not None:
            return {max(0, sizes[SIZES.index(size)] - self.used(seat, size))}
        nobodys = 3
        for other in self.seats:
            known = self.sizes(other)
            nobodys -= self.used(other, size) if known is None else known[SIZES.index(size)]
        return set(range(min(max(0, nobodys), self.wild_left(seat)) + 1))

    def sizes_now(self) -> tuple[str, ...]:
        """Return the sizes that may be placed (SR-6, SR-13)."""
        return SIZES if self.level.roof else (SIZES[self.level.number - 1],)

    def may_place(self, seat: str) -> bool:
        """Return True if a seat has something to place, as far as known (SR-7)."""
        return any(
            self.stock(size) or self.wild_left_of(seat, size) != {0} for size in self.sizes_now()
        )

    # -- whose turn it is

    def can_act(self, seat: str) -> bool:
        """Return True if the seat can use a turn."""
        if seat in self.left:
            return False
        if self.stage == "cards":
            return self.hands[seat] > 0
        if self.level.roof and (seat in self.tried or seat in self.waiting):
            return False
        return self.may_place(seat)

    def free(self) -> int:
        """Return how many cells or corners are free."""
        if self.stage == "cards":
            return self.wide * self.deep - len(self.level.cards)
        return (self.wide + 1) * (self.deep + 1) - len(
            {pyramid.at for pyramid in self.level.pyramids}
        )

    def room(self) -> int:
        """Return how many more turns can end before something is entered (SR-T6)."""
        if self.stage == "pyramids" and self.level.roof:
            return sum(map(self.can_act, self.playing))
        return self.free() - len(self.waiting)

    def go_on(self) -> None:
        """Do what follows automatically: turns that pass, a stage that is over."""
        self.passed = []
        while self.stage != "built":
            full = self.free() == 0 and not (self.stage == "pyramids" and self.level.roof)
            if full:
                self.next_stage()
                continue
            while self.waiting and self.stage == "pyramids" and not self.may_place(self.waiting[0]):
                self.waiting.pop(0)
            circle = self.onward(self.mover)
            if self.mover not in self.left:
                circle = [self.mover, *circle[:-1]]
            if self.waiting:
                self.mover = circle[0]
                return
            able = [seat for seat in circle if self.can_act(seat)]
            if not able:
                self.next_stage()
                continue
            if self.stage == "pyramids":
                self.passed += [
                    seat for seat in circle[: circle.index(able[0])] if seat not in self.tried
                ]
            self.mover = able[0]
            return

    def next_stage(self) -> None:
        """Begin the next stage: the floor is laid, or the level's pyramids are placed (SR-4, SR-6, SR-13)."""
        self.waiting = []
        if self.stage == "cards":
            last = (
                [seat for _, _, seat in self.level.cards.values()][-1]
                if self.level.cards
                else self.mover
            )
            self.stage, self.mover = "pyramids", (self.onward(last) or [last])[0]
            return
        self.level.complete = True
        if self.level.roof:
            self.stage = "built"
            return
        starter = self.onward(self.level.starter)[0]
        self.levels.append(Level(self.level.number + 1, starter))
        self.stage, self.mover = "cards", starter

    # -- points

    def placement(self, level: Level, seat: str) -> int:
        """Return a seat's placement points on a level."""
        return sum(
            placement_points(level, pyramid, self.color_of)
            for pyramid in level.pyramids
            if pyramid.seat == seat
        )

    def color_total(self, color: str) -> int:
        """Return a color's open total (SR-10); the roof gives none (SR-13)."""
        done = [level for level in self.levels if level.complete and not level.roof]
        return sum(sum(self.groups(level, color)) for level in done)

    def groups(self, level: Level, color: str) -> list[int]:
        """Return the points of a color's groups on a level."""
        return group_points(
            {pyramid.at: pyramid.color for pyramid in level.pyramids}, color, self.chosen
        )

    def columns(self, color: str) -> int:
        """Return the number of columns of a color (SR-15)."""
        return sum(is_column(stack, color, self.chosen) for stack in self.stacks())

    def stacks(self) -> list[list[str | None]]:
        """Return the pyramids at each corner from the ground up, None for a gap; antennas last, if they count
        (SR-15)."""
        standing: dict[Spot, list[str | None]] = {}
        for level in self.levels[:3]:
            for pyramid in level.pyramids:
                stack = standing.setdefault(pyramid.at, [])
                stack += [None] * (level.number - 1 - len(stack))
                stack.append(pyramid.color)
        for pyramid in self.levels[3].pyramids if len(self.levels) == 4 else []:
            if self.chosen["antenna_in_column"] == "yes":
                stack = standing.setdefault(pyramid.at, [])
                stack += [None] * (3 - len(stack))
                stack.append(pyramid.color)
        return list(standing.values())

    def ending(self, seat: str) -> int:
        """Return what the end adds to a seat's points: Nest, columns, opaque pyramids left (SR-14 to SR-16)."""
        if seat in self.left or seat not in self.goals:
            return 0
        nest, tree = self.goals[seat]
        return self.color_total(nest) + 6 * self.columns(tree) + 2 * self.wild_left(seat)

    def points(self, seat: str) -> int:
        """Return a seat's points so far."""
        placed = sum(self.placement(level, seat) for level in self.levels)
        return placed + self.by_hand[seat] + (self.ending(seat) if self.revealed else 0)

    # -- the end (SR-17)

    def tied(self) -> list[str]:
        """Return the seats with the most points once the goals are up."""
        if self.revealed and not self.best:
            points = {seat: self.points(seat) for seat in self.playing}
            self.best = [seat for seat in points if points[seat] == max(points.values())]
        return self.best

    def contenders(self) -> list[str]:
        """Return the seats that may settle the tie in a Tower Showdown."""
        stock = 9 * (len(self.colors) + 1)
        most = stock // int(self.chosen["showdown_pyramids"])
        tied = self.tied()
        return tied if 2 <= len(tied) <= most and self.chosen["tie"] != "shared" else []

    def first_done(self) -> list[str]:
        """Return the contenders that nobody is certain to have beaten."""
        first = []
        for seat, at in self.stops:
            beaten = any(self.surely_before(other, at) for _, other in self.stops)
            if not beaten:
                first.append(seat)
        return first

    def surely_before(self, one: Any, other: Any) -> bool:
        """Return True if a stamp is before another by at least the sum of their errors, or the house rule's
        number (SR-17)."""
        if one is None or other is None or one["clock"] != other["clock"]:
            return False
        apart = other["us"] - one["us"]
        error = max(int(self.chosen["stamp_error_us"]), self.error_us(one) + self.error_us(other))
        return bool(apart > 0 and apart >= error)

    def error_us(self, at: Any) -> int:
        """Return a stamp's error; one by key has none of its own."""
        return int(at["pm"]) or self.key_error_us

    def times(self) -> dict[str, int | None]:
        """Return how long each contender built, None if unknown."""
        since = self.begun_at
        known = [
            (seat, at is not None and since is not None and at["clock"] == since["clock"])
            for seat, at in self.stops
        ]
        stops = dict(self.stops)
        return {seat: stops[seat]["us"] - since["us"] if told else None for seat, told in known}

    def winners(self) -> list[str]:
        """Return the winners; nobody while the game goes on."""
        tied = self.tied()
        if not self.contenders():
            return tied
        if self.ruling is not None:
            return self.ruling or tied
        first = self.first_done()
        return first if len(first) == 1 else []

    # -- the facts

    def enter(self, kind: str, body: Mapping[str, Any], at: Any = None) -> None:
        """Apply a fact; raise `BreaksRule` if the clauses do not allow it."""
        if self.winners() and kind != "showdown_stop":
            raise BreaksRule("SR-17")
        self.at = at
        self.best = []
        getattr(self, f"_{kind}")(**body)

    def whose(self, seat: str | None, reason: str) -> str:
        """Return the seat that a card, a pyramid or a pass belongs to (SR-T5)."""
        seat = seat or self.due
        require(seat in self.seats, "SR-5")
        require(seat == self.due or reason, "SR-7")
        return seat

    def entered(self, seat: str) -> None:
        """Apply a turn's entry: the turn goes on, unless a button ended it before (SR-T6)."""
        if self.waiting and self.waiting[0] == seat:
            self.waiting.pop(0)
        elif not self.waiting:
            self.mover = (self.onward(seat) or [seat])[0]
        self.go_on()

    def _start_token(self, seat: str) -> None:
        require(not self.began and not self.waiting and seat != self.level.starter, "SR-4")
        self.levels, self.mover = [Level(1, seat)], seat

    def _assign(self, suit: str, color: str) -> None:
        """Assign a suit to a color; their former partners become partners (SR-2). Only what is in play is
        exchanged here."""
        require(not self.began and not self.waiting, "SR-2")
        require(
            suit in self.color_of and color in self.colors and self.color_of[suit] != color, "SR-2"
        )
        other = next(one for one, its in self.color_of.items() if its == color)
        self.color_of[suit], self.color_of[other] = color, self.color_of[suit]

    def _opaque(self, seat: str, large: int, medium: int, small: int, reason: str = "") -> None:
        now = (large, medium, small)
        require(sum(now) == self.share(seat) or reason, "SR-1")
        entered = {**self.given, seat: now}
        for place, size in enumerate(SIZES):
            require(sum(sizes[place] for sizes in entered.values()) <= 3, "SR-1")
            require(now[place] >= self.used(seat, size), "SR-1")
        self.given = entered
        self.go_on()

    def _card(
        self,
        place: str,
        suit: str,
        rank: str | None = None,
        seat: str | None = None,
        reason: str = "",
    ) -> None:
        require(self.stage == "cards", "SR-5")
        seat = self.whose(seat, reason)
        cell = spot(place)
        require(
            cell[0] < self.wide and cell[1] < self.deep and cell not in self.level.cards, "SR-5"
        )
        beside = any(abs(cell[0] - x) + abs(cell[1] - y) == 1 for x, y in self.level.cards)
        if self.level.cards and self.chosen["floor_cell"] == "adjacent_to_laid":
            require(beside or reason, "SR-4")
        self._fits_the_deck(suit, rank, reason)
        require(self.hands[seat] > 0 or reason, "SR-13")
        self.began = self.began or self.playing
        drawn = 1 if self.pile > 0 else 0
        self.hands[seat] = max(0, self.hands[seat] - 1) + drawn
        self.pile -= drawn
        self.level.cards[cell] = (suit, rank, seat)
        self.entered(seat)

    def _fits_the_deck(self, suit: str, rank: str | None, reason: str) -> None:
        """Raise `BreaksRule` unless the deck has that card and it is not laid yet (SR-2)."""
        require(suit in self.color_of, "SR-2")
        same = [
            its for level in self.levels for lies, its, _ in level.cards.values() if lies == suit
        ]
        require(len(same) < self.of_suit, "SR-2")
        if rank is None or reason:
            return
        if "royals" in self.color_of:
            require((rank in ("J", "Q", "K")) == (suit == "royals"), "SR-2")
        require(same.count(rank) < (4 if suit == "royals" else 1), "SR-2")

    def _pyramid(
        self,
        place: str,
        color: str,
        size: str | None = None,
        seat: str | None = None,
        reason: str = "",
    ) -> None:
        require(self.stage == "pyramids", "SR-6")
        seat = self.whose(seat, reason)
        if not self.level.roof:
            size = size or self.sizes_now()[0]
        require(size is not None, "SR-13")
        require(size in self.sizes_now() or reason, "SR-6")
        corner = spot(place)
        require(corner[0] <= self.wide and corner[1] <= self.deep, "SR-6")
        taken = any(pyramid.at == corner for pyramid in self.level.pyramids)
        require(not taken or (self.level.roof and self.chosen["antenna_place"] == "free"), "SR-7")
        require(color == WILD or color in self.colors, "SR-1")
        assert size is not None
        require(self.placed(color, size) < 3, "SR-1")
        if color == WILD:
            require(self.wild_left_of(seat, size) != {0} or reason, "SR-7")
        self.level.pyramids.append(Pyramid(corner, color, size, seat))
        self._had_a_chance(seat)

    def _pass(self, seat: str | None = None, reason: str = "") -> None:
        require(self.stage == "pyramids", "SR-7")
        seat = self.whose(seat, reason)
        if not self.level.roof:
            size = self.sizes_now()[0]
            must = self.stock(size) > 0 or min(self.wild_left_of(seat, size)) > 0
            require(not must or reason, "SR-7")
        self._had_a_chance(seat)

    def _had_a_chance(self, seat: str) -> None:
        if self.level.roof and seat not in self.tried:
            self.tried.append(seat)
        self.entered(seat)

    def _turn_over(self, seat: str) -> None:
        require(
            seat in self.playing
            and self.stage != "built"
            and self.room() > 0
            and seat == self.mover,
            "SR-T6",
        )
        self.waiting.append(seat)
        able = [player for player in self.onward(seat) if self.can_act(player)]
        self.mover = able[0] if able else seat
        self.go_on()

    def _turn(self, seat: str, reason: str) -> None:
        require(reason and seat in self.playing and self.stage != "built", "SR-T5")
        self.mover, self.waiting = seat, []
        self.tried = [player for player in self.tried if player != seat]
        self.go_on()

    def _seat_leaves(self, seat: str) -> None:
        require(seat in self.playing and len(self.playing) > 2, "SR-T1")
        self.left.add(seat)
        self.hands[seat] = 0
        if not self.revealed:
            self.go_on()

    def _seat_joins(self, name: str) -> None:
        seat = name.casefold()
        require(not self.revealed and seat not in self.playing, "SR-T2")
        require(len(self.playing) < len(self.colors), "SR-3")
        if seat in self.left:
            self.left.remove(seat)
        else:
            require(len(self.seats) < 5, "SR-T2")
            self.seats.append(seat)
            self.by_hand[seat] = 0
        self.hands[seat] = min(3, self.pile)
        self.pile -= self.hands[seat]
        self._deal_on()

    def _score_set(self, seat: str, score: int, reason: str) -> None:
        require(reason, "SR-T4")
        self.by_hand[seat] += score - self.points(seat)

    def _goal_noted(self, seat: str, nest: str, tree: str) -> None:
        require(seat in self.playing and not self.revealed, "SR-14")
        require(nest in self.colors and tree in self.colors, "SR-3")
        require(self.undealt is None or seat not in self.goals, "SR-T9")
        self.goals[seat] = (nest, tree)

    def _goals_dealt(self, nests: Sequence[str], trees: Sequence[str]) -> None:
        require(not self.revealed and not self.goals, "SR-T9")
        require(sorted(nests) == sorted(trees) == sorted(self.colors), "SR-3")
        self.undealt = list(zip(nests, trees, strict=True))
        self._deal_on()

    def _deal_on(self) -> None:
        for seat in self.playing:
            if self.undealt and seat not in self.goals:
                self.goals[seat] = self.undealt.pop(0)

    def _reveal(self, reason: str = "") -> None:
        require(not self.revealed and self.stage == "built", "SR-14")
        require(all(seat in self.goals for seat in self.playing), "SR-14")
        for each in zip(*(self.goals[seat] for seat in self.playing), strict=True):
            require(reason or all(one != other for one, other in pairwise(sorted(each))), "SR-3")
        self.revealed = True

    def _showdown(self) -> None:
        require(self.contenders() and not self.begun and self.ruling is None, "SR-17")
        self.begun, self.begun_at = True, self.at

    def _showdown_stop(self, seat: str) -> None:
        require(seat in self.contenders() and self.begun, "SR-17")
        require(seat not in [stopped for stopped, _ in self.stops], "SR-17")
        begun, at = self.begun_at, self.at
        early = (
            begun is not None
            and at is not None
            and at["clock"] == begun["clock"]
            and at["us"] < begun["us"]
        )
        require(not early, "SR-17")
        self.stops.append((seat, at))

    def _showdown_ruling(self, seat: str | None = None, reason: str = "") -> None:
        tied = self.contenders()
        require(tied and (seat is None or seat in tied), "SR-17")
        first = self.first_done()
        chosen = (
            seat is None
            and self.chosen["tie"] == "asked"
            and not self.begun
            and self.ruling is None
        )
        close = len(first) > 1 and (seat is None or seat in first)
        require(reason or chosen or close, "SR-17")
        self.ruling = [] if seat is None else [seat]
