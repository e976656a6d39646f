"""Pages of roles in a real browser: buttons, forms, numbers, questions, and what the table answers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.journal.entries import Layer
from companion.rules import registry
from companion.session.roles import Role
from companion.session.table import Table
from tests.games.own.files import TEXTS
from tests.games.own.test_grid import grids, values
from tests.web.browser import Browser, Chromium
from tests.web.role_clicks import (
    LOST,
    PROMPT,
    SAID,
    SEEN,
    TOO_SOON,
    finger,
    labeled,
    opened,
    press,
    served,
    up_to_date,
)
from tests.web.test_note_browser import cut, typed

UNANSWERED = "No answer: it may not have been recorded. If the page does not show it, tap again."
BAR = "#undo"
SHEET = "#sheet"
KIND_OF_ANSWER = "document.getElementById('said').className"
OPEN_DRAW = (
    "[...document.querySelectorAll('.rulings button')]"
    ".find((one) => one.innerText.includes('Anna draws')).click()"
)
# Answers in place of the table: what was sent is kept.
_FAKE = """
window.sent = [];
window.fetch = async (address, { method, body } = {}) => {
  if (method !== "POST") return new Response("");
  sent.push(JSON.parse(body));
  const [status, answer] = ANSWERS[Math.min(sent.length, ANSWERS.length) - 1];
  if (!status) throw new TypeError("no network");
  return new Response(JSON.stringify(answer), { status });
};
"""


@pytest.fixture(autouse=True)
def _no_more_games_after() -> Iterator[None]:
    """Forget the games of a file that a test registers."""
    yield
    vars(registry.GAMES)["learned"].clear()


@pytest.fixture(scope="module")
def phone(chromium: Chromium) -> Iterator[Browser]:
    with chromium.page() as page:
        yield page


def facts(table: Table) -> list[str]:
    return [entry.kind for entry in table._journal.entries if entry.layer is Layer.FACT]


def settled(phone: Browser) -> None:
    """Wait until no button on the page has just changed."""
    phone.js("new Promise((go) => setTimeout(go, 320))")


def tap(phone: Browser, table: Table, label: str, within: str = "body") -> str:
    """Tap a button as a person does, once more where it has just changed; return what is said."""
    up_to_date(phone, table)
    while True:
        settled(phone)
        press(phone, label, within)
        words = str(phone.wait_for(SAID, lambda words: words not in ("", "Sending.")))
        if words != TOO_SOON:
            return words


def answers(phone: Browser, *replies: tuple[int, dict[str, Any]]) -> None:
    """Let these answers come in place of the table's, the last one again and again."""
    phone.js(_FAKE.replace("ANSWERS", json.dumps(replies)))


def sent(phone: Browser) -> list[dict[str, Any]]:
    taps: list[dict[str, Any]] = phone.js("sent")
    return taps


def test_a_game_begins_with_one_tap_and_the_answer_is_beside_it(
    phone: Browser, tmp_path: Path
) -> None:
    with served(tmp_path) as (table, pages):
        opened(phone, pages)
        up_to_date(phone, table)
        settled(phone)
        press(phone, "Fire!")
        assert phone.wait_for(SAID, lambda words: words.startswith("Fire!"))
        assert phone.js(KIND_OF_ANSWER) == "done"
        near = phone.js(
            "document.getElementById('said').getBoundingClientRect().top < innerHeight"
            " && document.getElementById('said').getBoundingClientRect().top > 0"
        )
        assert near
        assert facts(table) == ["fire"]
        assert tap(phone, table, "Draws", "li.seat") == "Anna draws."
        assert phone.errors == []


def test_the_whole_page_is_new_after_a_tap_on_a_button_that_goes_with_it(
    phone: Browser, tmp_path: Path
) -> None:
    with served(tmp_path) as (table, pages):
        opened(phone, pages, Role.REFEREE)
        for action in ("fire", "shot"):
            table.do(f"panic-fire.{action}")
        up_to_date(phone, table)
        settled(phone)
        phone.tap(
            "[...document.querySelectorAll('button.main')].find((one) => one.innerText === 'Name Cleo')"
        )
        phone.wait_for(PROMPT, lambda words: words.startswith("Cleo was hit."))
        up_to_date(phone, table)
        assert phone.thrown == []


def test_a_person_is_named_where_the_prompt_asks_for_one(phone: Browser, tmp_path: Path) -> None:
    with served(tmp_path) as (table, pages):
        opened(phone, pages, Role.REFEREE)
        for action in ("fire", "shot"):
            table.do(f"panic-fire.{action}")
        up_to_date(phone, table)
        assert phone.js(PROMPT).startswith("Who was hit?")
        assert phone.js(
            "[...document.querySelectorAll('button.main')].map((one) => one.innerText)"
        ) == [
            "Name Anna",
            "Name Bo",
            "Name Cleo",
        ]
        tap(phone, table, "Name Cleo")
        tap(phone, table, "Name Anna")
        assert table.view().log[-1].text.startswith("Anna shot Cleo")


def test_undo_names_what_it_undoes_and_says_that_it_did(phone: Browser, tmp_path: Path) -> None:
    with served(tmp_path) as (table, pages):
        opened(phone, pages)
        table.do("panic-fire.fire")
        table.do("panic-fire.draw.2")
        assert tap(phone, table, "Undo: Bo draws", BAR) == "Undone: Bo draws."
        assert tap(phone, table, "Redo: Bo draws", BAR).endswith("Bo draws.")
        tap(phone, table, "Pause", BAR)
        assert table.view().paused
        tap(phone, table, "Go on", BAR)
        assert not table.view().paused


def test_a_button_that_has_just_changed_ignores_the_tap(phone: Browser, tmp_path: Path) -> None:
    with served(tmp_path) as (table, pages):
        opened(phone, pages)
        table.do("panic-fire.fire")
        up_to_date(phone, table)
        phone.js(
            "document.addEventListener('patched', function clickOnce() {"
            f" if ({SEEN} === {table.view().newest}) return;"  # nothing has changed but the time
            " document.removeEventListener('patched', clickOnce);"
            " document.querySelector('button.main').click(); })"
        )
        table.do("panic-fire.shot")  # now the first button names who was hit
        phone.wait_for(SAID, lambda words: words == TOO_SOON)
        assert facts(table) == ["fire", "shot"]
        tap(phone, table, "Name Anna")
        assert facts(table) == ["fire", "shot", "target"]


def test_a_refusal_stays_until_the_next_tap(phone: Browser, tmp_path: Path) -> None:
    with served(tmp_path) as (table, pages):
        opened(phone, pages)
        up_to_date(phone, table)
        answers(phone, (422, {"outcome": "refused", "said": "The round is over.", "again": 0}))
        settled(phone)
        press(phone, "Fire!")
        phone.wait_for(SAID, lambda words: words == "The round is over.")
        assert phone.js(KIND_OF_ANSWER) == "alarm"
        phone.js("new Promise((go) => setTimeout(go, 4500))")  # longer than "done" stays
        assert phone.js(SAID) == "The round is over."


def test_what_another_hand_has_done_is_entered_again_only_after_a_yes(
    phone: Browser, tmp_path: Path
) -> None:
    same = "Bo's laptop entered this a moment ago. Enter it again?"
    with served(tmp_path) as (table, pages):
        opened(phone, pages)
        table.do("panic-fire.fire")
        up_to_date(phone, table)
        done = {"outcome": "done", "said": "Anna draws.", "again": 0}
        answers(phone, (409, {"outcome": "same", "said": same, "again": 17}), (200, done))
        settled(phone)
        press(phone, "Draws", "li.seat")
        phone.wait_for(SAID, lambda words: words.startswith(same))
        press(phone, "Yes", "#said")
        phone.wait_for(SAID, lambda words: words == "Anna draws.")
        first, second = sent(phone)
        assert (first["again"], second["again"]) == (0, 17)
        assert first["wish"] == second["wish"]
        assert first["id"] != second["id"]
        answers(phone, (409, {"outcome": "same", "said": same, "again": 17}))
        press(phone, "Draws", "li.seat")
        phone.wait_for(SAID, lambda words: words.startswith(same))
        press(phone, "No", "#said")
        assert phone.js("document.getElementById('said').hidden")
        assert len(sent(phone)) == 1


def test_a_tap_without_an_answer_keeps_its_id_while_nothing_has_changed(
    phone: Browser, tmp_path: Path
) -> None:
    with served(tmp_path) as (table, pages):
        opened(phone, pages)
        table.do("panic-fire.fire")
        up_to_date(phone, table)
        answers(phone, (0, {}))
        settled(phone)
        for _ in range(2):
            phone.js("document.getElementById('said').textContent = ''")
            press(phone, "Draws", "li.seat")
            phone.wait_for(SAID, lambda words: words == UNANSWERED)
        first, second = sent(phone)
        assert first["id"] == second["id"]
        assert first["heard"] > 0
        assert first["seen"] == table.view().newest
        table.do("panic-fire.draw.1")  # it may have been this tap: the next one is another
        up_to_date(phone, table)
        settled(phone)
        press(phone, "Draws", "li.seat")
        phone.wait_for("sent.length", lambda count: count == 3)
        assert sent(phone)[2]["id"] != first["id"]


def test_nothing_is_sent_offline_or_later_by_itself(phone: Browser, tmp_path: Path) -> None:
    with served(tmp_path) as (table, pages):
        opened(phone, pages)
        up_to_date(phone, table)
        settled(phone)
        cut(phone, off=True)
        try:
            phone.wait_for(f"!{LOST}.hidden && !navigator.onLine")
            press(phone, "Fire!")
            phone.wait_for(SAID, lambda words: words == "Offline: nothing was sent.")
        finally:
            cut(phone, off=False)
        phone.wait_for(f"{LOST}.hidden")
        assert facts(table) == []
        tap(phone, table, "Fire!")
        assert facts(table) == ["fire"]


def test_an_answer_beside_a_button_at_the_right_edge_is_no_column(
    phone: Browser, tmp_path: Path
) -> None:
    with served(tmp_path) as (table, pages):
        opened(phone, pages)
        table.do("panic-fire.fire")
        up_to_date(phone, table)
        settled(phone)
        finger(phone, labeled("Pause", BAR))
        phone.wait_for(SAID, lambda words: words not in ("", "Sending."))
        said = "document.getElementById('said').getBoundingClientRect()"
        width, right, height = phone.js(f"[{said}.width, {said}.right, {said}.height]")
        assert width >= 200
        assert right <= 390
        assert height < 90


@pytest.mark.parametrize("wide", [390, 1920])
@pytest.mark.parametrize("label", ["Draws", "In/out"])
def test_what_was_recorded_is_said_beside_what_can_be_tapped_next(
    phone: Browser, tmp_path: Path, label: str, wide: int
) -> None:
    with served(tmp_path) as (table, pages):
        opened(phone, pages, wide=wide)
        table.do("panic-fire.fire")
        up_to_date(phone, table)
        settled(phone)
        finger(phone, labeled(label, "li.seat"))
        phone.wait_for(KIND_OF_ANSWER, lambda kind: kind == "done")
        up_to_date(phone, table)
        covered = phone.js(
            "(() => { const box = (each) => each.getBoundingClientRect();"
            " const over = box(document.getElementById('said'));"
            " const all = document.querySelectorAll('main button, .awaiting');"
            " return [...all].filter((each) => { const { left, right, top, bottom } = box(each);"
            "   return each.offsetParent && left < over.right && right > over.left && top < over.bottom"
            "     && bottom > over.top; }).map((each) => each.innerText); })()"
        )
        assert covered == []
        top, bottom = phone.js(
            "(({ top, bottom }) => [top, bottom])(document.getElementById('said').getBoundingClientRect())"
        )
        assert top >= 0
        assert bottom <= 844


def test_a_computer_without_any_network_reaches_its_own_companion(
    phone: Browser, tmp_path: Path
) -> None:
    with served(tmp_path) as (table, pages):
        opened(phone, pages)
        phone.js(
            "Object.defineProperty(navigator, 'onLine', { get: () => false, configurable: true })"
        )
        phone.js("window.losses = 0")
        phone.js(
            f"new MutationObserver(() => {{ losses += !{LOST}.hidden; }}).observe({LOST}, {{ attributes: true }})"
        )
        phone.js("dispatchEvent(new Event('offline'))")
        settled(phone)
        finger(phone, labeled("Fire!"))
        phone.wait_for(SAID, lambda words: words not in ("", "Sending."))
        up_to_date(phone, table)
        assert facts(table) == ["fire"]
        assert phone.js("losses") == 0


def test_anything_can_be_entered_by_its_form(phone: Browser, tmp_path: Path) -> None:
    with served(tmp_path) as (table, pages):
        opened(phone, pages)
        table.do("panic-fire.fire")
        up_to_date(phone, table)
        settled(phone)
        press(phone, "Enter something else")
        phone.js(
            "(() => { const which = document.querySelector('#sheet select');"
            " which.value = 'score_set'; which.dispatchEvent(new Event('change', { bubbles: true })); })()"
        )
        phone.js("document.querySelector('#sheet [name=seat][value=bo]').click()")
        phone.js("document.querySelector('#sheet [name=score]').value = '3'")
        press(phone, "Enter", SHEET)
        refused = phone.wait_for(SAID, lambda words: words not in ("", "Sending."))
        assert "reason" in refused.casefold()
        assert phone.js("document.getElementById('sheet').open")
        phone.js("document.querySelector('#sheet [name=reason]').value = 'a lost card'")
        press(phone, "Enter", SHEET)
        phone.wait_for("!document.getElementById('sheet').open")
        assert table.view().standings["bo"] == 3


def test_a_ruling_is_deleted_restored_changed_and_a_missed_one_added(
    phone: Browser, tmp_path: Path
) -> None:
    with served(tmp_path) as (table, pages):
        opened(phone, pages)
        table.do("panic-fire.fire")
        table.do("panic-fire.draw.1")
        up_to_date(phone, table)
        phone.js("document.getElementById('fix-mistakes').open = true")
        for verb in ("Delete", "Restore"):
            settled(phone)
            phone.js(OPEN_DRAW)
            press(phone, verb, SHEET)
            phone.wait_for("!document.getElementById('sheet').open")
            up_to_date(phone, table)
        settled(phone)
        phone.js(OPEN_DRAW)
        press(phone, "Change it", SHEET)
        phone.js("document.querySelector('#sheet [name=seat][value=cleo]').click()")
        press(phone, "Enter", SHEET)
        phone.wait_for("!document.getElementById('sheet').open")
        assert [line.text for line in table.inspection.marshal().rulings if line.stands][
            -1
        ] == "Cleo draws"
        up_to_date(phone, table)
        settled(phone)
        press(phone, "Add a missed one")
        phone.js(
            "(() => { const which = document.querySelector('#sheet select:not([name])');"
            " which.value = 'draw'; which.dispatchEvent(new Event('change', { bubbles: true })); })()"
        )
        phone.js("document.querySelector('#sheet [name=seat][value=bo]').click()")
        press(phone, "Enter", SHEET)
        phone.wait_for("!document.getElementById('sheet').open")
        assert sorted(line.text for line in table.inspection.marshal().rulings if line.stands) == [
            "Bo draws",
            "Cleo draws",
            "fire! round 1 of 6 starts",
        ]


def test_a_form_to_change_a_ruling_offers_what_the_game_has(phone: Browser, tmp_path: Path) -> None:
    with served(tmp_path, "sky-rise", ("Anna", "Bo")) as (table, pages):
        opened(phone, pages)
        table.enter("card", {"place": "b1", "suit": "hearts"})
        up_to_date(phone, table)
        phone.js("document.getElementById('fix-mistakes').open = true")
        settled(phone)
        finger(
            phone,
            "[...document.querySelectorAll('.rulings button')].find((one) => one.innerText.includes('hearts'))",
        )
        finger(phone, labeled("Change it", SHEET))
        fields = phone.wait_for(
            f"document.querySelector('{SHEET} form').innerText", lambda words: "Suit" in words
        )
        assert not {"royals", "fifth", "nobody, nothing"} & set(fields.split("\n"))
        assert "nobody" in fields.split("\n")


def test_numbers_are_typed_one_after_the_other_and_the_round_is_ended(
    phone: Browser, tmp_path: Path
) -> None:
    game = registry.learn(TEXTS["hearts"]).id
    names = ("Anna", "Bo", "Cleo", "Dmitri")
    with served(tmp_path, game, names) as (table, pages):
        opened(phone, pages, Role.SCORES)
        up_to_date(phone, table)
        for place, number in enumerate((13, 0, 8, 5)):
            settled(phone)
            field = phone.js(f"document.querySelectorAll('.own-number input')[{place}].id")
            typed(phone, str(number), field)
            phone.wait_for(SAID, lambda words: words not in ("", "Sending."))
            up_to_date(phone, table)
        assert values(grids(table)[0])[0] == [13, 0, 8, 5]
        tap(phone, table, "End hand 1")
        assert table.view().log[-1].text.startswith("hand 1 is over")
        assert phone.js("document.documentElement.scrollWidth") == 390
        assert phone.errors == []


def test_a_question_takes_the_place_of_everything_else_until_it_is_answered(
    phone: Browser, tmp_path: Path
) -> None:
    with served(tmp_path) as (table, pages):
        opened(phone, pages)
        table.do("panic-fire.fire")
        table.enter("abandon", {"reason": "it is late"})
        up_to_date(phone, table)
        settled(phone)
        press(phone, "Undo", BAR)
        phone.wait_for(
            "document.querySelector('.question p')?.textContent.startsWith('Change the finished game?')"
        )
        assert phone.js(PROMPT) == "Answer this first."
        phone.js("scrollTo(0, 9999)")
        assert phone.js(
            "[...document.querySelectorAll('.question button')].every((one) => {"
            " const { left, top } = one.getBoundingClientRect();"
            " return one.contains(document.elementFromPoint(left + 9, top + 9)); })"
        ), "the answers are in view wherever the page is scrolled"
        labels = phone.js(
            "[...document.querySelectorAll('main button')].filter((one) => one.offsetParent)"
            ".map((one) => one.innerText)"
        )
        assert labels[-2:] == ["Agree", "No"]
        assert not any("Draws" in label or label.startswith("Undo") for label in labels)
        settled(phone)
        press(phone, "No")
        phone.wait_for(SAID, lambda words: words not in ("", "Sending."))


def test_a_proposal_is_recorded_or_dropped(phone: Browser, tmp_path: Path) -> None:
    from companion.session.seat_notes import SeatNote

    with served(tmp_path) as (table, pages):
        opened(phone, pages, Role.REFEREE)
        table.take_proposals(True)
        table.do("panic-fire.fire")
        table.note("bo", SeatNote("proposal-000000000001", propose="draw"))
        phone.wait_for("document.querySelector('.question p')?.textContent.includes('Bo draws')")
        tap(phone, table, "Record")
        assert facts(table).count("draw") == 1
        phone.wait_for("document.querySelector('.question') === null")


def test_a_game_is_ended_early_after_a_second_tap(phone: Browser, tmp_path: Path) -> None:
    with served(tmp_path) as (table, pages):
        opened(phone, pages)
        table.do("panic-fire.fire")
        up_to_date(phone, table)
        settled(phone)
        press(phone, "End the game early")
        press(phone, "Cancel", SHEET)
        assert facts(table) == ["fire"]
        press(phone, "End the game early")
        press(phone, "End the game early", SHEET)
        phone.wait_for("!document.getElementById('sheet').open")
        assert table.view().abandoned
        up_to_date(phone, table)
        assert phone.js("document.querySelector('#main button').innerText").startswith("Play again")


def test_the_numbers_of_a_column_are_typed_together(phone: Browser, tmp_path: Path) -> None:
    with served(tmp_path, "fractured-sky", ("Anna", "Bo", "Cleo")) as (table, pages):
        while "powers" not in {fact.kind for fact in table.legal()}:
            fact = table.legal()[0]
            table.enter(fact.kind, fact.model_dump(mode="json", exclude={"kind", "at"}))
        opened(phone, pages, Role.SCORES)
        up_to_date(phone, table)
        settled(phone)
        press(phone, "●A Anna: enter powers", "#grid")
        fields = "[...document.querySelectorAll('#sheet input[type=number]')]"
        count = phone.js(f"{fields}.length")
        assert count > 0
        press(phone, "Enter", SHEET)
        phone.wait_for(SAID, lambda words: words == "Type a whole number first.")
        phone.js(f"{fields}.forEach((field, at) => {{ field.value = [2, 3, 5][at]; }})")
        press(phone, "Enter", SHEET)
        phone.wait_for("!document.getElementById('sheet').open")
        assert facts(table)[-1] == "powers"
        assert phone.errors == []


def test_values_that_do_not_go_together_are_dimmed(phone: Browser, tmp_path: Path) -> None:
    with served(tmp_path, "sky-rise", ("Anna", "Bo")) as (table, pages):
        for kind in ("start_token", "assign"):
            for fact in [each for each in table.legal() if each.kind == kind][:1]:
                table.enter(fact.kind, fact.model_dump(mode="json", exclude={"kind", "at"}))
        opened(phone, pages)
        up_to_date(phone, table)
        phone.wait_for("document.querySelector('form[data-possible]') !== null")
        rows = phone.js(
            "(() => { const form = document.querySelector('form[data-possible]');"
            " const rows = JSON.parse(form.dataset.possible), [first] = JSON.parse(form.dataset.names);"
            ' form.querySelector(`[name="${first}"]`).click();'
            " const chosen = form.querySelector(`[name='${first}']:checked`).value;"
            " const fits = new Set(rows.filter(([one]) => one === chosen).map(([, other]) => other));"
            " return [...form.querySelectorAll('.chip')].filter((chip) =>"
            "   chip.firstElementChild.name !== first"
            "   && chip.classList.contains('unfit') === fits.has(chip.firstElementChild.value)).length; })()"
        )
        assert rows == 0
