"""The fold of a game of one's own: each fact gives the next state, or a refusal with its clause; and who won."""

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
"""The version of the rules that play these files; under one version a file's results never change."""
OLDER_VERSIONS = (1, 2, 3)
"""Versions whose sessions go on as they began. In version 1, `over`, `won` and `ties` ignored scores set by hand; no
such score and nobody's leaving ended the game, and nobody who left on their turn ended a round. Up to version 2,
things were counted before the clock of a game ran. Up to version 3, steps were bounded for each expression, not for
all of a fact."""
MOST_DEPTH = 250
"""How deep expressions may be nested, through the values that they name; Python's recursion limit is a little above."""
MOST_STEPS_OF_FACT = 10_000
"""Steps that all expressions of one fact may take together; they end within 20 ms."""
START_FIRST = "Start the clock first."


def house_rules_of(says: Definition) -> tuple[HouseRule, ...]:
    """Return the options of a file as house rules, the default of each first."""
    rules = []
    for name, option in says.options.items():
        other = "no" if option.default == "yes" else "yes"
        rules.append(HouseRule(name, "OPTION", (option.default, other), means=option.title))
    return tuple(rules)


def start(setup: Setup) -> State:
    """Return the state before the first fact; raise `Refused`."""
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
    if says.turn is not None:
        state = _turn_of(state, setup.seats[0].id)
    return replace(state, scores=scores_of(state), work=None)


def apply(state: State, fact: Fact, entry: int) -> State:
    """Return the state after a fact; raise `Refused`."""
    numbered = replace(state, until=state.entry, entry=entry)
    return applied(numbered, fact, _work_of(state.setup))


def _work_of(setup: Setup) -> Work | None:
    """Return the steps that one fact may take, or None in versions without such a bound."""
    if setup.rules_version > 3:
        return Work(MOST_STEPS_OF_FACT)
    return None


def applied(state: State, fact: Fact, work: Work | None) -> State:
    """Return the state after a fact, which may take the steps of `work`; raise `Refused`."""
    after = _apply_fact(replace(state, happened="", work=work), fact)
    clock = after.says.clock
    turn_passed = after.number_of_turns != state.number_of_turns
    if clock is not None and clock.of == "turn" and after.running and turn_passed:
        after = replace(after, since=fact.at)  # each turn has the whole time
    if after.over and after.setup.rules_version > 3:
        # within the steps of this fact; older versions work it out when they are asked
        winners, tie_break = _winners(after)
        after = replace(after, winners=winners, tie_break=tie_break)
    return replace(after, work=None)


def _apply_fact(state: State, fact: Fact) -> State:
    match fact:
        case f.Add() | f.Set() | f.SecretNote():
            return _settled(_count(_require_playing(state, fact), fact))
        case f.TurnEnds():
            return _settled(_end_turn(_require_playing(state, fact)))
        case f.Bust():
            return _settled(_take_back(_require_playing(state, fact)))
        case f.RoundEnds():
            return _settled(_end_round(_require_playing(state, fact)))
        case f.ClockStarts():
            return _start_clock(_require_playing(state, fact), fact)
        case f.TimeUp():
            return _settled(_time_up(_require_playing(state, fact), fact))
        case SeatJoins():
            common.require_room(state.common, fact, state.says.counts)
            _require_fixed_teams(state, fact)
    return _apply_common(state, fact)


def _apply_common(state: State, fact: Fact) -> State:
    version_1 = state.setup.rules_version == 1
    after = replace(state, common=common.apply_common(state.common, fact, standings(state)))
    if isinstance(fact, SeatLeaves) and state.turn == fact.seat:
        if not after.playing:
            after = replace(after, turn=NOBODY)
        elif version_1:
            after = _next_turn(after)
        else:
            after = _pass_turn(after)
    # a newcomer gets counters, too
    after = replace(after, counters=_fresh(after, after.counters, ()))
    after = replace(after, scores=scores_of(replace(after, scores={})))
    if version_1 or after.over or not isinstance(fact, ScoreSet | SeatLeaves):
        return after
    if _asked_always(after) or (isinstance(fact, ScoreSet) and _corrects_round(after)):
        return replace(after, over=_is_over(after))
    return after


def _corrects_round(state: State) -> bool:
    """Return whether a score set now belongs to the closed round: nothing of the next was counted (OG-9)."""
    return bool(state.closed) and not state.adds and not any(state.turns.values())


def reveals(state: State, fact: Fact) -> str | None:
    """Return what a fact reveals: the secret numbers, if it ends the round or the game (OG-3)."""
    if not state.says.secrets:
        return None
    try:
        after = apply(state, fact, 1)
    except Refused:
        return None
    revealed = len(after.closed) > len(state.closed) or after.over
    return "the secret numbers of this round, to everybody" if revealed else None


def standings(state: State) -> dict[SeatId, int]:
    """Return the score of each seat, with what the table set by hand."""
    scores = {}
    for seat in state.setup.seats:
        scores[seat.id] = state.scores.get(seat.id, 0) + state.common.added(seat.id)
    return scores


def _require_playing(state: State, fact: Fact) -> State:
    common.require_running(state.common, fact.at)
    if state.over:
        raise after_the_end("OG-9")
    return state


def _fresh(state: State, counters: Counters, lasts: tuple[str, ...]) -> Counters:
    """Return counters for everybody, those that last as long as one of `lasts` at their start."""
    fresh: dict[SeatId, dict[str, int]] = {}
    for owner in (NOBODY, *(seat.id for seat in state.setup.seats)):
        owner_kind, held = "seat" if owner else "table", counters.get(owner, {})
        fresh[owner] = {}
        for name, counter in state.says.counters.items():
            if counter.of == owner_kind:
                value = held.get(name, counter.start)
                fresh[owner][name] = counter.start if counter.lasts in lasts else value
    return fresh


def _still_used(
    state: State, used: Mapping[SeatId, frozenset[str]], lasts: tuple[str, ...]
) -> dict[SeatId, frozenset[str]]:
    """Return which counters are used, without those that last as long as one of `lasts`."""
    lasting = frozenset(
        name for name, counter in state.says.counters.items() if counter.lasts not in lasts
    )
    return {owner: names & lasting for owner, names in used.items()}


def _still_counted(state: State, lasts: tuple[str, ...]) -> CountedBy:
    """Return how the counters got their values, without those that last as long as one of `lasts`."""
    still: dict[SeatId, dict[str, Counted]] = {}
    for owner, own in state.counted.items():
        still[owner] = {}
        for name, counted in own.items():
            if state.says.counters[name].lasts not in lasts:
                still[owner][name] = counted
    return still


def _require_even_teams(state: State) -> None:
    """Raise `Refused` for players who do not make teams of one size (OG-13)."""
    teams, seats = state.says.teams, len(state.setup.seats)
    if teams is not None and seats % teams:
        most = max(count for count in state.says.counts if count % teams == 0)
        why = f"{seats} players make no {teams} teams of one size"
        raise Refused("SEATS", why, do=f"Seat {most} players.")


def _require_fixed_teams(state: State, fact: SeatJoins) -> None:
    """Raise `Refused` for a new player at a table of teams (OG-13)."""
    if state.says.teams is not None and common.back_to(state.common, fact.name) is None:
        do = "Join as a player who left, or rename that seat."
        raise Refused("OG-13", "the teams stay as they began", do=do)


def _require_in(state: State, seat: SeatId) -> None:
    """Raise `Refused` for a seat that has left, or is out (OG-11)."""
    common.require_playing(state.common, seat)
    if seat in state.out:
        raise Refused("OG-11", f"{state.name(seat)} is out", do="Name a player who is still in.")


def _count(state: State, fact: f.Add | f.Set | f.SecretNote) -> State:
    counter = state.says.counters.get(fact.counter)
    if counter is None:
        known = ", ".join(state.says.counters)
        reason = f"nothing is called {fact.counter!r} in this game"
        if not known:
            raise Refused("OG-2", reason, do="This game counts nothing.")
        raise Refused("OG-2", reason, f"one of {known}")
    owner = fact.seat or NOBODY
    _require_countable(state, fact, counter, owner)
    used = state.used.get(owner, frozenset())
    if counter.once and fact.counter in used:
        name = state.name(owner) if owner else "the table"
        why = f"{name} has used {counter.title} already"
        raise Refused("OG-12", why, do="Choose one that is free.")
    held = state.counters[owner].get(fact.counter, counter.start)
    value = held + fact.by if isinstance(fact, f.Add) else fact.value
    _require_within(counter, value)
    after = replace(
        state,
        counters={**state.counters, owner: {**state.counters[owner], fact.counter: value}},
        used={**state.used, owner: used | {fact.counter}},
        counted=_counted_once_more(state, fact, owner),
        adds=state.adds + (not counter.secret),
        scores={},  # `_settled` works them out again
    )
    if counter.secret:
        # whatever is refused because of a secret would tell of it, so nothing is asked
        return after
    _require_checks(after, ("always",), "Look whose number is wrong.")
    return _by_itself(after, owner) if owner else after


def _require_countable(
    state: State, fact: f.Add | f.Set | f.SecretNote, counter: Counter, owner: SeatId
) -> None:
    """Raise `Refused` if the counter is not that owner's, or nothing of it can be counted now."""
    if counter.of == "table" and owner:
        raise Refused("OG-2", f"{counter.title} is kept for the table", "no player")
    if counter.of == "seat" and not owner:
        raise Refused("OG-2", f"{counter.title} is kept for each player", "a player")
    if owner:
        _require_in(state, owner)
    if not counter.secret:
        _require_clock(state)
    if counter.secret and not isinstance(fact, f.SecretNote):
        raise Refused("OG-3", f"{counter.title} is secret", "a secret number (note)")
    if not counter.secret and isinstance(fact, f.SecretNote):
        raise Refused("OG-3", f"{counter.title} is open", "something counted (add)")
    if owner not in (NOBODY, state.turn) and state.says.turn is not None and not counter.secret:
        name = state.name(state.turn)
        do = f"Enter it for {name}, or end the turn first."
        raise Refused("OG-4", f"it is {name}'s turn", do=do)


def _counted_once_more(
    state: State, fact: f.Add | f.Set | f.SecretNote, owner: SeatId
) -> CountedBy:
    own = state.counted.get(owner, {})
    before = own.get(fact.counter)
    number = 1 if before is None else before.number + 1
    by = fact.by if isinstance(fact, f.Add) else None
    return {**state.counted, owner: {**own, fact.counter: Counted(number, state.entry, by)}}


def _require_clock(state: State) -> None:
    """Raise `Refused` before the clock runs, if the whole game is played against it (OG-7)."""
    clock = state.says.clock
    if clock is None or state.running or state.setup.rules_version <= 2:
        return
    if clock.of == "game" and clock.then == "game":
        raise Refused("OG-7", "the clock does not run yet", do=START_FIRST)


def _require_within(counter: Counter, value: int) -> None:
    if counter.least is not None and value < counter.least:
        raise Refused("OG-2", f"{counter.title} would be {value}", f"{counter.least} or more")
    if counter.most is not None and value > counter.most:
        raise Refused("OG-2", f"{counter.title} would be {value}", f"{counter.most} or less")
    if abs(value) > 10**9:
        raise Refused("OG-2", f"{counter.title} would be {value}", "a smaller number")


def _by_itself(state: State, seat: SeatId) -> State:
    """Apply what an addition leads to: a bust, or the end of the turn."""
    rules = state.rules
    if rules.bust is not None and valued(state, rules.bust, "whether it is a bust", seat):
        return _take_back(state)
    # the game ends in this turn, without passing it on
    if state.says.asked == "always" and _is_over(state):
        return state
    ends = rules.turn_ends
    if ends is not None and valued(state, ends, "whether the turn ends", seat):
        return _end_turn(state)
    return state


def _take_back(state: State) -> State:
    before, used = {}, {}
    secrets = state.says.secrets.keys()
    for owner, held in state.counters.items():
        # what players noted for themselves is no part of the turn
        noted = {name: held[name] for name in secrets if name in held}
        before[owner] = {**state.before.get(owner, {}), **noted}
        used_secrets = state.used.get(owner, frozenset()) & secrets
        used[owner] = state.used_before.get(owner, frozenset()) | used_secrets
    happened = f"bust: {state.name(state.turn)}'s turn is taken back"
    taken_back = replace(state, counters=before, used=used, counted=state.counted_before)
    return replace(_end_turn(taken_back), happened=happened)


def _end_turn(state: State) -> State:
    if state.says.turn is None or not state.turn:
        raise Refused("OG-4", "nobody has a turn in this game", "something that is counted")
    turns = {**state.turns, state.turn: state.turns.get(state.turn, 0) + 1}
    return _pass_turn(replace(state, turns=turns))


def _pass_turn(state: State) -> State:
    """Pass the turn on, and end the round if everybody has had one."""
    state = _next_turn(state)
    kind = state.says.rounds.get(state.round_name)
    if kind is None or kind.ends != "turns":
        return state
    if all(state.turns.get(seat, 0) for seat in state.playing):
        return _round_closed(state)
    return state


def _next_turn(state: State) -> State:
    """Give the turn to the next player clockwise who is in the game."""
    return _turn_of(state, state.onward_from(state.turn)[0])


def _turn_of(state: State, seat: SeatId) -> State:
    counters = _fresh(state, state.counters, ("turn",))
    used = _still_used(state, state.used, ("turn",))
    counted = _still_counted(state, ("turn",))
    return replace(
        state,
        counters=counters,
        before=counters,
        used=used,
        used_before=used,
        counted=counted,
        counted_before=counted,
        turn=seat,
        adds=0,
        number_of_turns=state.number_of_turns + 1,
    )


def _end_round(state: State) -> State:
    kind = state.says.rounds.get(state.round_name)
    if kind is None:
        raise Refused("OG-6", "this game has no rounds", "something that is counted")
    if kind.ends == "turns":
        why = f"a {kind.title} ends when everybody has had a turn"
        raise Refused("OG-6", why, "the end of a turn")
    if kind.ends == "when":
        raise Refused("OG-6", f"a {kind.title} ends by itself", "something that is counted")
    _require_checks(state, ("round", "always"), "Mend what was counted, then end it.")
    return _round_closed(state)


def _require_checks(state: State, asked: tuple[str, ...], do: str) -> None:
    for clause, check in state.says.checks.items():
        if check.asked not in asked:
            continue
        if not valued(state, state.rules.checks[clause], f"check {clause}"):
            # a check of secrets that fails tells about them
            hidden = bool(state.says.secrets)
            raise Refused(clause, check.says.rstrip("."), do=do, hidden=hidden)


def _round_closed(state: State) -> State:
    kept = {}
    for owner, counters in state.counters.items():
        values: dict[str, Value] = dict(counters)
        if owner != NOBODY:
            for name, expression in state.rules.values.items():
                values[name] = valued(state, expression, name, owner)
        earlier = state.kept.get(owner, {})
        kept[owner] = {name: (*earlier.get(name, ()), value) for name, value in values.items()}
    fresh = _fresh(state, state.counters, ("turn", "round"))
    used = _still_used(state, state.used, ("turn", "round"))
    closed = ClosedRound(state.round_name, {}, state.counted, state.until)
    counted = _still_counted(state, ("turn", "round"))
    after = replace(state, closed=(*state.closed, closed), kept=kept, turns={}, adds=0)
    after = replace(
        after,
        counters=fresh,
        before=fresh,
        used=used,
        used_before=used,
        counted=counted,
        counted_before=counted,
    )
    if state.says.clock is not None and state.says.clock.of == "round":
        after = replace(after, running=False, since=None)
    # the scores may ask for the round that has just been closed
    scores = scores_of(replace(after, scores={}))
    after = replace(after, closed=(*state.closed, replace(closed, scores=scores)), scores={})
    after = _eliminated(after, ("round", "always"))
    return replace(after, scores=scores, over=state.over or not after.round_name or _is_over(after))


def _start_clock(state: State, fact: f.ClockStarts) -> State:
    if state.says.clock is None:
        raise Refused("OG-7", "this game has no clock", "something that is counted")
    if state.running:
        raise Refused("OG-7", "the clock runs already", do="Play on.")
    return replace(state, running=True, since=fact.at)


def _time_up(state: State, fact: f.TimeUp) -> State:
    clock = state.says.clock
    if clock is None or not state.running:
        raise Refused("OG-7", "no clock runs", do=START_FIRST)
    # a clock of turns that ends turns goes on with the next one
    goes_on = clock.of == "turn" and clock.then == "turn"
    state = replace(state, running=goes_on, since=fact.at if goes_on else None)
    if clock.then == "game":
        return replace(state, over=True)
    if clock.then == "turn":
        return _end_turn(state)
    return _round_closed(state)


def _eliminated(state: State, asked: tuple[str, ...]) -> State:
    """Put players out for whom that holds now, if it is asked now; who is out on their turn passes it on (OG-11)."""
    says, out = state.says.out, state.rules.out
    if says is None or out is None or says.asked not in asked:
        return state
    gone = {seat for seat in state.playing if valued(state, out, "who is out", seat)}
    after = replace(state, out=state.out | gone)
    if after.turn not in gone:
        return after
    if not after.playing:
        return replace(after, turn=NOBODY)
    return _pass_turn(after)


def _round_by_itself(state: State) -> State:
    """Close the round if it ends by an expression that holds now (OG-6)."""
    ends = state.rules.rounds.get(state.round_name)
    if ends is None or state.over or not valued(state, ends, "whether the round ends"):
        return state
    _require_checks(state, ("round", "always"), "Look whose number is wrong.")
    return _round_closed(state)


def _settled(state: State) -> State:
    """Return the state with its scores, and over if that is asked now and holds."""
    # without scores an expression that names the score works it out from the counters
    state = _eliminated(replace(state, scores={}), ("always",))
    state = replace(_round_by_itself(state), scores={})
    scores = scores_of(state)
    over = state.over or (_asked_always(state) and _is_over(state))
    return replace(state, scores=scores, over=over)


def _asked_always(state: State) -> bool:
    return state.says.asked == "always" or not state.says.rounds


def _is_over(state: State) -> bool:
    over = state.rules.over
    return over is not None and bool(valued(state, over, "whether the game is over"))


def result(state: State) -> GameResult:
    """Return who won so far, and the scores after each round."""
    scores = standings(state)
    rounds = [(str(number), closed.scores) for number, closed in enumerate(state.closed, start=1)]
    if not rounds:
        rounds = [("game", state.scores)]
    by_round = []
    for name, held in rounds:
        by_round.append((name, {seat: held.get(seat, 0) for seat in scores}))
    if by_round[-1][1] != scores:
        by_round.append((BY_HAND, scores))
    winners, tie_break = state.winners, state.tie_break
    if state.over and state.setup.rules_version < 4:
        winners, tie_break = _winners(state)
    kinds = list(state.says.rounds.values())
    title = kinds[0].title if kinds else "round"
    lowest = state.says.wins == "lowest"
    return GameResult(winners, tuple(by_round), title, tie_break, lowest_wins=lowest)


def _winners(state: State) -> tuple[tuple[SeatId, ...], str]:
    """Return the winners, and how a tie was settled (OG-9)."""
    scores = standings(state)
    at_table = tuple(seat.id for seat in state.common.playing)
    if state.says.wins == "together":
        won = state.rules.won
        if won is not None and valued(state, won, "who won"):
            return at_table, "All of you won together."
        return (), "All of you lost together."
    sign = 1 if state.says.wins == "highest" else -1
    # if nobody is left in the game, all who stayed at the table are compared
    rivals = state.playing or at_table
    best = leading({seat: sign * scores[seat] for seat in rivals})
    for tie, formula in zip(state.rules.ties, state.says.ties, strict=True):
        if len(best) < 2:
            break
        ahead = leading({seat: valued(state, tie, "who is ahead", seat) for seat in best})
        if len(ahead) < len(best):
            return ahead, f"Equal scores were settled by {formula}."
    return best, ""
