"""The page of a role around its blocks: buttons and forms ask the table, and the answer is shown near the finger."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from companion.reports.markup import Markup, element, join, text
from companion.reports.pictures.any_picture import picture_style
from companion.reports.tables import table_style
from companion.rules.columns import capitalized
from companion.session.roles import Role
from companion.web.assets import asset
from companion.web.blocks import Blocks
from companion.web.document import page_around, policy_of
from companion.web.role_blocks import LAST, LAYOUTS
from companion.web.rules_pages import rules_part, rules_sheet

SCRIPTS = ("patch.js", "connection.js", "moves.js", "page.js", "rules.js", "act.js")
SILENCE_MS = 3000
"""Milliseconds without a word from the table after which a page that acts says so; the host's clock comes twice a
second."""
NO_SCRIPTS = "This browser runs no scripts, so nothing can be done from here."


def role_page(
    title: str,
    role: Role,
    name: str,
    blocks: Blocks,
    fingerprint: str = "",
    place: str = "",
    *,
    has_devices: bool = False,
) -> tuple[str, Mapping[str, str]]:
    """Return the page of `role` on the device called `name`, and its policy header. With
    `has_devices`, it leads to the page that gives out codes. The rest is as for `session_page`."""
    layout = LAYOUTS[role]
    whose = f"{name}, {role.title}" if name else capitalized(role.title)
    columns = [element("div", *_places(names, blocks)) for names in (layout.acts, layout.shows)]
    parts = [
        *_places(layout.above, blocks),
        element("div", *columns, class_="columns"),
        *_asking(role),
        *_places(layout.below, blocks),
        element("noscript", element("p", text(NO_SCRIPTS), class_="alarm")),
        element("footer", text(f"This page: {whose}. {role.job}"), class_="soft"),
        *_places(LAST, blocks),
    ]
    if has_devices:
        link = element("a", text("Other devices, another game"), href="devices")
        parts.insert(-len(LAST) - 2, element("p", link, class_="links"))
    after = [
        element("p", id="said", role="status", hidden=""),
        element("dialog", id="sheet", aria_labelledby="sheet-title"),
        rules_sheet(),
    ]
    about = {
        "data_place": place, "data_device": name, "data_silence": str(SILENCE_MS), "class_": f"role {role.title}",
    }  # fmt: skip
    main = element("main", *parts, **about)
    return page_around(
        title, blocks, join((main, *after)), style(), SCRIPTS, fingerprint
    ), policy_of(style(), SCRIPTS)


def _asking(role: Role) -> list[Markup]:
    """Return the place to ask about the rules; nobody types on the wall."""
    return [] if role is Role.WALL else [rules_part()]


def _places(names: Sequence[str], blocks: Blocks) -> list[Markup]:
    """Return the parts of a page in their places; those for scripts alone are hidden."""
    places = []
    for name in names:
        hidden = {"hidden": ""} if name in ("forms", "seen") else {}
        places.append(element("div", blocks.get(name, Markup("")), id=name, **hidden))
    return places


@cache
def style() -> Markup:
    """Return the style of pages of roles."""
    own = asset("companion.web", "page.css") + asset("companion.web", "role.css")
    return Markup(f"{own}{table_style()}{picture_style()}")
