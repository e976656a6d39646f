"""What a host prints, and whose code opens its page."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager

from companion.commands.first_page import NAME, FirstPage
from companion.commands.hosting import HostPages
from companion.commands.play_options import PlayOptions
from companion.config.schema import Preferences
from companion.journal.folder import sessions_dir
from companion.session.evening import Evening, Person, RoleGiven, read_evening
from companion.session.roles import Role

OWNERS = "the-code-of-the-owner"
TABLET = RoleGiven("the-code-of-a-tablet", Role.REFEREE.title, "Bo's tablet")


@contextmanager
def started() -> Iterator[tuple[FirstPage, HostPages]]:
    """A host that was started a moment ago, in a network."""
    with closing(FirstPage(Preferences(), "", port=0, announced=True)) as page:
        yield page, HostPages(page, PlayOptions(port="auto", plain=False, wanted=Preferences()))


def keep_evening() -> None:
    """Keep an evening in which the owner has the page, a tablet has a role, and Ann has played."""
    evening = Evening.held(sessions_dir().parent)
    assert evening is not None
    first = RoleGiven(OWNERS, Role.TABLE.title, NAME, speaks_for_table=True)
    people = {"ann": Person("Ann", "the-code-of-ann")}
    evening.save(8765, "the-code-of-everybody", people, (first, TABLET))
    evening.close()


def test_the_first_device_gets_the_code_that_nobody_else_has() -> None:
    with started() as (page, host_pages):
        before = page.code
        host_pages.renew()
        assert page.code == before
        host_pages.renew()
        assert page.code != before


def test_after_a_restart_a_device_that_is_let_in_does_not_share_the_owners_code() -> None:
    keep_evening()
    with started() as (page, host_pages):
        assert page.code == OWNERS
        host_pages.renew()
        assert page.code != OWNERS


def test_a_code_that_was_renewed_stays_so_after_a_restart_and_the_others_stay_too() -> None:
    keep_evening()
    with started() as (page, _):
        page.renew()
        renewed = page.code
    with started() as (page, _):
        assert page.code == renewed
    evening = read_evening(sessions_dir().parent)
    assert evening is not None
    assert evening.everybody == "the-code-of-everybody"
    assert evening.people["ann"].code == "the-code-of-ann"
    assert evening.roles[1:] == (TABLET,)


def test_a_renewed_code_is_kept_before_the_first_game_of_the_evening() -> None:
    with started() as (page, _):
        page.renew()
        renewed = page.code
    with started() as (page, _):
        assert page.code == renewed


def test_on_this_computer_alone_no_renewed_code_is_kept() -> None:
    with closing(FirstPage(Preferences(), None, port=0, announced=True)) as page:
        page.renew()
    assert read_evening(sessions_dir().parent) is None


def test_phones_and_tablets_of_the_evening_wait_for_the_next_game_and_a_replaced_code_does_not() -> (
    None
):
    keep_evening()
    with started() as (page, _):
        page.renew()
        for code in ("the-code-of-everybody", "the-code-of-ann", TABLET.code):
            assert page.comes_back(code)
        for code in (OWNERS, page.code, "", "wrong", "ä"):
            assert not page.comes_back(code)
