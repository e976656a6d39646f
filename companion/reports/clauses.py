"""The rules behind the rulings of a report: their texts, and links from each ruling to them within the file."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator

from companion.ask.answers import Answer, AtTable, answer_of
from companion.reports.markup import Markup, element, join, paragraph, text
from companion.reports.record import Record, RecordedFact
from companion.rules.clause_texts import cited, cited_by_kind


class ClauseLinks:
    """The clauses that the rulings of a record rest on, as far as they were asked for."""

    def __init__(self, record: Record) -> None:
        self._game = record.game
        self._chosen = AtTable(record.setup.options)
        self._answers: dict[str, Answer] = {}

    def of(self, line: RecordedFact) -> Markup:
        """Return the sentence of a ruling, in which each clause leads to its text. One that cites none is followed by
        those of its kind."""
        named = [clause for clause in cited(line.text) if self._is_known(clause)]
        sentence = join(_linked(line.text, named))
        if named:
            return sentence
        of_kind = cited_by_kind(self._game.id, self._game.facts.get(line.entry.kind))
        links = [_link(clause) for clause in of_kind if self._is_known(clause)]
        if not links:
            return sentence
        return join((sentence, text(" "), element("span", *_spaced(links), class_="soft")))

    def section(self) -> Markup:
        """Return the texts of the clauses that were asked for, each with the house rules of this session."""
        if not self._answers:
            return Markup("")
        parts = [element("h2", text("The rules behind the rulings"))]
        for clause, answer in sorted(self._answers.items(), key=lambda item: _order(item[0])):
            rules = [paragraph(f"House rule: {rule}", "soft") for rule in answer.house_rules]
            head = element("h3", text(clause))
            parts.append(element("section", head, paragraph(answer.text), *rules, id=clause))
        return join(parts)

    def _is_known(self, clause: str) -> bool:
        """Return whether a clause has a text or a house rule, and keep it."""
        if clause not in self._answers:
            answer = answer_of(self._game.id, clause, self._chosen, set())
            if not (answer.text or answer.house_rules):
                return False
            self._answers[clause] = answer
        return True


def _linked(sentence: str, clauses: Collection[str]) -> Iterator[Markup]:
    """Yield the parts of a text in which each of these clauses leads to its text."""
    if not clauses:
        yield text(sentence)
        return
    names = "|".join(map(re.escape, clauses))
    for part in re.split(rf"\b({names})\b", sentence):
        yield _link(part) if part in clauses else text(part)


def _link(clause: str) -> Markup:
    return element("a", text(clause), href=f"#{clause}")


def _spaced(links: Iterable[Markup]) -> list[Markup]:
    spaced: list[Markup] = []
    for link in links:
        if spaced:
            spaced.append(text(" "))
        spaced.append(link)
    return spaced


def _order(clause: str) -> tuple[str, int]:
    """Return the place of a clause: PF-4, PF-12, PF-R1, PF-T1."""
    kind = clause.rstrip("0123456789")
    number = clause.removeprefix(kind)
    return kind, int(number or 0)
