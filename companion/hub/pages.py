"""The hub's pages as HTML: everybody's, the hall's display, the judges' and the organiser's."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from itertools import groupby
from types import MappingProxyType
from typing import Final
from unicodedata import normalize

from companion.hub.accounts import SHORTEST_PASSWORD, Role, SignedIn
from companion.hub.command import LONGEST_TITLE
from companion.hub.forks import End, Fork
from companion.hub.overview import GONE, PlayerNow, TableRow
from companion.hub.persons import FoundPerson
from companion.hub.results import LONGEST_WHY
from companion.hub.rounds import Gathering, Seated
from companion.hub.standings import CountedGame, Line, Standings, TableResult, points_text
from companion.program import PROGRAM
from companion.reports.markup import (
    SCREEN,
    Markup,
    cells,
    document,
    element,
    join,
    paragraph,
    scrolled,
    text,
)
from companion.rules.columns import plural, unit_for
from companion.web.headers import page_headers, policy
from companion.web.tabs import head_of, tab_title

# With "same-origin", a browser sends our own forms' Origin, which `check_source` needs.
HEADERS: Final = page_headers(policy("'self'", "'self'", form="'self'"), "same-origin")

_HOW_TO_JOIN: Final = (
    text("Give each table a code. At its laptop type "),
    element("code", text(f"{PROGRAM} hub join ADDRESS")),
    text(", then the code."),
)


def public_page(
    title: str,
    tables: Sequence[TableRow],
    standings: Standings,
    trouble: str = "",
    *,
    hall: bool = False,
) -> str:
    """Return everybody's page: standings and tables, kept up to date by a script. `trouble` says why they may be
    old."""
    results = {game.result.key for line in standings.lines for game in line.games}
    live = element(
        "div", *_alarm(trouble), *_live(tables, results), *_standings(standings), id="live"
    )
    links = [
        element("a", text(label), href=address)
        for label, address in (
            ("Where everybody sits", "/seating"),
            ("League", "/league"),
            ("Organiser and judges", "/organiser"),
        )
    ]
    if hall:
        switch = element("button", id="look", type="button", hidden="")
        return _page(title, [switch, live], class_="hall")
    return _page(title, [live, element("p", *links, class_="quiet links")])


def _alarm(trouble: str) -> list[Markup]:
    if not trouble:
        return []
    return [paragraph(trouble, "alarm")]


def _live(tables: Sequence[TableRow], results: Container[int]) -> list[Markup]:
    shown = [row for row in tables if row.players]
    if not shown:
        return [
            _status(
                "No game of this event has begun yet. This page shows each one as soon as it does."
            )
        ]
    playing = sum(not row.ended for row in shown)
    now = "All games are over."
    if playing:
        are = "is" if playing == 1 else "are"
        now = f"{playing} of {plural(len(shown), 'table')} {are} playing."
    return [_status(now), element("div", *(_card(row, results) for row in shown), class_="tables")]


def _head(*labels: str) -> Markup:
    cells_of_row = []
    for label in labels:
        cells_of_row.append(element("th", text(label), scope="col") if label else element("td"))
    return element("tr", *cells_of_row, class_="heads")


def _standings(standings: Standings, of: str = "games") -> list[Markup]:
    if not standings.lines:
        return []
    head = _head("rank", "player", "points", of)
    rows = [_line(line) for line in standings.lines]
    return [
        element("h2", text("Standings")),
        scrolled("Standings", element("table", head, *rows, class_="standings")),
        *_awards(standings),
    ]


def league_page(title: str, standings: Standings) -> str:
    """Return the page of the standings over all events of this hub."""
    sentence = "The points of all events together. Tap a number for the reasons."
    ranking = _standings(standings, "events") or [paragraph("No game of any event is over yet.")]
    return _page(
        "League",
        [paragraph(sentence, "awaiting"), element("div", *ranking, id="live"), _back(title)],
    )


def result_page(result: TableResult, note: str = "") -> str:
    """Return the page of a game's result, with a form for players who dispute it."""
    # an empty first choice: otherwise the first player would be chosen for whoever does not look
    empty_choice = element("option", text("choose your name"), value="")
    names = [
        element("option", text(player.name), value=player.name)
        for player in result.players
        if player.name
    ]
    fields = (
        element(
            "label",
            text("You are"),
            element("select", empty_choice, *names, name="name", required=""),
        ),
        _field("What is wrong", "why", maxlength=str(LONGEST_WHY)),
    )
    parts = [
        paragraph("Is this right? If not, say what is wrong; a judge looks.", "awaiting"),
        paragraph(_places(result)),
        *(paragraph(remark, "alarm") for remark in _notes(result)),
        _form(f"/result/{result.key}", "Dispute the result", *fields, is_main=True),
        _quiet("Everybody reads that it is disputed, and by whom. Judges read what you write."),
        _back(),
    ]
    return _page(_where(result), parts, note)


def _where(result: TableResult) -> str:
    return f"Table {result.table}, {result.title}"


def _places(result: TableResult) -> str:
    return ", ".join(f"{player.place} {player.name or GONE}" for player in result.players)


def _order(result: TableResult) -> str:
    """Return the places as a judge writes them, of all players whose names the hub has."""
    named = [player for player in result.players if player.name]
    groups = []
    for _, players in groupby(named, key=lambda player: player.place):
        groups.append(" = ".join(player.name for player in players))
    return ", ".join(groups)


def _line(line: Line) -> Markup:
    reasons = [element("li", text(_game(game))) for game in line.counted]
    reasons += [
        element("li", text(f"{_game(game)}; does not count, others were better"))
        for game in line.dropped
    ]
    if line.ahead:
        reasons.append(element("li", text(line.ahead)))
    doubt = text(" (disputed)") if line.doubtful else text("")
    # a stable id lets the script keep an opened list open when the page changes
    id_ = f"games-{line.name.replace(' ', '_')}"
    games = element(
        "details",
        element("summary", text(str(len(line.games))), doubt),
        element("ul", *reasons),
        id=id_,
    )
    return cells((text(str(line.rank)), text(line.name), text(points_text(line.points)), games))


def _game(game: CountedGame) -> str:
    result = game.result
    notes = "".join(f"; {note}" for note in _notes(result))
    where = f"in {result.title}"
    if result.table:
        where = f"at table {result.table}, {result.title}"
    return f"{points_text(game.points)} {where}: {game.why}{notes}"


def _card(row: TableRow, results: Container[int]) -> Markup:
    head = element("h2", text(f"Table {row.number}"), element("small", text(f" {row.title}")))
    players = element("table", *map(_player, row.players))
    where = text(row.where)
    if row.ended and row.record in results:
        where = element("a", text("The game is over: its result"), href=f"/result/{row.record}")
    elif row.ended:
        where = text("The game was ended early.")
    remarks = (paragraph(remark, "quiet") for remark in (row.last_event, *row.parts))
    return element(
        "section", head, element("p", where), players, *remarks, id=f"table-{row.number}"
    )


def _player(player: PlayerNow) -> Markup:
    turn = ""
    if player.turn:
        turn = " (to play)"
    elif player.out:
        turn = " (eliminated)"
    score = "?" if player.score is None else str(player.score)
    counted = [text(score)]
    if player.unit:
        counted.append(element("small", text(f" {unit_for(score, player.unit)}")))
    return element(
        "tr", element("th", text(player.name + turn), scope="row"), element("td", *counted)
    )


def organiser_page(
    title: str,
    who: SignedIn,
    tables: Sequence[TableRow],
    note: str,
    typed: Mapping[str, str],
    trouble: str = "",
    troubles: Mapping[int, Sequence[str]] = MappingProxyType({}),
) -> str:
    """Return the organiser's page: which tables have joined, and their progress; a judge may only look. `typed` is a
    form that was refused; `trouble` says why nothing is saved, `troubles` what is wrong at which table."""
    is_organiser = who.role is Role.ORGANISER
    live = element("div", *_alarm(trouble), _tables(tables, troubles, may=is_organiser), id="live")
    results = _link("Results and rulings", "/judge")
    sign_out = _form("/sign-out", f"Sign out {who.name}")
    if not is_organiser:
        look = element("p", text("See how the tables are. Rule on results below."))
        return _page(title, [look, live, results, sign_out], note)
    parts = [
        element("p", *_HOW_TO_JOIN),
        live,
        results,
        _link("Seat a round", "/organiser/rounds"),
        _link("Take out a person's name, or merge two spellings", "/organiser/person"),
        *_organisers_forms(typed),
        sign_out,
    ]
    return _page(title, parts, note)


def seating_page(title: str, seated: Seated | None) -> str:
    """Return the page of where everybody sits in the newest round, for phones and for printing."""
    if seated is None:
        none_yet = "No round is seated yet. This page shows each one as soon as it is."
        return _page(title, [element("div", _status(none_yet), id="live"), _back()])
    rows = [cells((text(name), text(f"table {at}"))) for name, at in seated.tables]
    rows += [cells((text(name), text("a bye"))) for name in seated.round.byes]
    # `sentences` has one for each pod, then those about the whole round
    sentences, about_round = (
        seated.sentences[: len(seated.round.pods)],
        seated.sentences[len(seated.round.pods) :],
    )
    pods = []
    for number, (pod, sentence) in enumerate(
        zip(seated.round.pods, sentences, strict=False), start=1
    ):
        heading = element("h2", text(f"Table {number}"))
        pods.append(element("section", heading, paragraph(", ".join(pod)), _quiet(sentence)))
    parts = [
        _status(f"Round {seated.number}. Find your name."),
        scrolled("Seats", element("table", *rows, class_="seats")),
        element("div", *pods, class_="tables"),
        *(_quiet(sentence) for sentence in about_round),
        _quiet(_repeats_sentence(seated)),
    ]
    return _page(title, [element("div", *parts, id="live"), _back()])


def _status(sentence: str) -> Markup:
    """Return the line that screen readers announce when it changes; announcing the whole page would drown it."""
    return element("p", text(sentence), class_="awaiting", role="status")


def _awards(standings: Standings) -> list[Markup]:
    return [
        paragraph(f"{award.title}: {', '.join(award.names)} ({award.why})")
        for award in standings.awards
    ]


def _notes(result: TableResult) -> list[str]:
    """Return remarks on a result beside its places."""
    notes = [*result.parts, result.changed, result.ruled]
    if result.disputed:
        notes.append(f"disputed: {result.disputed}")
    return [note for note in notes if note]


def _quiet(words: str) -> Markup:
    return paragraph(words, "quiet")


def _back(label: str = "All tables") -> Markup:
    return element("p", element("a", text(label), href="/"), class_="quiet links")


def _link(label: str, href: str) -> Markup:
    return element("p", element("a", text(label), href=href))


def _repeats_sentence(seated: Seated) -> str:
    if not seated.repeats:
        return "Nobody meets anybody again this round."
    pairs = plural(seated.repeats, "pair meets", "pairs meet")
    if seated.repeats == seated.bound:
        return f"{pairs} again: with these players it cannot be fewer."
    return f"{pairs} again. The best there could be is {seated.bound}; it may be out of reach."


def rounds_page(title: str, seated: Seated | None, note: str, typed: Mapping[str, str]) -> str:
    """Return the organiser's page to seat a round, or change it; `typed` is a form that was refused."""
    seats: list[str] = []
    number = 0
    if seated is not None:
        seats = [*(name for name, _ in seated.tables), *seated.round.byes]
        number = seated.number
    players = ", ".join(name for name in seats if name != GONE)
    area = element(
        "textarea", text(typed.get("players", players)), name="players", rows="12", required=""
    )
    rounds = element("input", type="hidden", name="rounds", value=str(number))
    parts = [
        paragraph("Write who plays, with commas between, and seat the next round."),
        _form(
            "/organiser/rounds",
            "Seat the next round",
            rounds,
            element("label", text("Players"), area),
            is_main=True,
        ),
    ]
    if seated is not None:
        changes = (("Who left", "gone"), ("Who came", "late"))
        fields = (_optional(label, name, value=typed.get(name, "")) for label, name in changes)
        parts.append(_form("/organiser/mend", f"Put round {seated.number} right", rounds, *fields))
        parts += [_quiet(_repeats_sentence(seated)), _link("Where everybody sits", "/seating")]
    return _page(title, [*parts, _link("All tables", "/organiser")], note)


def person_page(
    found: FoundPerson | None, spellings_of_persons: Sequence[Sequence[str]], note: str
) -> str:
    """Return the organiser's page of people. It takes out a name, after showing everything in `found` about it, and
    merges the spellings of a name."""
    name = "" if found is None else found.name
    parts = [
        paragraph("Write whose name to take out. You see what changes first."),
        _form(
            "/organiser/person",
            "Show what the hub has",
            _field("Name", "name", value=name),
            is_main=True,
        ),
        *([] if found is None else _found_person(found)),
    ]
    if spellings_of_persons:
        parts += [
            element("h2", text("Written in several ways")),
            _quiet("Each is one person. Choose how to write it."),
        ]
    for spellings in spellings_of_persons:
        # several forms of Unicode look the same on the page
        looks = dict.fromkeys(normalize("NFC", spelling) for spelling in spellings)
        for spelling in looks:
            parts.append(_form("/organiser/merge", f"Write {spelling}", _hidden("name", spelling)))
    return _page("People", [*parts, _link("All tables", "/organiser")], note)


def _found_person(found: FoundPerson) -> list[Markup]:
    if not found.is_there and not found.left and not found.like:
        return []
    parts = [
        element("h2", text(f"What changes for {found.name}")),
        paragraph(
            f"The name stands by itself in {plural(found.names, 'place')}: games, rounds and rulings."
        ),
        *(
            _quiet(f"{typed.where}: {typed.shown} - will be: {after}")
            for typed, after in found.changed
        ),
    ]
    if found.signs_in is Role.JUDGE:
        parts.append(paragraph(f"{found.name} signs in as judge, and will not any more."))
    elif found.signs_in is Role.ORGANISER:
        parts.append(paragraph(f"{found.name} signs in as organiser: that name stays.", "alarm"))
    for other in found.like:
        parts.append(
            paragraph(
                f"Somebody is called {other}. The same person? Then take out that name as well."
            )
        )
    if found.left:
        parts.append(element("h2", text(f"Texts that may speak of {found.name}")))
        parts.append(paragraph("Nobody but you can decide these. Change a text, or leave it."))
    for left in found.left:
        edited = element(
            "textarea", text(left.text), name="text", rows="2", aria_label=left.typed.where
        )
        fields = (_hidden("name", found.name), _hidden("key", left.typed.key), edited)
        heading = element("p", text(left.typed.where), element("small", text(f" ({left.why})")))
        parts.append(
            element("section", heading, _form("/organiser/text", "Change the text", *fields))
        )
    gone = (_hidden("name", found.name), _hidden("mark", found.mark))
    parts.append(_form("/organiser/forget", f"Take {found.name} out for good", *gone))
    return parts


def _hidden(name: str, value: str) -> Markup:
    return element("input", type="hidden", name=name, value=value)


def judge_page(
    on: Gathering,
    who: SignedIn,
    results: Sequence[TableResult],
    earlier: Iterable[tuple[str, Sequence[TableResult]]],
    standings: Standings,
    note: str,
    form: Mapping[str, str],
) -> str:
    """Return the page of results: what tables reported, and forms for a judge's rulings; results of `earlier` events
    follow under their titles. `form` is a form that was refused."""
    awards = _awards(standings)
    parts = [paragraph("Rule on a result: that ends its disputes. Everybody reads your reason.")]
    parts += [_result(result, form) for result in results]
    if not results:
        parts.append(paragraph("No game is over yet."))
    if awards:
        parts.append(element("h2", text("Awards")))
        if who.role is Role.ORGANISER and not on.awards_shown:
            parts.append(text("Only you see the awards below."))
            parts.append(_form("/organiser/awards", "Show the awards to everybody"))
        parts += awards
    for title, old in earlier:
        parts.append(element("h2", text(title)))
        parts += [_result(result, form) for result in old]
    parts.append(_link("All tables", "/organiser"))
    return _page(on.title, parts, note)


def _result(result: TableResult, form: Mapping[str, str]) -> Markup:
    # a refused form is shown again at the result it was for
    typed = form if form.get("record") == str(result.key) else {}
    key = element("input", type="hidden", name="record", value=str(result.key))
    kinds = (
        ("set", "The places are"),
        ("lifted", "What the table told holds"),
        ("disputed", "Somebody disputes it"),
    )
    options = []
    for kind, label in (*kinds, ("settled", "The places stay as they are")):
        selected = {"selected": ""} if typed.get("kind") == kind else {}
        options.append(element("option", text(label), value=kind, **selected))
    choice = element("label", text("Ruling"), element("select", *options, name="kind"))
    order = _optional("Places, as Ann, Bo = Cy", "order", value=typed.get("order", _order(result)))
    why = _field("Why", "why", maxlength=str(LONGEST_WHY), value=typed.get("why", ""))
    return element(
        "section",
        element("h2", text(_where(result))),
        paragraph(_places(result)),
        *(paragraph(remark, "alarm") for remark in (*_notes(result), *result.doubts)),
        _form("/judge", "Rule", key, choice, order, why, is_main=True),
    )


_COLUMNS: Final = ("table", "game", "record", "")


def _tables(
    tables: Sequence[TableRow], troubles: Mapping[int, Sequence[str]], *, may: bool
) -> Markup:
    if not tables:
        return paragraph("No table has a code yet.")
    rows = (_table(row, troubles.get(row.number, ()), may=may) for row in tables)
    return scrolled("Tables", element("table", _head(*_COLUMNS), *rows, class_="stacks"))


def _table(row: TableRow, troubles: Sequence[str], *, may: bool) -> Markup:
    alarms = (paragraph(sentence, "alarm") for sentence in troubles)
    parts = (paragraph(sentence, "quiet") for sentence in row.parts)
    state = join(
        (text(row.sentence), *alarms, *parts, *(_fork(fork, may=may) for fork in row.forks))
    )
    number = element("input", type="hidden", name="number", value=str(row.number))
    release = Markup("")
    if may and row.joined:
        release = _form("/organiser/revoke", "Disconnect this laptop", number)
    # the game first: "round 2 of 5" says little where each table plays another
    game = text(", ".join(part for part in (row.title, row.where) if part))
    shown = zip(_COLUMNS, (text(str(row.number)), game, state, release), strict=True)
    # on a phone the row is a card, in which each cell follows its head
    cells_ = (element("td", cell, **({"data_head": head} if head else {})) for head, cell in shown)
    return element("tr", *cells_, id=f"table-{row.number}")


def _fork(fork: Fork, *, may: bool) -> Markup:
    """Return what is known of the other end of a game, with a form for an organiser to choose which counts."""
    number = element("input", type="hidden", name="fork", value=str(fork.id))
    if fork.counts is None:
        sentence = f"Another record of this game came at entry {fork.n}: an older copy went on. Which end counts?"
        ends = [(str(End.HUB), "What is here counts"), (str(End.TABLE), "The table's file counts")]
    else:
        which = "what is here counts" if fork.counts is End.HUB else "the table's file counts"
        sentence = f"Of two records of this game, {which}, says {fork.who}."
        if fork.waits:
            sentence += " It comes when the table sends it, or when its file is taken in again."
        ends = [("", "Take that back")]
    parts = [paragraph(sentence, "alarm" if fork.counts is None else "quiet")]
    if may:
        for end, label in ends:
            parts.append(_form("/organiser/fork", label, number, _hidden("end", end)))
    return join(parts)


def _organisers_forms(typed: Mapping[str, str]) -> list[Markup]:
    judge = _field("Name of a judge", "name", value=typed.get("name", ""))
    event = _field("Name of the next event", "title", maxlength=str(LONGEST_TITLE))
    return [
        _form(
            "/organiser/code",
            "Get a code",
            _field("Table", "number", type="number", min="1", max="9999"),
            is_main=True,
        ),
        _form("/organiser/judge", "Add a judge", judge, _password()),
        _form("/organiser/event", "Begin the next event", event),
        _quiet(
            "The next event begins without games, rounds and awards. Those of this one are kept, for the league."
        ),
    ]


def setup_page(note: str = "", refused: Mapping[str, str] = MappingProxyType({})) -> str:
    """Return the page on which the first organiser signs up; `refused` is a form that was refused."""
    how = f"Type the code from the hub's terminal, your name, and a password of {SHORTEST_PASSWORD} characters or more."
    typed = (
        _field(label, name, value=refused.get(name, ""))
        for label, name in (("Code", "code"), ("Your name", "name"))
    )
    return _asking(
        "Your hub", how, note, _form("/setup", "Begin", *typed, _password(), is_main=True)
    )


def sign_in_page(note: str = "", name: str = "") -> str:
    """Return the sign-in page; `name` was typed and refused."""
    form = _form(
        "/sign-in", "Sign in", _field("Name", "name", value=name), _password(), is_main=True
    )
    return _asking("Sign in", "Sign in as organiser or judge.", note, form)


def sentence_page(title: str, sentence: str) -> str:
    """Return a page with one sentence."""
    return _page(title, [paragraph(sentence), _link("All tables", "/")])


def _asking(title: str, sentence: str, note: str, form: Markup) -> str:
    notes = [element("p", text(note), class_="alarm", role="alert")] if note else []
    return _page(title, [paragraph(sentence), *notes, form])


def _field(label: str, name: str, **more: str) -> Markup:
    return _optional(label, name, **{"type": "text", "required": "", **more})


def _password() -> Markup:
    return _field("Password", "password", type="password")


def _optional(label: str, name: str, **more: str) -> Markup:
    return element("label", text(label), element("input", name=name, autocomplete="off", **more))


def _form(action: str, button: str, *fields: Markup, is_main: bool = False) -> Markup:
    """Return a form; the button of a page's main one is filled."""
    look = {"class_": "main"} if is_main else {}
    submit = element("button", text(button), type="submit", **look)
    return element("form", *fields, submit, method="post", action=action)


def _page(title: str, body: Iterable[Markup], note: str = "", class_: str = "") -> str:
    """Return a whole page; `note` says what came of the last request."""
    style = element("link", rel="stylesheet", href="/hub.css")
    scripts = Markup(
        '<script src="/patch.js" defer=""></script><script src="/connection.js" defer=""></script>'
        '<script src="/hub.js" defer=""></script>'
    )
    notes = [element("p", text(note), class_="note", role="status")] if note else []
    lost = element("p", id="lost", role="status", hidden="")
    main = element("main", element("h1", text(title)), lost, *notes, *body)
    attributes = {"class_": class_} if class_ else {}
    return document((SCREEN, head_of(tab_title(title)), style, scripts), [main], **attributes)
