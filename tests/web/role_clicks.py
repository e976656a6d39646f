"""A page of a role in a real browser, and a finger that finds on it what a script asks for."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from companion.rules.forms import fields_of
from companion.session.opening import begin
from companion.session.roles import Role
from companion.session.table import Table
from companion.session.taps import EnterFact, Step, Wish
from companion.web import at_play
from companion.web.addresses import LOCALHOST
from companion.web.at_play import TablePages
from companion.web.role_offers import words_of
from tests.web.browser import Browser

LOST = "document.getElementById('lost')"
SAID = "document.getElementById('said').textContent"
PROMPT = "document.querySelector('.awaiting').textContent"
SEEN = "Number(document.querySelector('[data-seen]')?.dataset.seen)"
TOO_SOON = "This button has just changed: nothing was done. Tap again."
QUICK = 100
"""How much faster the page's own clock runs, so that its guard of 300 ms does not hold up a script."""
_FASTER = f"""
const real = performance.now.bind(performance);
performance.now = () => real() * {QUICK};
"""
# Finds what asks for a wish, and taps it. Returns how it was found, "" if it is nowhere on the page.
_TAP = """
(({kind, action, fact, words}) => {
  const sorted = (words) => JSON.stringify(Object.entries(words).sort());
  const same = (one, other) => sorted(one) === sorted(other);
  const asks = (each) => JSON.parse(each.dataset.wish);
  const unfold = (each) => {
    for (let box = each.closest("details"); box; box = box.parentElement.closest("details")) box.open = true;
  };
  const buttons = [...document.querySelectorAll("main button[data-wish]")];
  const button = buttons.find((each) => kind === "step" ? asks(each).action === action
    : asks(each).kind === "fact" && asks(each).fact === fact && same(asks(each).fields, words));
  if (button) { unfold(button); button.click(); return "button"; }
  if (kind === "step") return "";
  const form = [...document.querySelectorAll("main form[data-possible]")].find((each) => asks(each).fact === fact);
  if (form) {
    for (const name of JSON.parse(form.dataset.names)) {
      const chip = [...form.querySelectorAll(`[name="${name}"]`)].find(({ value }) => value === (words[name] ?? ""));
      if (!chip) return "";
      chip.click();
    }
    form.requestSubmit();
    return "fields";
  }
  const opener = document.querySelector(`[data-open=kind][data-kind="${fact}"]`)
    ?? document.querySelector("[data-open=fact]");
  if (!opener) return "";
  unfold(opener);
  opener.click();
  const sheet = document.querySelector("#sheet form"), which = sheet.querySelector("select:not([name])");
  if (which) {
    which.value = fact;
    which.dispatchEvent(new Event("change", { bubbles: true }));
  }
  for (const box of sheet.querySelectorAll("[data-several] input")) {
    const { several } = box.closest("[data-several]").dataset;
    if (box.checked !== JSON.parse(words[several] ?? "[]").includes(box.value)) box.click();
  }
  for (const [name, word] of Object.entries(words)) {
    for (const field of sheet.querySelectorAll(`[name="${name}"]:not([data-own], [type=checkbox])`)) {
      if (field.type === "radio") { if (field.value === word) field.click(); } else field.value = word;
    }
  }
  sheet.requestSubmit(sheet.querySelector("[type=submit]"));
  return "sheet";
})"""


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
    phone.errors.clear()
    phone.size(wide, 844)
    phone.open(pages.address_of_role(code))
    phone.wait_for(f"{LOST}?.hidden && document.querySelector('main.{role.title}') !== null")
    phone.js(
        "window.toldUs = 0; document.addEventListener('heard', ({ detail }) => { toldUs = Number(detail); })"
    )
    return code


@contextmanager
def in_a_hurry(phone: Browser) -> Iterator[None]:
    """Let pages that are opened now have a clock that runs faster."""
    script = phone.call("Page.addScriptToEvaluateOnNewDocument", source=_FASTER)["identifier"]
    try:
        yield
    finally:
        phone.call("Page.removeScriptToEvaluateOnNewDocument", identifier=script)


def up_to_date(phone: Browser, table: Table) -> None:
    """Wait until the page shows the newest entry."""
    phone.wait_for(f"{SEEN} === {table.view().newest}")


def tap(phone: Browser, table: Table, wish: Wish) -> str:
    """Tap what asks for a wish, and wait until it is recorded and shown; return how it was found."""
    up_to_date(phone, table)
    phone.wait_for(f"window.toldUs >= {table.now_us()}")
    count = len(table._journal.entries)
    while True:
        how = str(phone.js(f"{_TAP}({json.dumps(_sought(table, wish))})"))
        assert how, f"nothing on the page asks for {wish}: {phone.js('document.body.innerText')}"
        said = phone.wait_for(SAID, lambda words: words != "Sending." and bool(words))
        if said != TOO_SOON:
            break
    assert len(table._journal.entries) > count, said
    up_to_date(phone, table)
    return how


def _sought(table: Table, wish: Wish) -> dict[str, Any]:
    if isinstance(wish, Step):
        return {"kind": "step", "action": wish.action}
    assert isinstance(wish, EnterFact)
    words = table.look(
        lambda record: words_of(
            fields_of(record.game.facts[wish.kind], record.common.setup), wish.body, record.number
        )
    )
    return {"kind": "fact", "fact": wish.kind, "words": words}


def press(phone: Browser, label: str, within: str = "body") -> None:
    """Tap the button with that label."""
    buttons = f"[...document.querySelector({within!r}).querySelectorAll('button')]"
    found = f"{buttons}.find((each) => each.innerText.startsWith({label!r}))"
    phone.wait_for(f"{found} !== undefined")
    phone.js(f"{found}.click()")
