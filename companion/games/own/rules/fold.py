"""What each fact makes of a game of one's own, or why it cannot be, clause by clause of RULES.md; and who won."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.own.rules import facts as f
from companion.games.own.rules.definition import Counter, Definition
from companion.games.own.rules.expressions import Value, Work
from companion.games.own.rules.model import (
    NOBODY,
    ClosedRound,
    Counted,
    CountedBy,
    Counters,
    State,
    own_rules,
    scores_of,
    valued,
)
from companion.games.own.rules.source import FileFault
from companion.rules import common
from companion.rules.common import Common, ScoreSet, SeatJoins, SeatLeaves
from companion.rules.ending import BY_HAND, GameResult, leading
from companion.rules.facts import Fact, Refused, SeatId, Setup, after_the_end
from companion.rules.house_rules import HouseRule, read_options
from companion.rules.replacing import replace
from companion.rules.seats import require_setup

RULES_VERSION = 4
"""The version of what plays these files: what a file comes to is the same for ever under one of them."""
OLDER_VERSIONS = (1, 2, 3)
"""Those whose sessions go on as they were begun. In version 1 `over`, `won` and `ties` did not know of a score that was
set by hand, nothing was over by one or by somebody leaving, and a round did not end by whoever left on their turn. Up
to version 2, things were counted before the clock of a game ran. Up to version 3, only each expression had a bound of
steps, not all of a fact."""
MOST_DEPTH = 250
"""How deep expressions may be nested, through the values that they name: Python works out no more than some more."""
MOST_STEPS_OF_FACT = 10_000
"""Steps that all expressions of one fact may take together: they end within 20 ms."""
START_FIRST = "Start the clock first."


def house_rules_of(says: Definition) -> tuple[HouseRule, ...]:
    """Return the options of a file as house rules, the default of each first."""
    other = {"yes": "no", "no": "yes"}
    return tuple(
        HouseRule(name, "OPTION", (each.default, other[each.default]), means=each.title)
        for name, each in says.options.items()
    )


def start(setup: Setup) -> State:
    """Return the state before anything happened; raise `Refused`."""
    try:
        own = own_rules(setup)
    except FileFault as problem:
        why = f"the file of this game cannot be read: {problem}"
        raise Refused("OG-1", why, "a file that `check` finds right") from problem
    says = own.says
    if own.depth > MOST_DEPTH and setup.rules_version > 3:
        why = f"the expressions of this file are nested {own.depth} deep, through the values that they name"
        raise Refused("OG-10", why, f"{MOST_DEPTH} at most")
    require_setup(setup, says.title, RULES_VERSION, says.counts, "SEATS", OLDER_VERSIONS)
    read_options(setup.options, house_rules_of(says))
    state = State(Common(setup), work=_work_of(setup))
    _require_even_teams(state)
    state = replace(state, counters=_fresh(state, state.counters, ("turn", "round", "game")))
    state = _turn_of(state, setup.seats[0].id) if says.turn is not None else state
    return replace(state, scores=scores_of(state), work=None)


def apply(state: State, fact: Fact, entry: int) -> State:
    """Return the state after a fact; raise `Refused`."""
    numbered = replace(state, until=state.entry, entry=entry)
    return applied(numbered, fact, _work_of(state.setup))


def _work_of(setup: Setup) -> Work | None:
    """The steps that one fact may take; None: as many as it needs."""
    return Work(MOST_STEPS_OF_FACT) if setup.rules_version > 3 else None


def applied(state: State, fact: Fact, work: Work | None) -> State:
    """Return the state after a fact, which may take the steps of `work`; raise `Refused`."""
    after = _applied(replace(state, happened="", work=work), fact)
    clock = after.says.clock
    if (
        clock is not None
        and clock.of == "turn"
        and after.running
        and after.number_of_turns != state.number_of_turns
    ):
        after = replace(after, since=fact.at)
    if after.over and after.setup.rules_version > 3:
        winners, tie_break = _winners(after)
        after = replace(after, winners=winners, tie_break=tie_break)
    return replace(after, work=None)


def _applied(state: State, fact: Fact) -> State:
    match fact:
        case f.Add() | f.Set() | f.SecretNote():
            return _settled(_counted(_playing(state, fact), fact))
        case f.TurnEnds():
            return _settled(_turn_over(_playing(state, fact)))
        case f.Bust():
            return _settled(_taken_back(_playing(state, fact)))
        case f.RoundEnds():
            return _settled(_round_over(_playing(state, fact)))
        case f.ClockStarts():
            return _started(_playing(state, fact), fact)
        case f.TimeUp():
            return _settled(_time_up(_playing(state, fact), fact))
        case SeatJoins():
            common.require_room(state.common, fact, state.says.counts)
            _require_fixed_teams(state, fact)
    after = replace(state, common=common.apply_common(state.common, fact, standings(state)))
    if isinstance(fact, SeatLeaves) and state.turn == fact.seat:
        passed = _next_turn if state.setup.rules_version == 1 else _turn_passed
        after = passed(after) if after.playing else replace(after, turn=NOBODY)
    after = replace(after, counters=_fresh(after, after.counters, ()))
    after = replace(after, scores=scores_of(replace(after, scores={})))
    if state.setup.rules_version == 1 or not isinstance(fact, ScoreSet | SeatLeaves):
        return after
    # A score that is set before anything of the next round was counted belongs to the round that is over.
    corrects = (
        isinstance(fact, ScoreSet)
        and after.closed
        and not after.adds
        and not any(after.turns.values())
    )
    return replace(
        after, over=after.over or ((corrects or _asked_always(after)) and _is_over(after))
    )


def reveals(state: State, fact: Fact) -> str | None:
    """Return what a fact shows: the secret numbers, where it ends the round or the game (OG-3)."""
    if not state.says.secrets:
        return None
    try:
        after = apply(state, fact, 1)
    except Refused:
        return None
    shown = len(after.closed) > len(state.closed) or after.over
    return "the secret numbers of this round, to everybody" if shown else None


def standings(state: State) -> dict[SeatId, int]:
    """Return the score of each seat, what the table set by hand included."""
    return {
        seat.id: state.scores.get(seat.id, 0) + state.common.added(seat.id)
        for seat in state.setup.seats
    }


def _playing(state: State, fact: Fact) -> State:
    common.require_running(state.common, fact.at)
    if state.over:
        raise after_the_end("OG-9")
    return state


def _fresh(state: State, counters: Counters, lasts: tuple[str, ...]) -> Counters:
    """The counters with those that last so long as they start, and with all of them for everybody."""
    found = {}
    for whose in (NOBODY, *(seat.id for seat in state.setup.seats)):
        of, held = "seat" if whose else "table", counters.get(whose, {})
        own = {name: each for name, each in state.says.counters.items() if each.of == of}
        found[whose] = {
            name: each.start if each.lasts in lasts else held.get(name, each.start)
            for name, each in own.items()
        }
    return found


def _still_used(
    state: State, used: Mapping[SeatId, frozenset[str]], lasts: tuple[str, ...]
) -> dict[SeatId, frozenset[str]]:
    """Which counters are used, without those that last so long and begin anew."""
    kept = frozenset(name for name, each in state.says.counters.items() if each.lasts not in lasts)
    return {whose: names & kept for whose, names in used.items()}


def _still_counted(state: State, lasts: tuple[str, ...]) -> CountedBy:
    """How the counters came to what they are, without those that last so long and begin anew."""
    counters = state.says.counters
    return {
        whose: {name: one for name, one in own.items() if counters[name].lasts not in lasts}
        for whose, own in state.counted.items()
    }


def _require_even_teams(state: State) -> None:
    """Raise `Refused` for players who make no teams of one size (OG-13)."""
    teams, seats = state.says.teams, len(state.setup.seats)
    if teams is not None and seats % teams:
        most = max(count for count in state.says.counts if count % teams == 0)
        raise Refused(
            "SEATS",
            f"{seats} players make no {teams} teams of one size",
            do=f"Seat {most} players.",
        )


def _require_fixed_teams(state: State, fact: SeatJoins) -> None:
    """Raise `Refused` for somebody new at a table of teams (OG-13)."""
    if state.says.teams is not None and common.back_to(state.common, fact.name) is None:
        raise Refused(
            "OG-13",
            "the teams stay as they began",
            do="Join as a player who left, or rename that seat.",
        )


def _require_in(state: State, seat: SeatId) -> None:
    """Raise `Refused` for a seat that has left, or is out (OG-11)."""
    common.require_playing(state.common, seat)
    if seat in state.out:
        raise Refused("OG-11", f"{state.name(seat)} is out", do="Name a player who is still in.")


def _counted(state: State, fact: f.Add | f.Set | f.SecretNote) -> State:
    counter = state.says.counters.get(fact.counter)
    if counter is None:
        known = ", ".join(state.says.counters)
        raise Refused("OG-2", f"nothing is called {fact.counter!r} in this game", f"one of {known}")
    whose = fact.seat or NOBODY
    if (counter.of == "table") != (whose == NOBODY):
        expected = "no player" if counter.of == "table" else "a player"
        why = (
            f"{counter.title} is kept for {'the table' if counter.of == 'table' else 'each player'}"
        )
        raise Refused("OG-2", why, expected)
    if whose:
        _require_in(state, whose)
    if not counter.secret:
        _require_clock(state)
    if counter.secret is not isinstance(fact, f.SecretNote):
        expected = "a secret number (note)" if counter.secret else "something counted (add)"
        raise Refused(
            "OG-3", f"{counter.title} is {'secret' if counter.secret else 'open'}", expected
        )
    if whose and state.says.turn is not None and whose != state.turn and not counter.secret:
        name = state.name(state.turn)
        raise Refused(
            "OG-4", f"it is {name}'s turn", do=f"Enter it for {name}, or end the turn first."
        )
    used = state.used.get(whose, frozenset())
    if counter.once and fact.counter in used:
        owner = state.name(whose) if whose else "the table"
        raise Refused(
            "OG-12", f"{owner} has used {counter.title} already", do="Choose one that is free."
        )
    held = state.counters[whose].get(fact.counter, counter.start)
    value = held + fact.by if isinstance(fact, f.Add) else fact.value
    _require_within(counter, value)
    counters = {**state.counters, whose: {**state.counters[whose], fact.counter: value}}
    now_used = {**state.used, whose: used | {fact.counter}}
    after = replace(
        state,
        counters=counters,
        used=now_used,
        counted=_counted_once_more(state, fact, whose),
        adds=state.adds + (not counter.secret),
        scores={},
    )
    if not counter.secret:  # what is refused for a secret would tell of it
        _require_checks(after, ("always",), "Look whose number is wrong.")
    return _by_itself(after, whose) if whose and not counter.secret else after


def _counted_once_more(
    state: State, fact: f.Add | f.Set | f.SecretNote, whose: SeatId
) -> CountedBy:
    own = state.counted.get(whose, {})
    before = own.get(fact.counter)
    number = 1 if before is None else before.number + 1
    by = fact.by if isinstance(fact, f.Add) else None
    return {**state.counted, whose: {**own, fact.counter: Counted(number, state.entry, by)}}


def _require_clock(state: State) -> None:
    """Raise `Refused` before the clock runs that the whole game is played against."""
    clock = state.says.clock
    timed = clock is not None and clock.of == clock.then == "game" and state.setup.rules_version > 2
    if timed and not state.running:
        raise Refused("OG-7", "the clock does not run yet", do=START_FIRST)


def _require_within(counter: Counter, value: int) -> None:
    if counter.least is not None and value < counter.least:
        raise Refused("OG-2", f"{counter.title} would be {value}", f"{counter.least} or more")
    if counter.most is not None and value > counter.most:
        raise Refused("OG-2", f"{counter.title} would be {value}", f"{counter.most} or less")
    if abs(value) > 10**9:
        raise Refused("OG-2", f"{counter.title} would be {value}", "a smaller number")


def _by_itself(state: State, seat: SeatId) -> State:
    """What an addition leads to: a bust, or the end of the turn."""
    rules = state.rules
    if rules.bust is not None and valued(state, rules.bust, "whether it is a bust", seat):
        return _taken_back(state)
    if state.says.asked == "always" and _is_over(state):
        return state
    if rules.turn_ends is not None and valued(
        state, rules.turn_ends, "whether the turn ends", seat
    ):
        return _turn_over(state)
    return state


def _taken_back(state: State) -> State:
    before, used = {}, {}
    for (
        whose,
        held,
    ) in state.counters.items():  # what players noted for themselves is no part of the turn
        noted = {name: held[name] for name in state.says.secrets if name in held}
        before[whose] = {**state.before.get(whose, {}), **noted}
        own = state.used.get(whose, frozenset()) & state.says.secrets.keys()
        used[whose] = state.used_before.get(whose, frozenset()) | own
    happened = f"bust: {state.name(state.turn)}'s turn is taken back"
    taken_back = replace(state, counters=before, used=used, counted=state.counted_before)
    return replace(_turn_over(taken_back), happened=happened)


def _turn_over(state: State) -> State:
    if state.says.turn is None or not state.turn:
        raise Refused("OG-4", "nobody has a turn in this game", "something that is counted")
    return _turn_passed(
        replace(state, turns={**state.turns, state.turn: state.turns.get(state.turn, 0) + 1})
    )


def _turn_passed(state: State) -> State:
    """The state in the next player's turn, and in the next round where everybody has had one."""
    state = _next_turn(state)
    kind = state.says.rounds.get(state.round_name)
    if (
        kind is not None
        and kind.ends == "turns"
        and all(state.turns.get(seat, 0) for seat in state.playing)
    ):
        return _round_closed(state)
    return state


def _next_turn(state: State) -> State:
    """The next player clockwise who is in the game."""
    return _turn_of(state, state.onward_from(state.turn)[0])


def _turn_of(state: State, seat: SeatId) -> State:
    counters, used = (
        _fresh(state, state.counters, ("turn",)),
        _still_used(state, state.used, ("turn",)),
    )
    number = state.number_of_turns + 1
    counted = _still_counted(state, ("turn",))
    state = replace(
        state,
        counters=counters,
        before=counters,
        used=used,
        used_before=used,
        counted=counted,
        counted_before=counted,
    )
    return replace(state, turn=seat, adds=0, number_of_turns=number)


def _round_over(state: State) -> State:
    kind = state.says.rounds.get(state.round_name)
    if kind is None:
        raise Refused("OG-6", "this game has no rounds", "something that is counted")
    if kind.ends == "turns":
        raise Refused(
            "OG-6", f"a {kind.title} ends when everybody has had a turn", "the end of a turn"
        )
    if kind.ends == "when":
        raise Refused("OG-6", f"a {kind.title} ends by itself", "something that is counted")
    _require_checks(state, ("round", "always"), "Mend what was counted, then end it.")
    return _round_closed(state)


def _require_checks(state: State, asked: tuple[str, ...], do: str) -> None:
    for clause, check in state.says.checks.items():
        if check.asked in asked and not valued(
            state, state.rules.checks[clause], f"check {clause}"
        ):
            raise Refused(clause, check.says.rstrip("."), do=do, hidden=bool(state.says.secrets))


def _round_closed(state: State) -> State:
    stood: dict[SeatId, dict[str, Value]] = {
        whose: dict(held) for whose, held in state.counters.items()
    }
    for seat in state.setup.seats:
        stood[seat.id] |= {
            name: valued(state, each, name, seat.id) for name, each in state.rules.values.items()
        }
    kept = {
        whose: {
            name: (*state.kept.get(whose, {}).get(name, ()), value) for name, value in held.items()
        }
        for whose, held in stood.items()
    }
    counters = _fresh(state, state.counters, ("turn", "round"))
    used = _still_used(state, state.used, ("turn", "round"))
    closed = ClosedRound(state.round_name, {}, state.counted, state.until)
    counted = _still_counted(state, ("turn", "round"))
    after = replace(state, closed=(*state.closed, closed), kept=kept, turns={}, adds=0)
    after = replace(
        after,
        counters=counters,
        before=counters,
        used=used,
        used_before=used,
        counted=counted,
        counted_before=counted,
    )
    if state.says.clock is not None and state.says.clock.of == "round":
        after = replace(after, running=False, since=None)
    scores = scores_of(replace(after, scores={}))
    after = replace(after, closed=(*state.closed, replace(closed, scores=scores)), scores={})
    after = _eliminated(after, ("round", "always"))
    return replace(after, scores=scores, over=state.over or not after.round_name or _is_over(after))


def _started(state: State, fact: f.ClockStarts) -> State:
    if state.says.clock is None:
        raise Refused("OG-7", "this game has no clock", "something that is counted")
    if state.running:
        raise Refused("OG-7", "the clock runs already", do="Play on.")
    return replace(state, running=True, since=fact.at)


def _time_up(state: State, fact: f.TimeUp) -> State:
    clock = state.says.clock
    if clock is None or not state.running:
        raise Refused("OG-7", "no clock runs", do=START_FIRST)
    on = clock.of == "turn" and clock.then == "turn"
    state = replace(state, running=on, since=fact.at if on else None)
    if clock.then == "game":
        return replace(state, over=True)
    return _turn_over(state) if clock.then == "turn" else _round_closed(state)


def _eliminated(state: State, asked: tuple[str, ...]) -> State:
    """The state without whoever is out now, where that is asked (OG-11); who is out on their turn passes it on."""
    says, out = state.says.out, state.rules.out
    if says is None or out is None or says.asked not in asked:
        return state
    gone = {seat for seat in state.playing if valued(state, out, "who is out", seat)}
    after = replace(state, out=state.out | gone)
    if after.turn not in gone:
        return after
    return _turn_passed(after) if after.playing else replace(after, turn=NOBODY)


def _round_by_itself(state: State) -> State:
    """The state with its round closed, where it ends by an expression that holds now (OG-6)."""
    ends = state.rules.rounds.get(state.round_name)
    if ends is None or state.over or not valued(state, ends, "whether the round ends"):
        return state
    _require_checks(state, ("round", "always"), "Look whose number is wrong.")
    return _round_closed(state)


def _settled(state: State) -> State:
    """The state with its scores, and over where that is asked now and holds."""
    state = _round_by_itself(_eliminated(replace(state, scores={}), ("always",)))
    fresh = replace(state, scores={})
    return replace(
        fresh,
        scores=scores_of(fresh),
        over=state.over or (_asked_always(fresh) and _is_over(fresh)),
    )


def _asked_always(state: State) -> bool:
    return state.says.asked == "always" or not state.says.rounds


def _is_over(state: State) -> bool:
    over = state.rules.over
    return over is not None and bool(valued(state, over, "whether the game is over"))


def result(state: State) -> GameResult:
    """Return who won, as far as the game has come, and the scores after each round."""
    scores = standings(state)
    rounds = [(str(number), one.scores) for number, one in enumerate(state.closed, start=1)]
    after = tuple(
        (name, {seat: held.get(seat, 0) for seat in scores})
        for name, held in rounds or [("game", state.scores)]
    )
    winners, tie_break = state.winners, state.tie_break
    if state.over and state.setup.rules_version < 4:
        winners, tie_break = _winners(state)
    kind = next(iter(state.says.rounds.values()), None)
    title, lowest = kind.title if kind else "round", state.says.wins == "lowest"
    after = after if after[-1][1] == scores else (*after, (BY_HAND, scores))
    return GameResult(winners, after, title, tie_break, lowest_wins=lowest)


def _winners(state: State) -> tuple[tuple[SeatId, ...], str]:
    scores = standings(state)
    if state.says.wins == "together":
        won = state.rules.won
        if won is not None and valued(state, won, "who won"):
            return tuple(seat.id for seat in state.common.playing), "All of you won together."
        return (), "All of you lost together."
    sign = 1 if state.says.wins == "highest" else -1
    # Where nobody is left in the game, all who stayed at the table are compared.
    rivals = state.playing or tuple(seat.id for seat in state.common.playing)
    best = leading({seat: sign * scores[seat] for seat in rivals})
    for number, tie in enumerate(state.rules.ties, start=1):
        if len(best) < 2:
            break
        kept = leading({seat: valued(state, tie, "who is ahead", seat) for seat in best})
        if len(kept) < len(best):
            return kept, f"Equal scores were settled by {state.says.ties[number - 1]}."
    return best, ""
