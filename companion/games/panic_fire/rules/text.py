"""Sentences of Panic Fire: for each fact, each shot, and what the game waits for."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.panic_fire.rules import facts as f, standings
from companion.games.panic_fire.rules.fold import nameable
from companion.games.panic_fire.rules.keys import key_of, keys_of
from companion.games.panic_fire.rules.model import (
    BULLETS,
    DEALT,
    NEW_SET,
    PLAY_DECK,
    ROUNDS,
    Pull,
    Round,
    ShotVerdict,
    Stalemate,
    State,
)
from companion.games.panic_fire.rules.people import SEAT_COUNTS
from companion.rules.actions import FIRST_PRESS, PRESS, with_board
from companion.rules.clauses import spoken
from companion.rules.columns import plural
from companion.rules.common import Pause, describe_common
from companion.rules.facts import Fact
from companion.rules.pauses import PAUSED
from companion.rules.seats import HAS_TO_JOIN
from companion.rules.spans import NOT_MEASURED

_MATCH = {
    "shooter": "the shooter held the match",
    "target": "the target held the match",
    "both": "both held a match",
    "unknown": "who held the match is unknown",
}
ORDER = {
    "as_stamped": "the two shots count as measured",
    "swapped": "the later of the two shots counts first",
    "both": "both shots count",
}


def verdict_sentence(state: State, pull: Pull, verdict: ShotVerdict) -> str:
    """Return what a shot did, with its clause."""
    contradicted = contradiction(state, pull, verdict)
    if verdict.result == "open":
        return f"{_unnamed(state, pull, verdict)} ({verdict.clause}){contradicted}"
    shooter = state.name(pull.shooter) if pull.shooter else "?"
    target = state.name(pull.target) if pull.target else "?"
    head = f"{shooter} fired by accident" if pull.accident else f"{shooter} shot {target}"
    ending = _verdict_ending(state, pull, verdict, shooter, target)
    return f"{head}: {ending} ({verdict.clause}){contradicted}"


def _unnamed(state: State, pull: Pull, verdict: ShotVerdict) -> str:
    """Return which names of a shot are missing."""
    missing = ["shooter"] if pull.shooter is None else []
    if pull.target is None and not pull.accident:
        missing.append("target")
    shot = "one shot"
    if pull.target is not None:
        shot = f"one shot at {state.name(pull.target)}"
    if len(verdict.before) < 2:
        return f"{shot} needs no {' or '.join(missing)}: the round was over"
    if pull in standings.open_pulls(state):
        return f"{shot} needs its {' and '.join(missing)}"
    return f"{shot} has no {' or '.join(missing)}"


def _verdict_ending(
    state: State, pull: Pull, verdict: ShotVerdict, shooter: str, target: str
) -> str:
    saved = shooter if pull.illegal or pull.accident else target
    match verdict.result:
        case "eliminated":
            return f"{target} is out"
        case "backfired":
            return f"illegal, {shooter} is out" if pull.illegal else f"{shooter} is out"
        case "blocked":
            return f"{saved}'s Shield in play is spent and {saved} stays"
        case "saved":
            discarded = f"{saved} discarded a Shield from hand and stays"
            if state.options["shield_discard_draws"] == "yes":
                return f"{discarded}, drawing one card without a tap"
            return discarded
    if verdict.clause == "PF-17":
        return "the round was over"
    return "no effect, one of the two was out already"


def contradiction(state: State, pull: Pull, verdict: ShotVerdict) -> str:
    """Return what contradicts the verdict among the things said about a shot, as a clause to append; empty if nothing
    does."""
    claims = []
    if pull.illegal and pull.basis != "unknown":
        claims.append(
            f"{_holders(state, pull)} said to have held a match, which makes a shot legal (PF-10)"
        )
    if pull.shield_hand is not None and verdict.result not in ("open", "saved"):
        claims.append(
            f"{state.name(pull.shield_hand)} is said to have discarded a Shield from hand (PF-12)"
        )
    return f"; but {' and '.join(claims)}" if claims else ""


def _holders(state: State, pull: Pull) -> str:
    """Return who is said to have held a match, with its verb: `Ada is`, `the target is`, `both are`."""
    if pull.basis == "both":
        return "both are"
    seat = pull.shooter if pull.basis == "shooter" else pull.target
    name = state.name(seat) if seat else f"the {pull.basis}"
    return f"{name} is"


def round_name(played: Round) -> str:
    """Return `round 2 of 6` or `sudden death`."""
    return "sudden death" if played.sudden_death else f"round {played.number} of {ROUNDS}"


def describe(before: State, after: State, fact: Fact) -> str:
    """Return the public sentence of a fact and its consequences."""
    return "; ".join((_sentence(before, after, fact), *_consequences(before, after)))


def _consequences(before: State, after: State) -> Iterator[str]:
    """Yield how a fact ended the current round or reopened it, and who became champion."""
    same_round = before.current is not None and len(before.past) == len(after.past)
    then = _ending(before) if same_round else ""
    now = _ending(after)
    if now != then:
        yield _given_back(before, after) or now
    victory = _victory(after)
    if victory and standings.champion(after) != standings.champion(before):
        yield victory


def _given_back(before: State, after: State) -> str:
    """Return what happens to the Bullet card of a round that no longer has the same winner; empty if nothing does."""
    loser = standings.current_outcome(before).winner
    winner = standings.current_outcome(after).winner
    if loser is None or after.current is None or loser == winner:
        return ""
    ending = _ending(after)
    if after.current.sudden_death:
        return "" if ending else "sudden death goes on (PF-18)"
    if winner is not None:
        return f"{after.name(winner)} takes the Bullet card from {after.name(loser)} (PF-17)"
    next_step = ending or "the round goes on (PF-17)"
    return f"{after.name(loser)} puts the Bullet card back, {next_step}"


def _sentence(before: State, after: State, fact: Fact) -> str:
    match fact:
        case f.Fire():
            return f"fire! {round_name(after.current)} starts" if after.current else "fire!"
        case f.Draw(seat=seat):
            return f"{after.name(seat)} draws"
        case f.Shot(target=target, shooter=shooter) if target or shooter:
            return _last_word(before, after, _gun(fact))
        case f.Shot() | f.DryPull() | f.Knock():
            return _gun(fact)
        case f.Promote(entry=entry):
            return f"{_silent(before, entry)} was a shot after all (PF-R3)"
        case f.Target(seat=seat):
            return _last_word(before, after, f"{after.name(seat)} was shot at")
        case f.Shooter(seat=seat):
            return _last_word(before, after, f"{after.name(seat)} shot")
        case f.ShieldHand():
            said = _last_word(before, after, "a Shield from hand was discarded (PF-12)")
            return f"{said}{_no_set_after_all(before, after, fact.shot)}"
        case Pause():  # rulings count all the same (PF-T5)
            return "paused: the clock is stopped, draws and shots do not count"
    return _ruling(before, after, fact)


def _gun(fact: f.Shot | f.DryPull | f.Knock) -> str:
    if isinstance(fact, f.Shot):
        if fact.lag_us is None:
            return "the gun fired"
        return f"the gun fired, hit {fact.lag_us / 1000:+.1f} ms after the trigger"
    kind = "knock" if isinstance(fact, f.Knock) else "dry pull"
    return f"{kind}: {fact.reason}" if fact.reason else kind


def _silent(before: State, entry: int) -> str:
    """Return how the pull recorded as `entry` was classified until now."""
    happenings = before.current.happenings if before.current is not None else ()
    knocks = [item.entry for item in happenings if isinstance(item, Pull) and item.cause == "knock"]
    return "the knock" if entry in knocks else "the dry pull"


def _ruling(before: State, after: State, fact: Fact) -> str:
    match fact:
        case f.Illegal():
            text = f"{_illegal(before, fact.shot)} (PF-11){_against(after, fact.shot)}"
            return _last_word(before, after, text)
        case f.Legal():
            shot = "open shot" if _is_open(before, fact.shot) else "last shot"
            return _last_word(before, after, f"the {shot} is legal (PF-10)")
        case f.Match(basis=basis):
            return f"{_MATCH[basis]}{_new_set(after, fact.shot)}{_against(after, fact.shot)}"
        case f.ShieldInPlay(seat=seat, present=present, reason=reason):
            article = "a" if present else "no"
            text = f"{after.name(seat)} has {article} Shield in play"
            return f"{text}, {reason} (PF-R6)" if reason else f"{text} (PF-6)"
        case f.StalemateDraw(seats=seats):
            names = ", ".join(after.name(seat) for seat in seats) or "everyone still in"
            draw = "draw" if len(seats) > 1 else "draws"
            return f"stalemate: {names} {draw} one card; play a Shield if you have one (PF-16)"
        case f.Reshuffle(cards=cards, reason=reason):
            counted_as = f" of {cards} cards" if cards is not None else ", not counted"
            return f"there is a new pile{counted_as}{_because(reason)} (PF-R1)"
        case f.TieBreak(order=order):
            return _last_word(before, after, f"the table rules: {ORDER[order]} (PF-R2)")
        case f.Override(seat=seat, status=status, reason=reason):
            name = after.name(seat)
            done = f"eliminates {name}" if status == "out" else f"takes {name} back in"
            return f"the table {done}{_because(reason)} (PF-13)"
        case f.RoundEnd(reason=reason):
            return f"the table ends the round{_because(reason)}"
    return describe_common(before.common, fact)


def _because(reason: str) -> str:
    return f", {reason}" if reason else ""


def _is_open(state: State, shot: int | None) -> bool:
    """Return whether the shot that a ruling is on waits for names."""
    waiting = standings.open_pulls(state)
    named = standings.shot_numbered(state, shot)
    return bool(waiting) if named is None else named in waiting


def _illegal(state: State, shot: int | None) -> str:
    if _is_open(state, shot):
        return "illegal shot; its shooter will be out once named"
    return "the last shot is illegal; its shooter is out"


def _current_verdict(state: State, number: int | None = None) -> tuple[Pull, ShotVerdict] | None:
    """Return the shot that `illegal` and `match` refer to, if they name none by its number, with its verdict, or
    None."""
    pull = standings.shot_numbered(state, number) or standings.current_shot(state)
    if state.current is not None:
        for shot, verdict in state.current.reading.verdicts:
            if shot is pull:
                return shot, verdict
    return None


def _against(after: State, shot: int | None) -> str:
    spoken_of = _current_verdict(after, shot)
    return contradiction(after, *spoken_of) if spoken_of is not None else ""


def _new_set(after: State, shot: int | None) -> str:
    """Return what the match means for the cards on the table (PF-14, PF-R7)."""
    pull, verdict = _current_verdict(after, shot) or (None, None)
    if pull is None or verdict is None or verdict.result == "open":
        return " (PF-14)"
    eliminated = verdict.result == "eliminated"
    least, most = verdict.new_set
    if least >= NEW_SET:
        seat, clause = (pull.shooter, "PF-14") if eliminated else (pull.target, "PF-R7")
        return f": {after.name(seat or '')} lays four new cards; do not enter them ({clause})"
    if most >= NEW_SET:
        return ": cards left is a range (PF-14)"
    if eliminated and pull.basis in ("shooter", "both"):
        return ": no new set, for the shot ended the round (PF-14, inferred)"
    return ": no new set (PF-14)"


def _no_set_after_all(before: State, after: State, shot: int | None) -> str:
    """Return that the four new cards which an earlier line spoke of are not laid; empty if it spoke of none."""
    (pull, was), (_, now) = (
        _current_verdict(before, shot) or (None, None),
        _current_verdict(after, shot) or (None, None),
    )
    if pull is None or was is None or now is None or was.new_set[0] < NEW_SET or now.new_set[1]:
        return ""
    return f"; {after.name(pull.shooter or '')} lays no new cards (PF-14)"


def _last_word(before: State, after: State, otherwise: str) -> str:
    """Return the first verdict that the fact changed, or `otherwise`."""
    if before.current is None or after.current is None:
        return otherwise
    old = {pull.entry: verdict.result for pull, verdict in before.current.reading.verdicts}
    # Naming one shot can change the verdict of a later one; the first change is what the players asked about.
    for pull, verdict in after.current.reading.verdicts:
        if old.get(pull.entry) != verdict.result and verdict.result != "open":
            return verdict_sentence(after, pull, verdict)
    return otherwise


def _ending(state: State) -> str:
    """Return how the current round ended and whether it made its survivor champion; empty if it is not over."""
    if state.current is None:
        return ""
    sudden_death, now = state.current.sudden_death, standings.current_outcome(state)
    if now.winner is not None:
        first = " and is champion" if standings.champion(state) == now.winner else ""
        if sudden_death:
            return f"{state.name(now.winner)} survives{first} (PF-18)"
        return f"{state.name(now.winner)} takes a Bullet card{first} (PF-17)"
    if now.status == "table":
        return "nobody survived, the table decides (PF-R5)"
    if now.status != "replay":
        return ""
    nobody = "nobody survived"
    if state.current.end is not None:
        nobody = "nobody wins the sudden death" if sudden_death else "nobody takes the Bullet card"
    return f"{nobody}, the round is played again (PF-R5)"


def _victory(state: State) -> str:
    """Return who is champion; empty if the current round's ending already says so."""
    first = standings.champion(state)
    if first is None or first == standings.current_outcome(state).winner:
        return ""
    return f"{state.name(first)} is champion (PF-17)"


_FIRE = f'On "fire!" {with_board("hold a zone or ")}{PRESS} {key_of("fire")}.'


def awaiting(state: State) -> str:
    """Return what the game waits for, and the key or tap that answers it."""
    if standings.champion(state) is not None:
        return f"{_ended(state)} The game is over."
    if state.common.paused:  # a shot may be named meanwhile
        if state.current is None or not standings.open_pulls(state):
            return PAUSED
        return f"Paused. {_awaiting_open(state, state.current)}"
    if state.current is None:
        return _coming(state)
    now = standings.current_outcome(state)
    if now.status == "table":
        keys = keys_of("name", state, frozenset(state.current.players))
        hold = with_board("Hold a zone or press", FIRST_PRESS)
        return f"Who takes the Bullet card? {hold} {keys}. Nobody: {key_of('nobody')}."
    if now.status == "open":
        return _awaiting_open(state, state.current)
    return " ".join(filter(None, (_coming(state), _late(state), _ended(state), _tie(state))))


def _late(state: State) -> str:
    """Return that the shots without names need none any more; empty if there are none."""
    late = standings.late_pulls(state)
    if not late:
        return ""
    needs = "needs" if len(late) == 1 else "need"
    return f"{plural(len(late), 'later shot')} {needs} no names."


def _ended(state: State) -> str:
    """Return how the round ended, and who is champion, as full sentences."""
    ending = spoken(_ending(state), named=standings.current_outcome(state).winner is not None)
    return " ".join(filter(None, (ending, spoken(_victory(state), named=True))))


def _coming(state: State) -> str:
    """Return what begins the next round: new cards from the second round on, then *fire!*."""
    if len(state.playing) < SEAT_COUNTS.start:
        return f"{HAS_TO_JOIN} Fewer than two players are in."
    begins = f"{_new_cards(state)}{_FIRE}"
    if not standings.next_is_sudden_death(state):
        return f"{begins} Round {standings.taken(state) + 1} of {ROUNDS}."
    players = standings.next_players(state)
    are_tied = set(players) == set(standings.leaders(state))
    play = "are tied and play" if are_tied else "play"
    playing = f": {state.names(players)} {play}" if len(players) > 1 else ""
    return f"{begins} Sudden death{playing}."


def _new_cards(state: State) -> str:
    """Return the request to deal again with a trailing space; empty before round 1, whose checklist has it."""
    if state.current is None:
        return ""
    dealer = state.name(standings.next_dealer(state))
    if state.options["next_round_deck"] == "reshuffle_all":
        return f"{dealer} shuffles and deals {DEALT} each. "
    return f"{dealer} deals {DEALT} new cards each. "


def _awaiting_open(state: State, current: Round) -> str:
    waiting = standings.open_pulls(state)
    if not waiting:
        return _awaiting_play(state, current)
    pull = waiting[0]
    more = f" Then name {plural(len(waiting) - 1, 'more shot')}." if len(waiting) > 1 else ""
    keys = keys_of("name", state, nameable(state, pull) - {pull.target, pull.shooter})
    hold = with_board("Hold a zone or press", FIRST_PRESS)
    answer = f"{hold} {keys}.{more}"
    if pull.accident:
        return f"Who fired by accident? {answer}"
    if pull.target is None:
        off = standings.may_be_taken_off(state, pull)
        nobody = f" Nobody: {key_of('miss')}." if off else ""
        return f"Who was hit? {hold} {keys}.{nobody}{more}"
    return f"{state.name(pull.target)} was hit. Who shot? {answer}"


def _awaiting_play(state: State, current: Round) -> str:
    """Return the prompt while no shot waits for names: settle a tie or a stalemate, else draw or shoot."""
    if tie := _tie(state):
        return f"{tie} {FIRST_PRESS} {key_of('order')} if right, more often to change it."
    draws, shot = keys_of("draw", state, current.reading.alive), key_of("shot")
    by_key = f"To draw, {PRESS} {draws}. For a shot, {PRESS} {shot}."
    by_hand = f"Tap your zone to draw, pull the trigger to shoot. Keys: {draws}; {shot} shot."
    last = current.happenings[-1] if current.happenings else None
    # A draw after the stalemate has raised `taken`, a shot is the last happening: either resolved it (PF-16).
    if not isinstance(last, Stalemate) or last.taken < current.taken:
        return _with_reminders(state, with_board(by_hand, by_key))
    again = f"Still stuck? {FIRST_PRESS} {key_of('stalemate')} and all draw."
    return f"Stalemate: play a Shield if you have one. {again}"


def _with_reminders(state: State, text: str) -> str:
    """Return the sentence with reminders of what the last shot means for the cards on the table.

    While the match is in question, that question is the only request.
    """
    pull, verdict = _current_verdict(state) or (None, None)
    if pull is None or verdict is None:
        return text
    least, most = verdict.new_set
    reminders = []
    if verdict.eliminated:
        reminders.append(f"{state.name(verdict.eliminated)}'s cards leave the table.")
    if least >= NEW_SET:
        owner = pull.shooter if verdict.result == "eliminated" else pull.target
        reminders.append(f"{state.name(owner or '')} clears the set and lays {NEW_SET} new cards.")
    if least < NEW_SET <= most:
        shooter, target = state.name(pull.shooter or ""), state.name(pull.target or "")
        answers = f"once {shooter}, twice {target}, three times both"
        asked = f"Who had a match? {FIRST_PRESS} {key_of('match')}: {answers}."
        return " ".join([asked, *reminders])
    return " ".join([text, *reminders])


def _tie(state: State) -> str:
    """Return that two shots are tied, and which of them counts first until the players order them; empty without
    an unresolved tie."""
    pull = standings.tied_shot(state)
    if pull is None or not standings.is_order_asked(state, pull):
        return ""
    why = "Two shots are tied"
    if standings.rests_on_tap(state, pull):
        why = f"Which shot came first is {NOT_MEASURED}"
    return f"{why}. Now first: {_first_of_tie(state, pull)}."


def _first_of_tie(state: State, pull: Pull) -> str:
    """Return the shot that counts first while nobody has ordered the two: the earlier one, as it was measured."""
    first = None if state.current is None else standings.rival(state.current, pull, state.options)
    if first is None or not first.complete:
        return "the earlier shot"
    shooter = state.name(first.shooter or "")
    return (
        f"{shooter}'s accident"
        if first.accident
        else f"{shooter} shot {state.name(first.target or '')}"
    )


def checklist(state: State) -> tuple[str, ...]:
    """Return the steps of the setup, a plain line each."""
    removed, players = state.options.numbers["removed_shields"], len(state.playing)
    pile = PLAY_DECK - removed - DEALT * players
    half, dealer = DEALT // 2, state.name(standings.next_dealer(state))
    out = [f"Take {plural(removed, 'Shield')} out of the pack."] if removed else []
    return (
        f"Lay the {BULLETS} Bullet cards face up as one stack.",
        *out,
        f"Shuffle the other {PLAY_DECK - removed} cards.",
        f"Deal {DEALT} to each player, all face down: {half} in a row (the set), {half} beside them (the hand).",
        f"Make draw piles of the {pile} cards that are left, in everybody's reach.",
        "Put the gun in the middle, in everybody's reach.",
        f"Nobody looks at a hand yet. {dealer} deals, and calls fire.",
    )
