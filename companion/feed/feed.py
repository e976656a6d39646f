"""The public feed of a session: its record as events that anybody may know. FEED.md describes them.

An event tells what the rules show the whole table, and the public sentence of a fact that still counts; hidden entries
are skipped. Later entries never change the events of earlier ones: a correction is an event of its own. Events are
taken as entries are saved, at once or after a delay.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from companion.display.panels import SeatLine, panels_of
from companion.feed import events as feed_events
from companion.feed.events import PLACES, Event, ScoreChange, TableNow, number_of
from companion.feed.held_record import HeldRecord
from companion.feed.round_clock import RoundClock
from companion.journal.entries import Control, Entry, Layer, is_control, steps_of
from companion.journal.errors import JournalError
from companion.journal.hidden_entries import HiddenEntries
from companion.rules.clauses import without_clauses
from companion.rules.columns import listed, plural, unit_for
from companion.rules.ending import BY_HAND, NOW, ScoresAfter, name_of_round
from companion.rules.facts import TABLE, Moment, Setup, secret_kinds
from companion.rules.game import Game
from companion.rules.outcome import Ending, ending_of
from companion.rules.pauses import Pauses
from companion.rules.spans import error_us
from companion.session.log import UNSAID
from companion.session.projection import SessionProjection

_SESSION: Final[Mapping[str, tuple[feed_events.Happened, str]]] = {
    Control.SESSION: ("begun", "The session begins"),
    Control.RESUMED: ("resumed", "The session goes on"),
    Control.RENAMED: ("renamed", "The session is called {name} from now on"),
    Control.ENDED: ("closed", "The session has ended"),
}
HIDDEN: Final = "what is hidden was put right"
MOST_SAID: Final = 3
"""Corrected facts named by the sentence of one correction."""
LOOKS: Final = 128
"""States whose look is cached; an undo returns to one of the last."""


# the kind of an outcome, and which: a player's id, or the index of a round
_Outcome = tuple[str, str]


@dataclass(frozen=True, slots=True)
class _Look:
    """The public view of a state: what the whole table sees."""

    table: TableNow
    rounds: ScoresAfter
    unit: str
    ending: Ending | None
    clock: tuple[Moment, Pauses] | None


@dataclass(frozen=True, slots=True)
class _Change:
    """The effect of a step of corrections on earlier facts, and the facts it inserted; hidden ones are left out."""

    falling: tuple[int, ...]
    rising: tuple[int, ...]
    put_in: tuple[int, ...]
    reason: str

    @property
    def done(self) -> list[tuple[feed_events.Correction, int]]:
        """Each change of the step, as its word and the number of the fact."""
        taken_back: list[tuple[feed_events.Correction, int]] = [
            ("taken back", n) for n in self.falling
        ]
        brought_back: list[tuple[feed_events.Correction, int]] = [
            ("brought back", n) for n in self.rising
        ]
        put_in: list[tuple[feed_events.Correction, int]] = [("put in", n) for n in self.put_in]
        return taken_back + brought_back + put_in

    @property
    def called(self) -> feed_events.Correction:
        """One word for the step: `put right` if it made several kinds of changes, or only hidden ones."""
        words = {word for word, _ in self.done}
        if len(words) == 1:
            return words.pop()
        return "put right"


def session_id(first: Entry) -> str:
    """Return a session's id in its events: 16 hexadecimal digits of the digest of its first entry."""
    return first.digest.hex()[:16]


class Feed:
    """Makes events from the entries of a session, beginning with the first. It writes nothing; one thread uses it."""

    def __init__(self, game: Game[Any], setup: Setup, entries: Sequence[Entry]) -> None:
        """`entries` are those of the record and may grow; `take` says up to where they become events."""
        self._entries = entries
        self._record = SessionProjection(game, setup, [])
        self._record.entries = entries
        self._hidden = HiddenEntries(secret_kinds(game.facts))
        self._numbers_of: dict[int, tuple[int, ...]] = {}
        self._outcomes: dict[_Outcome, int] = {}
        self._session = session_id(entries[0])
        self._panels = panels_of(game.id)
        # By the ids of states, which are kept alive here: no other state can get the same id meanwhile.
        self._looks: dict[int, tuple[Any, _Look]] = {}
        self._players: dict[str, tuple[tuple[object, ...], feed_events.Player]] = {}
        self._table: TableNow | None = None
        self._look = self._looked()
        self._clock = RoundClock()
        self.taken = 0
        """Number of entries whose events were taken."""

    @property
    def closed(self) -> bool:
        """Whether the last event taken is the end of the session."""
        return self._record.closed

    def take(self, up_to: int) -> Iterator[Event]:
        """Yield the events of the entries after `taken` up to number `up_to`, in order. A step of undo has to be
        complete. Raise `JournalError` if a correction cannot be folded."""
        for step in steps_of(self._entries[at] for at in range(self.taken, up_to)):
            self.taken = step[-1].n
            yield from self._step(step)

    def _step(self, step: Sequence[Entry]) -> Iterator[Event]:
        # every entry goes through `add`, which also learns from it what later entries hide
        public = [entry for entry in step if not self._hidden.add(entry)]
        # by the record before the step, which `extend_by_step` changes
        change = self._change_of(step)
        before, state = self._look, self._record.state
        doubts = set() if change is None else set(self._record.problems)
        self._record.extend_by_step(step)
        self._clock.read(step)
        if self._record.trouble:
            raise JournalError(self._record.trouble)
        if self._record.state is not state or step[0].layer is Layer.CONTROL:
            self._look = self._looked()
        last = step[-1]
        events: list[Event] = []
        for entry in public:
            events.extend(self._of_entry(entry))
        if change is not None:
            events = [*self._corrected(change, doubts, before, last), *self._ended(before, last)]
        elif self._look is not before:
            begins = any(isinstance(event, feed_events.RoundEvent) for event in events)
            events += self._followed(before, last, begins=begins)
        # an entry's numbers rise with the kind, in the order of `KINDS`
        events.sort(key=lambda event: event.number)
        self._remember(events)
        numbers = tuple(event.number for event in events)
        if numbers:
            for entry in step:
                if entry.layer is Layer.FACT:
                    self._numbers_of[entry.n] = numbers
        yield from events

    # -- events of one entry by itself

    def _of_entry(self, entry: Entry) -> Iterator[Event]:
        if entry.layer is Layer.CONTROL and entry.kind in _SESSION:
            happened, sentence = _SESSION[entry.kind]
            common = self._common(entry, "session", sentence.format(name=self._record.name))
            game = self._record.game
            yield feed_events.SessionEvent(
                **common, what=happened, game=game.id, title=game.title, name=self._record.name
            )
        inserted = entry.after is not None
        if entry.layer is Layer.FACT and not inserted and entry.n not in self._record.problems:
            yield self._of_fact(entry)

    def _of_fact(self, entry: Entry) -> Event:
        fact = self._record.fact_of(entry)
        common = self._common(entry, fact.told_as, without_clauses(self._record.text(entry.n)))
        if fact.told_as == "pause":
            return feed_events.PauseEvent(**common, paused=self._look.table.paused)
        if fact.told_as == "round":
            return feed_events.RoundEvent(**common, what="begins", unit=self._look.unit, rounds=())
        classes: Mapping[str, type[feed_events.DrawEvent | feed_events.ShotEvent]] = {
            "draw": feed_events.DrawEvent,
            "shot": feed_events.ShotEvent,
        }
        event_class = classes.get(fact.told_as, feed_events.RulingEvent)
        at = fact.at
        moment = None
        if at is not None:
            # The record has 0 for a key press; the feed states its error.
            moment = feed_events.Moment(us=at.us, pm=error_us(at.pm), clock=at.clock)
        player = getattr(fact, "seat", None)
        return event_class(**common, fact=fact.kind, player=player, at=moment)

    # -- consequences of an entry

    def _followed(self, before: _Look, last: Entry, *, begins: bool) -> Iterator[Event]:
        now = self._look.table
        changed = _changed(before.table, now)
        overruled = self._overruled(before, begins=begins)
        if overruled:
            text = HIDDEN
            if last.n not in self._hidden.found:
                text = without_clauses(self._record.text(last.n))
            common = self._common(last, "correction", text)
            yield feed_events.CorrectionEvent(
                **common, what="overruled", corrects=overruled, changed=changed
            )
        elif changed:
            scores = [f"{self._names([change.player])} {_score_text(change)}" for change in changed]
            common = self._common(last, "score", ", ".join(scores))
            yield feed_events.ScoreEvent(**common, changed=changed)
        if now.players is not before.table.players:
            out = tuple(sorted(_out(now) - _out(before.table)))
            if out:
                verb = "is" if len(out) == 1 else "are"
                common = self._common(last, "elimination", f"{self._names(out)} {verb} eliminated")
                yield feed_events.EliminationEvent(**common, players=out)
        rounds = self._look.rounds[len(before.rounds) :]
        if rounds:
            yield self._rounds_over(rounds, last)
        if now.turn != before.table.turn:
            text = "It is nobody's turn"
            if now.turn:
                text = f"{self._names(now.turn)} to play"
            yield feed_events.TurnEvent(**self._common(last, "turn", text), players=now.turn)
        yield from self._ended(before, last)

    def _rounds_over(self, rounds: ScoresAfter, last: Entry) -> Event:
        unit = self._look.unit
        names = listed(name_of_round(unit, name) for name, _ in rounds)
        verb = "is" if len(rounds) == 1 else "are"
        scores = tuple(
            feed_events.RoundScores(name=name, scores=dict(scores)) for name, scores in rounds
        )
        common = self._common(last, "round", f"{names} {verb} over")
        return feed_events.RoundEvent(**common, what="over", unit=unit, rounds=scores)

    def _ended(self, before: _Look, last: Entry) -> Iterator[Event]:
        ending = self._look.ending
        if ending is not None and before.ending is None:
            common = self._common(last, "end", ending.headline)
            won, decided = ending.winners, without_clauses(ending.decided)
            lowest = ending.lowest_wins
            yield feed_events.EndEvent(
                **common, winners=won, decided=decided, early=ending.abandoned, lowest_wins=lowest
            )

    def _overruled(self, before: _Look, *, begins: bool) -> tuple[int, ...]:
        """Return the numbers of events about the end, rounds and eliminations that no longer hold. If a round `begins`,
        or its beginning is corrected, players come back by the game and not by a ruling."""
        gone: list[_Outcome] = []
        if before.ending is not None and self._look.ending is None:
            gone.append(("end", ""))
        gone += [
            ("round", str(place)) for place in range(len(self._look.rounds), len(before.rounds))
        ]
        if not begins and before.table.players is not self._look.table.players:
            back = _out(before.table) - _out(self._look.table)
            gone += [("elimination", player) for player in back]
        numbers = {self._outcomes[outcome] for outcome in gone if outcome in self._outcomes}
        return tuple(sorted(numbers))

    def _remember(self, events: Iterable[Event]) -> None:
        """Note which event reported each outcome that a later ruling may change."""
        for event in events:
            if isinstance(event, feed_events.EliminationEvent):
                for player in event.players:
                    self._outcomes["elimination", player] = event.number
            elif isinstance(event, feed_events.EndEvent):
                self._outcomes["end", ""] = event.number
            elif isinstance(event, feed_events.RoundEvent):
                # a round that begins has no rounds, so the range is empty
                over = len(self._look.rounds)
                for place in range(over - len(event.rounds), over):
                    self._outcomes["round", str(place)] = event.number

    # -- corrections

    def _change_of(self, step: Sequence[Entry]) -> _Change | None:
        """Return what a step corrects in the record before it, or None if it corrects nothing."""
        voids = [entry for entry in step if is_control(entry, Control.VOID)]
        facts = [entry for entry in step if entry.layer is Layer.FACT]
        if not voids and all(fact.after is None for fact in facts):
            return None
        put_in = [fact.n for fact in facts]
        effect = self._record.timeline.order.effect_of(entry.body["entry"] for entry in voids)
        reason = ""
        for entry in voids:
            given = str(entry.body.get("reason", ""))
            if entry.n not in self._hidden.found and given not in UNSAID:
                reason = given
                break
        return _Change(
            self._open(effect.falling), self._open(effect.rising), self._open(put_in), reason
        )

    def _open(self, entries: Iterable[int]) -> tuple[int, ...]:
        return tuple(n for n in entries if n not in self._hidden.found)

    def _corrected(
        self, change: _Change, doubts: set[int], before: _Look, last: Entry
    ) -> Iterator[Event]:
        if not change.done and self._look.table == before.table:
            # nothing but hidden facts changed, and nobody can see a difference
            return
        affected = {*change.falling, *change.rising, *(doubts ^ set(self._record.problems))}
        kinds = (
            self._record.game.facts.get(self._entries[n - 1].kind)
            for n in {*affected, *change.put_in}
        )
        begins = any(kind is not None and kind.told_as == "round" for kind in kinds)
        numbers = {number for n in affected for number in self._numbers_of.get(n, ())}
        yield feed_events.CorrectionEvent(
            **self._common(last, "correction", self._correction_said(change)),
            what=change.called,
            corrects=tuple(sorted(numbers.union(self._overruled(before, begins=begins)))),
            changed=_changed(before.table, self._look.table),
        )

    def _correction_said(self, change: _Change) -> str:
        parts = [f"{word}: {self._record.text(n)}" for word, n in change.done[:MOST_SAID]]
        if more := len(change.done) - len(parts):
            parts.append(plural(more, "more correction"))
        sentence = without_clauses("; ".join(parts)) or HIDDEN
        return f"{sentence} - {change.reason}" if change.reason else sentence

    # -- the look of a state

    def _looked(self) -> _Look:
        state = self._record.state
        cached = self._looks.get(id(state))
        if cached is None:
            cached = state, self._look_at(state)
            self._looks[id(state)] = cached
            if len(self._looks) > LOOKS:
                del self._looks[next(iter(self._looks))]
        return cached[1]

    def _look_at(self, state: Any) -> _Look:
        game = self._record.game
        common = game.common(state)
        view = game.view(state, TABLE) if game.glance is None else game.glance(state)
        standings = game.standings(state)
        result = None if game.result is None else game.result(state)
        after: ScoresAfter = ()
        if result is not None:
            after = tuple(row for row in result.after if row[0] not in (BY_HAND, NOW))
        ending = ending_of(game, state, self._panels.unit)
        lines = self._panels.lines(
            view, common.setup, standings, common.left, ended=ending is not None
        )
        players = tuple(self._player(line, standings, common.left) for line in lines)
        table = self._table_of(
            players,
            where=self._panels.stands(view, abandoned=common.abandoned is not None),
            turn=tuple(line.id for line in lines if line.turn),
            paused=common.paused and ending is None,
            ended=ending is not None,
            unit=self._panels.unit,
            unit_of_one=unit_for("1", self._panels.unit),
        )
        clock = None if ending is not None else self._panels.clock(view)
        unit = "round" if result is None else result.round
        return _Look(table, after, unit, ending, clock)

    def _player(
        self, line: SeatLine, standings: Mapping[str, int], left: Collection[str]
    ) -> feed_events.Player:
        """Return a player as the table sees them: the previous object if nothing about them changed."""
        score, has_left = _score(line, standings), line.id in left
        appearance = line.look, score, has_left, line.out
        known = self._players.get(line.id)
        if known is None or known[0] != appearance:
            player = feed_events.Player(
                id=line.id,
                name=line.name,
                color=line.color,
                glyph=line.glyph,
                score=score,
                left=has_left,
                out=line.out,
            )
            known = self._players[line.id] = appearance, player
        return known[1]

    def _table_of(self, players: tuple[feed_events.Player, ...], **rest: Any) -> TableNow:
        """Return the table with these players, reusing the last one, whose JSON is cached, as far as nothing
        changed."""
        last = self._table
        if last is None or players != last.players:
            self._table = TableNow(players=players, **rest)
        elif any(getattr(last, name) != value for name, value in rest.items()):
            self._table = last.model_copy(update=rest)
        assert self._table is not None
        return self._table

    def _common(self, entry: Entry, kind: str, text: str) -> dict[str, Any]:
        n = self._record.number(entry.n)  # numbers as shown: a gap would reveal a private note
        number, table = number_of(n, kind), self._look.table
        ran_s = self._clock.ran_s(self._look.clock, table.paused, entry)
        if ran_s is not None:
            table = table.model_copy(
                update={"clock": feed_events.RoundClockNow(ran_s=ran_s, runs=not table.paused)}
            )
        about = {"session": self._session, "number": number, "entry": n, "wall": entry.wall}
        return about | {"text": text, "table": table}

    def _names(self, players: Iterable[str]) -> str:
        names = {player.id: player.name for player in self._look.table.players}
        return listed(names.get(player, player) for player in players)


def _score(line: SeatLine, standings: Mapping[str, int]) -> int | None:
    """Return the score in the standings; for a player without a seat, the score that the table shows."""
    if line.id in standings:
        return standings[line.id]
    # a score that nobody can know is shown as a dash or a question mark
    if line.score.removeprefix("-").isdecimal():
        return int(line.score)
    return None


def _score_text(change: ScoreChange) -> str:
    if change.after is None:
        return "?"
    if change.before is None:
        return str(change.after)
    return f"{change.after} ({change.after - change.before:+})"


def _out(table: TableNow) -> frozenset[str]:
    return frozenset(player.id for player in table.players if player.out)


def _changed(before: TableNow, now: TableNow) -> tuple[ScoreChange, ...]:
    if now.players is before.players:
        return ()
    old = {player.id: player.score for player in before.players}
    new = {player.id: player.score for player in now.players}
    # `0` for a missing player: one who comes or goes without points changed nothing
    return tuple(
        ScoreChange(player=player, before=old.get(player), after=new.get(player))
        for player in {**new, **old}
        if old.get(player, 0) != new.get(player, 0)
    )


class FeedReading:
    """Yields each event of a record once, as far as its entries are on the disk. One thread at a time uses it."""

    def __init__(
        self,
        game: Game[Any],
        setup: Setup,
        entries: Sequence[Entry],
        saved: Callable[[], int] | None = None,
        delay_s: float = 0.0,
        *,
        hold: Callable[..., HeldRecord] = HeldRecord,
    ) -> None:
        """`saved` returns how many of `entries` are on the disk; with None, all are. Nothing is read before `take`.
        `hold` makes the delayed record if there is a delay."""
        self._game, self._setup = game, setup
        self._saved = saved or (lambda: len(entries))
        self._held = hold(entries, self._saved, delay_s) if delay_s else None
        self._entries = entries if self._held is None else self._held.entries
        self._feed: Feed | None = None
        self._last_number = 0

    def take(self) -> Iterator[Event]:
        """Yield the events since the last call. The first call reads the whole record, and so does the one after a
        `JournalError`, which is raised for a record that cannot be read."""
        if self._held is None:
            yield from self._take(self._saved())
            return
        known = len(self._entries)
        for brought_back in self._held.take():
            # older entries changed: read all again, and yield only what comes after them
            if brought_back:
                self._feed = None
                self._last_number = max(self._last_number, (known + 1) * PLACES - 1)
            known = len(self._entries)
            yield from self._take(known)

    @property
    def wait_s(self) -> float | None:
        """Seconds until a delayed event may come, or None if none is held back."""
        return None if self._held is None else self._held.wait_s

    @property
    def closed(self) -> bool:
        """Whether the last event yielded is the end of the session."""
        return self._feed is not None and self._feed.closed

    def _take(self, up_to: int) -> Iterator[Event]:
        feed = self._feed or Feed(self._game, self._setup, self._entries)
        # dropped while it runs: a feed that raised halfway is not used again
        self._feed = None
        for event in feed.take(up_to):
            if event.number > self._last_number:
                self._last_number = event.number
                yield event
        self._feed = feed
