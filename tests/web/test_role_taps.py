"""What a page of a role can send, and everything else that somebody might: each refused in a sentence and counted, and
nothing recorded by it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.journal.entries import Layer
from companion.journal.errors import NotSaved
from companion.session.corrections import NotDone
from companion.session.roles import Role
from companion.session.table import Table
from companion.web.tap_post import (
    ELSEWHERE,
    FROM_THE_FUTURE,
    MOST_A_SECOND,
    MOST_BODY,
    NOT_DONE,
    NOT_SAVED,
    NOTHING_HEARD,
    OTHER_GAME,
    TOO_MANY,
)
from companion.web.tap_wishes import NO_JSON, NO_TIME, SPECIAL
from tests.web.acting import DEVICE, FIRE, Acting, acting, draw_plainly, said

Bodies = list[tuple[str, Any]]


@pytest.fixture(autouse=True)
def plain_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    draw_plainly(monkeypatch)


@pytest.fixture
def at(tmp_path: Path) -> Iterator[Acting]:
    with acting(tmp_path) as table:
        yield table


def recorded(table: Table) -> list[str]:
    """Return the kinds of the facts in the record."""
    return [entry.kind for entry in table._journal.entries if entry.layer is Layer.FACT]


async def test_a_tap_is_on_the_disk_when_its_page_hears_that_it_is_done(at: Acting) -> None:
    code = at.give(Role.TABLE, "Bo's tablet")
    status, outcome, _ = said(await at.tap(code, FIRE))
    assert (status, outcome) == (200, "done")
    assert recorded(at.table) == ["fire"]
    assert at.table.durable_n == len(at.table._journal.entries)
    (line,) = at.table.inspection.marshal().rulings
    assert line.tapped.startswith("Tapped on Bo's tablet between")
    assert at.refused == {}


async def test_the_same_id_again_is_the_same_tap(at: Acting) -> None:
    code = at.give(Role.TABLE)
    body = at.body(Role.TABLE, FIRE)
    answers = [await at.client.send(f"/{code}/do", body, pieces=7) for _ in range(3)]
    assert len({answer.text for answer in answers}) == 1
    assert recorded(at.table) == ["fire"]


async def test_a_page_that_is_behind_is_refused_and_counted(at: Acting) -> None:
    code = at.give(Role.TABLE)
    body = at.body(Role.TABLE, FIRE)
    assert said(await at.tap(code, FIRE))[0] == 200
    at.table.do("panic-fire.next-round")
    other = body | {"device": {"id": "another-page-of-it"}}
    status, outcome, _ = said(await at.client.send(f"/{code}/do", other))
    assert (status, outcome) != (200, "done")


@pytest.mark.parametrize("role", [Role.SCORES, Role.BOARD, Role.WALL, Role.REFEREE])
async def test_a_role_does_what_it_may_and_nothing_else(at: Acting, role: Role) -> None:
    code = at.give(role)
    wishes = {
        "step": FIRE,
        "pause": {"kind": "step", "action": "table.pause"},
        "fact": {"kind": "fact", "fact": "fire", "body": {}},
        "number": {
            "kind": "numbers", "grid": "g", "row": "r", "seat": "ann", "shown": [None], "numbers": [1],
        },
        "undo": {"kind": "undo", "entry": 1},
        "correction": {"kind": "delete", "entry": 1},
        "consent": {"kind": "answer", "question": "1", "agreed": True},
        "proposal": {"kind": "decide", "proposal": "1", "accepted": True},
        "session": {"kind": "session", "do": "rematch"},
        "board": {"kind": "session", "do": "board-lamp"},
    }  # fmt: skip
    may = {doing.value for doing in role.may}
    for does, wish in wishes.items():
        before = at.refused.get("not for that role", 0)
        at.now_s += 1
        status, _, sentence = said(await at.tap(code, wish))
        forged = at.refused.get("not for that role", 0) > before
        assert forged == (does not in may), does
        if forged:
            assert (status, sentence) == (
                422,
                f"A page for the {role.title} cannot do this. Use a page for the table.",
            )
    expected = 1 if role is Role.REFEREE else 0
    assert recorded(at.table).count("fire") == expected


@pytest.mark.parametrize("code", ["code-0", "code-1", "role-9", "x"])
async def test_only_the_code_of_a_role_taps(at: Acting, code: str) -> None:
    at.give(Role.TABLE)
    assert (await at.tap(code, FIRE)).status == 403
    assert recorded(at.table) == []


async def test_a_roles_code_opens_its_page_and_its_stream_alone(at: Acting) -> None:
    code = at.give(Role.TABLE)
    for path in ("feed", "overlay", "caller", "qr", "notes", "manifest"):
        assert (await at.client.ask(f"/{code}/{path}")).status == 403, path
    assert (await at.client.ask(f"/{code}/do")).status == 405
    assert (await at.client.ask(f"/{code}/", "POST")).status == 405
    assert (await at.client.ask(f"/{code}/")).status == 200


FORGED: dict[str, tuple[int, str, str, dict[str, str | None]]] = {
    "another site": (403, ELSEWHERE, "from another site", {"origin": "http://evil.example"}),
    "no origin": (403, ELSEWHERE, "from another site", {"origin": None}),
    "a form": (415, NO_JSON, "not readable", {"content_type": "text/plain"}),
}


@pytest.mark.parametrize("case", FORGED)
async def test_a_tap_from_elsewhere_is_refused(at: Acting, case: str) -> None:
    status, sentence, reason, headers = FORGED[case]
    code = at.give(Role.TABLE)
    answer = await at.client.send(f"/{code}/do", at.body(Role.TABLE, FIRE), 1, **headers)
    assert said(answer) == (status, "refused", sentence)
    assert at.refused == {reason: 1}
    assert recorded(at.table) == []


WRONG_BODIES: dict[str, dict[str, Any]] = {
    "a short id": {"id": "short"},
    "no id": {"id": None},
    "another field": {"more": 1},
    "a number as a word": {"seen": "7"},
    "true for a number": {"seen": True},
    "a number too large": {"seen": 2**64},
    "a number below zero": {"heard": -1},
    "no device": {"device": None},
    "a device without an id": {"device": {"name": "Bo"}},
    "a role that the page claims": {"device": DEVICE | {"role": "table"}},
    "a wish of no kind": {"wish": {}},
    "an unknown wish": {"wish": {"kind": "format", "disk": "c"}},
    "a kind that is a list": {"wish": {"kind": ["step"]}},
    "too much": {"wish": FIRE | {"seat": "ann"}},
    "an action that is a number": {"wish": {"kind": "step", "action": 7}},
    "yes as a word": {"wish": {"kind": "answer", "question": "1", "agreed": "yes"}},
    "a number as yes": {"wish": {"kind": "undo", "entry": 1, "redo": 1}},
    "a fact without a body": {"wish": {"kind": "fact", "fact": "fire"}},
    "a fact with two bodies": {"wish": {"kind": "fact", "fact": "fire", "body": {}, "fields": {}}},
    "a body that is a list": {"wish": {"kind": "fact", "fact": "fire", "body": []}},
    "numbers that are words": {
        "wish": {"kind": "numbers", "grid": "g", "row": "", "seat": "a", "shown": [], "numbers": ["1"]}
    },
    "too many numbers": {
        "wish": {"kind": "numbers", "grid": "g", "row": "", "seat": "a", "shown": [], "numbers": [1] * 99}
    },
    "no number for a cell": {
        "wish": {"kind": "numbers", "grid": "g", "row": "r", "seat": "a", "shown": [], "numbers": []}
    },
    "two numbers for a cell": {
        "wish": {"kind": "numbers", "grid": "g", "row": "r", "seat": "a", "shown": [1, 2], "numbers": [1, 2]}
    },
    "a session wish of no word": {"wish": {"kind": "session", "do": "RM -rf"}},
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG_BODIES)
async def test_what_is_no_tap_is_refused_in_one_sentence(at: Acting, case: str) -> None:
    code = at.give(Role.TABLE)
    before = len(at.table._journal.entries)
    answer = await at.client.send(
        f"/{code}/do", {**at.body(Role.TABLE, FIRE), **WRONG_BODIES[case]}
    )
    assert said(answer) == (400, "refused", NO_JSON)
    assert at.refused == {"not readable": 1}
    assert len(at.table._journal.entries) == before


@pytest.mark.parametrize("text", ["Bo\x1b[2J", "a\nb", "\u202efed", "\ud800"])
async def test_a_text_with_what_nobody_can_see_is_refused_in_one_sentence(
    at: Acting, text: str
) -> None:
    code = at.give(Role.TABLE)
    wish = {"kind": "fact", "fact": "fire", "body": {"deep": [{"text": text}]}}
    assert said(await at.tap(code, wish)) == (422, "refused", SPECIAL)
    assert at.refused == {"filled in wrongly": 1}


async def test_blanks_of_other_keyboards_are_blanks(at: Acting) -> None:
    code = at.give(Role.TABLE)
    wish = {"kind": "fact", "fact": "fire", "body": {}, "why": "dit\u00a0: encore"}
    answer = await at.client.send(
        f"/{code}/do", json.dumps(at.body(Role.TABLE, wish), ensure_ascii=False).encode()
    )
    assert said(answer)[0] == 200, answer.text


async def test_a_fault_in_one_tap_ends_nobodys_page(
    at: Acting, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise ZeroDivisionError

    code = at.give(Role.TABLE)
    monkeypatch.setattr(at.table, "tap", fails)
    assert said(await at.tap(code, FIRE)) == (500, "refused", f"{NOT_DONE} Do it on the laptop.")
    at.table.has_laptop = False
    assert said(await at.tap(code, FIRE)) == (500, "refused", f"{NOT_DONE} Load the page again.")
    assert at.refused == {"a fault of the program": 2}
    notice = at.table.view().notice
    assert notice is not None
    assert "ZeroDivisionError" in notice.text
    monkeypatch.undo()
    assert (await at.client.ask(f"/{code}/")).status == 200


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"NaN", b"[" * 5000, b'{"id": NaN}', b"\xff"])
async def test_what_is_no_json_is_refused(at: Acting, body: bytes) -> None:
    code = at.give(Role.TABLE)
    assert said(await at.client.send(f"/{code}/do", body)) == (400, "refused", NO_JSON)


async def test_a_tap_that_is_too_long_is_refused_unread(at: Acting) -> None:
    code = at.give(Role.TABLE)
    answer = await at.client.send(f"/{code}/do", b"x" * (MOST_BODY + 1))
    assert answer.status == 413
    assert at.refused == {"too long": 1}


async def test_a_flood_from_one_page_is_stopped_and_another_page_still_taps(at: Acting) -> None:
    flood, other = at.give(Role.REFEREE), at.give(Role.TABLE)
    nothing = {"kind": "step", "action": "panic-fire.nothing"}
    answers = await asyncio.gather(*(at.tap(flood, nothing) for _ in range(40)))
    statuses = [answer.status for answer in answers]
    assert statuses.count(429) == 40 - MOST_A_SECOND
    assert said(answers[-1])[2] == TOO_MANY
    assert at.refused["too many a second"] == 40 - MOST_A_SECOND
    assert said(await at.tap(other, FIRE))[0] == 200
    at.now_s += 1
    assert (await at.tap(flood, nothing)).status == 422, "a second later it is heard again"


async def test_a_tap_for_another_game_or_from_the_future_is_refused(at: Acting) -> None:
    code = at.give(Role.TABLE)
    assert said(await at.tap(code, FIRE, place="0" * 16)) == (422, "refused", OTHER_GAME)
    assert said(await at.tap(code, FIRE, heard=at.host_us + 1)) == (422, "refused", FROM_THE_FUTURE)
    assert at.refused == {"for another game": 1, "from the future": 1}
    assert recorded(at.table) == []


async def test_a_page_that_heard_nothing_for_long_is_believed_to_know_little(at: Acting) -> None:
    code = at.give(Role.TABLE)
    assert said(await at.tap(code, FIRE, heard=0)) == (422, "refused", NOTHING_HEARD)
    assert said(await at.tap(code, FIRE, heard=1))[0] == 200
    fact = next(entry for entry in at.table._journal.entries if entry.kind == "fire")
    assert fact.body["at"]["pm"] >= at.host_us - 1


async def test_words_of_a_form_become_the_fact_and_a_refusal_names_the_field(at: Acting) -> None:
    code = at.give(Role.TABLE)
    kind, facts = "score_set", at.table.game.facts
    if kind not in facts:
        kind = next(name for name in facts if "seat" in facts[name].model_fields)
    wrong = {"kind": "fact", "fact": kind, "fields": {"seat": "Zoe"}}
    status, _, sentence = said(await at.tap(code, wrong))
    assert status == 422
    assert sentence.startswith("Player: 'Zoe' does not fit"), sentence
    assert at.refused == {"filled in wrongly": 1}
    unknown = {"kind": "fact", "fact": kind, "fields": {"salary": "1"}}
    assert "no field salary" in said(await at.tap(code, unknown))[2]
    with_time = {"kind": "fact", "fact": kind, "body": {"at": {"t_us": 1}}}
    assert said(await at.tap(code, with_time))[2] == NO_TIME


async def test_a_slow_disk_is_said_and_the_tap_counts_once(
    at: Acting, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = at.give(Role.TABLE)
    body = at.body(Role.TABLE, FIRE)

    def slow(_n: int, _timeout_s: float) -> None:
        raise NotSaved("slow")

    with monkeypatch.context() as patch:
        patch.setattr(at.table, "wait", slow)
        answer = await at.client.send(f"/{code}/do", body)
    assert said(answer) == (503, "refused", NOT_SAVED)
    assert said(await at.client.send(f"/{code}/do", body))[0] == 200
    assert recorded(at.table) == ["fire"]


async def test_what_is_not_the_tables_own_is_done_once_for_each_id(at: Acting) -> None:
    code = at.give(Role.TABLE)
    body = at.body(Role.TABLE, {"kind": "session", "do": "rematch"})
    answers = [said(await at.client.send(f"/{code}/do", body)) for _ in range(2)]
    assert answers == [(200, "done", "The next game begins.")] * 2
    assert at.said == ["rematch"]


async def test_a_page_of_the_table_ends_the_game_early(at: Acting) -> None:
    code = at.give(Role.TABLE)
    ends = {"kind": "fact", "fact": "abandon", "body": {"reason": ""}}
    assert said(await at.tap(code, ends))[0] == 200
    assert at.table.view().ended
    assert said(await at.tap(code, ends))[0] != 200


async def test_what_the_program_cannot_do_now_is_refused_in_its_sentence(at: Acting) -> None:
    code = at.give(Role.TABLE)

    def never(_wish: str) -> str:
        raise NotDone("This can only be done on the laptop.")

    assert at.pages._taps is not None
    at.pages._taps._on_session = never
    answer = await at.tap(code, {"kind": "session", "do": "end"})
    assert said(answer) == (422, "refused", "This can only be done on the laptop.")
    assert at.refused == {"not possible now": 1}


async def test_two_pages_of_a_code_are_two_devices_and_none_passes_for_one_of_another_code(
    at: Acting, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[str, str]] = []
    tap = at.table.tap

    def watched(device: Any, wish: Any) -> Any:
        seen.append((device.id, device.name))
        return tap(device, wish)

    monkeypatch.setattr(at.table, "tap", watched)
    one, two = at.give(Role.TABLE, "Bo's tablet"), at.give(Role.TABLE, "Cleo's phone")
    for code, page in ((one, "a" * 16), (one, "b" * 16), (two, "a" * 16)):
        await at.tap(code, FIRE, device={"id": page, "name": "Ann's"})
    assert len({device for device, _ in seen}) == 3
    assert [name for _, name in seen] == ["Bo's tablet", "Bo's tablet", "Cleo's phone"]
    assert not any(one in device or two in device for device, _ in seen)
    assert json.dumps(seen).count("Ann") == 0
