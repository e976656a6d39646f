"""A card to print: what each key does in a game, or what each button of the board does in every game; one page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.resources import files

from companion.reports.markup import Markup, document, element, join, paragraph, text

PAPERS = {"a4": "A4", "letter": "letter"}
"""The sizes of paper, by the word that a person types, as a style sheet calls them."""
# The page may style itself and nothing else.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


@dataclass(frozen=True, slots=True)
class CardRow:
    """What one key, or one gesture, does; "…" among the keys is for those left out."""

    keys: Sequence[str]
    does: str


@dataclass(frozen=True, slots=True)
class CardGroup:
    """Rows that belong together, under a heading."""

    title: str
    rows: tuple[CardRow, ...]


def format_card(title: str, groups: Iterable[CardGroup], foot: str, paper: str) -> str:
    """Return the card as a page of HTML that prints on one sheet of `paper`, one of `PAPERS`."""
    style = files(__package__).joinpath("key_card.css").read_text(encoding="utf-8")
    size = f"@page {{ size: {PAPERS[paper]}; margin: 12mm; }}\n"
    head = (
        element("meta", http_equiv="Content-Security-Policy", content=_POLICY),
        element("title", text(title)),
        element("style", Markup(size + style)),
    )
    sections = join(_section(group) for group in groups if group.rows)
    columns = element("div", sections, class_="columns")
    main = element("main", element("h1", text(title)), columns, paragraph(foot, "foot"))
    return document(head, [main])


def _section(group: CardGroup) -> Markup:
    rows = join(_row(row) for row in group.rows)
    return element("section", element("h2", text(group.title)), element("dl", rows))


def _row(row: CardRow) -> Markup:
    keys = join(_key(key) for key in row.keys)
    return element("div", element("dt", keys), element("dd", text(row.does)))


def _key(name: str) -> Markup:
    return text(f" {name} ") if name == "…" else element("kbd", text(name))
