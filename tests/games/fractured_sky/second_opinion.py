"""A second implementation of Fractured Sky, slow and plain, written from the clauses of RULES.md.

It shares nothing with the rules: facts come in as a kind and plain values, and a round's end is counted anew from what
lies on the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tests.games.fractured_sky.second_ai import Board, Card, Choices, Move, OpenTable

CHIPS = [0, 0, *range(1, 11)]
AIS = ("@black", "@orange")


class BreaksRule(Exception):
    """A fact that the clauses do not allow; its text is the clause."""


def require(fine: object, clause: str) -> None:
    """Raise `BreaksRule` where something is not as that clause wants it."""
    if not fine:
        raise BreaksRule(clause)


class SecondOpinion(OpenTable):
    """A game by the clauses, fact by fact; the box, as plain tables, states all of the map and the decks."""

    def __init__(self, seats: Sequence[str], chosen: Choices, tables: Mapping[str, Any]) -> None:
        super().__init__(chosen, Board(tables, "eight" if len(seats) <= 3 else "ten"))
        self.seats, self.left = list(seats), set[str]()
        self.ais = self.opponents()
        self.clear()

    def clear(self) -> None:
        """An empty table, before the first round."""
        self.order: list[str] = []
        self.number = 0
        self.left = set()
        self.held = dict.fromkeys([*self.seats, *self.ais], 0)
        self.market_card = dict.fromkeys(self.ais, 0)
        self.starfalls, self.buildings = {}, []
        self.last_row: list[str] = []
        self.peeked: list[tuple[str, int]] = []
        self.over = False

    def opponents(self) -> list[str]:
        """The AIs, the one that plays first first (FS-31)."""
        first = f"@{self.chosen['ai_color']}"
        if len(self.seats) == 2:
            return [first]
        if len(self.seats) > 2:
            return []
        if self.chosen["ai_order"] == "black_first":
            first = "@black"
        return [first, *(ai for ai in AIS if ai != first)]

    def begin_round(self, number: int, order: Sequence[str]) -> None:
        """A round before its Public card is turned up (FS-6, FS-29)."""
        self.number, self.order = number, list(order)
        cards = number if self.chosen["hidden_count"] == "coming_round" else max(1, number - 1)
        self.public, self.tray = None, [None] * cards
        self.unused = len(self.board.regions) - cards
        self.draws: list[str] = []
        self.ships, self.skimmers, self.marks, self.turned = [], [], [], []
        self.slots: dict[int, str] = {}
        self.last: str | None = None
        self.called: str | None = None
        self.chips: dict[str, list[int]] = {}
        self.objective: list[str] | None = None
        self.dealt: list[str] = []
        self.looking: tuple[str, int] | None = None
        self.deck: dict[str, list[int] | None] = dict.fromkeys(self.ais)
        self.tokens: dict[str, list[int]] = {ai: [] for ai in self.ais}
        self.lots: dict[str, list[int]] = {ai: [] for ai in self.ais}
        self.waiting: Move | None = None
        self.waiting_for = ""
        self.ruled = self.by_hand = False
        self.cannot: list[str] = []

    # -- what is awaited

    def awaits(self) -> str:
        """Return what the game waits for."""
        if self.over:
            return "over"
        if not self.number:
            return "first"
        if self.public is None:
            return "public"
        if self.to_shuffle():
            return "shuffle"
        if self.at_once():
            return "early"
        if self.waiting is not None:
            return "ai"
        if self.owes_slot():
            return "slot"
        return "turn" if self.mover() else self.awaits_at_the_end()

    def awaits_at_the_end(self) -> str:
        """Return what the end of a round waits for (FS-19 to FS-23)."""
        objective = len(self.ais) < 2 and self.objective is None
        if objective and not self.ais and self.chosen["objective_scored"] == "at_flip":
            return "objective"
        if None in self.tray:
            return "hidden"
        if any(self.powers(player) is None for player, _ in self.ships):
            return "powers"
        return "objective" if objective else "resolve"

    def to_shuffle(self) -> str:
        """The AI whose cards are to be shuffled (FS-33, FS-34)."""
        if self.chosen["ai_cards"] == "physical":
            return ""
        for ai in self.ais:
            if self.deck[ai] is None:
                return ai
        mover = self.mover() if self.waiting is None else ""
        out = mover in self.ais and not self.deck[mover]
        return mover if out and self.chosen["ai_deck_empty"] == "reshuffle" else ""

    def at_once(self) -> int:
        """The Hidden card that is revealed at once (FS-41); 0 for none."""
        for number, region in enumerate(self.tray, start=1):
            taken = sum(mark[1] == number and mark[2] != "" for mark in self.marks)
            if region is None and taken >= 2 and self.ais:
                return number
        return 0

    @property
    def players(self) -> list[str]:
        """Return everybody who plays: those who have not left, and the AIs (FS-T1)."""
        return [player for player in [*self.seats, *self.ais] if player not in self.left]

    def owes_slot(self) -> str:
        """Return the player who takes a turn slot now (FS-10)."""
        return next(
            (
                player
                for player in self.order
                if len(self.regions_of(player)) == 3 and not self.done(player)
            ),
            "",
        )

    def done(self, player: str) -> bool:
        """Return whether a player is done for the round."""
        return player in self.slots.values()

    def mover(self) -> str:
        """Return whose turn it is (FS-7)."""
        waiting = [
            player for player in self.order if player in self.players and not self.done(player)
        ]
        if self.called in waiting:
            return str(self.called)
        at = self.order.index(self.last) + 1 if self.last else 0
        return next(
            (player for player in self.order[at:] + self.order[:at] if player in waiting), ""
        )

    def free_slots(self) -> list[int]:
        """The turn slots that nobody took."""
        return [slot for slot in range(1, len(self.order) + 1) if slot not in self.slots]

    def next_row(self) -> list[str]:
        """The row just taken (FS-10); before it is whole, this one's after those in it."""
        taken = [self.slots[slot] for slot in sorted(self.slots)]
        return taken + [player for player in self.order if player not in taken]

    # -- the end of a round

    def powers(self, player: str) -> list[int] | None:
        """The powers under a player's Airships; None where nobody knows."""
        if player in self.chips:
            return self.chips[player]
        if player not in self.ais or len(self.tokens[player]) < len(self.regions_of(player)):
            return None
        return self.token_powers(player, self.tokens[player], self.lots[player])

    def bridged(self, player: str, kind: str, region: str) -> int:
        """Count a player's Fortresses or Markets bridged to a region."""
        own = [
            platform for owner, its, platform in self.buildings if (owner, its) == (player, kind)
        ]
        return sum(region in self.board.platforms[platform] for platform in own)

    def troops(self, player: str, region: str) -> int:
        """Return the power of a player's Airships in a region with its Fortresses (FS-11, FS-13)."""
        chips = self.powers(player) or []
        excess = max(0, sum(chips) - 10) if player not in self.ais else 0
        troops = self.bridged(player, "fortress", region)
        for at, chip in zip(self.regions_of(player), chips, strict=False):
            if at == region:
                less = chip - excess
                troops += max(0, less) if self.chosen["excess_floor"] == "zero" else less
        return troops

    def power(self, player: str, region: str) -> int:
        """Return a player's power in a region (FS-24, FS-15)."""
        skimmers = self.skimmers.count((player, region))
        if region not in self.regions_of(player):
            return skimmers
        troops = self.troops(player, region)
        if troops <= 0 and self.chosen["zero_airship_plus_skimmer"] == "out":
            return 0
        return max(0, troops + skimmers)

    def resolved(self) -> dict[str, Any]:
        """Return the result of the round (FS-21 to FS-28).

        Each region has its players with power, rank and Market yield; then come the Starfalls that
        each player gained, those that stay, and the Market cards.
        """
        gains = dict.fromkeys(self.players, 0)
        cards, stay, regions = dict(self.market_card), {}, {}
        for region in self.board.left_to_right():
            here = [
                player
                for player in self.next_row()
                if (player, region) in self.ships + self.skimmers
            ]
            ranks = self.ranks(here, region)
            showing = self.showing(region)
            regions[region] = [
                (player, self.power(player, region), rank, self.yields(player, region))
                for player, rank in ranks
            ]
            for player, _, rank, market in regions[region]:
                if rank == "starfalls":
                    gains[player] += showing
                if player in self.ais and market:
                    cards[player], traded = self.traded(cards[player], market)
                    gains[player] += traded
            nobody = all(rank == "out" for _, rank in ranks)
            stood = any(at == region for _, at in self.ships)
            if (
                nobody
                and showing
                and not (stood and self.chosen["unawarded_with_zero_power"] == "discarded")
            ):
                stay[region] = showing
        for player in self.objective or []:
            gains[player] += 1
        return {"regions": regions, "gains": gains, "stay": stay, "cards": cards}

    def ranks(self, here: Sequence[str], region: str) -> list[tuple[str, str]]:
        """Return the players with their ranks, the strongest first, ties by the row just taken (FS-25, FS-26)."""
        strong = [player for player in here if self.power(player, region) > 0]
        strong.sort(key=lambda player: (-self.power(player, region), self.next_row().index(player)))
        ranks = ["both", "one"]
        if self.showing(region):
            ranks.insert(0, "starfalls")
        ranks += ["nothing"] * len(strong)
        ranked = [(player, ranks[at]) for at, player in enumerate(strong)]
        return ranked + [(player, "out") for player in here if player not in strong]

    def yields(self, player: str, region: str) -> int:
        """Return how much a player's Markets yield from a region (FS-14)."""
        awake = region in self.regions_of(player) and self.troops(player, region) > 0
        return self.bridged(player, "market", region) if awake else 0

    def traded(self, on_card: int, more: int) -> tuple[int, int]:
        """Return an AI's Market card after one more yield, and the Starfalls traded for (FS-45)."""
        if not self.setting("ai_market_card", 0):
            return on_card, 0
        level = self.chosen["ai_market_number"]
        if level == "by_difficulty":
            level = self.chosen["difficulty"]
        number = self.board.numbers["hard" if level == "hard" else "medium"]
        on_card, starfalls = on_card + more, 0
        while on_card >= number:
            starfalls += 1
            on_card = on_card - number if self.chosen["market_trade_rest"] == "kept" else 0
        return on_card, starfalls

    def winner(self) -> str:
        """Return who wins, once the game is over (FS-30)."""
        return max(
            self.last_row, key=lambda player: (self.held[player], -self.last_row.index(player))
        )

    # -- the facts

    def enter(self, kind: str, body: Mapping[str, Any]) -> None:
        """Take in a fact; raise `BreaksRule` where the clauses do not allow it."""
        before = self.waiting
        getattr(self, f"_{kind}")(**body)
        if self.waiting is before and before is not None and not self.by_hand:
            self.decide_again()

    def _first(self, seat: str) -> None:
        require(self.awaits() == "first", "FS-4")
        at = self.seats.index(seat)
        self.begin_round(1, [*self.seats[at:], *self.seats[:at], *self.ais])
        for place, player in enumerate(self.order, start=1):
            self.cover(player, place)

    def cover(self, player: str, slot: int) -> None:
        """An AI's slot Gold goes onto its Market card (FS-31, FS-45)."""
        if player in self.ais and self.board.gold[slot]:
            self.market_card[player], traded = self.traded(
                self.market_card[player], self.board.gold[slot]
            )
            self.held[player] += traded

    def _deal(self, cards: Sequence[str]) -> None:
        require(
            self.chosen["starfalls"] == "virtual" and self.awaits() == "public" and not self.dealt,
            "FS-T8",
        )
        require(sorted(cards) == sorted(self.board.regions), "FS-3")
        self.dealt = list(cards)

    def _public(self, region: str) -> None:
        require(self.awaits() == "public" and region in self.board.regions, "FS-6")
        self.public = region
        self.starfalls[region] = self.showing(region) + 1

    def turn_of(self, player: str) -> None:
        """Its action, on its turn (FS-7)."""
        require(self.awaits() == "turn" and self.mover() == player, "FS-7")

    def acted(self, player: str) -> None:
        """The turn goes on to the next in the row."""
        self.last, self.called, self.looking = player, None, None

    def _airship(self, seat: str, region: str) -> None:
        self.turn_of(seat)
        require(
            region not in self.regions_of(seat) or self.chosen["one_airship_per_region"] == "no",
            "FS-9",
        )
        explores = all(at != region for _, at in self.ships)
        if explores and self.unused:
            self.unused -= 1
            self.draws.append(seat)
        self.ships.append((seat, region))
        self.acted(seat)

    def _slot(self, seat: str, slot: int) -> None:
        require(
            self.awaits() == "slot" and self.owes_slot() == seat and slot in self.free_slots(),
            "FS-10",
        )
        self.slots[slot] = seat

    def _build(self, seat: str, building: str, platform: str) -> None:
        self.turn_of(seat)
        require(self.has_room(platform), "FS-12")
        require(sum(piece[:2] == (seat, building) for piece in self.buildings) < 5, "FS-2")
        self.buildings.append((seat, building, platform))
        self.acted(seat)

    def _skimmer(self, seat: str, region: str) -> None:
        self.turn_of(seat)
        require(sum(owner == seat for owner, _ in self.skimmers) < 5, "FS-2")
        require(
            (seat, region) not in self.skimmers or self.chosen["skimmer_stack"] == "yes", "FS-12"
        )
        self.skimmers.append((seat, region))
        self.acted(seat)

    def _scout(self, seat: str, card: int, resource: str | None = None) -> None:
        self.turn_of(seat)
        require(card <= len(self.tray) and self.may_scout(seat, card), "FS-16")
        self.marks.append((seat, card, resource or ""))
        self.acted(seat)
        self.looking = (seat, card)

    def _take(self, seat: str, card: int, resource: str) -> None:
        require(
            self.awaits() == "turn"
            and self.looking == (seat, card)
            and (seat, card, "") in self.marks,
            "FS-16",
        )
        require(seat in self.players, "FS-T1")
        self.marks[self.marks.index((seat, card, ""))] = (seat, card, resource)

    def _peek(self, seat: str, card: int) -> None:
        self.turn_of(seat)
        require(
            len(self.ais) < 2 and card >= self.number and (seat, card) not in self.peeked, "FS-17"
        )
        self.peeked.append((seat, card))
        self.acted(seat)

    def _turn(self, player: str, reason: str) -> None:
        plays = player in self.order and player in self.players
        require(reason and plays and not self.done(player) and self.waiting is None, "FS-T3")
        self.called = player

    def _adjust(self, counter: str, of: str, value: int, reason: str) -> None:
        require(reason and counter == "region" and of in self.board.regions, "FS-T4")
        self.starfalls[of] = value

    def _reveal(self, card: int, region: str) -> None:
        require(self.awaits() in ("early", "hidden") and card <= len(self.tray), "FS-20")
        require(self.at_once() in (0, card), "FS-41")
        require(self.tray[card - 1] is None and region not in self.tray, "FS-3")
        require(not self.dealt or self.dealt[card - 1] == region, "FS-T8")
        self.tray[card - 1] = region
        self.starfalls[region] = self.showing(region) + 1

    def _powers(self, player: str, chips: Sequence[int]) -> None:
        require(player in self.players, "FS-T1")
        require(
            self.awaits() in ("powers", "objective", "resolve") and None not in self.tray, "FS-21"
        )
        require(len(chips) == len(self.regions_of(player)), "FS-21")
        each_once = all(list(chips).count(chip) <= CHIPS.count(chip) for chip in chips)
        require(player in self.ais or each_once, "FS-2")
        self.chips[player] = list(chips)

    def _ai_tokens(self, ai: str, tokens: Sequence[str], lots: Sequence[str] = ()) -> None:
        """The values on the tokens; equal ones are taken as they come in the box."""
        require(not self.mover() and self.public is not None, "FS-43")
        require(len(tokens) == len(self.regions_of(ai)), "FS-33")
        values = [f"{low}/{high}" for low, high in self.board.tokens[ai]]
        left = list(enumerate(values, start=1))
        self.tokens[ai], self.lots[ai] = [], []
        for value in tokens:
            token = next((known for known in left if known[1] == value), None)
            require(token, "FS-33")
            assert token is not None
            left.remove(token)
            self.tokens[ai].append(token[0])
        self.lots[ai] = [values.index(value) + 1 for value in lots]

    def _objective(self, players: Sequence[str] = (), reason: str = "") -> None:
        corrects = self.objective is not None and self.awaits() in ("hidden", "powers", "resolve")
        require(len(self.ais) < 2 and (self.awaits() == "objective" or corrects), "FS-22")
        require(set(players) <= set(self.players), "FS-T1")
        require(players or reason or self.chosen["objective_nobody"] == "no_starfall", "FS-22")
        self.objective = [player for player in self.next_row() if player in players][:1]

    def _round_end(self) -> None:
        require(self.awaits() == "resolve", "FS-23")
        result, row = (
            self.resolved(),
            [player for player in self.next_row() if player in self.players],
        )
        for player, gained in result["gains"].items():
            self.held[player] += gained
        self.starfalls, self.market_card, self.last_row = result["stay"], result["cards"], row
        if self.number == 5:
            self.over = True
        else:
            self.begin_round(self.number + 1, row)

    def _seat_leaves(self, seat: str) -> None:
        """A seat that leaves takes its Airships, its Skimmers and its slot with it (FS-T1)."""
        require(
            seat in self.players
            and [player for player in self.players if player in self.seats] != [seat],
            "FS-T1",
        )
        self.left.add(seat)
        self.ships = [ship for ship in self.ships if ship[0] != seat]
        self.skimmers = [skimmer for skimmer in self.skimmers if skimmer[0] != seat]
        self.slots = {slot: owner for slot, owner in self.slots.items() if owner != seat}
        self.chips.pop(seat, None)
        if self.objective == [seat]:
            self.objective = None

    # -- the AIs' turns (FS-33, FS-34)

    def _shuffle(
        self, ai: str, cards: Sequence[int], tokens: Sequence[int] = (), lots: Sequence[int] = ()
    ) -> None:
        require(self.awaits() == "shuffle" and self.to_shuffle() == ai, "FS-33")
        require(sorted(cards) == list(range(1, 11)), "FS-34")
        if self.deck[ai] is None:
            require(
                sorted(tokens) == [1, 2, 3, 4, 5, 6]
                and (not lots or sorted(lots) == [1, 2, 3, 4, 5, 6]),
                "FS-33",
            )
            self.tokens[ai], self.lots[ai] = list(tokens[3:]), list(lots)
        else:
            require(not tokens and not lots, "FS-33")
        self.deck[ai] = list(cards)

    def _ai_turn(self, ai: str, card: str | None = None, stars: Sequence[str] = ()) -> None:
        require(ai in self.ais, "FS-31")
        self.turn_of(ai)
        if card is not None:
            self.try_card(ai, Card(card, list(stars)))
            return
        require(self.chosen["ai_cards"] == "virtual", "FS-U7")
        self.turn_up(ai)

    def turn_up(self, ai: str) -> None:
        """Cards are turned up until one can be done."""
        deck = self.deck[ai] or []
        while self.waiting is None and deck:
            row = self.board.decks[ai][deck.pop(0) - 1]
            self.try_card(ai, Card(row["kind"], list(row["stars"]), list(row.get("large", ()))))
        if self.waiting is None and self.chosen["ai_deck_empty"] == "place_airship":
            last = [card for owner, card, _ in self.turned if owner == ai][-1]
            self.try_card(ai, Card("airship", last.stars, last.large))

    def try_card(self, ai: str, card: Card) -> None:
        """A card's move waits for the table, or the card is skipped."""
        self.cannot, self.waiting_for, self.by_hand, self.ruled = [], ai, False, True
        move = self.move(ai, card)
        if move.possible:
            self.waiting = move
        else:
            self.skip(card)

    def skip(self, card: Card) -> None:
        """A card that cannot be done."""
        self.waiting = None
        self.turned.append((self.waiting_for, card, False))

    def next_card(self) -> None:
        """The next card, where the companion turns them up."""
        if self.waiting is None and self.chosen["ai_cards"] == "virtual":
            self.turn_up(self.waiting_for)

    def _ai_choose(self, target: str, reason: str = "") -> None:
        move = self.waiting
        require(move is not None, "FS-34")
        assert move is not None
        require(target in move.ask or reason, "FS-36")
        self.by_hand = target not in move.ask
        self.ruled = False
        self.waiting = Move(move.card, target)

    def _ai_compass(self, ai: str, stars: Sequence[str] = (), whole: bool = False) -> None:
        move = self.waiting
        require(move is not None and move.asks is not None and ai == self.waiting_for, "FS-35")
        assert move is not None
        assert move.asks is not None
        named = [*move.asks.stars, *stars]
        require(named and (stars or whole) and len(set(named)) == len(named), "FS-35")
        move.asks.stars, move.asks.more = named, not whole
        again = self.move(ai, move.card, self.cannot)
        self.waiting = again

    def _ai_cannot(self, reason: str) -> None:
        move = self.waiting
        require(reason and move is not None and move.target is not None, "FS-34")
        assert move is not None
        self.cannot.append(str(move.target))
        self.ruled, self.by_hand = True, False
        again = self.move(self.waiting_for, move.card, self.cannot)
        if again.possible:
            self.waiting = again
            return
        self.skip(move.card)
        self.next_card()

    def decide_again(self) -> None:
        """A move that waits is decided anew where something was corrected; an answer that is still asked for stands
        (FS-T4)."""
        move = self.waiting
        assert move is not None
        again = self.move(self.waiting_for, move.card, self.cannot)
        if not again.possible:
            self.skip(move.card)
            self.next_card()
        elif self.ruled or move.target not in again.ask:
            self.waiting, self.ruled = again, True

    def _ai_done(self) -> None:
        move, ai = self.waiting, self.waiting_for
        require(move is not None and move.target is not None, "FS-34")
        assert move is not None
        target = str(move.target)
        self.waiting = None
        self.turned.append((ai, move.card, True))
        self.acted(ai)
        if move.card.kind == "skimmer":
            self.skimmers.append((ai, target))
        elif move.card.kind == "scout":
            self.marks.append((ai, int(target), "something"))
        elif move.card.kind != "airship":
            self.buildings.append((ai, move.card.kind, target))
        else:
            self.ships.append((ai, target))
            if len(self.regions_of(ai)) == 3:
                slot = next(slot for slot in (1, 3, 2) if slot in self.free_slots())
                self.slots[slot] = ai
                self.cover(ai, slot)
