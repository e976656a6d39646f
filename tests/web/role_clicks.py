"""A page of a role in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from companion.session.opening import begin
from companion.session.roles import Role
from companion.session.table import Table
from companion.web import at_play
from companion.web.addresses import LOCALHOST
from companion.web.at_play import TablePages
from tests.web.browser import HEARD, Browser

LOST = "document.getElementById('lost')"
SAID = "document.getElementById('said').textContent"
PROMPT = "document.querySelector('.awaiting').textContent"
SEEN = "Number(document.querySelector('[data-seen]')?.dataset.seen)"
TOO_SOON = "This button has just changed: nothing was done. Tap again."


@contextmanager
def served(
    folder: Path,
    game: str = "panic-fire",
    names: tuple[str, ...] = ("Anna", "Bo", "Cleo"),
    **begun: Any,
) -> Iterator[tuple[Table, TablePages]]:
    """Yield a new game and its pages."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(at_play, "PORT", 0)
        with (
            closing(begin(game, names, {}, folder / "evening.sqlite", **begun)) as table,
            closing(TablePages(table, LOCALHOST)) as pages,
        ):
            yield table, pages


def opened(
    phone: Browser,
    pages: TablePages,
    role: Role = Role.TABLE,
    name: str = "Bo's tablet",
    wide: int = 390,
) -> str:
    """Open the page of a role on a device of that width, and return its code."""
    code = pages.give_out(role, name)
    phone.leave()
    phone.size(wide, 844)
    phone.open(pages.address_of_role(code))
    phone.wait_for(f"{HEARD} && document.querySelector('main.{role.title}') !== null")
    return code


def up_to_date(phone: Browser, table: Table) -> None:
    """Wait until the page shows the newest entry."""
    phone.wait_for(f"{SEEN} === {table.view().newest}")


def press(phone: Browser, label: str, within: str = "body") -> None:
    """Tap the button with that label."""
    buttons = f"[...document.querySelector({within!r}).querySelectorAll('button')]"
    found = f"{buttons}.find((each) => each.innerText.startsWith({label!r}))"
    phone.wait_for(f"{found} !== undefined")
    phone.js(f"{found}.click()")


def submit(phone: Browser, form: str) -> None:
    """Send the form that an expression finds, once more where the page takes nothing yet; its answer is awaited
    then."""
    words = ""
    while words != "Sending.":
        phone.js("new Promise((go) => setTimeout(go, 320))")
        words = phone.js(f"({form}.requestSubmit(), {SAID})")


def finger(phone: Browser, button: str) -> None:
    """Press and release at the middle of what that expression finds, where it is on the screen; scroll there if it is
    not, or covered."""
    phone.wait_for(f"({button}) != null")
    x, y = phone.js(
        f"(() => {{ const found = {button}, middle = () => {{ const box = found.getBoundingClientRect();"
        " return [box.left + box.width / 2, box.top + box.height / 2]; };"
        " if (!found.contains(document.elementFromPoint(...middle()))) found.scrollIntoView({ block: 'center' });"
        " return middle(); })()"
    )
    for kind in ("mousePressed", "mouseReleased"):
        phone.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)


def labeled(label: str, within: str = "body") -> str:
    """An expression for the button with that label."""
    buttons = f"[...document.querySelector({within!r}).querySelectorAll('button')]"
    return f"{buttons}.find((each) => each.innerText.startsWith({label!r}))"
