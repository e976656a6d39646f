"""Answers about the rules: a clause in plain words, with what is chosen and what holds at one table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from companion.ask.index import MOST, Match, index_of
from companion.ask.sources import ABOUT
from companion.display.panels import panels_of
from companion.rules.clause_texts import GENERAL, cited, cited_by_kind, plain_words
from companion.rules.clauses import spoken
from companion.rules.house_rules import HouseRule, in_force
from companion.rules.registry import GAMES, open_game
from companion.rules.rulings import rulings
from companion.session.views import LineKind, LogLine, Refusal, TableView

UNSAID: Final = "The rules do not say."
NEAREST: Final = "Nearest to the question:"
FAR_BELOW: Final = 12.0
"""How far below the best match's score another one is not shown. Of listed questions, two answers are shown on average,
and one in a hundred loses the right one by this."""


@dataclass(frozen=True, slots=True)
class AtTable:
    """What an answer says about one table: its house rules, the game's view for the whole table, what was refused and
    the log. Nothing here is for one seat alone."""

    options: Mapping[str, str] = field(default_factory=dict)
    game: Any = None
    log: Sequence[LogLine] = ()
    refusals: Sequence[Refusal] = ()

    @classmethod
    def of(cls, view: TableView) -> AtTable:
        """Return what the whole table may see of a session."""
        return cls(view.setup.options, view.game, view.log, view.refusals)


NO_TABLE: Final = AtTable()
"""No session: every house rule has its default, and nothing was played."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A clause that may answer a question.

    `house_rules` say what was chosen where the rules leave something open, `now` what it means at the moment; `line` is
    the newest ruling that cites the clause.
    """

    clause: str
    text: str
    house_rules: tuple[str, ...] = ()
    now: tuple[str, ...] = ()
    line: LogLine | None = None

    @property
    def remarks(self) -> Iterator[tuple[str, str]]:
        """What is said beside the text, each with its label."""
        yield from (("House rule", rule) for rule in self.house_rules)
        yield from (("Now", sentence) for sentence in self.now)
        if self.line is not None:
            yield f"Log, line {self.line.number}", spoken(self.line.text)


@dataclass(frozen=True, slots=True)
class Answers:
    """What the rules say about a question, the best first; `unsaid` is a sentence if they say nothing about it, and
    then the answers are only near it."""

    found: tuple[Answer, ...]
    unsaid: str = ""


def answers(game_id: str, question: str, at: AtTable = NO_TABLE) -> Answers:
    """Return what the rules of a game say about a question, and what it means at a table; raise as `open_game` does."""
    matches = index_of(game_id).find(question)
    best = _best(matches)
    said: set[str] = set()
    found = tuple(answer_of(game_id, match.clause, at, said) for match in best if match.clause)
    if best and best[0].clause:
        return Answers(found)
    return Answers(found, f"{UNSAID} {_players(game_id)}")


def _best(matches: Sequence[Match]) -> Sequence[Match]:
    """Return the best matches, without those far below the first."""
    return [match for match in matches[:MOST] if match.score > matches[0].score - FAR_BELOW]


def _players(game_id: str) -> str:
    info = GAMES[game_id]
    return f"{info.title} is for {info.player_count}."


def answer_of(game_id: str, clause: str, at: AtTable, said: set[str]) -> Answer:
    """Return the answer of a clause, without the remarks that were `said` before; add its own to them."""
    info = GAMES[game_id]
    text = plain_words(info.clauses().get(clause) or GENERAL.get(clause, ""))
    if clause == ABOUT:
        text = info.does
    return Answer(
        clause,
        text,
        tuple(_unsaid(_house_rules(game_id, clause, at.options), said)),
        tuple(_unsaid(_now(game_id, clause, at), said)),
        next((line for line in reversed(at.log) if _is_about(game_id, line, clause)), None),
    )


def _unsaid(sentences: Iterable[str], said: set[str]) -> Iterator[str]:
    for sentence in sentences:
        if sentence not in said:
            said.add(sentence)
            yield sentence


def _is_about(game_id: str, line: LogLine, clause: str) -> bool:
    """Return whether a ruling rests on a clause: its sentence cites it, or cites none and its kind does."""
    if line.kind is not LineKind.FACT:
        return False
    named = cited(line.text) or cited_by_kind(game_id, open_game(game_id).facts.get(line.fact))
    return clause in named


def _house_rules(game_id: str, clause: str, chosen: Mapping[str, str]) -> Iterator[str]:
    """Yield a sentence for each house rule and number of a clause, with what is chosen; of a clause without any, for
    the house rules that cite it."""
    game = open_game(game_id)
    values = in_force(chosen, game.house_rules, game.numbers)
    own = [rule for rule in game.house_rules if rule.clause == clause]
    citing = [rule for rule in game.house_rules if clause in cited(" ".join(rule.meanings))]
    for rule in own or citing:
        yield _house_rule(game_id, rule, values[rule.name])
    for number in game.numbers:
        if number.clause == clause:
            yield f"{number.called}: {values[number.name]}. {plain_words(number.means)}"


def _house_rule(game_id: str, rule: HouseRule, value: str) -> str:
    means = dict(zip(rule.alternatives, rule.meanings, strict=False)).get(value, "")
    about = plain_words(means) or _about(game_id, rule)
    said = f"{rule.called}: {rule.worded(value)}"
    return f"{said}. {spoken(about)}" if about else f"{said}."


def _about(game_id: str, rule: HouseRule) -> str:
    """Return what a house rule is about, if its alternatives have no meanings of their own."""
    stated = rulings(game_id).get(rule.name)
    if rule.means or stated is None or any(rule.meanings):
        return rule.means
    return f"default {stated.default}; otherwise {stated.others}".replace("_", " ")


def _now(game_id: str, clause: str, at: AtTable) -> Iterator[str]:
    """Yield what a clause means at the moment: what the game says about it, and what it has just refused."""
    if at.game is not None:
        said = panels_of(game_id).now(at.game).get(clause)
        if said:
            yield said
    refused = [refusal.text for refusal in at.refusals if clause in cited(refusal.text)]
    if refused:
        yield f"Refused: {spoken(refused[-1])}"


def answer_lines(answered: Answers) -> Iterator[str]:
    """Yield answers as plain lines, an empty one before each but the first."""
    if answered.unsaid:
        yield answered.unsaid
        if answered.found:
            yield ""
            yield NEAREST
    for place, answer in enumerate(answered.found):
        if place or answered.unsaid:
            yield ""
        if answer.text:
            yield answer.text
        yield from (f"{label}: {sentence}" for label, sentence in answer.remarks)


def first_line(answered: Answers) -> LogLine | None:
    """Return the ruling that the first answer with one names, None if no answer has one."""
    return next((answer.line for answer in answered.found if answer.line is not None), None)
