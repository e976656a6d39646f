"""Panic Fire a second time, slowly, from the clauses of its RULES.md: no line is shared with the companion's rules.

Facts are plain dictionaries, a round is the list of what happened in it, and every question is answered by going
through that list again. What the clauses refuse raises `Against` with the clause.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

Body = Mapping[str, Any]
Event = dict[str, Any]
Range = tuple[int, int]

SHOTS = ("shot", "dry_pull", "knock")
KEY_ERROR_US = 100_000  # a key press is good to 0.1 s (PF-R2)
HANDS = ("fire", "draw", "stalemate_draw", *SHOTS)


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


class Table:
    """The game after the facts so far, by the clauses.

    Lists and dictionaries are replaced, never changed, so a shallow copy of the object is a copy of the game.
    """

    def __init__(
        self, seats: Sequence[str], options: Mapping[str, str], removed: int, error_us: int
    ) -> None:
        self.options, self.removed, self.error_us = options, removed, error_us
        self.seats = list(seats)
        self.names = {seat: seat for seat in seats}
        self.left: list[str] = []
        self.by_hand: dict[str, int] = {}
        self.pauses: list[tuple[Body | None, Body | None]] = []
        self.paused = False
        self.abandoned = False
        self.rounds_before = 0
        self.won_before: list[str] = []
        self.round: dict[str, Any] = {}
        self.remembered: tuple[Any, dict[str, Any]] = (None, {})

    def after(self, fact: Body, entry: int) -> Table:
        """Return the table after a fact; raise `Against`."""
        table = copy.copy(self)
        require(not table.abandoned, "ENDED")
        if fact["kind"] in HANDS:
            require(not self.stopped_at(fact["at"]), "PF-T5")
        getattr(table, f"on_{fact['kind']}")(fact, entry)
        if table.by_hand:
            require(table.taken() + table.played_for() <= 6, "PF-17")
            require(min(table.bullets().values()) >= 0, "PF-17")
        if table.round and self.options["pile_exhausted"] == "play_on":
            counted = table.pile()
            require(counted is None or counted[1] >= 0, "PF-R1")
        return table

    # people, pauses, points by hand: PF-T1 to PF-T6

    def on_seat_leaves(self, fact: Body, _entry: int) -> None:
        require(self.champion() is None, "PF-T2")
        require(fact["seat"] in self.playing(), "PF-T1")
        self.left = [*self.left, fact["seat"]]
        if self.round and fact["seat"] in self.round["players"]:
            self.add({"kind": "leaves", "seat": fact["seat"]})

    def on_seat_joins(self, fact: Body, _entry: int) -> None:
        require(self.champion() is None, "PF-T2")
        require(self.removed + 8 * (len(self.playing()) + 1) <= 106, "PF-1")
        same = [seat for seat in self.seats if self.names[seat].lower() == fact["name"].lower()]
        if same:
            require(same[0] in self.left, "PF-T3")
            self.left = [seat for seat in self.left if seat != same[0]]
            return
        require(len(self.seats) < 5, "PF-T3")
        beside = fact["left_of"]
        require(beside is None or beside in self.seats, "PF-T3")
        place = len(self.seats) if beside is None else self.seats.index(beside) + 1
        tries = [
            fact["name"],
            *(f"{fact['name']}-{number}" for number in range(len(self.seats) + 1, 20)),
        ]
        newcomer = next(seat for seat in tries if seat not in self.seats)
        self.seats = [*self.seats[:place], newcomer, *self.seats[place:]]
        self.names = {**self.names, newcomer: fact["name"]}

    def on_seat_changes(self, fact: Body, _entry: int) -> None:
        require(fact["seat"] in self.seats, "PF-T3")
        require(fact["name"] not in self.names.values(), "PF-T3")
        self.names = {**self.names, fact["seat"]: fact["name"]}

    def on_score_set(self, fact: Body, _entry: int) -> None:
        require(fact["seat"] in self.seats, "PF-T6")
        held = self.bullets()
        others = sum(held.values()) - held[fact["seat"]]
        require(0 <= fact["score"] <= 6 - others - self.played_for(), "PF-17")
        more = fact["score"] - held[fact["seat"]]
        self.by_hand = {**self.by_hand, fact["seat"]: self.by_hand.get(fact["seat"], 0) + more}

    def on_pause(self, fact: Body, _entry: int) -> None:
        require(not self.paused, "PF-T5")
        self.paused, self.pauses = True, [*self.pauses, (fact["at"], None)]

    def on_unpause(self, fact: Body, _entry: int) -> None:
        require(self.paused, "PF-T5")
        self.paused, self.pauses = False, [*self.pauses[:-1], (self.pauses[-1][0], fact["at"])]

    def on_abandon(self, _fact: Body, _entry: int) -> None:
        require(self.champion() is None, "PF-T4")
        self.abandoned = True

    def stopped_at(self, at: Body | None) -> bool:
        """Return True if the clock was stopped at that moment, or is stopped now if there is none (PF-T5)."""
        if self.paused and not known_before(at, self.pauses[-1][0]):
            return True
        return any(
            end is not None
            and known_before(at, end)
            and begin["clock"] == at["clock"]
            and begin["us"] <= at["us"]
            for begin, end in self.pauses
            if begin is not None and at is not None
        )

    def playing(self) -> list[str]:
        return [seat for seat in self.seats if seat not in self.left]

    # the rounds: PF-5, PF-17, PF-18, PF-R4, PF-R5

    def on_fire(self, fact: Body, _entry: int) -> None:
        require(self.champion() is None, "PF-17")
        require(self.status() not in ("open", "table"), "PF-17")
        require(len(self.playing()) >= 2, "PF-T4")
        sudden = self.taken() == 6
        tied = self.leaders() if sudden else []
        players = self.playing()
        if sudden and self.options["sudden_death_players"] == "tied_only":
            players = tied
        opened = {
            "number": self.taken() + 1, "sudden": sudden, "tied": tied, "players": players, "fire": fact["at"],
            "dealer": self.next_dealer(), "pile": self.dealt_from(len(players)), "events": [], "taken": 0, "end": None,
            "draws": dict.fromkeys(players, 0),
        }  # fmt: skip
        self.rounds_before += bool(self.round)
        self.won_before = self.counted()
        self.round = opened

    def next_dealer(self) -> str:
        if not self.round or self.options["dealer"] == "fixed":
            return self.playing()[0]
        last = self.round["dealer"]
        if self.options["dealer"] == "last_winner":
            for seat in (self.winner(), last):
                if seat is not None and seat not in self.left:
                    return seat
        place = self.seats.index(last)
        return next(
            seat
            for seat in self.seats[place + 1 :] + self.seats[: place + 1]
            if seat not in self.left
        )

    def dealt_from(self, players: int) -> Range | None:
        """Return the least and most cards in the piles once a round is dealt (PF-2, PF-R4)."""
        least = most = 106 - self.removed
        if self.round and self.options["next_round_deck"] == "continue_piles":
            shown = self.cards_left()
            if shown is None:
                return None
            least, most = shown
        if least < 8 * players:
            return None
        return least - 8 * players, most - 8 * players

    def on_round_end(self, fact: Body, _entry: int) -> None:
        require(bool(self.round), "PF-5")
        require(fact["seat"] is None or fact["seat"] in self.round["players"], "PF-R5")
        self.round = {**self.round, "end": {"seat": fact["seat"]}}

    def on_override(self, fact: Body, _entry: int) -> None:
        require(bool(self.round) and fact["seat"] in self.round["players"], "PF-13")
        require(fact["seat"] not in self.left, "PF-T1")
        require((fact["seat"] in self.alive()) != (fact["status"] == "in"), "PF-13")
        self.add({"kind": "override", "seat": fact["seat"], "in": fact["status"] == "in"})

    def status(self) -> str:
        """Return the round's status: ready, open, won, replay or table."""
        played = self.round
        if not played:
            return "ready"
        if played["end"] is not None:
            return "replay" if played["end"]["seat"] is None else "won"
        read = self.read()
        if len(read["alive"]) > 1 or self.undecided(read):
            return "open"
        if read["alive"]:
            return "won"
        if self.options["no_survivor"] == "table" and not played["sudden"]:
            return "table"
        return "replay"

    def undecided(self, read: dict[str, Any]) -> bool:
        """Return True if an unnamed shot can still change who survived.

        It was fired while several were in and before a named one, or the players may order it against the one
        before it.
        """
        shots = self.shots()
        for place, shot in enumerate(shots):
            if read["verdicts"][shot["entry"]]["result"] != "open":
                continue
            if self.rival(shot) is not None:
                return True
            if len(read["verdicts"][shot["entry"]]["before"]) > 1 and any(
                map(self.named, shots[place + 1 :])
            ):
                return True
        return False

    def winner(self) -> str | None:
        if self.status() != "won":
            return None
        end = self.round["end"]
        seat: str = end["seat"] if end is not None else min(self.alive())
        return seat

    def counted(self) -> list[str]:
        """Return who took the Bullet cards, in order (PF-17)."""
        winner = self.winner()
        counts = winner is not None and not self.round["sudden"]
        return [*self.won_before, winner] if winner is not None and counts else self.won_before

    def bullets(self) -> dict[str, int]:
        won = self.counted()
        return {seat: won.count(seat) + self.by_hand.get(seat, 0) for seat in self.seats}

    def taken(self) -> int:
        return sum(self.bullets().values())

    def played_for(self) -> int:
        return int(self.status() in ("open", "table") and not self.round["sudden"])

    def leaders(self) -> list[str]:
        """Return the seats with the most Bullet cards among those still in the game (PF-T2)."""
        held = self.bullets()
        return [
            seat
            for seat in self.playing()
            if held[seat] == max(held[other] for other in self.playing())
        ]

    def champion(self) -> str | None:
        if self.taken() < 6:
            return None
        first = self.leaders()
        if len(first) == 1:
            return first[0]
        if not self.round or not self.round["sudden"] or not set(first) <= set(self.round["tied"]):
            return None
        survivor = self.winner()
        if survivor is None or survivor in self.left:
            return None
        alone = self.options["sudden_death_players"] == "tied_only"
        return survivor if survivor in first or not alone else None

    # cards: PF-2, PF-9, PF-14, PF-16, PF-R1, PF-R6, PF-R8

    def on_draw(self, fact: Body, _entry: int) -> None:
        self.require_open_since(fact["at"])
        self.require_in(fact["seat"])
        self.draw([fact["seat"]])

    def on_stalemate_draw(self, fact: Body, _entry: int) -> None:
        self.require_open_since(fact["at"])
        named = list(fact["seats"])
        require(not named or self.options["stalemate_who"] == "agreed", "PF-R8")
        for seat in named:
            self.require_in(seat)
        require(len(named) == len(set(named)), "PF-16")
        self.draw(named or [seat for seat in self.round["players"] if seat in self.alive()])
        self.add({"kind": "stalemate"})

    def draw(self, seats: Sequence[str]) -> None:
        counts = {seat: count + int(seat in seats) for seat, count in self.round["draws"].items()}
        self.round = {**self.round, "draws": counts, "taken": self.round["taken"] + len(seats)}

    def on_reshuffle(self, fact: Body, _entry: int) -> None:
        self.require_open()
        require(self.options["pile_exhausted"] == "reshuffle" or bool(fact["reason"]), "PF-R1")
        if fact["cards"] is not None:
            require(fact["cards"] <= self.largest_pile(), "PF-R1")
        verdicts = self.read()["verdicts"].items()
        settled = [entry for entry, verdict in verdicts if verdict["result"] != "open"]
        self.add(
            {
                "kind": "new pile",
                "cards": fact["cards"],
                "taken": self.round["taken"],
                "settled": settled,
            }
        )

    def largest_pile(self) -> int:
        there = 106 - self.removed
        if self.options["pile_exhausted"] == "play_on":
            return there - 4 * len(self.alive())
        gone = 0
        if self.options["shield_discard_draws"] == "no":
            verdicts = self.read()["verdicts"].values()
            gone = sum(
                verdict["result"] == "saved" and verdict["spender"] in self.alive()
                for verdict in verdicts
            )
        return there - 8 * len(self.alive()) + gone

    def pile(self) -> Range | None:
        """Return the least and most cards in the piles, below zero if more were taken, or None if nobody counted
        them."""
        played = self.round
        marks = [event for event in played["events"] if event["kind"] == "new pile"]
        counted, taken, settled = played["pile"], 0, []
        if marks:
            mark = marks[-1]
            counted = None if mark["cards"] is None else (mark["cards"], mark["cards"])
            taken, settled = mark["taken"], mark["settled"]
        if counted is None:
            return None
        least, most = counted
        for entry, verdict in self.read()["verdicts"].items():
            if entry not in settled:
                least -= verdict["laid"][1] + verdict["replaced"]
                most -= verdict["laid"][0] + verdict["replaced"]
        drawn = played["taken"] - taken
        return least - drawn, most - drawn

    def cards_left(self) -> Range | None:
        counted = self.pile()
        if counted is None or (counted[0] < 0 and self.options["pile_exhausted"] == "reshuffle"):
            return None
        return max(0, counted[0]), max(0, counted[1])

    def on_shield_in_play(self, fact: Body, _entry: int) -> None:
        self.require_open()
        self.require_in(fact["seat"])
        read = self.read()
        require((fact["seat"] in read["shields"]) != fact["present"], "PF-6")
        may = (
            self.options["shield_from_hand"] == "into_play_if_none"
            or read["stalemate"]
            or bool(fact["reason"])
        )
        require(may or not fact["present"] or fact["seat"] not in read["no_more"], "PF-R6")
        self.add({"kind": "shield", "seat": fact["seat"], "present": fact["present"]})

    # shots: PF-10 to PF-15, PF-R2, PF-R3, PF-R7

    def on_shot(self, fact: Body, entry: int) -> None:
        self.pull(fact, entry, fired=True, accident=False)
        names = {who: fact[who] for who in ("target", "shooter") if fact.get(who) is not None}
        if not names:
            return
        require(
            len(set(names.values())) == len(names) and fact.get("target") != fact.get("shooter"),
            "PF-10",
        )
        shot = next(event for event in self.round["events"] if event.get("entry") == entry)
        self.change(shot, **names, told=entry)
        verdicts, rival = self.read()["verdicts"], self.rival(shot)
        were_in = verdicts[entry]["before"]
        if rival is not None:
            were_in = were_in | verdicts[rival["entry"]]["before"]
        require(set(names.values()) <= were_in, "PF-13")

    def on_dry_pull(self, fact: Body, entry: int) -> None:
        illegal = self.options["accidental_discharge"] == "illegal"
        self.pull(fact, entry, fired=illegal, accident=illegal)

    def on_knock(self, fact: Body, entry: int) -> None:
        self.pull(fact, entry, fired=False, accident=False)

    def pull(self, fact: Body, entry: int, *, fired: bool, accident: bool) -> None:
        self.require_open_since(fact["at"])
        shot = {
            "kind": fact["kind"], "entry": entry, "at": fact["at"], "fired": fired, "accident": accident,
            "target": None, "shooter": None, "illegal": False, "basis": "unknown", "spender": None, "order": None,
            "told": 0,
        }  # fmt: skip
        events = list(self.round["events"])
        place = len(events)
        while (
            place > 0
            and events[place - 1]["kind"] in SHOTS
            and known_before(shot["at"], events[place - 1]["at"])
        ):
            place -= 1
        events.insert(place, shot)
        self.round = {**self.round, "events": events}

    def on_promote(self, fact: Body, _entry: int) -> None:
        require(bool(self.round), "PF-5")
        found = [shot for shot in self.round["events"] if shot.get("entry") == fact["entry"]]
        require(bool(found) and found[0]["kind"] != "shot", "PF-R3")
        require(not found[0]["fired"] or found[0]["accident"], "PF-R3")
        require(self.round["end"] is None, "PF-R5")
        self.change(found[0], fired=True, accident=False)
        require(self.status() == "open", "PF-R3")

    def on_target(self, fact: Body, entry: int) -> None:
        shot = self.to_name(fact["seat"])
        require(
            not shot["accident"] and shot["target"] is None and shot["shooter"] != fact["seat"],
            "PF-10",
        )
        self.change(shot, target=fact["seat"], told=entry)

    def on_shooter(self, fact: Body, entry: int) -> None:
        shot = self.to_name(fact["seat"])
        require(shot["shooter"] is None and shot["target"] != fact["seat"], "PF-10")
        self.change(shot, shooter=fact["seat"], told=entry)

    def to_name(self, seat: str) -> Event:
        """Return the oldest waiting shot, which may name that seat (PF-13)."""
        self.require_open()
        require(seat in self.round["players"], "PF-13")
        waiting = self.waiting()
        require(bool(waiting), "PF-10")
        verdicts, rival = self.read()["verdicts"], self.rival(waiting[0])
        were_in = verdicts[waiting[0]["entry"]]["before"]
        if rival is not None:
            were_in = were_in | verdicts[rival["entry"]]["before"]
        require(seat in were_in, "PF-13")
        return waiting[0]

    def waiting(self) -> list[Event]:
        if self.status() != "open":
            return []
        return [shot for shot in self.shots() if not self.named(shot)]

    def named_last(self) -> Event | None:
        named = [shot for shot in self.shots() if shot["told"]] if self.round else []
        return max(named, key=lambda shot: int(shot["told"]), default=None)

    def spoken_of(self) -> Event:
        """Return the shot that `illegal`, `legal` and `match` refer to (PF-10)."""
        require(bool(self.round), "PF-5")
        shot = next(iter(self.waiting()), None) or self.named_last()
        if shot is None:
            raise Against("PF-10")
        return shot

    def on_illegal(self, _fact: Body, _entry: int) -> None:
        shot = self.spoken_of()
        require(not shot["accident"] and not shot["illegal"], "PF-11")
        self.change(shot, illegal=True)

    def on_legal(self, _fact: Body, _entry: int) -> None:
        shot = self.spoken_of()
        require(shot["illegal"], "PF-10")
        self.change(shot, illegal=False)

    def on_match(self, fact: Body, _entry: int) -> None:
        shot = self.spoken_of()
        require(not shot["accident"] and shot["basis"] != fact["basis"], "PF-14")
        self.change(shot, basis=fact["basis"])

    def on_shield_hand(self, _fact: Body, _entry: int) -> None:
        shot = self.named_last()
        require(shot is not None and self.named(shot), "PF-12")
        assert shot is not None
        verdict = self.read()["verdicts"][shot["entry"]]
        require(verdict["out"] is not None, "PF-12")
        helps = verdict["result"] != "backfired" or self.options["illegal_shot_shield"] == "saves"
        require(helps, "PF-R7")
        self.change(shot, spender=verdict["out"])

    def on_tie_break(self, fact: Body, _entry: int) -> None:
        require(bool(self.round), "PF-5")
        tied = [shot for shot in self.shots() if self.rival(shot) is not None]
        require(bool(tied), "PF-R2")
        require(tied[-1]["order"] != fact["order"], "PF-R2")
        self.change(tied[-1], order=fact["order"])

    def shots(self) -> list[Event]:
        shots: list[Event] = self.read()["shots"]
        return shots

    @staticmethod
    def named(shot: Event) -> bool:
        return shot["shooter"] is not None and (shot["accident"] or shot["target"] is not None)

    def rival(self, shot: Event) -> Event | None:
        """Return the shot before that one if the players may order the two (PF-R2)."""
        entries = [other["entry"] for other in self.shots()]
        place = entries.index(shot["entry"])
        if place == 0:
            return None
        other = self.shots()[place - 1]
        if self.options["shot_disputes"] == "table":
            return other
        one, two = other["at"], shot["at"]
        if one is None or two is None or one["clock"] != two["clock"]:
            return None
        apart = abs(two["us"] - one["us"])
        error = (one["pm"] or KEY_ERROR_US) + (two["pm"] or KEY_ERROR_US)
        return other if apart < error or apart < self.error_us or apart == 0 else None

    # what the events of a round come to

    def read(self) -> dict[str, Any]:
        """Judge the round in the players' order."""
        if self.remembered[0] is self.round["events"]:
            return self.remembered[1]
        now: dict[str, Any] = {
            "alive": set(self.round["players"]), "shields": set(), "no_more": set(), "stalemate": False, "verdicts": {},
            "shots": [event for event in self.round["events"] if event.get("fired")],
        }  # fmt: skip
        for event, rival in self.ordered():
            match event["kind"]:
                case "shield" if event["present"]:
                    now["shields"].add(event["seat"])
                case "shield":
                    now["shields"].discard(event["seat"])
                case "override" if event["in"]:
                    now["alive"].add(event["seat"])
                case "override":
                    now["alive"].discard(event["seat"])
                case "leaves" if now["alive"] != {event["seat"]}:
                    now["alive"].discard(event["seat"])
                case "stalemate":
                    now["stalemate"] = True
                case _ if event.get("fired"):
                    self.judge(event, rival, now)
        now["shields"] &= now["alive"]
        self.remembered = self.round["events"], now
        return now

    def ordered(self) -> Iterator[tuple[Event, Event | None]]:
        """Return the events with ties resolved (PF-R2); a shot that counts beside another comes with that one."""
        events: list[Event] = []
        beside: dict[int, Event] = {}
        last: Event | None = None
        for event in self.round["events"]:
            place = len(events)
            if event.get("fired"):
                if last is not None and event["order"] == "swapped":
                    place = events.index(last)
                if last is not None and event["order"] == "both":
                    beside[event["entry"]] = last
                last = event
            events.insert(place, event)
        return ((event, beside.get(event.get("entry", 0))) for event in events)

    def judge(self, shot: Event, rival: Event | None, now: dict[str, Any]) -> None:
        """Judge a shot, by what the rules made of those before it in `now`."""
        verdicts = now["verdicts"]
        before = set(now["alive"]) if rival is None else verdicts[rival["entry"]]["before"]
        verdict = {
            "result": "open", "out": None, "before": before, "laid": (0, 0), "layer": None, "replaced": 0,
            "spender": shot["spender"],
        }  # fmt: skip
        verdicts[shot["entry"]] = verdict
        if not self.named(shot):
            return
        shooter, target = shot["shooter"], shot["target"]
        if len(before) < 2 or shooter not in before or not (shot["accident"] or target in before):
            verdict["result"] = "void"
        elif shot["illegal"] or shot["accident"]:
            self.against(
                shooter, verdict, now, helps=self.options["illegal_shot_shield"] == "saves"
            )
            if verdict["out"] is not None:
                verdict["result"] = "backfired"
        else:
            self.against(target, verdict, now, helps=True)
            if verdict["out"] is None and self.options["blocked_match"] == "cleared":
                self.lay(target, shot["basis"] in ("target", "both"), shot, verdict, now)
            over = len(now["alive"]) < 2
            if verdict["out"] is not None and not over and shooter in now["alive"]:
                self.lay(shooter, shot["basis"] in ("shooter", "both"), shot, verdict, now)
        if rival is not None:
            other = verdicts[rival["entry"]]
            # it left the table at that instant
            if verdict["out"] is not None and verdict["out"] == other["layer"]:
                other["laid"] = (0, 0)

    def against(
        self, seat: str, verdict: dict[str, Any], now: dict[str, Any], *, helps: bool
    ) -> None:
        """Apply a shot at that seat: a Shield in play is spent, or one from the hand, or the seat is out."""
        if helps and seat in now["shields"]:
            now["shields"].discard(seat)
            now["no_more"].add(seat)
            verdict["result"] = "blocked"
        elif helps and verdict["spender"] == seat:
            verdict["result"] = "saved"
            verdict["replaced"] = int(self.options["shield_discard_draws"] == "yes")
        else:
            verdict["result"], verdict["out"] = "eliminated", seat
            now["alive"].discard(seat)

    def lay(
        self, seat: str, sure: bool, shot: Event, verdict: dict[str, Any], now: dict[str, Any]
    ) -> None:
        """Lay a new set of four, or perhaps one if nobody said whose match it was (PF-14)."""
        if not sure and shot["basis"] != "unknown":
            return
        verdict["layer"] = seat
        verdict["laid"] = (4, 4) if sure else (0, 4)
        if self.options["new_set_shields"] == "as_opening":
            now["no_more"].discard(seat)
        elif sure:
            now["no_more"].add(seat)

    # small words

    def add(self, event: Event) -> None:
        self.round = {**self.round, "events": [*self.round["events"], event]}

    def change(self, shot: Event, **new: Any) -> None:
        events = [{**event, **new} if event is shot else event for event in self.round["events"]]
        self.round = {**self.round, "events": events}

    def alive(self) -> set[str]:
        alive: set[str] = self.read()["alive"]
        return alive

    def require_open(self) -> None:
        require(self.status() == "open" and self.champion() is None, "PF-5")

    def require_open_since(self, at: Body | None) -> None:
        self.require_open()
        require(not known_before(at, self.round["fire"]), "PF-5")

    def require_in(self, seat: str) -> None:
        require(seat in self.alive() and seat not in self.left, "PF-13")
