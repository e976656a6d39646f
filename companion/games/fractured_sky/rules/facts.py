"""The facts of Fractured Sky: what happened, as the table would say it, without anything that follows by the rules.

A `player` is a seat or an AI (`@black`, `@orange`); regions and platforms go by their ids of the
board.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from companion.games.fractured_sky.rules.board import CardKind, Direction
from companion.rules.facts import Fact, SeatId, Setup

if TYPE_CHECKING:
    from companion.rules.form_fields import FormField

Building = Literal["fortress", "market"]
Resource = Literal["gold", "iron", "wood"]
Counter = Literal["starfalls", "market_card", "region", "unused", "slot"]
Piece = Literal["airship", "fortress", "market", "skimmer", "marker"]
Place = Annotated[str, Field(min_length=1, max_length=60, examples=["careening-cliffs"])]
Ai = Literal["@black", "@orange"]
# a seat or an AI; a plain SeatId would make a form offer the seats alone
Player = Annotated[str, Field(min_length=1)]
# both powers on the token, the low one first
TokenValues = Annotated[str, Field(pattern=r"^\d{1,2}/\d{1,2}$")]
Power = Annotated[int, Field(ge=0, le=30)]
Reason = Annotated[str, Field(min_length=1)]
_TOKEN_EXAMPLES = ["1/5,2/6,3/8"]
AIRSHIPS_EACH = 3  # FS-2: Airships of a player, with a power under each


def piece_name(piece: Piece) -> str:
    """Return a piece's name: `Airship`, `scouting marker`."""
    return "scouting marker" if piece == "marker" else piece.capitalize()


class First(Fact, kind="first", called="who goes first"):
    """A seat takes turn slot 1 of the first round (FS-4)."""

    seat: SeatId


class Deal(
    Fact,
    kind="deal",
    called="Hidden Starfall cards were dealt",
    asks="deal the Hidden cards",
    secret=True,
):
    """The companion shuffled and dealt the Hidden Starfall cards (FS-6, FS-T8).

    `cards` are regions: the tray's cards from left to right, then the unused pile from the top.
    """

    cards: tuple[Place, ...] = Field(min_length=1, max_length=20)


class Public(Fact, kind="public", called="Public Starfall card"):
    """The round begins with the Public Starfall card of this region (FS-6)."""

    region: Place


class Airship(Fact, kind="airship", called="Airship was placed", asks="place an Airship"):
    """A seat places an Airship with a Power chip under it (FS-8)."""

    seat: SeatId
    region: Place


class Slot(Fact, kind="slot", called="turn slot was taken", asks="take a turn slot"):
    """A seat that has placed its third Airship takes a turn slot of the next row (FS-10)."""

    seat: SeatId
    slot: int = Field(title="turn slot", ge=1, le=9)


class Build(Fact, kind="build", called="building was built", asks="build a building"):
    """A seat builds on a platform (FS-12)."""

    seat: SeatId
    building: Building
    platform: Place = Field(examples=["3"])


class Skimmer(Fact, kind="skimmer", called="Skimmer was built", asks="build a Skimmer"):
    """A seat builds a Skimmer in a region (FS-12)."""

    seat: SeatId
    region: Place


class Scout(Fact, kind="scout", called="Hidden card was scouted", asks="scout a Hidden card"):
    """A seat looks at Hidden card number `card` and takes one of its region's resources, or nothing (FS-16)."""

    seat: SeatId
    card: int = Field(title="card number", ge=1, le=5)
    resource: Resource | None = None


class Take(Fact, kind="take", called="resource was taken after scouting", asks="take a resource"):
    """A seat whose last action was a scout that took nothing takes one of that region's resources (FS-16)."""

    seat: SeatId
    card: int = Field(title="card number", ge=1, le=5)
    resource: Resource


class Peek(
    Fact, kind="peek", called="Objective card was looked at", asks="look at the Objective card"
):
    """A seat looks at the Objective of round `card` (FS-17)."""

    seat: SeatId
    card: int = Field(title="card number", ge=1, le=5)


class Saw(Fact, kind="saw", called="private note of a region seen", private=True):
    """A seat notes for itself which region it saw on an Explore draw or on a Hidden card (FS-46)."""

    seat: SeatId
    where: Literal["explore", "hidden"]
    number: int = Field(ge=1, le=10)
    region: Place


class Reveal(Fact, kind="reveal", called="Hidden card was turned up", asks="turn up a Hidden card"):
    """Hidden card number `card` of the tray is turned face up and shows this region (FS-20, FS-41)."""

    card: int = Field(title="card number", ge=1, le=5)
    region: Place


class Powers(Fact, kind="powers", called="powers under Airships", asks="enter powers"):
    """The powers under a player's Airships, in the order in which these were placed (FS-21).

    `chips` are the numbers on a seat's chips, or the powers that the table reads off an AI's
    tokens.
    """

    player: Player = Field(examples=["ada"])
    chips: tuple[Power, ...] = Field(
        min_length=1, max_length=AIRSHIPS_EACH, title="powers", examples=["345"]
    )

    @classmethod
    def asked(cls, field: FormField, setup: Setup) -> FormField:
        """Return the form field; three powers may be typed as three digits."""
        return (
            replace(field, digits=AIRSHIPS_EACH)
            if field.name == "chips"
            else super().asked(field, setup)
        )


class Objective(Fact, kind="objective", called="who meets the Objective"):
    """Who meets the round's Objective best: one player, several if tied, or nobody (FS-22)."""

    players: tuple[Player, ...] = Field(default=(), examples=["ada,@black"])
    reason: str = ""


class RoundEnd(Fact, kind="round_end", called="round ended", asks="end the round"):
    """The round ends: the regions resolve as computed, and the board is cleaned up (FS-23 to FS-29)."""


class Shuffle(
    Fact,
    kind="shuffle",
    called="AI's cards were shuffled",
    asks="shuffle an AI's cards",
    secret=True,
):
    """An AI's cards and airship tokens were shuffled.

    `cards` is the deck from the top. The first three of `tokens` sit out; the others are placed in
    that order (FS-33). `lots` ranks the tokens where a tie is drawn (FS-43). With `cards` alone, a
    deck that ran out was shuffled again (FS-34).
    """

    ai: Ai = Field(title="AI")
    cards: tuple[Annotated[int, Field(ge=1, le=30)], ...]
    tokens: tuple[Annotated[int, Field(ge=1, le=6)], ...] = ()
    lots: tuple[Annotated[int, Field(ge=1, le=6)], ...] = ()


class AiTurn(Fact, kind="ai_turn", called="AI took its turn", asks="enter an AI's card"):
    """An AI takes its turn (FS-34).

    Cards of its shuffled deck are turned up until one can be carried out, or the table names the
    `card` it turned up. `stars` are all stars of that card's compass in the order in which they
    count; if left out, they are asked for when needed.
    """

    ai: Ai = Field(title="AI")
    card: CardKind | None = None
    stars: tuple[Direction, ...] = ()


class AiCompass(
    Fact,
    kind="ai_compass",
    called="stars of an AI's compass",
    asks="enter stars of an AI's compass",
):
    """Physical cards: the next stars of the compass that a pending move asks for, in the order in which they count.

    `whole` says that the compass has no more (FS-35, FS-36).
    """

    ai: Ai = Field(title="AI")
    stars: tuple[Direction, ...] = Field(default=(), max_length=8)
    whole: bool = Field(default=False, title="no more stars")


class AiChoose(
    Fact, kind="ai_choose", called="where an AI's move goes", asks="choose where an AI's move goes"
):
    """The table says where an AI's move goes: it settles a tie (FS-36), or overrules the move with a reason."""

    target: Place = Field(title="goes to")
    reason: str = ""


class AiCannot(
    Fact, kind="ai_cannot", called="AI's move cannot be made", asks="an AI cannot make its move"
):
    """The table cannot make an AI's move; the next candidate replaces it, or the next card (FS-34)."""

    reason: Reason


class AiDone(Fact, kind="ai_done", called="AI's move was made", asks="make the AI's move"):
    """The table made the AI's move (FS-34)."""


class AiSitsOut(Fact, kind="ai_sits_out", called="AI's unused tokens"):
    """Physical cards: the three tokens of an AI that lie face up this round (FS-33)."""

    ai: Ai = Field(title="AI")
    tokens: tuple[TokenValues, ...] = Field(examples=_TOKEN_EXAMPLES, min_length=3, max_length=3)


class AiTokens(Fact, kind="ai_tokens", called="tokens under an AI's Airships"):
    """Physical cards: the tokens under an AI's Airships, in the order in which these were placed (FS-43).

    `lots` is the order in which the table drew the tokens where a tie is drawn.
    """

    ai: Ai = Field(title="AI")
    tokens: tuple[TokenValues, ...] = Field(examples=_TOKEN_EXAMPLES, min_length=1, max_length=3)
    lots: tuple[TokenValues, ...] = Field(
        title="drawn order", examples=_TOKEN_EXAMPLES, default=(), max_length=6
    )


class Turn(Fact, kind="turn", called="whose turn it is"):
    """The table says whose turn it is."""

    player: Player = Field(examples=["ada"])
    reason: Reason


class Adjust(Fact, kind="adjust", called="count is set by hand", asks="set a count by hand"):
    """The table sets a count: an AI's Starfalls, its Market card, a region's Starfalls, the unused
    pile, or a player's turn slot."""

    counter: Counter = Field(title="which count")
    of: str = Field(default="", title="of whom or where")
    value: int = Field(title="new number", ge=0, le=99)
    reason: Reason


class Remove(
    Fact, kind="remove", called="piece leaves the board", asks="take a piece off the board"
):
    """The table takes a piece off the board.

    `place` is a platform, a region, or for a scouting marker the number of a Hidden card.
    """

    player: Player = Field(examples=["ada"])
    piece: Piece
    place: Place
    reason: Reason


class Move(Fact, kind="move", called="piece is moved", asks="move a piece"):
    """The table puts a piece somewhere else; `place` and `to` are as in `Remove`."""

    player: Player = Field(examples=["ada"])
    piece: Piece
    place: Place
    to: Place = Field(title="goes to")
    reason: Reason


class MapRegion(Fact, kind="map_region", called="region's name, resources, place"):
    """What the board shows of a region: its name, its two resources, its place (FS-U1 to FS-U3)."""

    region: Place
    name: str = ""
    resources: tuple[Resource, ...] = Field(default=(), max_length=2)
    x: int | None = Field(default=None, title="across", ge=0, le=999)
    y: int | None = Field(default=None, title="down", ge=0, le=999)


class MapPlatform(Fact, kind="map_platform", called="platform and its bridges"):
    """What the board shows of a platform: its bridges and its places for buildings (FS-U4).

    Fields that are left out stay as they are; a new platform needs its bridges.
    """

    platform: Place = Field(examples=["3"])
    regions: tuple[Place, ...] = Field(default=(), max_length=10)
    places: int | None = Field(default=None, ge=1, le=20)
