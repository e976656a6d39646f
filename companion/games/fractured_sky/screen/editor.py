"""The map editor: enter the board from the box and see it drawn at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Input

from companion.config.schema import Preferences
from companion.dashboard.textual.key_queue import StandaloneApp
from companion.dashboard.widgets.static import Static
from companion.games.fractured_sky.rules.box import shown_name
from companion.games.fractured_sky.rules.controls import ANSWERS
from companion.games.fractured_sky.screen.sketch import (
    COLUMNS,
    DRAFTS,
    Cell,
    ChartGrid,
    RowId,
    Sketch,
    chart,
    grid_of,
    rows_of,
    sketch_of,
    unfinished,
)
from companion.program import PROGRAM
from companion.rules.columns import plural
from companion.rules.components import Box, BoxError, ComponentRow

Save = Callable[[Sequence[ComponentRow], Sequence[RowId]], Path]
"""Writes rows into the owner's file, removes others and returns the file; raises `BoxError` or `OSError`."""

LEGEND = "[2] 3 places: platform 2 holds 3 buildings.  G Gold, I Iron, W Wood"
"""What the signs mean, where there is no room for words."""
ON_NOTHING = "{} put that region here   p platform here   arrows, mouse move"
ON_REGION = "g Gold  i Iron  w Wood   n name   Enter move it   x remove   ? not sure"
ON_PLATFORM = "{} bridge   + - places   Enter move it   x remove   ? not sure"
CARRYING = "arrows, mouse move it   Enter put it down   Esc leave it where it was"
ALWAYS = "s save and leave   u undo   X start over (Shift+x)   Esc leave, the draft is kept"
TAKEN = "Something stands there already. Choose a free place."
RESOURCE_KEYS = {"g": "Gold", "i": "Iron", "w": "Wood"}
SIDES = {"eight": "8 regions (1-3 players)", "ten": "10 regions (4-5 players)"}


MOVES = {
    "up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0),
    "pageup": (0, -5), "pagedown": (0, 5), "home": (-5, 0), "end": (5, 0),
}  # fmt: skip


class MapEditor(StandaloneApp[str]):
    """Edits one side of the board. Each change goes into the draft at once; `s` writes the rows and drops the draft.

    Exits with a sentence about the outcome. Whatever the screen fails with, the draft stays.
    """

    AUTO_FOCUS = ""  # a focused name field would take the letters
    CSS = """
    Screen { background: $background; color: $foreground; layout: vertical; padding: 0 1; }
    #title { height: 1; text-style: bold; text-wrap: nowrap; text-overflow: ellipsis; }
    #picture { height: 1fr; text-wrap: nowrap; }
    #about { height: auto; min-height: 2; max-height: 4; background: $panel; padding: 0 1; }
    #name { display: none; }
    #said { height: 2; color: $warning; }
    #keys { height: auto; color: $quiet; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", show=False),
        *(
            Binding(key, f"move({right},{down})", show=False)
            for key, (right, down) in MOVES.items()
        ),
        Binding("enter", "carry", show=False),
    ]

    def __init__(
        self, box: Box, side: str, draft: Path, save: Save, source: str, *, wanted: Preferences
    ) -> None:
        super().__init__(wanted)
        self._box, self._side, self._draft = box, side, draft
        self._save, self._source = save, source
        self.sketch = _drafted(draft, side) or sketch_of(box, side)
        self._past: list[Sketch] = []
        self._cursor: Cell = (0, 0)
        self._carried = ""  # the region or platform that moves with the cursor
        self._over = False  # X was pressed once; the second press starts over
        self._said = ""
        if draft.exists():
            self._said = "The draft of before is here. X starts over from your file."

    def compose(self) -> ComposeResult:
        yield Static(id="title")
        yield Static(id="picture")
        yield Static(id="about")
        yield Input(id="name", compact=True)
        yield Static(id="said")
        yield Static(id="keys")

    def on_mount(self) -> None:
        self.query_one(Input).cursor_blink = False
        self._draw()

    def on_resize(self) -> None:
        self.call_after_refresh(self._draw)  # only then the picture has its new size

    # -- showing

    @property
    def grid(self) -> ChartGrid:
        size = self.query_one("#picture").size
        return grid_of(self.sketch, max(size.width, COLUMNS), max(size.height, 1))

    @property
    def cell(self) -> Cell:
        """The cursor's place on the map."""
        step = self.grid.step
        return self._cursor[0] * step, self._cursor[1] * step

    def _draw(self) -> None:
        sketch, grid = self.sketch, self.grid
        self._cursor = grid.clamped(self._cursor)
        side = SIDES.get(sketch.side, sketch.side)
        placed = f"{len(sketch.cells)} of {len(sketch.regions)} placed"
        title = f"Map of Fractured Sky, {side}: {placed}, {plural(len(sketch.piers), 'platform')}"
        self.query_one("#title", Static).update(Content(title))
        picture = self.query_one("#picture", Static)
        carried = self._label(self._carried) if self._carried else ""
        size = max(COLUMNS, picture.size.width), max(1, picture.size.height)
        rows = chart(sketch, grid, self._cursor, size, carried)
        picture.update(Content("\n").join(rows))
        self.query_one("#about", Static).update(Content(self._about()))
        self.query_one("#said", Static).update(Content(self._said))
        self.query_one("#keys", Static).update(Content(self._keys()))

    def _keys(self) -> str:
        """Return the keys that do something here, and those that always do."""
        here, last = self._here(), ANSWERS[len(self.sketch.regions) - 1]
        numbers = f"1-{last}" if last != ANSWERS[-1] else "1-9 0"
        keys = ON_NOTHING.format(numbers)
        if self._carried:
            keys = CARRYING
        elif here in self.sketch.cells:
            keys = ON_REGION
        elif here:
            keys = ON_PLATFORM.format(numbers)
        legend = [] if self.grid.rows > 1 else [LEGEND]
        return "\n".join([*legend, keys, ALWAYS])

    def _label(self, name: str) -> str:
        if name in self.sketch.regions:
            return f"{self.sketch.key(name)} {self.sketch.label(name)}"
        return f"platform {name}"

    def _about(self) -> str:
        """Return what is under the cursor, and what is not placed yet."""
        sketch, here = self.sketch, self._here()
        if here in sketch.cells:
            resources = " and ".join(sketch.resources.get(here, ())) or "resources unknown"
            text = f"{self._label(here)}: {resources}"
        elif here:
            pier = sketch.piers[here]
            places = "unknown" if pier.places is None else pier.places
            bridges = ", ".join(map(sketch.label, pier.regions)) or "no region yet"
            text = f"platform {here}: places for buildings {places}; bridged to {bridges}"
        else:
            text = "The cursor is on an empty place"
        if here in sketch.unsure:
            text += "; not sure: provisional"
        rest = ", ".join(map(self._label, sketch.unplaced))
        on_map = f"Not on the map yet: {rest}" if rest else "All regions are on the map"
        return f"{text}\n{on_map}"

    def _here(self) -> str:
        """Return the region or platform under the cursor, or an empty string."""
        for name, cell in self.sketch.places.items():
            if self.grid.shown(cell) == self._cursor:
                return name
        return ""

    # -- changing

    def change(self, sketch: Sketch) -> None:
        """Take the sketch, and store it in the draft at once."""
        self._past.append(self.sketch)
        self._take(sketch)

    def _take(self, sketch: Sketch) -> None:
        self.sketch, self._said, self._over = sketch, "", False
        try:
            self._draft.parent.mkdir(parents=True, exist_ok=True)
            self._draft.write_bytes(DRAFTS.dump_json(sketch))
        except OSError as problem:
            self._said = f"! The draft cannot be kept in {self._draft}: {problem.strerror}."
        self._draw()

    def _refuse(self, text: str) -> None:
        self._said = f"! {text}"
        self._draw()

    @on(events.Click, "#picture")
    def point(self, event: events.Click) -> None:
        """Move the cursor to the clicked place, and put down what is carried."""
        self._cursor = self.grid.at(event.x, event.y)
        if self._carried:
            self.action_carry()
        else:
            self._draw()

    def action_move(self, right: int, down: int) -> None:
        """Move the cursor, unless a name is being typed."""
        if self.focused is not None:
            return
        self._cursor = self.grid.clamped((self._cursor[0] + right, self._cursor[1] + down))
        self._draw()

    def action_carry(self) -> None:
        """Pick up what is under the cursor, or put it down."""
        here, carried = self._here(), self._carried
        if not carried:
            self._carried = here
            if not here:
                self._refuse("There is nothing here to move. Go to a region or a platform first.")
            self._draw()
        elif here not in ("", carried):
            self._refuse(TAKEN)
        else:
            self._carried = ""
            self.change(self.sketch.at(carried, self.cell))

    def on_key(self, event: events.Key) -> None:
        """Apply a letter or digit to what is under the cursor."""
        key = event.character or event.key
        if self.focused is not None:
            return
        if self._carried:
            self._refuse(
                "You are moving something. Press Enter to put it down, or Esc to leave it."
            )
            return
        sketch, here = self.sketch, self._here()
        numbered = sketch.of_key(key)
        if numbered is not None and here in sketch.piers:
            self.change(sketch.with_bridge(here, numbered))
        elif numbered is not None:
            self._put(numbered, here)
        elif here in sketch.cells and key in RESOURCE_KEYS:
            self.change(sketch.with_resource(here, RESOURCE_KEYS[key]))
        elif here in sketch.piers and key in ("+", "-", "="):
            self.change(sketch.with_places(here, -1 if key == "-" else 1))
        else:
            self._letter(key, here)

    def _put(self, name: str, here: str) -> None:
        """Put a region or a new platform at the cursor; for a region on the map, go there instead."""
        if name in self.sketch.cells:
            self._cursor = self.grid.shown(self.sketch.cells[name])
            self._draw()
        elif here:
            self._refuse(TAKEN)
        else:
            self.change(self.sketch.at(name, self.cell))

    def _letter(self, key: str, here: str) -> None:
        of_the_map = {"s": self._write, "u": self._undo, "X": self._start_over}
        if key in of_the_map:
            of_the_map[key]()
        elif key == "p":
            self._put(self.sketch.new_pier(), here)
        elif key in ("x", "delete") and here:
            self.change(self.sketch.without(here))
        elif key == "?" and here:
            self.change(self.sketch.with_doubt(here))
        elif key == "n" and here in self.sketch.cells:
            self._ask_name(here)
        else:
            self._refuse("That key does nothing here. The lines below name the keys.")

    def _undo(self) -> None:
        if self._past:
            self._take(self._past.pop())
        else:
            self._refuse("There is nothing to undo.")

    def _start_over(self) -> None:
        """Replace the draft by the owner's file, on the second press only; undo brings it back."""
        if self._over:
            self.change(sketch_of(self._box, self._side))
            self._drop_draft()
        else:
            self._refuse(
                "Press X once more to start over from your file. u brings everything back."
            )
            self._over = True

    def _drop_draft(self) -> None:
        with suppress(OSError):  # a draft that stays agrees with the file, so it does no harm
            self._draft.unlink(missing_ok=True)

    # -- a name

    def _ask_name(self, region: str) -> None:
        line = self.query_one(Input)
        line.value = self.sketch.labels.get(region, "")
        line.placeholder = f"what {shown_name(region)} is called; Enter takes it"
        line.styles.display = "block"
        line.focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        here, name = self._here(), " ".join(event.value.split())
        self._close_name()
        if here in self.sketch.cells:
            self.change(self.sketch.with_label(here, name))

    def _close_name(self) -> None:
        self.query_one(Input).styles.display = "none"
        self.set_focus(None)

    # -- the end

    def _write(self) -> None:
        """Write the complete rows; if the map is wrong, say which row is and leave the draft."""
        rows, gone = rows_of(self.sketch, self._box, self._source)
        missing = unfinished(self.sketch)
        if not rows and not gone:
            self._refuse(missing[0] if missing else "Your file says all of this already.")
            return
        try:
            path = self._save(rows, gone)
        except BoxError as error:
            self._refuse("; ".join(str(replace(problem, line=0)) for problem in error.problems[:2]))
            return
        except OSError as problem:
            self._refuse(f"The file cannot be written: {problem.strerror}.")
            return
        if missing:
            self._refuse(f"Saved but for this: {missing[0]}")
            return
        self._drop_draft()
        self.exit(
            f"{path} has the map: {len(rows)} rows written, {len(gone)} taken out. New sessions use it."
        )

    def action_leave(self) -> None:
        """Close the name field, put down what is carried, or leave the editor; the draft stays."""
        if self.focused is not None:
            self._close_name()
        elif self._carried:
            self._carried = ""
            self._draw()
        elif self._draft.exists():
            again = f"{PROGRAM} components map fractured-sky goes on with it, s there writes it into your file"
            self.exit(f"The map is kept as a draft in {self._draft}: {again}.")
        else:
            self.exit("Nothing was changed.")


def _drafted(draft: Path, side: str) -> Sketch | None:
    """Return the sketch in a draft, or None if there is no readable one for that side."""
    try:
        sketch = DRAFTS.validate_json(draft.read_bytes())
    except (OSError, ValueError):
        return None
    return sketch if sketch.side == side else None
