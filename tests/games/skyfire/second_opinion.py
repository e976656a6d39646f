"""SkyFire a second time, slowly, from the clauses of its RULES.md: no line is shared with the companion's rules.

Facts are plain dictionaries. A card is two letters, its face first (`rb`: red on a red and blue back); where only
the face was entered it is a single letter. What the clauses refuse raises `Against` with the clause.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations, permutations
from typing import Any

Body = Mapping[str, Any]
Zone = dict[str, Any]

COLORS = "rygbw"
WORDS = {"red": "r", "yellow": "y", "green": "g", "blue": "b", "white": "w"}
FIREWORKS = ["".join(pair) for pair in permutations(COLORS, 2)]
TARGETS = ["".join(three) for three in combinations(COLORS, 3)]
NO_ZONE: Zone = {
    "cards": 0,
    "by": [],
    "backs": [],
    "turned": 0,
    "faces": [],
    "failed": [],
    "failed_with": 0,
}


class Against(Exception):
    """The clauses refuse a fact."""


def require(holds: bool, clause: str) -> None:
    if not holds:
        raise Against(clause)


def known_before(one: Body | None, other: Body | None) -> bool:
    """Return True if the same clock stamped `one` earlier than `other`."""
    return (
        one is not None
        and other is not None
        and one["clock"] == other["clock"]
        and one["us"] < other["us"]
    )


def letters(card: str) -> str:
    """Return a card as typed in letters; `red` is one of which only the face is known."""
    return WORDS.get(card, card)


class Table:
    """The game after the facts so far, by the clauses.

    Lists and dictionaries are replaced, never changed, so a shallow copy of the object is a copy of the game.
    """

    def __init__(self, seats: Sequence[str], options: Mapping[str, str]) -> None:
        self.options = options
        self.seats = list(seats)
        self.names = {seat: seat for seat in seats}
        self.left: list[str] = []
        self.by_hand: dict[str, int] = {}
        self.pauses: list[tuple[Body | None, Body | None]] = []
        self.paused = False
        self.abandoned = False
        self.clockwise = True
        self.removed: list[str] = []
        self.over: list[dict[str, Any]] = []
        self.round: dict[str, Any] = {}

    def after(self, fact: Body, entry: int) -> Table:
        """Return the table after a fact; raise `Against`."""
        table = copy.copy(self)
        require(not table.abandoned, "ENDED")
        if fact["kind"] in ("deal", "place", "launch", "misfire"):
            require(not self.stopped_at(fact["at"]), "SF-T3")
        getattr(table, f"on_{fact['kind']}")(fact, entry)
        table.settle()
        return table

    # people, pauses, points by hand: SF-T1 to SF-T4

    def on_seat_leaves(self, fact: Body, _entry: int) -> None:
        require(fact["seat"] in self.playing(), "SF-T1")
        require(fact["seat"] not in self.winners(), "SF-T1")
        require(not self.open or self.round["question"] is None, "SF-T1")
        self.left = [*self.left, fact["seat"]]
        if self.open and fact["seat"] in self.alive():
            self.eliminate(fact["seat"])

    def on_seat_joins(self, fact: Body, _entry: int) -> None:
        require(not self.winners(), "SF-T2")
        require(not self.open, "SF-T2")
        require(len(self.playing()) < 5, "SF-T2")
        same = [seat for seat in self.seats if self.names[seat].lower() == fact["name"].lower()]
        if same:
            require(same[0] in self.left, "SF-T2")
            self.left = [seat for seat in self.left if seat != same[0]]
            return
        beside = fact["left_of"]
        require(beside is None or beside in self.seats, "SF-T2")
        place = len(self.seats) if beside is None else self.seats.index(beside) + 1
        tries = [
            fact["name"],
            *(f"{fact['name']}-{number}" for number in range(len(self.seats) + 1, 20)),
        ]
        newcomer = next(seat for seat in tries if seat not in self.seats)
        self.seats = [*self.seats[:place], newcomer, *self.seats[place:]]
        self.names = {**self.names, newcomer: fact["name"]}

    def on_seat_changes(self, fact: Body, _entry: int) -> None:
        require(fact["seat"] in self.seats and fact["name"] not in self.names.values(), "SF-T2")
        self.names = {**self.names, fact["seat"]: fact["name"]}

    def on_score_set(self, fact: Body, _entry: int) -> None:
        require(fact["seat"] in self.seats, "SF-T4")
        more = fact["score"] - self.scores()[fact["seat"]]
        self.by_hand = {**self.by_hand, fact["seat"]: self.by_hand.get(fact["seat"], 0) + more}

    def on_pause(self, fact: Body, _entry: int) -> None:
        require(not self.paused, "SF-T3")
        self.paused, self.pauses = True, [*self.pauses, (fact["at"], None)]

    def on_unpause(self, fact: Body, _entry: int) -> None:
        require(self.paused, "SF-T3")
        self.paused, self.pauses = False, [*self.pauses[:-1], (self.pauses[-1][0], fact["at"])]

    def on_abandon(self, _fact: Body, _entry: int) -> None:
        require(not self.winners(), "SF-T1")
        self.abandoned = True

    def stopped_at(self, at: Body | None) -> bool:
        """Return True if the clock was stopped at that moment, or is stopped now if there is none (SF-T3)."""
        if self.paused and not known_before(at, self.pauses[-1][0]):
            return True
        return any(
            known_before(at, end) and begin["clock"] == at["clock"] and begin["us"] <= at["us"]
            for begin, end in self.pauses
            if begin is not None and at is not None and end is not None
        )

    def playing(self) -> list[str]:
        return [seat for seat in self.seats if seat not in self.left]

    def scores(self) -> dict[str, int]:
        points = {seat: self.by_hand.get(seat, 0) for seat in self.seats}
        for played in self.played():
            if played["result"] is not None:
                for seat in played["result"]["winners"]:
                    points[seat] += played["result"]["points"]
        return points

    def played(self) -> list[dict[str, Any]]:
        return [*self.over, self.round] if self.round else self.over

    def winners(self) -> list[str]:
        """Return the seats with the most points after five rounds; a tie is shared, or played on (SF-18, SF-T1,
        SF-T6)."""
        if len(self.played()) < 5 or self.open:
            return []
        points = self.scores()
        most = max([points[seat] for seat in self.playing()], default=0)
        first = [seat for seat in self.playing() if points[seat] == most]
        return [] if len(first) > 1 and self.options["tie"] == "extra_round" else first

    # a round: SF-2 to SF-10, SF-R3, SF-R8

    @property
    def open(self) -> bool:
        return bool(self.round) and self.round["result"] is None

    def on_deal(self, fact: Body, _entry: int) -> None:
        require(not self.winners() and not self.open, "SF-9")
        players = self.playing()
        require(3 <= len(players) <= 5, "SF-T1")
        first, number = self.next_first(), len(self.played()) + 1
        if self.round:
            self.over = [*self.over, self.round]
        self.round = {
            "number": number, "players": players, "first": first, "turn": first, "begun": fact["at"], "moved": False,
            "zones": [NO_ZONE] * (len(players) - 1), "target": self.finale(len(players)) if number >= 5 else None,
            "left_over": len(self.fireworks(len(players))) - 4 * len(players), "left_over_backs": [], "out": [],
            "question": None, "result": None, "hands": dict.fromkeys(players, 4), "shown": {},
        }  # fmt: skip

    @staticmethod
    def fireworks(players: int) -> list[str]:
        """Return the cards in play: three players play without every card that shows white on either side (SF-2)."""
        return [card for card in FIREWORKS if players > 3 or "w" not in card]

    @staticmethod
    def targets(players: int) -> list[str]:
        return [target for target in TARGETS if players > 3 or "w" not in target]

    @staticmethod
    def finale(players: int) -> str:
        return "rygb" if players == 3 else "rygbw"

    def next_first(self) -> str:
        if not self.round:
            return self.playing()[0]
        winners = self.round["result"]["winners"]
        if (
            self.options["first_player"] == "winner"
            and len(winners) == 1
            and winners[0] not in self.left
        ):
            winner: str = winners[0]
            return winner
        place = self.seats.index(str(self.round["first"]))
        return next(
            seat
            for seat in self.seats[place + 1 :] + self.seats[: place + 1]
            if seat not in self.left
        )

    def on_first(self, fact: Body, _entry: int) -> None:
        require(self.open and fact["seat"] in self.round["players"], "SF-R3")
        require(not self.round["moved"] and not self.round["out"], "SF-R3")
        self.now(first=fact["seat"], turn=fact["seat"])

    def on_direction(self, fact: Body, _entry: int) -> None:
        require(self.options["direction"] == "table", "SF-R8")
        self.clockwise = fact["clockwise"]

    def alive(self) -> list[str]:
        return [seat for seat in self.round["players"] if seat not in self.round["out"]]

    def after_seat(self, seat: str) -> str:
        order: list[str] = self.round["players"] if self.clockwise else self.round["players"][::-1]
        place = order.index(seat)
        return next(one for one in order[place + 1 :] + order[: place + 1] if one in self.alive())

    def on_turn(self, fact: Body, _entry: int) -> None:
        self.require_turn()
        require(fact["seat"] in self.alive(), "SF-R4")
        self.now(turn=fact["seat"])

    def require_turn(self) -> None:
        require(self.open and self.round["question"] is None, "SF-11")

    def require_move(self, fact: Body) -> None:
        self.require_turn()
        require(not known_before(fact["at"], self.round["begun"]), "SF-7")

    def on_place(self, fact: Body, _entry: int) -> None:
        self.require_move(fact)
        zone = self.open_zone(fact["zone"])
        seat = self.round["turn"]
        require(self.round["hands"][seat] > 0, "SF-10")
        was_wrong = self.wrong_backs()
        back = fact["back"] or None
        grown = {
            **zone,
            "cards": zone["cards"] + 1,
            "backs": [*zone["backs"], back],
            "by": [*zone["by"], seat],
        }
        self.with_zone(fact["zone"], grown)
        require(was_wrong or not self.wrong_backs(), "SF-6")
        hands = {**self.round["hands"], seat: self.round["hands"][seat] - 1}
        self.now(hands=hands, moved=True, turn=self.after_seat(seat))

    def open_zone(self, number: int) -> Zone:
        require(number <= len(self.round["zones"]), "SF-5")
        zone: Zone = self.round["zones"][number - 1]
        require(not self.is_closed(zone), "SF-R7")
        return zone

    def is_closed(self, zone: Zone) -> bool:
        return self.options["failed_zone"] == "closed" and bool(zone["failed"])

    # launches and misfires: SF-11 to SF-17

    def on_launch(self, fact: Body, _entry: int) -> None:
        self.require_move(fact)
        zone = self.open_zone(fact["zone"])
        require(zone["cards"] > 0 or self.options["empty_launch"] == "allowed", "SF-R6")
        self.with_zone(fact["zone"], {**zone, "turned": zone["cards"]})
        self.now(moved=True, question=("launch", self.round["turn"], fact["zone"]))

    def on_misfire(self, fact: Body, _entry: int) -> None:
        self.require_move(fact)
        require(self.round["hands"][self.round["turn"]] == 0, "SF-12")
        zones = [{**zone, "turned": zone["cards"]} for zone in self.round["zones"]]
        self.now(moved=True, zones=zones, question=("misfire", self.round["turn"], None))

    def on_satisfied(self, fact: Body, _entry: int) -> None:
        require(self.open and self.round["question"] is not None, "SF-14")
        self.answer(fact["satisfied"])

    def settle(self) -> None:
        """Answer the open question if everybody has seen enough (SF-14)."""
        if not self.open or self.round["question"] is None:
            return
        number = self.round["question"][2]
        if number is not None:
            found = [self.satisfies(self.round["zones"][number - 1])]
        else:
            found = [
                self.satisfies(zone) for zone in self.round["zones"] if not self.is_closed(zone)
            ]
        if any(found):
            self.answer(satisfied=True)
        elif None not in found:
            self.answer(satisfied=False)

    def satisfies(self, zone: Zone) -> bool | None:
        """Return whether a zone satisfies the target, or None if unknown."""
        if zone["cards"] == 0 or (zone["failed"] and zone["failed_with"] == zone["cards"]):
            return False
        if self.round["target"] is None:
            return None
        shown = self.shows_target(zone["faces"])
        return shown if shown or len(zone["faces"]) == zone["cards"] else None

    def shows_target(self, faces: Sequence[str]) -> bool:
        seen, wanted = Counter(card[0] for card in faces), Counter(self.round["target"])
        if self.options["satisfies"] == "set":
            return set(wanted) <= set(seen)
        return all(seen[color] >= count for color, count in wanted.items())

    def answer(self, satisfied: bool) -> None:
        what, seat, number = self.round["question"]
        self.now(question=None)
        if what == "misfire" and satisfied:
            alive = self.alive()
            others = (
                alive
                if self.options["wrong_misfire_winners"] == "all_not_eliminated"
                else [s for s in alive if s != seat]
            )
            self.end("wrong_misfire", others, 3 if others else 0, seat, None)
        elif what == "misfire":
            sizes = [zone["cards"] for zone in self.round["zones"] if not self.is_closed(zone)]
            self.end("misfire", [seat], max(sizes, default=0), seat, None)
        elif satisfied:
            self.end("launch", [seat], self.round["zones"][number - 1]["cards"], seat, number)
        else:
            zone = self.round["zones"][number - 1]
            self.with_zone(
                number, {**zone, "failed": [*zone["failed"], seat], "failed_with": zone["cards"]}
            )
            self.eliminate(seat)

    def eliminate(self, seat: str) -> None:
        """Eliminate a seat; the round may be over with it (SF-R2, SF-R7)."""
        self.now(out=[*self.round["out"], seat])
        alive = self.alive()
        lone = len(alive) == 1 and self.options["lone_survivor"] == "ends_round_without_points"
        if not alive or lone or all(self.is_closed(zone) for zone in self.round["zones"]):
            self.end("nobody", [], 0, None, None)
        elif self.round["turn"] == seat:
            self.now(turn=self.after_seat(seat))

    def end(
        self, how: str, winners: list[str], points: int, seat: str | None, zone: int | None
    ) -> None:
        result = {"how": how, "winners": winners, "points": points, "seat": seat, "zone": zone}
        self.now(result=result, turn=None, question=None)

    # the table's word: SF-T5

    def on_override(self, fact: Body, _entry: int) -> None:
        self.require_turn()
        require(fact["seat"] in self.round["players"], "SF-T5")
        require((fact["seat"] in self.alive()) != (fact["status"] == "in"), "SF-T5")
        if fact["status"] == "out":
            self.eliminate(fact["seat"])
            return
        require(fact["seat"] not in self.left, "SF-T1")
        self.now(out=[seat for seat in self.round["out"] if seat != fact["seat"]])

    def on_round_end(self, fact: Body, _entry: int) -> None:
        require(self.open, "SF-T5")
        seats = list(fact["seats"])
        require(set(seats) <= set(self.round["players"]) and len(seats) == len(set(seats)), "SF-T5")
        self.end("table", seats, fact["points"] if seats else 0, None, None)

    # cards in sight: SF-5, SF-6, SF-8, SF-14, SF-R1, SF-R4

    def on_target(self, fact: Body, _entry: int) -> None:
        require(self.open and not any(zone["failed"] for zone in self.round["zones"]), "SF-8")
        players = len(self.round["players"])
        wanted = sorted(fact["card"])
        if self.round["number"] >= 5:
            require(wanted == sorted(self.finale(players)), "SF-8")
            return
        found = [target for target in self.targets(players) if sorted(target) == wanted]
        require(bool(found), "SF-8")
        require(found[0] not in self.used() and found[0] not in self.removed, "SF-5")
        self.now(target=found[0])

    def used(self) -> list[str]:
        return [played["target"] for played in self.over if played["target"] is not None]

    def on_removed(self, fact: Body, _entry: int) -> None:
        players = len(self.round["players"] if self.round else self.playing())
        require(self.options["removed_targets"] == "chosen_open" and players != 3, "SF-5")
        cards = ["".join(sorted(card, key=COLORS.index)) for card in fact["cards"]]
        require(len(cards) == 6 and len(set(cards)) == 6 and set(cards) <= set(TARGETS), "SF-3")
        now = [self.round["target"]] if self.round and self.round["number"] < 5 else []
        require(not set(cards) & {*self.used(), *now}, "SF-5")
        self.removed = cards

    def on_revealed(self, fact: Body, _entry: int) -> None:
        require(bool(self.round) and fact["zone"] <= len(self.round["zones"]), "SF-11")
        zone = self.round["zones"][fact["zone"] - 1]
        cards = [letters(card) for card in fact["cards"]]
        require(zone["turned"] > 0 and len(cards) == zone["turned"], "SF-11")
        was_wrong = self.wrong_backs()
        self.with_zone(fact["zone"], {**zone, "faces": []})
        others = self.in_sight()
        self.with_zone(fact["zone"], {**zone, "faces": cards})
        if fact["reason"]:
            return
        self.require_possible(cards, others)
        if len(zone["faces"]) != len(cards):
            before, now = (Counter(card[0] for card in faces) for faces in (zone["faces"], cards))
            require(before <= now, "SF-R1")
        require(not self.opposite(fact["zone"]), "SF-14")
        require(was_wrong or not self.wrong_backs(), "SF-6")

    def require_possible(self, cards: list[str], others: list[str]) -> None:
        """Refuse cards that are out of play, or more of a kind than there are (SF-1, SF-2, SF-6)."""
        there = self.fireworks(len(self.round["players"]))
        require(
            all(card in there or (len(card) == 1 and self.of_face(card)) for card in cards), "SF-2"
        )
        require(not self.too_many(cards + ([] if self.too_many(others) else others)), "SF-1")

    def too_many(self, cards: list[str]) -> bool:
        """Whether a card is there twice, or more cards of a face than those that nobody named; one that is out of play
        and lies there all the same (SF-T5) is none of these."""
        whole = [card for card in cards if card in self.fireworks(len(self.round["players"]))]
        unnamed = {face: set(self.of_face(face)) - set(whole) for face in COLORS}
        return len(whole) != len(set(whole)) or any(
            cards.count(face) > len(unnamed[face]) for face in COLORS
        )

    def of_face(self, face: str) -> list[str]:
        return [card for card in self.fireworks(len(self.round["players"])) if card[0] == face]

    def in_sight(self) -> list[str]:
        shown = [card for zone in self.round["zones"] for card in zone["faces"]]
        return shown + [card for cards in self.round["shown"].values() for card in cards]

    def opposite(self, number: int) -> bool:
        """Return True if the zone's faces contradict an answer that was given (SF-14)."""
        zone, result = self.round["zones"][number - 1], self.round["result"]
        if self.round["target"] is None:
            return False
        shown = self.shows_target(zone["faces"])
        if shown and zone["failed"] and zone["failed_with"] == zone["turned"]:
            return True
        if result is None:
            return False
        if shown:
            return result["how"] == "misfire" and not self.is_closed(zone)
        if result["how"] == "launch":
            return bool(result["zone"] == number)
        zones = [other for other in self.round["zones"] if not self.is_closed(other)]
        return result["how"] == "wrong_misfire" and all(
            self.satisfies(other) is False for other in zones
        )

    def on_backs(self, fact: Body, _entry: int) -> None:
        require(self.open, "SF-6")
        zones = self.round["zones"]
        require(fact["zone"] <= len(zones), "SF-5")
        there = zones[fact["zone"] - 1]["cards"] if fact["zone"] else self.round["left_over"]
        given = [None if back == "?" else back for back in fact["backs"]]
        require(len(given) <= there, "SF-6")
        was_wrong = self.wrong_backs()
        given += [None] * (there - len(given))
        if fact["zone"]:
            self.with_zone(fact["zone"], {**zones[fact["zone"] - 1], "backs": given})
        else:
            self.now(left_over_backs=given)
        require(bool(fact["reason"]) or was_wrong or not self.wrong_backs(), "SF-6")

    def wrong_backs(self) -> bool:
        """Return True if more backs of a kind are visible than exist, or others than a zone's cards have (SF-6)."""
        there = Counter(frozenset(card) for card in self.fireworks(len(self.round["players"])))
        lying = [back for zone in self.round["zones"] for back in zone["backs"]] + self.round[
            "left_over_backs"
        ]
        if Counter(frozenset(back) for back in lying if back is not None) - there:
            return True
        for zone in self.round["zones"]:
            turned = zone["backs"][: len(zone["faces"])]
            backs = Counter(frozenset(back) for back in turned if back is not None)
            whole = all(len(card) == 2 for card in zone["faces"])
            if whole and backs - Counter(frozenset(card) for card in zone["faces"]):
                return True
        return False

    def on_hand_shown(self, fact: Body, _entry: int) -> None:
        require(self.open and fact["seat"] in self.round["players"], "SF-R4")
        require(
            self.options["eliminated_hand"] == "shown" and fact["seat"] in self.round["out"],
            "SF-R4",
        )
        cards = [letters(card) for card in fact["cards"]]
        require(len(cards) == self.round["hands"][fact["seat"]], "SF-R4")
        self.now(
            shown={seat: hand for seat, hand in self.round["shown"].items() if seat != fact["seat"]}
        )
        if not fact["reason"]:
            self.require_possible(cards, self.in_sight())
        self.now(shown={**self.round["shown"], fact["seat"]: cards})

    # small words

    def now(self, **new: Any) -> None:
        self.round = {**self.round, **new}

    def with_zone(self, number: int, zone: Zone) -> None:
        zones = self.round["zones"]
        self.now(zones=[*zones[: number - 1], zone, *zones[number:]])

    def face_up(self, number: int) -> int:
        """Return how many cards of a zone lie face up while the round goes on (SF-11, SF-12, SF-R1)."""
        zone, question = self.round["zones"][number - 1], self.round["question"]
        asked = question is not None and question[2] in (None, number)
        return (
            int(zone["turned"]) if asked or self.options["failed_launch_cards"] == "stay_up" else 0
        )
