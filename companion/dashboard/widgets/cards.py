"""Players as cards: the name in the border, the score in large digits, texts around it, the player's keys."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Digits

from companion.dashboard.themes import seat_style
from companion.dashboard.widgets.labels import packed
from companion.dashboard.widgets.letters import drawn
from companion.dashboard.widgets.static import Static
from companion.display.panels import SeatLine
from companion.rules.columns import width as cells_of

LEAST_CARD = 17
"""Cells of the narrowest card that has room for a large score and a name."""
LEAST_CARD_ROWS = 5
"""Rows of a card with nothing but its border and a large score."""
_DIGITS = frozenset("0123456789+-")
"""What a score is made of where it is drawn in large digits."""
_DIGIT_CELLS = _DIGIT_ROWS = 3
_DOT = (2, 1)
"""Cells and rows of a dot of the block letters in which tall screens draw the score."""
_TALL = 44
"""Rows of the smallest screen that has block letters in its cards."""
AROUND = 5
"""Cells of a card's border, padding and right margin."""
EDGES = 2
"""Rows of a card's border."""
_BESIDE = 2  # cells between a large score and the texts beside it
_LEAST_BESIDE = 8  # cells of the narrowest texts there
_ROOM_BESIDE = 16  # cells that block letters leave to the texts beside them
_GAP = "  "  # between two texts of a row


Keys = tuple[tuple[str, str], ...]
"""Keys of one player, each with what it does; an empty key, which would be refused now, leaves its place blank."""


@dataclass(frozen=True, slots=True)
class PlayerText:
    """The texts of a player's card.

    `unit` names what the score counts, `status` is in the lower border. `facts` are all other
    texts, the most important first; `keys` are those of this player alone, each with what it does.
    """

    glyph: str
    name: str
    color: str
    score: str
    unit: str = ""
    status: str = ""
    facts: tuple[str, ...] = ()
    keys: Keys = ()
    turn: bool = False
    idle: bool = False

    @classmethod
    def of(cls, line: SeatLine, unit: str, keys: Keys = ()) -> PlayerText:
        """Return the texts that any game has of a player."""
        return cls(
            line.glyph, line.name, line.color, line.score, unit,
            "turn" if line.turn else line.note, line.words, keys, turn=line.turn, idle=line.idle,
        )  # fmt: skip

    @property
    def has_number(self) -> bool:
        """Whether the score is drawn in large digits."""
        return bool(self.score) and set(self.score) <= _DIGITS


@dataclass(frozen=True, slots=True)
class CardRows:
    """The rows of a card inside its border: those beside the score, those below it, the keys.

    `score` is the number of rows of the score; `block` are these rows if it is drawn in block letters.
    """

    beside: tuple[Content, ...]
    below: tuple[Content, ...]
    keys: tuple[Content, ...]
    score: int
    block: tuple[str, ...] = ()

    @property
    def count(self) -> int:
        return max(self.score, len(self.beside)) + len(self.below) + len(self.keys)


def card_rows(text: PlayerText, width: int, most: int, *, tall: bool = False) -> CardRows:
    """Return the rows of a card of `width` cells, at most `most` of them if score and keys fit.

    On a `tall` screen the score is in block letters, if texts fit beside it. A text too long for
    its place beside the score is below it. If there are too few rows, texts share one, and the last
    are left out.
    """
    facts = [Content(fact) for fact in text.facts]
    score_rows, score_cells, block = 0, 0, []
    if text.has_number:
        score_rows, score_cells = _DIGIT_ROWS, _DIGIT_CELLS * len(text.score) + _BESIDE
        block = _block_letters(text.score, width - _BESIDE - _ROOM_BESIDE) if tall else []
        if block:
            score_rows, score_cells = len(block), len(block[0]) + _BESIDE
        facts.insert(0, Content.styled(text.unit, "$quiet"))
    elif text.score:
        facts.insert(0, Content.assemble((text.score, "bold"), (f" {text.unit}", "$quiet")))
    room = width - score_cells
    beside: list[Content] = []
    below: list[Content] = []
    for fact in filter(None, facts):
        if len(beside) < score_rows and fact.cell_length <= room and room >= _LEAST_BESIDE:
            beside.append(fact)
        else:
            below.append(fact)
    keys = key_rows(text.keys, width)
    left = max(0, most - score_rows - len(keys))
    rows = [row for fact in below for row in fact.wrap(width)]
    if len(rows) > left:
        rows = packed(below, width, _GAP).wrap(width)[:left]
    return CardRows(tuple(beside), tuple(rows), keys, score_rows, tuple(block))


def _block_letters(score: str, width: int) -> list[str]:
    """Return the score in block letters, nothing if they are wider than `width` cells."""
    letters = drawn(score, *_DOT)
    return letters if len(letters[0]) <= width else []


def key_rows(keys: Keys, width: int) -> tuple[Content, ...]:
    """Return the keys in as few rows of `width` cells as possible, after a label."""
    if not keys:
        return ()
    parts = [*key_texts(keys)]
    label = "keys " if any(key for key, _ in keys) else " " * len("keys ")
    parts[0] = Content.assemble((label, "$quiet"), parts[0])
    return tuple(packed(parts, width, _GAP).split("\n"))


def key_texts(keys: Keys) -> Iterator[Content]:
    """Yield each key with what it does, or a blank of that width."""
    for key, does in keys:
        if key:
            yield Content.assemble((key, "bold $primary"), f" {does}")
        else:
            yield Content(" " * (cells_of(does) + len("k ")))


class PlayerCard(Vertical):
    """One player. The border has the player's color, and is heavy if it is their turn."""

    def __init__(self) -> None:
        super().__init__(classes="player-card")
        self._shown: tuple[PlayerText, CardRows] | None = None
        self._digits = Digits(classes="score")
        self._block = Static(classes="block")
        self._beside = Static(classes="beside")
        self._below = Static(classes="below")
        self._keys = Static(classes="keys")

    def compose(self) -> ComposeResult:
        with Horizontal(classes="score-row"):
            yield self._digits
            yield self._block
            yield self._beside
        yield self._below
        yield self._keys

    def on_mount(self) -> None:
        if self._shown is not None:
            self.show(*self._shown)

    def show(self, text: PlayerText, rows: CardRows) -> None:
        """Show a player now, or once the card is in its place."""
        self._shown = text, rows
        if not self._digits.is_attached:  # not yet, or on the way out, when children go first
            return
        style = "$quiet" if text.idle else seat_style(text.color)
        ink = self.app.theme_variables.get(style.removeprefix("$"), style)
        self.styles.border = ("heavy" if text.turn else "round", ink)
        self.border_title = f"{text.glyph} {text.name}"
        self.border_subtitle = text.status
        self.set_class(not text.has_number, "-wordy")
        self.set_class(bool(rows.block), "-tall-score")
        self.set_class(any(key for key, _ in text.keys), "-has-keys")
        if text.has_number and not rows.block:
            self._digits.update(text.score)
            self._digits.styles.color = ink
        block = tuple(Content.styled(row, style) for row in rows.block)
        for part, content in (
            (self._block, block), (self._beside, rows.beside), (self._below, rows.below), (self._keys, rows.keys),
        ):  # fmt: skip
            joined = Content("\n").join(content)
            part.display = bool(content)
            part.update(joined.stylize_before("$quiet") if text.idle else joined)


class CardRow(Horizontal):
    """Cards side by side, as high as the fullest of them."""

    def __init__(self, id: str | None = None) -> None:  # noqa: A002  textual's own word
        super().__init__(id=id)
        self._more = Static(classes="more")
        self.rows = 0
        """The rows that the cards take."""

    def cells(self, players: int) -> int:
        """Return the cells of each card for so many players, its border included."""
        return self.content_size.width // max(1, players)

    def compose(self) -> ComposeResult:
        yield self._more

    def show(self, texts: Sequence[PlayerText], most_rows: int, more: str = "") -> None:
        """Show these players in at most `most_rows` rows, and what says that there are `more`."""
        self._more.display = bool(more)
        self._more.update(Content.styled(more, "$quiet"))
        cards = list(self.query(PlayerCard))
        for _ in texts[len(cards) :]:
            card = PlayerCard()
            self.mount(card, before=self._more)
            cards.append(card)
        for card in cards[len(texts) :]:
            card.remove()
        width, most = self.cells(len(texts) + bool(more)) - AROUND, most_rows - EDGES
        tall = self.screen.size.height >= _TALL
        shown = [card_rows(text, width, most, tall=tall) for text in texts]
        self.rows = EDGES + max((rows.count for rows in shown), default=0)
        self.styles.height = self.rows
        for card, text, rows in zip(cards, texts, shown, strict=False):
            card.show(text, rows)


def has_room_for_cards(players: int, width: int, rows: int, least: int = LEAST_CARD) -> bool:
    """Return whether each player can have a card of `least` cells in a row of `width` cells."""
    return bool(players) and width // players >= least and rows >= LEAST_CARD_ROWS
