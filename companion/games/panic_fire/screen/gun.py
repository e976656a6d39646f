"""The side part: the gun's last shot, the shots that wait for names, and the piles."""

from __future__ import annotations

from typing import Any

from textual.app import App
from textual.content import Content

from companion.dashboard.game_screen import ScreenPart
from companion.dashboard.registry import INSERT, MARSHAL, first_key
from companion.dashboard.widgets.bars import race_rows
from companion.dashboard.widgets.labels import box_rows, labelled, packed
from companion.dashboard.widgets.page import key_for_more, keys_of
from companion.dashboard.widgets.rounds import round_rows
from companion.dashboard.widgets.static import GAP, Static
from companion.games.panic_fire.panels import races
from companion.games.panic_fire.rules.keys import PREFIX, key_of
from companion.games.panic_fire.rules.text import ORDER
from companion.games.panic_fire.rules.view import PanicFireView, ShotView
from companion.rules.actions import with_keys
from companion.rules.pauses import between
from companion.rules.spans import NOT_MEASURED, seconds, span
from companion.session.views import TableView

_CAUSES = {
    "shot": "",
    "dry_pull": "a dry pull, counted as a shot",
    "knock": "a knock, counted as a shot",
}
LABEL_CELLS = 7
FEW_ROWS = 16
"""With fewer rows than this, the rounds come before the draws of this one."""
HOST = "host-"  # how the clock of a moment is named that no board stamped


class GunPart(ScreenPart, Static):
    """Shows the last shot, its verdict, and the moment the rulings rest on."""

    def draw(self, view: TableView) -> None:
        game: PanicFireView = view.game
        if width := self.content_size.width:
            key = with_keys(key_of("order"), keys_of(self.app))
            rows = labelled("Gun", gun(game, width - LABEL_CELLS, key), LABEL_CELLS, width)
            rows += labelled("Piles", [piles(game)], LABEL_CELLS, width)
            if game.unsaid_matches:
                rows += labelled("Match", [unsaid(game, self.app)], LABEL_CELLS, width)
            if self.roomy and (figures := round_lines(game)):
                rows += labelled("Round", figures, LABEL_CELLS, width)
            box = box_rows(view, LABEL_CELLS, width, key_for_more(self.app))
            rows += box
            if self.roomy and not box:
                word, rounds = view.rounds()
                left = self.content_size.height - len(rows) - 1
                drawn = [Content(""), *draw_bars(game, width)]
                kept = len(drawn) if left >= FEW_ROWS else 0
                added = round_rows(rounds, word, view.players, width, left - kept)
                rows += [Content(""), *added] if added else []
                rows += drawn if len(drawn) < left - len(added) else []
            self.update(Content("\n").join(rows))


def gun(game: PanicFireView, width: int, key: str) -> list[Content]:
    """Return the last shot in two or three lines of `width` cells; `key` orders two tied shots."""
    shot = game.last_shot
    if shot is None:
        return [Content("not fired in this round")]
    rows = [
        Content.assemble((verdict(shot), "bold")),
        packed(map(Content, measurements(shot, game)), width, GAP),
    ]
    if (waiting := len(game.open_shots)) > 1:
        rows.append(Content(f"{waiting} shots need names; this is the newest"))
    if shot.tie:
        rows.append(
            Content.assemble(
                (f"! a tie with the shot before: {key} decides which was first", "bold $warning")
            )
        )
    elif shot.ruled:
        rows.append(Content(f"a tie with the shot before: {ORDER[shot.order]}"))
    return rows


def unsaid(game: PanicFireView, app: App[Any]) -> str:
    """Return for which earlier shots nobody said who held the match; with the keys that add it, where people have
    keys."""
    words = f"not said: {', '.join(game.unsaid_matches)}"
    keys = {action.id: first_key(action) for action in getattr(app, "actions", ())}
    if not any(action_id.startswith(PREFIX) for action_id in keys):
        return words
    return f"{words} ({keys[MARSHAL.id]}, then {keys[INSERT.id]} at that line)"


def verdict(shot: ShotView) -> str:
    """Return the shot's verdict without its clause; an open shot waits for names."""
    if shot.open and shot.target is None and shot.shooter is None:
        return "fired; nobody named yet"
    return shot.verdict


def measurements(shot: ShotView, game: PanicFireView) -> list[str]:
    """Return the measured values: time since *fire!* with its error, how long after the trigger the hit came, peak."""
    parts = []
    if _CAUSES[shot.cause]:
        parts.append(_CAUSES[shot.cause])
    if shot.at is None:
        parts.append("time unknown")
    else:
        if shot.at.tapped:
            parts.append("by tap")
        elif shot.at.clock.startswith(HOST):
            parts.append("by key")
        after = between(game.fire, shot.at, game.pauses, game.paused)
        if after is None:
            parts.append("time unknown (the game was closed meanwhile)")
        else:
            parts.append(after.text(after="fire!"))
    if shot.lag_us is not None:
        parts.append(f"hit {span(shot.lag_us)} after the trigger")
    if shot.peak is not None:
        parts.append(f"peak {shot.peak}")
    return parts


def round_lines(game: PanicFireView) -> list[str]:
    """Return the round's figures; unknown ones are left out."""
    first, rate = game.first_shot, game.draws_per_min
    lines = []
    if first:
        line = f"first shot {seconds(first.us, first.pm)} after fire!"
        if first.tapped:
            line += f", {NOT_MEASURED}"
        lines.append(line)
    if rate is not None:
        lines.append(f"{rate:.0f} draws a minute")
    return lines


def draw_bars(game: PanicFireView, width: int) -> list[Content]:
    """Return the draws of this round as a bar for each seat; none before the first draw."""
    return [row for race in races(game) for row in race_rows(race, width)]


def piles(game: PanicFireView) -> str:
    """Return the cards left in the piles, in words."""
    if game.phase == "ready":
        return "not dealt yet"
    if game.cards_left is None:
        return "cards left: unknown"
    return f"{game.cards_text.replace('-', ' to ')} cards left"
