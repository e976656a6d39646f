"""The pages before a game, drawn from what games and boxes declare: plain forms, no script."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from companion.dashboard.item import Item
from companion.dashboard.start.choices import AUTO, NONE, VIRTUAL, NewGame, Past, people_words
from companion.dashboard.start.plan import (
    board_words,
    boxes_of,
    checklist_of,
    facts_known,
    rule_item,
    rules_of,
)
from companion.reports.markup import SCREEN, Markup, document, element, join, paragraph, text
from companion.rules.clauses import spoken
from companion.rules.columns import capitalized, plural
from companion.rules.house_rules import HouseRule, Number
from companion.rules.registry import GAMES, open_game
from companion.rules.seats import MOST_OF_NAME
from companion.teach.finding import Taught
from companion.web.assets import asset
from companion.web.before_game import NUMBER, RULE, SEAT
from companion.web.document import hash_of
from companion.web.headers import page_headers, policy
from companion.web.tabs import head_of, tab_title

_STYLES: Final = ("page.css", "before.css")
LESSONS: Final = "A lesson tells you what to do, and nothing counts in it."
HOME: Final = "Back to the start"
MOST_LAST = 3
"""Sessions to continue that are shown at once; the others are in a list to open."""


def style() -> Markup:
    """Return the style of these pages."""
    return Markup("".join(asset("companion.web", name) for name in _STYLES))


def headers() -> Mapping[str, str]:
    """Return the headers of these pages. With `same-origin`, a browser sends our own forms' Origin."""
    return page_headers(policy(hash_of(style()), "'none'", form="'self'"), "same-origin")


def page(title: str, parts: Iterable[Markup], refusal: str = "", *, again_s: int = 0) -> str:
    """Return a whole page; `refusal` says why something was not done. After `again_s` seconds the browser loads it
    again; 0: never."""
    head = [SCREEN, head_of(tab_title(title)), element("style", style())]
    if again_s:
        head.append(element("meta", http_equiv="refresh", content=str(again_s)))
    said = [element("p", text(refusal), class_="alarm", role="alert")] if refusal else []
    return document(head, [element("main", element("h1", text(title)), *said, *parts)])


def home_page(
    past: Sequence[Past],
    lessons: Sequence[Taught],
    refusal: str,
    *,
    can_quit: bool,
    has_board: bool = False,
) -> str:
    """Return the page that asks what to play or to learn; with `has_board`, it leads to the page of the board."""
    unfinished = [session for session in past if not session.ended and not session.elsewhere]
    parts = [*_continued(unfinished), *_games(), *_lessons(lessons)]
    finished = [session for session in past if session.ended]
    parts.append(element("h2", text("Before")))
    links = [_link("statistics", "Statistics")]
    parts.append(element("p", *links, class_="links"))
    if finished:
        parts.append(_finished(finished))
    elsewhere = [session for session in past if session.elsewhere]
    if elsewhere:
        names = ", ".join(f"{session.title} ({session.path.stem})" for session in elsewhere)
        parts.append(paragraph(f"Open in another companion: {names}.", "soft"))
    if has_board:
        links = [_link("board", "Test and calibrate the board")]
        parts += [element("h2", text("Board")), element("p", *links, class_="links")]
    if can_quit:
        parts.append(_form("quit", "Quit the companion"))
    return page("What do you want to play?", parts, refusal)


def _continued(unfinished: Sequence[Past]) -> list[Markup]:
    if not unfinished:
        return []
    parts = [element("h2", text("Continue"))]
    last = [session for session in unfinished if session.played][:MOST_LAST]
    parts += map(_session_form, last)
    others = [session for session in unfinished if session not in last]
    if others:
        more = element("summary", text(f"{len(others)} {'more ' if last else ''}not finished"))
        parts.append(element("details", more, *map(_session_form, others)))
    return [element("section", *parts)]


def _session_form(session: Past) -> Markup:
    about = [session.begun, plural(session.entries, "entry", "entries"), session.path.stem]
    if session.lacking:
        about.append("more entries were saved once")
    if not session.played:
        about.insert(0, "nothing played yet")
    label = f"Continue {session.title}: {people_words(session.names)}"
    hidden = element("input", type="hidden", name="session", value=session.path.stem)
    return join((_form("resume", label, hidden), paragraph(", ".join(about), "soft")))


def _games() -> list[Markup]:
    cards = []
    for info in GAMES.values():
        link = element("a", text(info.title), href=f"new/{info.id}", class_="large")
        cards.append(
            element("li", link, paragraph(info.player_count, "soft"), paragraph(info.does))
        )
    if not cards:
        return []
    return [element("section", element("h2", text("New game")), element("ul", *cards))]


def _lessons(lessons: Sequence[Taught]) -> list[Markup]:
    if not lessons:
        return []
    forms = []
    for taught in lessons:
        hidden = element("input", type="hidden", name="lesson", value=taught.name)
        if taught.left:
            forms.append(
                _form("learn", f"Continue to learn {taught.called}, {taught.left}", hidden)
            )
            anew = element("input", type="hidden", name="anew", value="yes")
            forms.append(
                _form("learn", f"Learn {taught.called} again from its first step", hidden, anew)
            )
        else:
            label = f"Learn {taught.called}, {plural(taught.lesson.minutes, 'minute')}"
            forms.append(_form("learn", label, hidden))
    about = paragraph(f"{LESSONS} You can stop and continue later.", "soft")
    summary = element("summary", text("Learn a game step by step"))
    # open, so that what can be continued is seen
    is_open = {"open": ""} if any(taught.left for taught in lessons) else {}
    return [element("section", element("details", summary, about, *forms, **is_open))]


def _finished(finished: Sequence[Past]) -> Markup:
    rows = []
    for session in finished:
        link = _link(f"report/{session.path.stem}", f"{session.title}, {session.begun}")
        rows.append(element("li", link, paragraph(", ".join(session.names), "soft")))
    summary = element("summary", text(f"Finished: {plural(len(finished), 'game')}"))
    return element("details", summary, element("ul", *rows, class_="lines"))


# -- a new game


def new_game_page(
    game: NewGame, known: Sequence[str], refusal: str = "", *, laid_out: bool = False
) -> str:
    """Return the form of a new game as far as it is chosen; with `laid_out`, what to put on the table for it."""
    info = GAMES[game.game]
    first = [rule for rule in rules_of(game.game) if rule.first]
    others = [rule for rule in rules_of(game.game) if not rule.first]
    fields = [*_players(game, known), *(_rule(game, rule) for rule in first)]
    numbers = open_game(game.game).numbers
    if others or numbers:
        parts = [_rule(game, rule) for rule in others]
        parts += [_number(game, number) for number in numbers]
        fields.append(_details("House rules: what the published rules leave open", parts))
    if info.box:
        fields.append(_boxes(game))
    fields.append(_board(game))
    if laid_out:
        fields.append(_laid_out(game))
    start = element("button", text("Start"), name="do", value="start", class_="large")
    # in the address, so that the browser can go back to it without sending anything again
    look = element("button", text("What to lay out"), name="do", value="look", formmethod="get")
    form = element("form", *fields, start, look, method="post")
    parts = [paragraph(f"{info.does} {info.credits}", "soft"), form, _home("../")]
    return page(f"{info.title}: new game", parts, refusal)


def _players(game: NewGame, known: Sequence[str]) -> list[Markup]:
    info = GAMES[game.game]
    rows = []
    for place in range(info.seats[-1]):
        name = game.seats[place] if place < len(game.seats) else ""
        more = {} if place >= info.seats[0] else {"required": ""}
        field = element(
            "input",
            name=f"{SEAT}{place + 1}",
            value=name,
            list="known",
            autocomplete="off",
            maxlength=str(MOST_OF_NAME),
            **more,
        )
        rows.append(element("label", text(f"Player {place + 1}"), field))
    names = element("datalist", *(element("option", value=name) for name in known), id="known")
    legend = element("legend", text(f"Players, clockwise ({info.player_count})"))
    return [element("fieldset", legend, names, element("div", *rows, class_="own-numbers"))]


def _rule(game: NewGame, rule: HouseRule) -> Markup:
    chosen = game.rules.get(rule.name, rule.default)
    choices = [
        (choice, rule.worded(choice) + (" (usual)" if choice == rule.default else ""))
        for choice in rule.alternatives
    ]
    item = rule_item(game.game, game.rules, rule)
    return _choice(f"{RULE}{rule.name}", capitalized(item.label), choices, chosen, item.about)


def _number(game: NewGame, number: Number) -> Markup:
    name = f"{NUMBER}{number.name}"
    value = game.rules.get(number.name, str(number.default))
    field = element(
        "input", type="number", name=name, id=name, value=value, min="0", max=str(number.most)
    )
    about = f"{spoken(number.means)} Usual: {number.default}."
    label = element("label", text(capitalized(number.called)), for_=name)
    return element("div", label, field, paragraph(about, "soft"), class_="field")


def _boxes(game: NewGame) -> Markup:
    boxes = boxes_of(game.game)
    parts = [_radio("box", box, game.box) for box in boxes]
    known, facts = facts_known(game.game)
    if known != facts:
        enter = _link(
            f"../box/{game.game}", f"Enter facts from your copy: {known} of {facts} known"
        )
        parts.append(element("p", enter))
    return element("fieldset", element("legend", text("What is in the box?")), *parts)


def _radio(name: str, item: Item, chosen: str) -> Markup:
    value = str(item.value)
    more = {"checked": ""} if value == chosen else {}
    field = element("input", type="radio", name=name, value=value, **more)
    return element(
        "div",
        element("label", field, text(capitalized(item.label)), class_="radio"),
        paragraph(item.about, "soft"),
    )


def _board(game: NewGame) -> Markup:
    ports = [AUTO, VIRTUAL, NONE]
    if game.port is not None and game.port not in ports:
        ports.insert(0, game.port)
    words = {AUTO: "look for it"}
    choices = [(port, words.get(port, board_words(port))) for port in ports]
    return _choice("port", "Board", choices, game.port or AUTO, "")


def _laid_out(game: NewGame) -> Markup:
    steps = checklist_of(game)
    heading = element("h2", text(f"Set up for {len(game.seats)}"), id="set-up")
    if not steps:
        none = "This game has no checklist: its rules say how it is set up."
        return element("section", heading, paragraph(none))
    return element(
        "section", heading, element("ol", *(element("li", text(step)) for step in steps))
    )


# -- parts of forms


def _form(action: str, label: str, *fields: Markup) -> Markup:
    button = element("button", text(label))
    return element("form", *fields, button, method="post", action=action)


def _choice(
    name: str, label: str, choices: Iterable[tuple[str, str]], chosen: str, about: str
) -> Markup:
    options = []
    for value, words in choices:
        more = {"selected": ""} if value == chosen else {}
        options.append(element("option", text(words), value=value, **more))
    field = element("select", *options, name=name, id=name)
    lines = [paragraph(line, "soft") for line in about.split("\n")]
    return element("div", element("label", text(label), for_=name), field, *lines, class_="field")


def _details(summary: str, parts: Iterable[Markup]) -> Markup:
    return element("details", element("summary", text(summary)), *parts)


def _link(address: str, label: str) -> Markup:
    return element("a", text(label), href=address)


def _home(address: str) -> Markup:
    return element("p", _link(address, HOME), class_="links")
