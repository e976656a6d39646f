"""Pages about the rules: answers to a question, and the reason of a line of the log. They need no script; with one
(`rules.js`) they open over the page that asks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from companion.ask.answers import NEAREST, Answer, Answers, AtTable, answer_of, answers
from companion.reports.markup import Markup, element, join, paragraph, text
from companion.rules.clauses import spoken
from companion.session.reasons import LineReason
from companion.session.views import LogLine, TableView

MOST_LETTERS: Final = 200
"""Letters of a question; `ask` reads forty words."""
ASK: Final = "Ask about the rules"
EXAMPLE: Final = "Type words about the rules."
BACK: Final = "Back to the table"
NO_RULE: Final = (
    "No rule of the game is behind this line: the table decides, or it is about the record."
)
NO_LINE: Final = "That line is not among the newest ones any more. Look at the page again."
_ON_PAGE, _IN_ANSWER = "rules-question", "rules-again"


@dataclass(frozen=True, slots=True)
class PublicRules:
    """What everybody may be told at one moment about the rules of a table's game, and about its newest lines of the
    log, by their numbers."""

    game: str
    title: str
    at: AtTable
    reasons: Mapping[int, LineReason]


def public_rules(
    view: TableView, title: str, lines: Sequence[LogLine], reasons: Mapping[int, LineReason]
) -> PublicRules:
    """Return what answers may say at a table. A refusal may depend on a secret, so they repeat none."""
    at = replace(AtTable.of(view), log=tuple(lines), refusals=())
    return PublicRules(view.setup.game, title, at, reasons)


def rules_part() -> Markup:
    """Return the part of a page where people ask about the rules."""
    return element("details", element("summary", text(ASK)), _form(_ON_PAGE, ""), id="ask-rules")


def rules_sheet() -> Markup:
    """Return the dialog in which a script shows answers over the page."""
    return element("dialog", id="rules-sheet", aria_label=ASK)


def line_link(number: int, sentence: Markup) -> Markup:
    """Return a sentence of the log as a link to its reason."""
    return element("a", sentence, href=f"why?line={number}", class_="why")


def answers_main(rules: PublicRules, question: str, problem: str = "") -> Markup:
    """Return the answers to a question, or what to do without one; `problem` says why it is not answered."""
    head = [element("h1", text(ASK)), _form(_IN_ANSWER, question)]
    if problem:
        found = [paragraph(problem, "alarm")]
    elif question:
        found = [*_found(rules, answers(rules.game, question, rules.at))]
    else:
        found = [paragraph(EXAMPLE, "awaiting")]
    return _main(*head, element("div", *found, role="status"))


def reason_main(rules: PublicRules, number: int) -> Markup:
    """Return why a line of the log is as it is; if it is not among the newest, where to look."""
    head, reason = element("h1", text("Why?")), rules.reasons.get(number)
    if reason is None:
        return _main(head, paragraph(NO_LINE, "awaiting"))
    line = reason.line
    parts = [
        head,
        element("p", text(spoken(line.text)), class_="awaiting"),
        paragraph(reason.state, "alarm"),
        element("dl", *_facts_about(reason)),
        element("h2", text("The rule")),
        *_clauses(rules, reason),
    ]
    return _main(*parts)


def _main(*parts: Markup) -> Markup:
    back = element("p", element("a", text(BACK), href="./"), class_="back")
    return element("main", *parts, back, class_="about-rules")


def _form(name: str, question: str) -> Markup:
    label = element("label", text("Your question"), for_=name)
    field = element(
        "input", id=name, name="q", value=question, maxlength=str(MOST_LETTERS), required="",
        type="text", autocomplete="off", enterkeyhint="search",
    )  # fmt: skip
    button = element("button", text("Ask"), type="submit")
    line = element("div", field, button, class_="ask-line")
    return element("form", label, line, action="ask", method="get", class_="ask-rules")


def _found(rules: PublicRules, answered: Answers) -> Iterator[Markup]:
    if answered.unsaid:
        yield paragraph(answered.unsaid, "awaiting")
        if answered.found:
            yield paragraph(NEAREST, "soft")
    for place, answer in enumerate(answered.found):
        is_best = place == 0 and not answered.unsaid
        yield element("section", *_answer(rules, answer, is_best=is_best))


def _answer(rules: PublicRules, answer: Answer, *, is_best: bool) -> Iterator[Markup]:
    yield paragraph(answer.text, "best" if is_best else "")
    for rule in answer.house_rules:
        yield _remark("House rule", text(rule))
    for sentence in answer.now:
        yield _remark("Now", text(sentence))
    if answer.line is not None:
        number, said = answer.line.number, text(spoken(answer.line.text))
        linked = line_link(number, said) if number in rules.reasons else said
        yield _remark(f"Log, line {number}", linked)


def _remark(label: str, said: Markup) -> Markup:
    return element("p", element("b", text(f"{label}: ")), said, class_="soft")


def _facts_about(reason: LineReason) -> Iterator[Markup]:
    line = reason.line
    rows = [("Log", f"line {line.number}, {line.time}, {line.kind.means}")]
    rows += [("Entered", reason.how), ("Decided by", reason.who), ("Reason", reason.why)]
    rows += [("Evidence", told) for told in reason.evidence]
    for label, said in rows:
        if said:
            yield join((element("dt", text(label)), element("dd", text(said))))


def _clauses(rules: PublicRules, reason: LineReason) -> Iterator[Markup]:
    """Yield the text of each clause of a line, with the house rules chosen for it."""
    chosen, said = AtTable(rules.at.options), set[str]()
    sections = []
    for clause in reason.clauses:
        answer = answer_of(rules.game, clause, chosen, said)
        if answer.text:
            sections.append(element("section", *_answer(rules, answer, is_best=False)))
    yield from sections or [paragraph(NO_RULE, "soft")]
