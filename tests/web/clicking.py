"""Does in a browser, by clicks alone, what a wish asks for: on the page of the table, as a person finds it."""

from __future__ import annotations

import json
from typing import Any

from companion.rules.facts import Fact, Refused, body_of
from companion.rules.forms import fields_of
from companion.session.table import Table
from companion.session.taps import EnterFact, Step, Undo, Wish
from companion.web.role_offers import words_of
from tests.session.tap_scripts import StepClock
from tests.web.browser import Browser

NEWEST = "Number(document.querySelector('[data-seen]')?.dataset.seen ?? 0)"
"""The newest entry that the page has heard of."""
SAID = "document.getElementById('said').innerText"

CLICKING = """
// Time passes fast for the page: a button that has just changed takes no tap for 300 ms.
const now = performance.now.bind(performance);
performance.now = () => now() * 10000;
window.same = (one, other) => {
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...keys].every((key) => JSON.stringify(one[key]) === JSON.stringify(other[key]));
};
window.asks = (each) => JSON.parse(each.dataset.wish);
window.isFact = (asked, fact) =>
  asked.kind === "fact" && asked.fact === fact.fact && same(asked.fields ?? {}, fact.fields);
window.fill = (form, fields) => {
  for (const [name, word] of Object.entries(fields)) {
    const typed = `input[name="${name}"]:not([type=radio], [type=checkbox])`;
    const control = form.querySelector(`select[name="${name}"], ${typed}`);
    if (control) { control.value = word; continue; }
    const several = form.querySelector(`[data-several="${name}"]`);
    if (several) {
      const words = JSON.parse(word || "[]").map(String);
      for (const box of several.querySelectorAll("input")) if (box.checked !== words.includes(box.value)) box.click();
      continue;
    }
    const radio = [...form.querySelectorAll(`input[type=radio][name="${name}"]`)].find((each) => each.value === word);
    if (!radio) return `no ${name} = ${word}`;
    radio.click();
  }
  form.querySelector("[type=submit]").click();
  return "";
};
window.act = (step, fact) => {
  const buttons = [...document.querySelectorAll("button[data-wish]")];
  const button = buttons.find((each) => (step && same(asks(each), step)) || (fact && isFact(asks(each), fact)));
  if (button) { button.click(); return "button"; }
  if (!fact) return "nothing";
  const form = [...document.querySelectorAll("form.choice")].find((each) => asks(each).fact === fact.fact);
  if (form) {
    const names = JSON.parse(form.dataset.names), shared = asks(form).fields ?? {};
    const words = Object.fromEntries(names.map((name) => [name, fact.fields[name] ?? ""]));
    if (same({ ...words, ...shared }, { ...fact.fields }) && fill(form, words) === "") return "form";
  }
  const ofKind = document.querySelector(`[data-open=kind][data-kind="${fact.fact}"]`);
  const opener = ofKind ?? document.querySelector("[data-open=fact]");
  if (!opener) return "no way";
  opener.click();
  const sheet = document.getElementById("sheet"), which = sheet.querySelector("select:not([name])");
  if (which) { which.value = fact.fact; which.dispatchEvent(new Event("change", { bubbles: true })); }
  const missing = fill(sheet.querySelector("form"), fact.fields);
  return missing || (which ? "something else" : "sheet");
};
"""
"""What a person does on the page: it finds the button, the choice or the form for something, and uses it."""


def begin_clicking(page: Browser) -> None:
    """Teach a page that is open to find what a wish asks for."""
    page.js(f"(() => {{ {CLICKING} }})()")


def click(page: Browser, table: Table, wish: Wish) -> str:
    """Do what a wish asks for by clicks; return which way it was found."""
    step: dict[str, Any] | None = None
    fact: Fact | None = None
    match wish:
        case Step(action=action):
            step = {"kind": "step", "action": action}
            fact = _made_by(table, action)
        case EnterFact(kind=kind, body=body):
            fact = table.game.parse(kind, body)
        case Undo(entry=entry, redo=redo):
            step = {"kind": "undo", "entry": entry, "redo": redo}
    words = None if fact is None else _words(table, fact)
    return str(page.js(f"act({json.dumps(step)}, {json.dumps(words)})"))


def _made_by(table: Table, action: str) -> Fact | None:
    """Return the fact that an action of the game enters, None if it draws by chance: then its button names only the
    action."""
    if action not in {each.id for each in table.game.actions(table.view().setup)}:
        return None
    try:
        made = table.look(lambda record: record.still_game.pressed(record.state, action))
    except Refused:
        return None
    return made if isinstance(made, Fact) else None


def _words(table: Table, fact: Fact) -> dict[str, Any]:
    asked = fields_of(table.game.facts[fact.kind], table.view().setup)
    fields = table.look(lambda record: words_of(asked, body_of(fact), record.number))
    return {"fact": fact.kind, "fields": fields}


def clicked(page: Browser, table: Table, clock: StepClock, wish: Wish) -> str:
    """Do what a wish asks for on the page, once it shows all that happened; return which way it was found."""
    newest = table.view().newest
    page.wait_for(f"{NEWEST} === {newest}")
    heard(page, clock)
    way = click(page, table, wish)
    # The answer may come after what it changed: the next click waits for both.
    is_shown = f"{NEWEST} > {newest} && {SAID} !== 'Sending.'"
    page.wait_for(f"({is_shown}) || document.querySelector('#said.alarm') !== null")
    assert table.view().newest > newest, (wish, way, page.js(SAID))
    return way


def heard(page: Browser, clock: StepClock) -> None:
    """Let the page hear what time it is: the table's clock stands still in between."""
    page.js(f"document.dispatchEvent(new CustomEvent('heard', {{ detail: {clock.us - 100_000} }}))")
