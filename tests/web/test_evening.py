"""An evening at one table: games follow one another, and each person's address stays with the person."""

from __future__ import annotations

import json
import stat
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from itertools import count
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from companion.journal.folder import sessions_dir
from companion.rules.seats import seats_from_names
from companion.session.corrections import NotDone
from companion.session.evening import FILE, HOURS, Evening, RoleGiven, goes_on
from companion.session.opening import begin
from companion.session.roles import Role
from companion.session.table import Table
from companion.web import at_play
from companion.web.addresses import LOCALHOST
from companion.web.at_play import UNSURE, TablePages
from companion.web.codes import Codes, RoleCodes
from companion.web.note_post import OTHER_GAME
from companion.web.showing import place_of
from tests.games.skyfire.playing import example_deck
from tests.web.browser import Chromium
from tests.web.test_at_play import asked

HAND = {"id": "0123456789abcdef", "line": "hand", "answers": {"cards": "com,em,wa,pop"}}
TEXT = "document.body.innerText"
READER = """
    globalThis.sessions = new Set();
    const read = new EventSource("feed");
    read.addEventListener("message", (message) => sessions.add(JSON.parse(message.data).session));
"""
LOST = "document.getElementById('lost')"


@pytest.fixture(autouse=True)
def any_port(monkeypatch: pytest.MonkeyPatch) -> None:
    """Begin an evening on a port that no other test uses."""
    monkeypatch.setattr(at_play, "PORT", 0)


@contextmanager
def playing(
    path: Path, *names: str, hours: float = HOURS, hand: bool = False
) -> Iterator[tuple[Table, TablePages]]:
    """A game of SkyFire with these people and its pages; with `hand`, the first has noted a hand."""
    with closing(begin("skyfire", names, {}, path, components=example_deck())) as table:
        table.do("skyfire.deal")
        with closing(TablePages(table, LOCALHOST, evening_hours=hours)) as pages:
            if hand:
                assert asked(pages.address_of(pages.seats[0].id), HAND)[0] == 200
            yield table, pages


def address(pages: TablePages, name: str) -> str:
    """Return the address of the page of the player with that name."""
    return pages.address_of(next(seat.id for seat in pages.seats if seat.name == name))


def is_for(page: str, name: str) -> bool:
    """Return whether a page is that person's."""
    return f" {name} alone</h2>" in page


def test_after_a_rematch_with_other_seats_each_address_is_still_the_persons(tmp_path: Path) -> None:
    with playing(tmp_path / "one.sqlite", "Anna", "Bo", "Cleo", hand=True) as (_, pages):
        anna, bo, everybody = address(pages, "Anna"), address(pages, "Bo"), pages.address_of()
        assert is_for(asked(anna)[1], "Anna")
    with playing(tmp_path / "two.sqlite", "bo", "Dan", "Anna") as (_, pages):
        assert address(pages, "Anna") == anna
        assert pages.address_of() == everybody
        assert is_for(asked(anna)[1], "Anna")
        assert is_for(asked(bo)[1], "bo"), "a name is compared as names of seats are"
        assert "Comet" not in asked(anna)[1], "the hand was of another game"


def test_somebody_who_does_not_play_sees_the_tables_page_and_can_note_nothing(
    tmp_path: Path,
) -> None:
    with playing(tmp_path / "one.sqlite", "Anna", "Bo", "Cleo") as (_, pages):
        cleo = address(pages, "Cleo")
    with playing(tmp_path / "two.sqlite", "Anna", "Bo", "Dan", hand=True) as (table, pages):
        before = len(table._journal.entries)
        status, page = asked(cleo)
        assert status == 200
        assert page == asked(pages.address_of())[1]
        assert "Comet" not in page
        assert asked(cleo, HAND | {"id": "fedcba9876543210"})[0] == 405
        assert len(table._journal.entries) == before


def test_who_comes_back_under_a_name_has_no_page_until_the_table_says_who_it_is(
    tmp_path: Path,
) -> None:
    with playing(tmp_path / "one.sqlite", "Anna", "Bo", "Cleo") as (_, pages):
        bo = address(pages, "Bo")
    with playing(tmp_path / "two.sqlite", "Anna", "Cleo", "Dan"):
        pass
    with playing(tmp_path / "three.sqlite", "Bo", "Anna", "Cleo") as (table, pages):
        seat = pages.seats[0].id
        notice = table.view().notice
        assert notice is not None
        assert notice.text == UNSURE.format(name="Bo")
        assert pages.is_unsure(seat)
        assert not is_for(asked(bo)[1], "Bo")
        assert asked(bo, HAND)[0] == 405
    with playing(tmp_path / "four.sqlite", "Bo", "Anna", "Cleo") as (table, pages):
        seat = pages.seats[0].id
        assert pages.is_unsure(seat), "nobody has answered"
        pages.confirm(seat)
        assert not pages.is_unsure(seat)
        assert is_for(asked(bo)[1], "Bo")
    with playing(tmp_path / "five.sqlite", "Bo", "Anna", "Cleo") as (table, pages):
        assert not pages.is_unsure(pages.seats[0].id), "it was asked once"


def test_somebody_else_with_a_name_of_before_gets_a_new_address(tmp_path: Path) -> None:
    with playing(tmp_path / "one.sqlite", "Anna", "Bo", "Cleo") as (_, pages):
        bo = address(pages, "Bo")
    with playing(tmp_path / "two.sqlite", "Anna", "Cleo", "Dan"):
        pass
    with playing(tmp_path / "three.sqlite", "Bo", "Anna", "Cleo", hand=False) as (_, pages):
        pages.renew(pages.seats[0].id)
        assert address(pages, "Bo") != bo
        assert asked(bo)[0] == 403
        assert is_for(asked(address(pages, "Bo"))[1], "Bo")


def test_a_note_that_waited_on_a_phone_ends_with_its_game(tmp_path: Path) -> None:
    with playing(tmp_path / "one.sqlite", "Anna", "Bo", "Cleo") as (_, pages):
        anna = address(pages, "Anna")
        place = asked(anna)[1].partition(' data-place="')[2].partition('"')[0]
    with playing(tmp_path / "two.sqlite", "Anna", "Bo", "Cleo") as (table, pages):
        before = len(table._journal.entries)
        status, answer = asked(anna, HAND | {"place": place})
        assert (status, json.loads(answer)["said"]) == (409, OTHER_GAME)
        assert len(table._journal.entries) == before
        here = asked(anna)[1].partition(' data-place="')[2].partition('"')[0]
        assert here != place
        assert asked(anna, HAND | {"place": here})[0] == 200


def test_after_the_evening_the_players_addresses_end_and_everybodys_stays(tmp_path: Path) -> None:
    folder = sessions_dir().parent
    with playing(tmp_path / "one.sqlite", "Anna", "Bo", "Cleo") as (_, pages):
        anna, everybody = address(pages, "Anna"), pages.address_of()
    assert goes_on(folder)
    kept = json.loads((folder / FILE).read_text())
    (folder / FILE).write_text(json.dumps(kept | {"last_s": kept["last_s"] - HOURS * 3600 - 1}))
    assert not goes_on(folder)
    assert goes_on(folder, HOURS + 1)
    with playing(tmp_path / "two.sqlite", "Anna", "Bo", "Cleo") as (_, pages):
        assert urlsplit(pages.address_of()).path == urlsplit(everybody).path
        assert urlsplit(address(pages, "Anna")).path != urlsplit(anna).path
        assert not pages.is_unsure(pages.seats[0].id)


def test_a_second_companion_has_another_port_and_other_codes(tmp_path: Path) -> None:
    with (
        playing(tmp_path / "one.sqlite", "Anna", "Bo", "Cleo", hand=True) as (_, first),
        playing(tmp_path / "two.sqlite", "Anna", "Bo", "Cleo") as (_, second),
    ):
        one, two = [urlsplit(address(pages, "Anna")) for pages in (first, second)]
        assert one.port != two.port
        assert one.path != two.path
        assert asked(f"http://{two.netloc}{one.path}")[0] == 403
        assert asked(f"http://{one.netloc}{two.path}")[0] == 403
        both = (first.address_of(), second.address_of())
    with playing(tmp_path / "three.sqlite", "Anna", "Bo", "Cleo") as (_, pages):
        assert pages.address_of() == both[0], "the evening is the first one's"


def test_the_file_is_for_its_owner_alone_and_a_code_is_in_no_session(tmp_path: Path) -> None:
    with playing(tmp_path / "one.sqlite", "Anna", "Bo", "Cleo") as (_, pages):
        code = urlsplit(address(pages, "Anna")).path.strip("/")
    file = sessions_dir().parent / FILE
    assert code in file.read_text()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert code.encode() not in (tmp_path / "one.sqlite").read_bytes()


@pytest.mark.parametrize("setback_s", [0, 1, HOURS * 3600])
def test_a_clock_that_was_set_back_a_little_ends_no_evening(
    tmp_path: Path, setback_s: float
) -> None:
    now = [1_000_000.0]
    evening = Evening.held(tmp_path, clock=lambda: now[0])
    assert evening is not None
    evening.save(8765, "all", {})
    evening.close()
    now[0] -= setback_s
    again = Evening.held(tmp_path, clock=lambda: now[0])
    assert again is not None
    assert again.goes_on
    again.close()


def test_a_role_is_given_out_for_the_evening_and_no_longer(tmp_path: Path) -> None:
    with playing(tmp_path / "one.sqlite", "Anna", "Bo", "Cleo") as (_, pages):
        referee = pages.give_out(Role.REFEREE, "Bo's tablet")
        pages.give_out(Role.TABLE, "Kitchen", speaks_for_table=True)
        gone = pages.give_out(Role.WALL, "Screen")
        pages.revoke(gone)
        everybody = pages.address_of()
    with playing(tmp_path / "two.sqlite", "Anna", "Bo", "Cleo") as (_, pages):
        given = pages.roles_given()
        assert [(one.role, one.name) for one in given] == [
            (Role.REFEREE, "Bo's tablet"),
            (Role.TABLE, "Kitchen"),
        ]
        assert given[0].code == referee
        assert not given[1].speaks_for_table, "the laptop has a screen of its own again"
    with playing(tmp_path / "three.sqlite", "Anna", "Bo", "Cleo", hours=0) as (_, pages):
        assert pages.roles_given() == ()
        assert pages.address_of() == everybody, "everybody's code outlasts the evening"


def test_a_file_of_an_older_companion_has_no_roles(tmp_path: Path) -> None:
    with playing(tmp_path / "one.sqlite", "Anna", "Bo", "Cleo") as (_, pages):
        anna = address(pages, "Anna")
    file = sessions_dir().parent / FILE
    kept = json.loads(file.read_text())
    del kept["roles"]
    file.write_text(json.dumps(kept))
    with playing(tmp_path / "two.sqlite", "Anna", "Bo", "Cleo") as (_, pages):
        assert address(pages, "Anna") == anna
        assert pages.roles_given() == ()


def test_a_role_that_this_companion_does_not_know_is_left_out(tmp_path: Path) -> None:
    with playing(tmp_path / "one.sqlite", "Anna", "Bo", "Cleo") as (_, pages):
        pages.give_out(Role.WALL, "Screen")
        anna = address(pages, "Anna")
    file = sessions_dir().parent / FILE
    file.write_text(file.read_text().replace('"wall"', '"ceiling"'))
    with playing(tmp_path / "two.sqlite", "Anna", "Bo", "Cleo") as (_, pages):
        assert address(pages, "Anna") == anna
        assert pages.roles_given() == ()


def test_eight_devices_have_a_role_and_a_ninth_gets_one_after_all_are_revoked() -> None:
    numbers = count()
    roles = RoleCodes(lambda: f"code-{next(numbers)}")
    for _ in range(8):
        roles.give_out(Role.WALL, "Screen", speaks_for_table=False)
    assert [given.name for given in roles.given()][:3] == ["Screen", "Screen 2", "Screen 3"]
    with pytest.raises(NotDone, match="At most 8"):
        roles.give_out(Role.WALL, "Screen", speaks_for_table=False)
    roles.revoke_all()
    assert roles.of("code-0") is None
    code = roles.give_out(Role.WALL, "", speaks_for_table=False)
    assert roles.of(code) == RoleGiven(code, "wall", "Wall")


@pytest.mark.parametrize("name", ["x" * 41, "Bo\x1b[2J", "Bo\u202etablet"])
def test_a_name_that_no_screen_can_show_names_no_device(name: str) -> None:
    with pytest.raises(NotDone, match="at most 40"):
        RoleCodes().give_out(Role.WALL, name, speaks_for_table=False)


def test_two_people_with_one_name_in_a_foreign_record_have_two_codes() -> None:
    numbers = count()
    codes = Codes(lambda: f"code-{next(numbers)}")
    seats = seats_from_names(("Anna", "Bo", "Cleo"))
    twins = [replace(seat, name="Anna") for seat in seats[:2]]
    codes.seat([*twins, seats[2]])
    ids = [seat.id for seat in seats]
    assert [codes.viewer(codes.of(seat)) for seat in ids] == ids


def test_a_page_says_what_it_is_of_without_telling_which_seat() -> None:
    places = {
        place_of(session, viewer) for session in ("one", "two") for viewer in ("table", "anna")
    }
    assert len(places) == 4
    assert not any("anna" in place or "one" in place for place in places)


def test_two_phones_an_overlay_a_caller_and_a_reader_follow_three_games_untouched(
    chromium: Chromium, tmp_path: Path
) -> None:
    with ExitStack() as stack:
        anna, bo, overlay, caller, reader = [stack.enter_context(chromium.page()) for _ in range(5)]
        with playing(tmp_path / "one.sqlite", "Anna", "Bo", "Cleo", hand=True) as (table, pages):
            everybodys = pages.address_of()
            anna.open(address(pages, "Anna"))
            bo.open(address(pages, "Bo"))
            overlay.open(f"{everybodys}overlay")
            caller.open(f"{everybodys}caller")
            reader.open(f"{everybodys}overlay")
            reader.js(READER)
            anna.wait_for(f"{TEXT}.includes('Comet') && {LOST}.hidden")
            bo.wait_for(f"{TEXT}.includes('Bo alone') && {LOST}.hidden")
            overlay.wait_for(f"{TEXT}.includes('Cleo')")
            reader.wait_for("sessions.size === 1")
            table.do("table.pause")
            for page in (anna, bo, overlay):
                page.wait_for(f"{TEXT}.includes('paused')")  # each of them hears of it
        for page in (anna, bo, overlay, caller):
            words = page.wait_for(
                f"{LOST}.textContent", lambda words: "comes back with the next one" in words
            )
            assert words.startswith("Not connected since ")
        # A game that Anna does not play shows her nothing of anybody's hand.
        with playing(tmp_path / "two.sqlite", "Dan", "Bo", "Cleo", hand=True):
            anna.wait_for(f"{TEXT}.includes('Dan') && {LOST}.hidden")
            bo.wait_for(f"{TEXT}.includes('Dan') && {TEXT}.includes('Bo alone') && {LOST}.hidden")
            overlay.wait_for(f"{TEXT}.includes('Dan')")
            for page in (anna, bo, overlay, caller):
                assert "Comet" not in page.js("document.documentElement.outerHTML")
            assert anna.js("document.getElementById('hand-cards')") is None
            reader.wait_for("sessions.size === 2")
        with playing(tmp_path / "three.sqlite", "Anna", "Bo", "Cleo") as (table, pages):
            anna.wait_for(f"!{TEXT}.includes('Dan') && {LOST}.hidden")
            assert anna.js("document.getElementById('hand-cards')") is None, "nobody said who it is"
            pages.confirm(pages.seats[0].id)
            anna.wait_for(f"{TEXT}.includes('Anna alone') && {LOST}.hidden")
            bo.wait_for(f"!{TEXT}.includes('Dan') && {TEXT}.includes('Bo alone') && {LOST}.hidden")
            overlay.wait_for(f"!{TEXT}.includes('Dan') && {TEXT}.includes('Anna')")
            reader.wait_for("sessions.size === 3")
            table.do("table.pause")
            caller.wait_for(f"{TEXT}.includes('paused')")
            for page in (anna, bo, overlay, caller, reader):
                assert "Comet" not in page.js("document.documentElement.outerHTML")


def test_after_an_exchange_of_seats_each_sees_the_hand_of_the_seat_they_have_now(
    tmp_path: Path,
) -> None:
    with playing(tmp_path / "one.sqlite", "Anna", "Bo", "Cleo", hand=True) as (table, pages):
        anna, bo, cleo = (address(pages, name) for name in ("Anna", "Bo", "Cleo"))
        first, second, _ = (seat.id for seat in pages.seats)
        table.enter("seats_swap", {"seat": first, "other": second})
        table.wait(len(table._journal.entries), 5)
        # another thread draws the pages soon after
        assert any("Comet" in asked(bo)[1] for _ in range(2000))
        for other in (anna, cleo, pages.address_of()):
            assert "Comet" not in asked(other)[1]


def test_a_player_who_left_keeps_a_page_of_their_own_and_opens_nobody_elses(tmp_path: Path) -> None:
    with playing(tmp_path / "one.sqlite", "Anna", "Bo", "Cleo", "Dan", hand=True) as (table, pages):
        dan = address(pages, "Dan")
        table.enter("seat_leaves", {"seat": pages.seats[3].id})
        table.wait(len(table._journal.entries), 5)
        status, page = asked(dan)
        assert status == 200
        assert "Comet" not in page
        assert asked(dan, HAND | {"id": "fedcba9876543210"})[0] == 422
