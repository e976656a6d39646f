"""The whole page around its blocks. It loads nothing from elsewhere, and its policy tells the browser so."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import cache

from companion.config.values import file_named
from companion.errors import CommandError, ErrorKind, reading
from companion.journal.disk import read_regular
from companion.program import PROGRAM
from companion.reports.markup import SCREEN, Markup, document, element, text
from companion.reports.pictures.any_picture import picture_style
from companion.reports.qr import qr_svg
from companion.reports.tables import table_style
from companion.web.addresses import is_own_only
from companion.web.assets import asset
from companion.web.blocks import ORDER, Blocks
from companion.web.headers import page_headers, policy
from companion.web.rules_pages import ASK, rules_part, rules_sheet
from companion.web.tabs import TITLE, head_of, icon_address, tab_title

LARGEST_STYLE = 1 << 20  # bytes
_CONNECTION = "connection.js"
_SCRIPTS, _OF_NOTES = ("patch.js", _CONNECTION, "moves.js", "page.js", "rules.js"), "notes.js"
_STALE_S = 10  # seconds until a page without scripts reloads
ALONE = (
    "No phone can reach this page: only this computer can open it. For phones, this computer has to be on a network, "
    f"and {PROGRAM} serve needs --lan."
)
NO_SCRIPTS = "This browser runs no scripts, so nothing can be sent from here: say it at the table."


def _asset(name: str) -> Markup:
    return Markup(asset("companion.web", name))


@cache
def _page_style() -> Markup:
    """Return the style of a page with blocks: its own, and those of the games' tables and pictures."""
    return Markup(f"{_asset('page.css')}{table_style()}{picture_style()}")


@cache
def hash_of(content: str) -> str:
    """Return the source by which a policy allows this style or script."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}'"


@cache
def headers() -> Mapping[str, str]:
    """Return the headers of every answer: not to be stored, framed, sniffed, or loaded by other sites."""
    scripts = " ".join(hash_of(_asset(name)) for name in (*_SCRIPTS, _OF_NOTES))
    # a question about the rules is the only form that a browser sends without a script
    own_policy = policy(hash_of(_page_style()), scripts, form="'self'")
    return page_headers(own_policy, "no-referrer")


def overlay_page(title: str, style: str) -> tuple[str, Mapping[str, str]]:
    """Return the page to lay over a video picture (the table, the round's clock, the last ruling), which scripts fill
    in, and its policy header. The policy lets whoever streams add a `style` of their own, see `read_style`, but no
    script and nothing from elsewhere."""
    state = (
        element("p", id="where"),
        element("p", id="clock", role="timer"),
        element("ol", id="players"),
    )
    parts = [*state, element("p", id="ruling", role="status")]
    lost = element("p", id="lost", hidden="")
    own = [element("style", Markup(style))] if style else []
    body = [element("main", *parts, lost), *_connected("overlay.js")]
    scripts = f"{hash_of(_asset(_CONNECTION))} {hash_of(_asset('overlay.js'))}"
    return _document(tab_title(title, "overlay"), own, body, "overlay.css"), policy(
        "'unsafe-inline'", scripts
    )


def _connected(script: str) -> tuple[Markup, Markup]:
    """Return a script and the one that keeps its page connected."""
    return element("script", _asset(_CONNECTION)), element("script", _asset(script))


def read_style(file: str) -> str:
    """Return the CSS in the file that the settings name, or an empty string; raise `CommandError`."""
    if not file:
        return ""
    path = file_named(file)
    with reading(path, ". Mend it, or take overlay_style out.", "The overlay's style "):
        style = read_regular(path, LARGEST_STYLE).decode("utf-8-sig")
    if "</" in style:  # could end the page's style element
        why = (
            f"The overlay's style {path} is no CSS: it has a </ in it. Put the style there, alone."
        )
        raise CommandError(why, ErrorKind.DATA)
    return style


def caller_page(title: str) -> tuple[str, Mapping[str, str]]:
    """Return the page that speaks rulings aloud once somebody taps it and lists them for screen readers, and the policy
    header that allows its own style and script."""
    button = element(
        "button", text("Call the game"), id="call", type="button", aria_pressed="false"
    )
    no_voice = element(
        "p",
        text("This device has no voice of its own: the lines are only shown."),
        id="dumb",
        hidden="",
    )
    spoken_lines = element("ol", id="said", aria_live="polite")
    lost = element("p", id="lost", role="alert", hidden="")
    voice = element("label", text("Voice"), element("select", id="voice"))
    main = element(
        "main",
        element("h1", text(title)),
        button,
        no_voice,
        lost,
        spoken_lines,
        voice,
        element("div", id="names"),
    )
    page = _document(tab_title(title, "caller"), [], [main, *_connected("caller.js")], "caller.css")
    scripts = f"{hash_of(_asset(_CONNECTION))} {hash_of(_asset('caller.js'))}"
    return page, policy(hash_of(_asset("caller.css")), scripts)


def manifest_json(title: str) -> str:
    """Return the manifest for a page on a home screen (https://www.w3.org/TR/appmanifest/)."""
    icon = {"src": icon_address(), "sizes": "any", "type": "image/svg+xml"}
    named = {"name": title, "short_name": title, "start_url": "./", "scope": "./"}
    return json.dumps({**named, "display": "standalone", "icons": [icon]})


def session_page(title: str, blocks: Blocks, fingerprint: str = "", place: str = "") -> str:
    """Return the page of a session with its blocks; scripts keep them up to date. `title` is the game's, for a page
    without a title of its own among its blocks. `fingerprint` is the certificate's, empty if the page is not encrypted;
    `place`: see `place_of`."""
    parts = []
    for name in ORDER:
        # Only a script can send a form, so the forms are hidden until one runs.
        more = {"hidden": ""} if name == "note" and name in blocks else {}
        if name == "turn" and name in blocks:
            more = {"role": "status"}
        parts.append(element("div", blocks.get(name, Markup("")), id=name, **more))
        if name == "seats":
            parts.append(rules_part())
    head = [element("noscript", element("meta", http_equiv="refresh", content=str(_STALE_S)))]
    pressed = {"aria_label": "A+ big text", "aria_pressed": "false"}
    button = element("button", text("A+"), id="big", type="button", hidden="", **pressed)
    lost = element("p", id="lost", role="alert", hidden="")
    # a script writes here what is new, for screen readers alone
    foot = [rules_sheet(), element("div", id="heard", role="log", aria_label="News of the table")]
    scripts = list(_SCRIPTS)
    if "note" in blocks:
        parts.append(element("noscript", element("p", text(NO_SCRIPTS), class_="soft")))
        foot.append(element("p", id="sent", role="status"))
        scripts.append(_OF_NOTES)
    if fingerprint:
        head.append(Markup('<link rel="manifest" href="manifest">'))
        foot.append(_why_it_warned(fingerprint))
    foot += [element("script", _asset(name)) for name in scripts]
    body = [button, lost, element("main", *parts, data_place=place), *foot]
    return _document(blocks.get(TITLE, tab_title(title)), head, body)


def page_around(
    title: str,
    blocks: Blocks,
    main: Markup,
    style: Markup,
    scripts: Sequence[str],
    fingerprint: str = "",
) -> str:
    """Return a page with blocks that `scripts` keep up to date; `main` has them in their places. The rest is as for
    `session_page`."""
    pressed = {"aria_label": "A+ big text", "aria_pressed": "false"}
    button = element("button", text("A+"), id="big", type="button", hidden="", **pressed)
    lost = element("p", id="lost", role="alert", hidden="")
    news = element("div", id="heard", role="log", aria_label="News of the table")
    head = [Markup('<link rel="manifest" href="manifest">')] if fingerprint else []
    foot = [_why_it_warned(fingerprint)] if fingerprint else []
    foot += [element("script", _asset(name)) for name in scripts]
    head.insert(0, element("style", style))
    return document(
        (SCREEN, head_of(blocks.get(TITLE, tab_title(title))), *head),
        [button, lost, main, news, *foot],
    )


def about_rules(title: str, main: Markup) -> str:
    """Return a page about the rules; it needs no script."""
    return _document(tab_title(ASK, title), [], [main])


def policy_of(style: Markup, scripts: Sequence[str]) -> Mapping[str, str]:
    """Return the headers of a page with this style and these scripts and no others."""
    hashes = " ".join(hash_of(_asset(name)) for name in scripts)
    return page_headers(policy(hash_of(style), hashes, form="'self'"), "no-referrer")


def _why_it_warned(fingerprint: str) -> Markup:
    sentence = (
        "What goes between this phone and the table's computer is encrypted. The computer made the certificate "
        "itself, so nobody else vouches for it, and the browser warns once. It is the right one if its SHA-256 "
        "fingerprint is that on the table's screen:"
    )
    paragraphs = (element("p", text(sentence)), element("p", element("code", text(fingerprint))))
    return element(
        "details",
        element("summary", text("Why did the browser warn?")),
        *paragraphs,
        id="why-it-warned",
    )


def qr_page(title: str, address: str) -> str:
    """Return a page with `address` as a QR code for a neighbour to scan; if no phone can reach that address, a page
    that says what to do instead."""
    if is_own_only(address):
        return sentence_page(ALONE)
    code = element("div", Markup(qr_svg(address)), class_="qr")
    words = element(
        "p", text("Scan it to see the table on another phone or tablet in this network.")
    )
    return _document(
        tab_title(title, "code for phones"),
        [],
        [element("h1", text(title)), words, code, element("p", text(address))],
    )


@cache
def sentence_page(sentence: str) -> str:
    """Return a page with one sentence."""
    return _document(tab_title(), [], [element("p", text(sentence), class_="awaiting")])


def _document(title: Markup, head: list[Markup], body: list[Markup], style: str = "") -> str:
    css = _asset(style) if style else _page_style()
    return document((SCREEN, head_of(title), element("style", css), *head), body)
