"""What players enter on their own phones where the table lets them: their own number of the round that is played, and
their own steps. Everything else is refused, whatever a page sends."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

import companion
from companion.display.grids import CellEntry, ColumnEntry
from companion.display.panels import panels_of
from companion.journal.entries import Control, Entry, Layer
from companion.journal.errors import NotSaved
from companion.rules import registry
from companion.rules.facts import TABLE, Refused
from companion.rules.registry import GAMES
from companion.rules.spans import KEY_ERROR_US
from companion.session.opening import begin, resume
from companion.session.seat_entries import NETWORK_US, TYPED_ON_A_PHONE, OwnEntry, own_entries
from companion.session.seat_notes import SeatNote
from companion.session.table import Table
from companion.web.app import WRONG
from companion.web.note_post import NOT_SAVED, OTHER_GAME, SAVED, NotePost
from companion.web.seat_forms import entry_block
from companion.web.showing import place_of
from tests.games.fractured_sky.screen.test_screen import opened, round_one
from tests.games.hints import hints_of
from tests.games.own.files import TEXTS
from tests.games.own.test_grid import PARTY, PLAIN, enter, grids, values
from tests.games.test_every_game import played, secret_pairs
from tests.thorough import examples
from tests.web.test_notes import Phones
from tests.web.test_proposals import Clock

ANNA, BEN = "/code-1/notes", "/code-2/notes"
NAMES = ("Anna", "Ben", "Carl")


@pytest.fixture(autouse=True)
def _no_more_games_after() -> Iterator[None]:
    """Forget the games of a file that a test registers."""
    yield
    vars(registry.GAMES)["learned"].clear()


class Entering(Phones):
    """A table that lets players enter their own numbers and draws."""

    def offers(self, seat: str) -> tuple[OwnEntry, ...]:
        """Return what the page of this seat offers now."""
        view = self.table.view()
        return own_entries(panels_of(view.setup.game), view.game, seat)

    def place(self, seat: str) -> str:
        """Return what the page of this seat is of."""
        return place_of(self.looker.showing.session, seat)

    def typed(self, seat: str, number: object, count: int = 1, of: int = 0) -> dict[str, Any]:
        """Return what the page of this seat sends when a number is typed into one of its fields."""
        return {
            "id": f"entry-{seat}-{count:012}",
            "enter": self.offers(seat)[of].id,
            "answers": {"number": str(number)},
            "place": self.place(seat),
        }

    def pressed(self, seat: str, count: int = 1, waited_ms: int = 0) -> dict[str, Any]:
        """Return what the page of this seat sends when its first button is pressed."""
        body = self.typed(seat, "", count) | {"answers": {}}
        return body | {"waited_ms": waited_ms}

    async def says(self, path: str, body: Any) -> tuple[int, str]:
        answer = await self.client.send(path, body)
        return answer.status, json.loads(answer.text)["said"]

    def scores(self) -> list[list[int | None]]:
        return values(grids(self.table)[0])


@contextmanager
def phones(
    folder: Path, text: str = PARTY, names: tuple[str, ...] = NAMES, *, wanted: bool = True
) -> Iterator[Entering]:
    # By this clock, what happens is apart by more than the time for which a key keeps its old meaning.
    path = folder / "evening.sqlite"
    table = begin(registry.learn(text).id, names, {}, path, clock_us=Clock())
    try:
        if wanted:
            table.allow_entries(True)
        yield Entering(table)
    finally:
        table.close()


@contextmanager
def draws(folder: Path, *, wanted: bool = True) -> Iterator[Entering]:
    table = begin("panic-fire", NAMES, {}, folder / "evening.sqlite", clock_us=Clock())
    try:
        if wanted:
            table.allow_entries(True)
        table.do("panic-fire.fire")
        yield Entering(table)
    finally:
        table.close()


def entries(table: Table) -> list[Entry]:
    return list(table.look(lambda record: record.entries))


def facts(table: Table) -> list[Entry]:
    return [entry for entry in entries(table) if entry.layer is Layer.FACT]


def log(table: Table) -> list[str]:
    return [line.text for line in table.view().log]


def end_round(table: Table) -> None:
    table.enter("round_ends", {})


# -- numbers


async def test_a_number_typed_on_a_phone_is_the_fact_that_the_grid_makes_and_says_who_typed_it(
    tmp_path: Path,
) -> None:
    (tmp_path / "laptop").mkdir()
    with phones(tmp_path) as at, phones(tmp_path / "laptop") as laptop:
        assert await at.says(ANNA, at.typed("anna", 17)) == (200, SAVED)
        enter(laptop.table, grids(laptop.table)[0], 0, 0, 17)
        typed, keyed = facts(at.table)[-1], facts(laptop.table)[-1]
        for one, other in ((typed, keyed), (keyed, typed)):
            assert (one.kind, one.actor, one.after) == (other.kind, other.actor, other.after)
            assert {**one.body, "at": None} == {**other.body, "at": None}
        (cause,) = typed.causes
        arrived = entries(at.table)[cause - 1]
        assert (arrived.kind, arrived.body) == (
            Control.ENTERED,
            {"seat": "anna", "line": "round 1"},
        )
        remark = entries(at.table)[typed.n]
        assert remark.body == {"entries": [typed.n], "why": TYPED_ON_A_PHONE, "who": "anna"}
        assert at.table.durable_n == len(entries(at.table))
        assert at.scores() == laptop.scores() == [[17, None, None]]


async def test_the_table_reads_who_typed_what_and_for_which_round(tmp_path: Path) -> None:
    with phones(tmp_path) as at:
        await at.says(BEN, at.typed("ben", 17))
        notice = at.table.view().notice
        assert notice is not None
        assert notice.text == "Ben typed 17 for round 1 on their phone."
        assert log(at.table)[-1].endswith(f"Ben - {TYPED_ON_A_PHONE}")
        assert await at.says(BEN, at.typed("ben", 17, 3)) == (
            422,
            "17 is recorded already. Type another number to change it.",
        )
        await at.says(BEN, at.typed("ben", 18, 2))
        notice = at.table.view().notice
        assert notice is not None
        assert notice.text == "Ben typed 18 instead of 17 for round 1 on their phone."
        assert at.scores() == [[None, 18, None]]


async def test_each_seat_sees_its_own_field_with_its_number_and_everybody_sees_no_field(
    tmp_path: Path,
) -> None:
    with phones(tmp_path) as at:
        await at.says(BEN, at.typed("ben", 17))
        assert "Points, round 1 (now 17)" in at.page("ben")
        assert "Points, round 1<" in at.page("anna")
        assert "data-enter" not in at.page(TABLE)
        for seat in ("anna", "ben"):
            assert re.findall('data-enter="([^"]*)"', at.page(seat)) == [at.offers(seat)[0].id]


async def test_the_tables_undo_takes_a_number_from_a_phone_back_and_redo_brings_it_again(
    tmp_path: Path,
) -> None:
    with phones(tmp_path) as at:
        await at.says(ANNA, at.typed("anna", 17))
        await at.says(ANNA, at.typed("anna", 18, 2))
        for key, number in (("undo", 17), ("undo", None), ("redo", 17), ("redo", 18)):
            at.table.do(f"table.{key}")
            assert at.scores() == [[number, None, None]]


async def test_a_number_that_arrives_twice_is_recorded_once_also_after_a_restart(
    tmp_path: Path,
) -> None:
    with phones(tmp_path) as at:
        body = at.typed("anna", 17)
        for _ in range(3):
            assert await at.says(ANNA, body) == (200, SAVED)
        assert len(facts(at.table)) == 1
        assert (await at.says(ANNA, body | {"answers": {"number": "18"}}))[0] == 422
    again = resume(tmp_path / "evening.sqlite", Table)
    try:
        at = Entering(again)
        assert at.table.view().phones_enter, "the session still allows it"
        count = len(entries(again))
        assert await at.says(ANNA, body) == (200, SAVED)
        assert len(entries(again)) == count
    finally:
        again.close()


async def test_a_number_that_was_undone_is_not_called_saved_when_it_is_sent_again(
    tmp_path: Path,
) -> None:
    with phones(tmp_path) as at:
        body = at.typed("anna", 17)
        await at.says(ANNA, body)
        at.table.do("table.undo")
        status, said = await at.says(ANNA, body)
        assert (status, said) == (
            422,
            "This was undone or changed since. Look at the page, then enter it again if needed.",
        )
        assert at.scores() == [[None, None, None]]


async def test_a_number_for_what_the_page_did_not_see_yet_is_refused(tmp_path: Path) -> None:
    """The table typed another number, undid one, or ended the round, while the phone had no network."""
    with phones(tmp_path) as at:
        body = at.typed("anna", 17)
        enter(at.table, grids(at.table)[0], 0, 0, 12)
        status, said = await at.says(ANNA, body)
        assert (status, at.scores()) == (422, [[12, None, None]])
        assert said == (
            "What this page showed has changed, so nothing was entered. "
            "Look at the page, then enter it again if needed."
        )
        change = at.typed("anna", 13, 2)
        at.table.do("table.undo")
        assert (await at.says(ANNA, change))[0] == 422
        assert at.scores() == [[None, None, None]]
        assert (await at.says(ANNA, body))[0] == 200, "the page shows again what it showed then"


async def test_a_number_for_a_round_that_is_over_or_not_begun_is_refused(tmp_path: Path) -> None:
    with phones(tmp_path) as at:
        first = at.typed("anna", 17)
        end_round(at.table)
        second = at.typed("anna", 18, 2)
        assert (await at.says(ANNA, first))[0] == 422
        at.table.do("table.undo")
        assert (await at.says(ANNA, second))[0] == 422
        assert at.scores() == [[None, None, None]]


async def test_what_was_added_to_a_lasting_counter_counts_in_its_own_round_only(
    tmp_path: Path,
) -> None:
    lasting = PARTY.replace("[rounds.one]", '[counters.bonus]\ntitle = "bonus"\n\n[rounds.one]')
    with phones(tmp_path, lasting) as at:
        labels = [one.label for one in at.offers("anna")]
        late = at.typed("anna", 5, of=labels.index("+ bonus"))
        end_round(at.table)
        assert (await at.says(ANNA, late))[0] == 422
        now = at.typed("anna", 5, 2, of=labels.index("+ bonus"))
        assert (await at.says(ANNA, now))[0] == 200


async def test_a_number_for_another_session_is_refused(tmp_path: Path) -> None:
    with phones(tmp_path) as at:
        body = at.typed("anna", 17)
    (tmp_path / "next").mkdir()
    with phones(tmp_path / "next") as at:
        assert at.typed("anna", 17)["enter"] == body["enter"], "the same field of the same round"
        assert await at.says(ANNA, body) == (409, OTHER_GAME)
        body.pop("place")
        assert await at.says(ANNA, body) == (409, OTHER_GAME)
        assert facts(at.table) == []


NUMBERS = {
    "nothing": "",
    "spaces": "  ",
    "a word": "many",
    "a half": "1.5",
    "a comma": "1,5",
    "an exponent": "1e3",
    "hexadecimal": "0x11",
    "underscores": "1_7",
    "a plus": "+17",
    "a minus alone": "-",
    "two minus": "--1",
    "Arabic digits": "\u0661\u0667",
    "a superscript": "\u00b2",
    "not a number": "NaN",
    "infinity": "Infinity",
    "eight digits": "12345678",
    "more digits than a computer counts": "9" * 3000,
    "out of the game's range": "27",
    "below the game's range": "-1",
}


@pytest.mark.parametrize("case", NUMBERS)
async def test_what_is_no_number_of_this_game_is_refused_in_a_sentence(
    tmp_path: Path, case: str
) -> None:
    with phones(tmp_path, TEXTS["hearts"], (*NAMES, "Dora")) as at:
        count = len(entries(at.table))
        status, said = await at.says(ANNA, at.typed("anna", NUMBERS[case]))
        assert status == 422
        assert said[0].isupper()
        assert said.endswith(".")
        assert len(entries(at.table)) == count
        assert (await at.says(ANNA, at.typed("anna", 26, 2)))[0] == 200


async def test_what_the_games_rules_refuse_at_the_laptop_they_refuse_on_a_phone(
    tmp_path: Path,
) -> None:
    with phones(tmp_path, TEXTS["hearts"], (*NAMES, "Dora")) as at:
        await at.says(ANNA, at.typed("anna", 20))
        status, said = await at.says(BEN, at.typed("ben", 7))
        assert (status, said) == (
            422,
            "A hand has no more than 26 points. Look whose number is wrong.",
        )
        assert at.scores() == [[20, None, None, None]]


HOSTILE: dict[str, tuple[int, dict[str, Any]]] = {
    "an id that nobody was offered": (422, {"enter": "0123456789abcdef"}),
    "a row's name": (422, {"enter": "round 1"}),
    "a very long id": (422, {"enter": "a" * 3000}),
    "another seat in the body": (400, {"seat": "ben"}),
    "another seat among the answers": (422, {"answers": {"number": "17", "seat": "ben"}}),
    "no answer": (422, {"answers": {}}),
    "another answer": (422, {"answers": {"value": "17"}}),
    "a number in JSON instead of text": (400, {"answers": {"number": 17}}),
    "a kind of fact": (400, {"kind": "round_ends"}),
    "a body of a fact": (400, {"body": {"counter": "points", "value": 17, "seat": "ben"}}),
    "a time of its own": (400, {"at": {"us": 1, "clock": "board-1"}}),
    "a note besides": (400, {"line": "hand"}),
    "a proposal besides": (400, {"propose": "draw"}),
    "a taking back besides": (400, {"back": 2}),
    "a list": (400, {"enter": ["0123456789abcdef"]}),
    "truth": (400, {"enter": True}),
    "a line break": (400, {"enter": "0123\n"}),
    "a wait of a year": (400, {"waited_ms": 10**12}),
    "a wait before it was pressed": (400, {"waited_ms": -1}),
    "a wait in words": (400, {"waited_ms": "10"}),
    "half a millisecond": (400, {"waited_ms": 0.5}),
    "truth for a wait": (400, {"waited_ms": True}),
    "no place": (409, {"place": ""}),
    "another place": (409, {"place": "0123456789abcdef"}),
    "a short id of its own": (400, {"id": "1"}),
}


@pytest.mark.parametrize("case", HOSTILE)
async def test_whatever_else_a_page_sends_is_refused_and_nothing_is_recorded(
    tmp_path: Path, case: str
) -> None:
    status, other = HOSTILE[case]
    with phones(tmp_path) as at:
        count, notice = len(entries(at.table)), at.table.view().notice
        answer = await at.client.send(ANNA, at.typed("anna", 17) | other)
        assert answer.status == status
        assert len(entries(at.table)) == count
        assert at.table.view().notice == notice


async def test_another_seats_cell_is_refused_from_the_own_address_and_from_everybodys(
    tmp_path: Path,
) -> None:
    with phones(tmp_path) as at:
        of_ben = at.typed("ben", 17)
        assert (await at.says(ANNA, of_ben))[0] == 409
        assert (await at.says(ANNA, of_ben | {"place": at.place("anna")}))[0] == 422
        assert (await at.client.send("/code-0/notes", of_ben)).status == 405
        assert WRONG in (await at.client.send("/code-9/notes", of_ben)).text
        assert facts(at.table) == []


async def test_a_code_that_was_renewed_enters_nothing(tmp_path: Path) -> None:
    with phones(tmp_path) as at:
        body = at.typed("anna", 17)
        at.pages._codes.renew("anna")
        assert (await at.client.send(ANNA, body)).status == 403
        assert facts(at.table) == []


async def test_it_is_off_until_the_table_allows_it_and_the_log_says_both(tmp_path: Path) -> None:
    with phones(tmp_path, wanted=False) as at:
        assert "data-enter" not in at.page("anna")
        status, said = await at.says(ANNA, at.typed("anna", 17))
        assert (status, said) == (
            422,
            "This table does not accept entries from phones. Say it aloud.",
        )
        at.table.allow_entries(True)
        assert (
            log(at.table)[-1] == "players may now enter their own numbers and draws on their phones"
        )
        assert "data-enter" in at.page("anna")
        at.table.allow_entries(False)
        assert (
            log(at.table)[-1]
            == "players can no longer enter their own numbers and draws on their phones"
        )
        assert "data-enter" not in at.page("anna")
        assert (await at.says(ANNA, at.typed("anna", 17, 2)))[0] == 422
        assert facts(at.table) == []


async def test_who_has_left_and_who_plays_a_game_that_is_over_enter_nothing(tmp_path: Path) -> None:
    with phones(tmp_path, PLAIN) as at:
        body = at.typed("carl", 17)
        at.table.enter("seat_leaves", {"seat": "carl"})
        count = len(facts(at.table))
        assert await at.says("/code-3/notes", body) == (
            422,
            "You have left the game. To come back, join again at the table.",
        )
        assert "data-enter" not in at.page("carl")
        body = at.typed("anna", 17)
        at.table.enter("add", {"counter": "points", "by": 1000, "seat": "ben"})
        assert at.table.view().ended
        status, said = await at.says(ANNA, body)
        assert (status, said) == (422, "The game is over. Ask the table to change it.")
        assert "data-enter" not in at.page("anna")
        assert len(facts(at.table)) == count + 1


async def test_a_counter_that_lasts_takes_what_is_added_again_and_again(tmp_path: Path) -> None:
    with phones(tmp_path, PLAIN) as at:
        assert [one.label for one in at.offers("anna")] == ["+ points"]
        for count, number in enumerate((17, 17, -4)):
            assert (await at.says(ANNA, at.typed("anna", number, count)))[0] == 200
        assert at.scores()[0] == [30, 0, 0]


@pytest.mark.parametrize("again", [False, True], ids=["added", "changed the last one"])
async def test_what_is_added_late_is_refused_once_the_table_added_it(
    tmp_path: Path, again: bool
) -> None:
    with phones(tmp_path, PLAIN) as at:
        if again:
            assert (await at.says(ANNA, at.typed("anna", 5)))[0] == 200
        waited = at.typed("anna", 5, 2)
        if again:
            enter(at.table, grids(at.table)[0], 0, 0, 10)
        else:
            at.table.enter("add", {"counter": "points", "by": 5, "seat": "anna"})
        before = at.scores()
        assert (await at.says(ANNA, waited))[0] == 422
        assert at.scores() == before


async def test_of_a_score_sheet_each_own_box_is_filled_in_once_and_by_whose_turn_it_is(
    tmp_path: Path,
) -> None:
    with phones(tmp_path, TEXTS["yahtzee"], NAMES[:2]) as at:
        boxes = [one.label for one in at.offers("anna")]
        assert len(boxes) > 5
        assert at.offers("ben") == ()
        late = at.typed("anna", 4, 2)
        assert (await at.says(ANNA, at.typed("anna", 3)))[0] == 200
        assert at.offers("anna") == ()
        assert [one.label for one in at.offers("ben")] == boxes
        assert (await at.says(BEN, at.typed("ben", 2)))[0] == 200
        assert [one.label for one in at.offers("anna")] == boxes[1:]
        assert (await at.says(ANNA, late))[0] == 422


@settings(max_examples=examples(15, 200))
@given(st.lists(st.integers(0, 13), min_size=3, max_size=3), st.integers(-3, 16))
def test_page_and_answer_are_the_same_whatever_the_others_keep_secret(
    tmp_path_factory: pytest.TempPathFactory, bids: list[int], number: int
) -> None:
    told = []
    for others in ((), bids):
        with phones(tmp_path_factory.mktemp("secret"), TEXTS["bidding"]) as at:
            for seat, bid in zip(("ben", "carl"), others, strict=False):
                at.table.enter("note", {"seat": seat, "counter": "bid", "value": bid})
            forms = re.findall("<form.*?</form>", at.page("anna"))
            answers = {"number": str(number)}
            note = SeatNote("entry-000000000001", answers=answers, enter=at.offers("anna")[0].id)
            told.append((forms, NotePost(at.table)._recorded("anna", note)))
    assert told[0] == told[1]
    assert any("data-enter" in form for form in told[0][0])


@pytest.mark.parametrize("took", [0.004, 0.02, 0.049, 0.07])
async def test_every_answer_comes_at_a_multiple_of_50_ms_whatever_became_of_the_number(
    tmp_path: Path, took: float
) -> None:
    waited: list[float] = []

    async def pause(seconds: float) -> None:
        waited.append(seconds)

    with phones(tmp_path, TEXTS["hearts"], (*NAMES, "Dora")) as at:
        good = at.typed("anna", 17)
        numbers = ({"number": "27"}, {"number": "x"}, {"number": "17"}, {"number": "17"})
        bodies = [good | {"answers": answers} for answers in numbers]
        for body in (*bodies, good | {"enter": "0123456789abcdef"}, good | {"place": ""}):
            times = iter([10.0, 10.0, 10.0 + took])  # it came, it was counted, it was answered
            at.pages._post = NotePost(at.table, partial(next, times), pause)
            await at.client.send(ANNA, body)
    assert [(took + seconds) / 0.05 for seconds in waited] == pytest.approx([1 + took // 0.05] * 6)


async def test_a_phone_keeps_and_sends_again_what_the_disk_did_not_take(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise NotSaved("the disk is full")

    with phones(tmp_path) as at:
        body = at.typed("anna", 17)
        with monkeypatch.context() as broken:
            broken.setattr(at.table._journal, "append", full)
            assert await at.says(ANNA, body) == (503, NOT_SAVED), "as for a private note"
        assert await at.says(ANNA, body) == (200, SAVED)
        assert at.scores() == [[17, None, None]]


# -- steps


async def test_a_draw_counts_when_it_arrives_and_is_marked_as_typed_on_a_phone(
    tmp_path: Path,
) -> None:
    with draws(tmp_path) as at:
        before = at.table._host_us()
        assert await at.says(BEN, at.pressed("ben")) == (200, SAVED)
        draw = facts(at.table)[-1]
        assert (draw.kind, draw.body["seat"], draw.actor) == ("draw", "ben", "keyboard")
        assert before < draw.body["at"]["us"] < at.table._host_us()
        assert [entries(at.table)[cause - 1].kind for cause in draw.causes] == [Control.ENTERED]
        assert log(at.table)[-1].endswith(f"Ben - {TYPED_ON_A_PHONE}")
        assert at.table.view().proposal is None
        assert at.table.view().game.seats[1].draws == 1
        at.table.do("table.undo")
        assert at.table.view().game.seats[1].draws == 0


async def test_the_time_of_a_draw_is_as_inexact_as_it_waited_on_the_phone(tmp_path: Path) -> None:
    with draws(tmp_path) as at:
        bodies = []
        for count, waited_ms in enumerate((0, 20_000)):
            bodies.append(at.pressed("ben", count, waited_ms))
            await at.says(BEN, bodies[-1])
        assert [draw.body["at"]["pm"] for draw in facts(at.table)[-2:]] == [200_000, 20_200_000]
        again = bodies[0] | {"waited_ms": 60_000}
        count = len(entries(at.table))
        assert await at.says(BEN, again) == (200, SAVED), "the same draw, sent later"
        assert len(entries(at.table)) == count


def test_the_guide_says_how_much_later_than_stated_a_draw_may_have_been() -> None:
    root = Path(companion.__file__).parent
    found = re.search(r"ANSWER_MS = (\d+)000;", (root / "web/notes.js").read_text(encoding="utf-8"))
    assert found is not None
    guide = (root.parent / "docs/player.md").read_text(encoding="utf-8")
    assert f"give or take {(KEY_ERROR_US + NETWORK_US) / 10**6:.1f} s" in guide
    assert f"it can take up to {found[1]} s more" in guide


async def test_two_draws_one_after_the_other_count_once_each_however_often_they_are_sent(
    tmp_path: Path,
) -> None:
    with draws(tmp_path) as at:
        bodies = []
        for count in range(2):
            bodies.append(at.pressed("ben", count))
            for body in bodies:
                assert (await at.says(BEN, body))[0] == 200
        assert at.table.view().game.seats[1].draws == 2


async def test_a_draw_that_waited_while_the_table_recorded_it_is_not_counted_again(
    tmp_path: Path,
) -> None:
    with draws(tmp_path) as at:
        waited = at.pressed("ben", waited_ms=5000)
        of_anna = at.pressed("anna", 2)
        at.table.enter("draw", {"seat": "ben"})
        count = len(entries(at.table))
        assert await at.says(BEN, waited) == (
            422,
            "I drew a card: that was already entered. Look at the page, then enter it again if needed.",
        )
        assert len(entries(at.table)) == count
        assert (await at.says(BEN, at.pressed("ben", 3)))[0] == 200, "one more, on the new page"
        assert (await at.says(ANNA, of_anna))[0] == 200, "Ben's draw is none of hers"
        assert [seat.draws for seat in at.table.view().game.seats] == [1, 2, 0]


async def test_a_draw_for_a_page_that_showed_one_that_was_undone_is_refused(tmp_path: Path) -> None:
    with draws(tmp_path) as at:
        await at.says(BEN, at.pressed("ben"))
        late = at.pressed("ben", 2)
        at.table.do("table.undo")
        status, said = await at.says(BEN, late)
        assert status == 422
        assert said.startswith("What this page showed has changed, so nothing was entered.")
        assert at.table.view().game.seats[1].draws == 0


async def test_a_draw_of_a_round_that_is_over_is_refused_in_the_next_one(tmp_path: Path) -> None:
    with draws(tmp_path) as at:
        late = at.pressed("ben")
        for key in ("fire", "fire"):
            at.table.do("table.undo")
            at.table.do(f"panic-fire.{key}")
        assert (await at.says(BEN, late))[0] == 422
        assert (await at.says(BEN, at.pressed("ben", 2)))[0] == 200


async def test_who_is_out_draws_nothing_and_a_hit_is_still_for_the_table_to_decide(
    tmp_path: Path,
) -> None:
    with draws(tmp_path) as at:
        body = at.pressed("ben")
        at.table.take_proposals(True)
        at.table.do("panic-fire.shot")
        assert "data-propose" in at.page("ben")
        assert [one.step.id for one in at.offers("ben") if one.step is not None] == ["draw"]
        assert at.page("ben").count("I drew a card") == 1
        at.table.do("panic-fire.name.2")
        at.table.do("panic-fire.name.1")
        assert at.table.view().game.seats[1].status == "out"
        assert (await at.says(BEN, body))[0] == 422
        assert "data-enter" not in at.page("ben")


async def test_a_draw_with_an_answer_and_a_draw_for_somebody_else_are_refused(
    tmp_path: Path,
) -> None:
    with draws(tmp_path) as at:
        count = len(entries(at.table))
        body = at.pressed("ben")
        assert (await at.says(BEN, body | {"answers": {"number": "1"}}))[0] == 422
        other = at.pressed("anna") | {"place": at.place("ben")}
        assert (await at.says(BEN, other))[0] == 422
        assert len(entries(at.table)) == count


async def test_an_undo_pressed_just_as_a_draw_arrives_does_not_undo_the_draw(
    tmp_path: Path,
) -> None:
    table = begin("panic-fire", NAMES, {}, tmp_path / "evening.sqlite", clock_us=lambda: 5_000_000)
    try:
        table.allow_entries(True)
        at = Entering(table)
        table.do("panic-fire.fire")
        await at.says(BEN, at.pressed("ben"))
        table.do("table.undo")
        assert table.view().game.seats[1].draws == 1
        notice = table.view().notice
        assert notice is not None
        assert notice.refused
    finally:
        table.close()


# -- numbers that are recorded together


async def test_numbers_that_a_game_records_together_are_sent_together(tmp_path: Path) -> None:
    with closing(opened(tmp_path, map="example", difficulty="medium")) as table:
        table.allow_entries(True)
        at = Entering(table)
        assert "data-enter" not in at.page("ada")
        round_one(table)
        (powers,) = at.offers("ada")
        assert [number.label for number in powers.numbers] == [
            "Amber Atoll",
            "Copper Crag",
            "Foggy Flats",
        ]
        assert at.page("ada").count("<input") == 3
        body = at.typed("ada", "") | {"answers": {"number-1": "6", "number-2": "3"}}
        status, said = await at.says(ANNA, body)
        assert (status, said) == (
            422,
            "Foggy Flats needs a whole number. Type one with at most 7 digits.",
        )
        body["answers"]["number-3"] = "11"
        assert (await at.says(ANNA, body))[0] == 422, "no chip has more than 10"
        body["answers"]["number-3"] = "2"
        assert await at.says(ANNA, body) == (200, SAVED)
        assert facts(table)[-1].body["chips"] == [6, 3, 2]
        notice = table.view().notice
        assert notice is not None
        assert notice.text == "Ada typed 6, 3 and 2 for Powers on their phone."
        stale = body | {"id": "entry-ada-000000000009"}
        assert (await at.says(ANNA, stale))[0] == 422
        (powers,) = at.offers("ada")
        assert powers.values == [6, 3, 2]
        changed = stale | {"enter": powers.id}
        assert await at.says(ANNA, changed) == (
            422,
            "6, 3 and 2 are recorded already. Type other numbers to change them.",
        )
        changed["answers"] = {**body["answers"], "number-3": "1"}
        assert await at.says(ANNA, changed) == (200, SAVED)
        assert facts(table)[-1].body["chips"] == [6, 3, 1]


# -- every game


def answered(game: Any, state: Any, seat: str) -> list[str]:
    """Return everything that a seat's phone can be told about its own entries in this state."""
    said = []
    offered = own_entries(panels_of(game.id), game.view(state, TABLE), seat)
    for one in offered:
        for typed in (0, 1, 3, 10, 99):
            made = one.step or one.records
            body = one.step.body if one.step is not None else {}
            if isinstance(made, ColumnEntry):
                body = made.body_of([typed] * len(one.numbers))
            elif isinstance(made, CellEntry):
                body = made.body_of(typed)
            try:
                assert made is not None
                game.advance(state, game.parse(made.kind, body, game.common(state).setup), 10**6)
            except Refused as refusal:
                said.append(refusal.spoken())
            else:
                said.append(SAVED)
    return [str(entry_block(offered)), *said]


@pytest.mark.parametrize("game_id", [game for game in sorted(GAMES) if hints_of(game).secret])
def test_what_a_seat_may_enter_and_every_answer_is_the_same_whatever_another_seat_alone_knows(
    game_id: str,
) -> None:
    game, chance = registry.open_game(game_id), Random(5)
    for before, _, entry, _ in played(game_id, 3, seed=13, most=120)[::3]:
        pairs = list(secret_pairs(game, before))
        for owner, fact, other in chance.sample(pairs, min(2, len(pairs))):
            one, two = game.apply(before, fact, entry), game.apply(before, other, entry)
            for seat in game.common(one).setup.seats:
                if seat.id != owner:
                    assert answered(game, one, seat.id) == answered(game, two, seat.id)


@pytest.mark.parametrize("game_id", sorted(GAMES))
def test_what_a_game_lets_a_seat_enter_at_once_names_that_seat(game_id: str) -> None:
    game, found = registry.open_game(game_id), 0
    panels = panels_of(game_id)
    for _, _, _, state in played(game_id, game.seat_counts[-1], seed=3, most=120)[::5]:
        for seat in game.common(state).setup.seats:
            for one in own_entries(panels, game.view(state, TABLE), seat.id):
                body = one.step.body if one.step is not None else {}
                if isinstance(one.records, ColumnEntry):
                    body = one.records.body_of([1] * len(one.numbers))
                assert seat.id in body.values()
                found += 1
    assert bool(found) == (game_id in ("panic-fire", "fractured-sky"))
