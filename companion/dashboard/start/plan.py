"""What a game begins with - players, box, house rules - and why it cannot begin. Contains no
screen."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from companion.box.comparing import differs
from companion.box.owner_box import box_in_force, box_with, for_session, own_path, own_rows
from companion.dashboard.item import Item
from companion.dashboard.start.choices import (
    AUTO,
    MADE_UP,
    NONE,
    OWN,
    PACKAGED,
    VIRTUAL,
    NewGame,
    Past,
)
from companion.rules.box_questions import asked_rows
from companion.rules.clauses import spoken
from companion.rules.columns import plural
from companion.rules.components import (
    BoxError,
    as_json,
    example,
    open_facts,
    packaged,
    rules_of as box_rules_of,
)
from companion.rules.facts import Refused, Setup
from companion.rules.house_rules import HouseRule
from companion.rules.names import person_key
from companion.rules.registry import open_game
from companion.rules.rulings import rulings
from companion.rules.seats import PALETTE, seats_from_names, unnamed
from companion.rules.strength import strength_of

PUBLISHED = "what the published rules say"
MAP = "map"  # a game may have a house rule that chooses between the box and the example


def options_of(game: NewGame) -> dict[str, str]:
    """Return the house rules in force, including the one that chooses the example."""
    if game.box == MADE_UP and _has_map_rule(game.game):
        return {**game.rules, MAP: "example"}
    return dict(game.rules)


def components_of(game: NewGame) -> Mapping[str, Any] | None:
    """Return the box to begin with (`Setup.components`); None for the owner's file or the packaged
    one."""
    if game.box == OWN:
        return None
    if game.box == MADE_UP and not _has_map_rule(game.game):
        return as_json(example(game.game))
    return {}


def _start(game: NewGame) -> Any:
    """Return the state that the game begins with; raise `Refused`."""
    rules, box = open_game(game.game), components_of(game)
    components = for_session(game.game)[0] if box is None else box
    seats = seats_from_names(game.seats)
    return rules.start(Setup(game.game, rules.rules_version, seats, options_of(game), components))


def checklist_of(game: NewGame) -> tuple[str, ...]:
    """Return what to lay out before this game begins, a step each; empty if it cannot begin."""
    try:
        return tuple(open_game(game.game).checklist(_start(game)))
    except Refused:
        return ()


def refused(game: NewGame) -> str | None:
    """Return a sentence on why the game cannot begin like this, None if it can."""
    try:
        _start(game)
    except Refused as refusal:
        return refusal.spoken()
    return None


def _has_map_rule(game_id: str) -> bool:
    return any(rule.name == MAP for rule in open_game(game_id).house_rules)


def rules_of(game_id: str) -> tuple[HouseRule, ...]:
    """Return the house rules that are asked for; the example is chosen with the box."""
    return tuple(rule for rule in open_game(game_id).house_rules if rule.name != MAP)


def usual_seats(game_id: str, past: Sequence[Past], wanted: Sequence[str]) -> list[str]:
    """Return the default players, always as many as the game allows.

    They are those wanted, else those who last played this game, else those who last played, else
    colors for the smallest number.
    """
    counts = open_game(game_id).seat_counts
    companies = [
        wanted,
        *(session.names for session in past if session.game == game_id),
        *(session.names for session in past),
    ]
    for names in companies:
        if len(names) in counts:
            return list(names)
    return unnamed(counts.start)


def known_names(past: Sequence[Past], wanted: Sequence[str]) -> list[str]:
    """Return the names of everybody who played before, latest first, as last spelled; colors are
    left out."""
    names: dict[str, str] = {}
    for name in (*wanted, *(name for session in past for name in session.names)):
        names.setdefault(person_key(name), name)
    return [name for folded, name in names.items() if folded not in PALETTE]


def facts_known(game_id: str) -> tuple[int, int]:
    """Return how many of the facts that owners are asked for are known, and how many there are."""
    try:
        now = box_in_force(game_id)
    except BoxError:
        return 0, 0  # the owner's file has to be fixed first
    facts = asked_rows(packaged(game_id), now, box_rules_of(game_id).TABLES)
    return len(facts) - open_facts(game_id, now), len(facts)


def boxes_of(game_id: str) -> tuple[Item, ...]:
    """Return the boxes for a game; the first is the default."""
    box = packaged(game_id)
    unknown = open_facts(game_id, box)
    about = f"Of {plural(len(box.rows), 'fact')} {plural(unknown, 'is', 'are')} not published: "
    about += "you are asked during the game, or enter them once from your copy."
    boxes = [Item(PACKAGED, PUBLISHED, about=about if unknown else "Every fact is known.")]
    try:
        own = box_with(game_id, own_path(game_id))
        words = (
            f"{plural(len(own_rows(own)), 'fact')} of {own_path(game_id)}, over the published ones."
        )
        words = f"{words} {differs(game_id)}".rstrip()
        boxes.insert(0, Item(OWN, "your own file", about=words))
    except FileNotFoundError:
        pass
    except BoxError as error:
        boxes = [
            Item(PACKAGED, PUBLISHED, about=f"Your own file has a mistake and is not used: {error}")
        ]
    if example(game_id) != box:
        made_up = "map and decks" if _has_map_rule(game_id) else "deck"
        about = "Invented for practice: in no real box."
        boxes.append(Item(MADE_UP, f"an example: made-up {made_up}", about=about))
    return tuple(boxes)


def changed_words(game_id: str, chosen: dict[str, str]) -> str:
    """Return which house rules differ from their defaults."""
    rules = rules_of(game_id)
    other = [
        rule.called
        for rule in rules
        if not rule.first and chosen.get(rule.name, rule.default) != rule.default
    ]
    # Numbers are stored only if they differ.
    other += [number.called for number in open_game(game_id).numbers if number.name in chosen]
    if not other:
        return "as usual"
    return f"{len(other)} changed: {', '.join(other)}"


def in_words(name: str) -> str:
    """Return the names of alternatives as they are read."""
    return name.replace("_", " ")


def rule_item(game_id: str, chosen: Mapping[str, str], rule: HouseRule) -> Item:
    """Return the line of a house rule: its name, the choice, and its meaning in the rules' words."""
    choice = chosen.get(rule.name, rule.default)
    value = rule.worded(choice)
    if choice != rule.default and not rule.first:
        value += "  (changed)"
    words = rulings(game_id).get(rule.name)
    about = ""
    if words is not None:
        usual, others = _worded(rule, words.default), _worded(rule, words.others)
        about = f"Usual: {usual}.\nElse: {others}."
    elif rule.means:
        about = f"{spoken(rule.means)}\nUsual: {rule.default}."
    strength = strength_of(game_id)
    if strength is not None and strength.option == rule.name:
        about = f"{strength.sentence(choice)}\n{about}".strip()
    return Item(rule, rule.called, value, about)


def strength_words(game: NewGame) -> str:
    """Return how strong the automatic opponents are in this game, played alone; empty if nobody measured it."""
    strength = strength_of(game.game)
    if strength is None or len(game.seats) != 1:
        return ""
    rules = {rule.name: rule.default for rule in open_game(game.game).house_rules} | game.rules
    return strength.sentence(rules.get(strength.option, ""))


def _worded(rule: HouseRule, stated: str) -> str:
    """Return alternatives with their meanings, each called as on the screen."""
    for alternative in rule.alternatives:
        name = rf"(?:^|(?<=[,;] )){re.escape(alternative)}(?=$|[:,;])"
        stated = re.sub(name, rule.worded(alternative), stated)
    return in_words(stated)


def turn(chosen: dict[str, str], rule: HouseRule, by: int = 1) -> None:
    """Choose another alternative of the rule; the default is left out of `chosen`."""
    place = rule.alternatives.index(chosen.get(rule.name, rule.default))
    chosen[rule.name] = rule.alternatives[(place + by) % len(rule.alternatives)]
    if chosen[rule.name] == rule.default:
        del chosen[rule.name]


def board_words(port: str) -> str:
    """Return where the board is, as text."""
    words = {
        AUTO: "looking for one",
        VIRTUAL: "the virtual board",
        NONE: "none, the keyboard is enough",
    }
    return words.get(port, f"at {port}")
