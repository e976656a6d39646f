"""What can be said of each game before it is opened: opening one imports its models."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Card:
    """A game in one glance: its id and title, who can play, what the companion does for it, and whose game it is."""

    game: str
    title: str
    seats: range
    does: str
    credits: str

    @property
    def players(self) -> str:
        """How many can play, in words."""
        return f"{self.seats.start} to {self.seats[-1]} players"


CARDS = (
    Card(
        "panic-fire",
        "Panic Fire",
        range(2, 6),
        "Times each shot, counts draws and Bullet cards, names who is out; gun and buttons, or the keyboard.",
        "Also sold as Shoot Your Friends. It belongs to its makers; this companion is unofficial.",
    ),
    Card(
        "skyfire",
        "SkyFire",
        range(3, 6),
        "Keeps zones, targets and points, remembers what was shown, and what each seat noted for itself.",
        "Design: Michael Purcell, CC BY-SA 4.0.",
    ),
    Card(
        "sky-rise",
        "Sky Rise",
        range(2, 6),
        "Draws the tower, scores every pyramid, group and column; times the Tower Showdown.",
        "Design: M. Weberg, for Looney Pyramids. This companion is unofficial.",
    ),
    Card(
        "fractured-sky",
        "Fractured Sky",
        range(1, 6),
        "Runs the AI opponents and says why they move so, resolves the regions, keeps the score.",
        "Design: M. Anderson, Z. Dixon, A. Harrison; solo mode: N. Shaw, D. Digby, D. Turczi. IV Studio. Unofficial.",
    ),
)
BY_GAME = {card.game: card for card in CARDS}
