"""Taps on pages: two hands at once, each of which saw the table as it was some time ago."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

import pytest

from companion.display.panels import panels_of
from companion.journal.entries import Control, Entry, Layer
from companion.rules import registry
from companion.rules.facts import Moment
from companion.rules.spans import NOT_MEASURED
from companion.session.opening import begin, resume
from companion.session.roles import Doing, Role
from companion.session.seat_entries import phone_moment
from companion.session.table import Table
from companion.session.taps import (
    AddMissed,
    Answer,
    Change,
    Delete,
    Device,
    EnterFact,
    Outcome,
    Step,
    Tap,
    TapAnswer,
    TypeNumbers,
    Undo,
    Wish,
    device_of,
    tap_of,
)
from tests.games.own.files import TEXTS
from tests.games.own.test_grid import FOUR
from tests.session.tap_scripts import TIMED, played, script_of, tap_in, type_in
from tests.thorough import examples

GAMES = (
    ("panic-fire", ("Ann", "Ben", "Cleo")),
    ("skyfire", ("Ann", "Ben", "Cleo")),
    ("sky-rise", ("Ann", "Ben")),
    ("fractured-sky", ("Ann", "Ben", "Cleo")),
    ("drills", ("Ann", "Ben")),
    ("hearts", FOUR),
)
TABLET = Device("tablet", "Bo's tablet", Role.TABLE)
PHONE = Device("phone", "Cleo's phone", Role.TABLE)
REFEREE = Device("whistle", "the whistle", Role.REFEREE)
SECOND_US = 1_000_000


@dataclass
class Clock:
    """A monotonic clock that moves only when it is told to."""

    us: int = 0

    def __call__(self) -> int:
        return self.us

    def pass_s(self, seconds: float) -> None:
        self.us += round(seconds * SECOND_US)


@dataclass
class Pages:
    """Pages at a table, each of which shows what it last heard."""

    table: Table
    clock: Clock
    count: int = 0
    seen: dict[str, int] = field(default_factory=dict)

    def look(self, device: Device = TABLET) -> None:
        """Let the page of `device` show the table as it is now."""
        self.seen[device.id] = self.table.view().newest

    def tap(
        self, wish: Wish, device: Device = TABLET, again: int = 0, tap_id: str = ""
    ) -> TapAnswer:
        self.count += 1
        tap = Tap(
            tap_id or f"tap-{self.count:012}",
            self.seen.get(device.id, 0),
            wish,
            heard_us=self.clock.us - 250_000,
            again=again,
        )
        return self.table.tap(device, tap)


@pytest.fixture(autouse=True)
def _no_more_games_after() -> Iterator[None]:
    """Forget the games of a file that a test registers."""
    yield
    vars(registry.GAMES)["learned"].clear()


@pytest.fixture
def pages(tmp_path: Path) -> Iterator[Pages]:
    clock = Clock(10 * SECOND_US)
    table = begin("panic-fire", ("Ann", "Bo", "Cleo"), {}, tmp_path / "s.sqlite", clock_us=clock)
    with closing(table):
        at = Pages(table, clock)
        for device in (TABLET, PHONE, REFEREE):
            at.look(device)
        clock.pass_s(5)
        yield at


def facts(table: Table) -> list[Entry]:
    return table.look(
        lambda record: [
            entry
            for entry in record.entries
            if entry.layer is Layer.FACT and record.stands(entry.n)
        ]
    )


def kinds(table: Table) -> list[str]:
    return [entry.kind for entry in facts(table)]


FIRE = Step("panic-fire.fire")


def test_a_tap_records_the_same_fact_as_the_key_and_says_where_and_when_it_was(
    pages: Pages,
) -> None:
    answer = pages.tap(FIRE)
    assert answer.outcome is Outcome.DONE, answer
    assert kinds(pages.table) == ["fire"]
    (fact,) = facts(pages.table)
    tapped = pages.table.look(lambda record: record.entry(fact.n + 1))
    assert tapped is not None
    assert tapped.kind == Control.TAPPED
    assert tapped.body == {
        "device": "Bo's tablet", "role": "table", "entries": [fact.n], "within_us": 250_000,
    }  # fmt: skip
    assert fact.body["at"]["pm"] >= 250_000
    (line,) = pages.table.inspection.marshal().rulings
    assert line.tapped.startswith("Tapped on Bo's tablet between ")


def test_the_same_tap_sent_again_gets_the_first_answer_and_counts_once(pages: Pages) -> None:
    first = pages.tap(FIRE, tap_id="the-one-and-only")
    pages.clock.pass_s(1)
    assert pages.tap(FIRE, tap_id="the-one-and-only") == first
    assert kinds(pages.table) == ["fire"]


def test_after_a_crash_the_same_tap_is_found_in_the_record(tmp_path: Path) -> None:
    clock, path = Clock(SECOND_US), tmp_path / "s.sqlite"
    with closing(begin("panic-fire", ("Ann", "Bo"), {}, path, clock_us=clock)) as table:
        at = Pages(table, clock)
        at.look()
        assert at.tap(FIRE, tap_id="the-one-and-only").outcome is Outcome.DONE
    with closing(resume(path)) as again:
        at = Pages(again, clock)
        answer = at.tap(FIRE, tap_id="the-one-and-only")
        assert answer.outcome is Outcome.DONE
        assert kinds(again) == ["fire"]


def test_what_means_something_else_by_now_is_refused_and_the_page_reads_why(pages: Pages) -> None:
    pages.table.do("table.pause")
    pages.clock.pass_s(1)
    answer = pages.tap(Step("table.pause"))
    assert answer.outcome is Outcome.REFUSED
    assert answer.text.startswith("The game has changed, so nothing was done. Since then: ")
    assert kinds(pages.table) == ["pause"]


HEART, OTHER_QUEEN = Step("own.heart.1"), Step("own.queen.2")


@pytest.fixture
def hearts(tmp_path: Path) -> Iterator[Pages]:
    """Pages at a table of Hearts, where the same step can be made again and again."""
    clock = Clock(SECOND_US)
    game = registry.learn(TEXTS["hearts"]).id
    with closing(begin(game, FOUR, {}, tmp_path / "s.sqlite", clock_us=clock)) as table:
        at = Pages(table, clock)
        at.look(TABLET)
        at.look(PHONE)
        yield at


def test_what_another_hand_did_meanwhile_is_asked_about_and_then_done_once_more(
    hearts: Pages,
) -> None:
    assert hearts.tap(HEART, PHONE).outcome is Outcome.DONE
    hearts.clock.pass_s(1)
    asked = hearts.tap(HEART)
    assert asked.outcome is Outcome.SAME, asked
    assert asked.text == "Cleo's phone entered this a moment ago. Enter it again?"
    assert len(facts(hearts.table)) == 1
    assert hearts.tap(HEART, again=asked.entry).outcome is Outcome.DONE
    assert len(facts(hearts.table)) == 2


def test_what_another_hand_did_once_more_after_the_question_is_asked_about_again(
    hearts: Pages,
) -> None:
    hearts.tap(HEART, PHONE)
    hearts.clock.pass_s(1)
    asked = hearts.tap(HEART)
    hearts.table.do(HEART.action)
    hearts.clock.pass_s(1)
    again = hearts.tap(HEART, again=asked.entry)
    assert again.outcome is Outcome.SAME
    assert again.text.startswith("The laptop entered this a moment ago.")


def test_what_the_page_has_shown_meanwhile_is_not_asked_about(hearts: Pages) -> None:
    hearts.tap(HEART, PHONE)
    hearts.clock.pass_s(1)
    hearts.look()
    assert hearts.tap(HEART).outcome is Outcome.DONE


def test_something_else_that_happened_meanwhile_is_no_reason_to_ask(hearts: Pages) -> None:
    hearts.tap(OTHER_QUEEN, PHONE)
    hearts.clock.pass_s(1)
    answer = hearts.tap(HEART)
    assert answer.outcome is Outcome.DONE, answer


def test_two_taps_of_one_device_are_two_actions(hearts: Pages) -> None:
    assert hearts.tap(HEART).outcome is Outcome.DONE
    assert hearts.tap(HEART).outcome is Outcome.DONE
    assert len(facts(hearts.table)) == 2


def test_a_change_by_another_hand_guards_taps_and_keys_for_a_moment(pages: Pages) -> None:
    assert pages.tap(FIRE, PHONE).outcome is Outcome.DONE
    pages.look()
    hit = next(
        a.id for a in pages.table.actions if "hit" in a.id or "shot" in a.id or ".draw" in a.id
    )
    answer = pages.tap(Step(hit))
    assert answer.outcome is Outcome.REFUSED
    assert answer.text.startswith("This has just changed, so nothing was done.")
    pages.table.do(hit)
    notice = pages.table.view().notice
    assert notice is not None
    assert notice.refused
    pages.clock.pass_s(0.3)
    before = len(facts(pages.table))
    pages.look()
    assert pages.tap(Step(hit)).outcome is Outcome.DONE
    assert len(facts(pages.table)) == before + 1


def test_undo_names_the_step_it_is_about(pages: Pages) -> None:
    pages.tap(FIRE)
    pages.look(TABLET)
    pages.look(PHONE)
    entry = pages.table.view().undo_entry
    assert entry is not None
    pages.clock.pass_s(1)
    assert pages.tap(Undo(entry), PHONE).outcome in (Outcome.DONE, Outcome.ASKED)
    if pages.table.view().question:
        question = pages.table.view().question_id
        assert pages.tap(Answer(question, agreed=True)).outcome is Outcome.DONE
    pages.clock.pass_s(1)
    late = pages.tap(Undo(entry))
    assert late.outcome is Outcome.REFUSED
    assert late.text.startswith("This is undone already: ")


@pytest.fixture
def asked(pages: Pages) -> Pages:
    """Pages at a table that was asked on the tablet about a finished game."""
    table = pages.table
    table.enter("abandon", {"reason": "late"})
    pages.clock.pass_s(1)
    for device in (TABLET, PHONE, REFEREE):
        pages.look(device)
    entry = table.view().undo_entry
    assert entry is not None
    answer = pages.tap(Undo(entry))
    assert answer.outcome is Outcome.ASKED, answer
    assert answer.text == table.view().question
    return pages


def test_who_opens_a_page_twice_is_still_one_who_asked(pages: Pages) -> None:
    first, second = [replace(TABLET, id=f"code.{page}") for page in ("one", "two")]
    pages.table.enter("abandon", {"reason": "late"})
    pages.clock.pass_s(1)
    for device in (first, second, PHONE):
        pages.look(device)
    entry = pages.table.view().undo_entry
    assert entry is not None
    assert pages.tap(Undo(entry), first).outcome is Outcome.ASKED
    yes = Answer(pages.table.view().question_id, agreed=True)
    assert pages.tap(yes, second).outcome is Outcome.REFUSED
    assert pages.tap(yes, PHONE).outcome is Outcome.DONE


def test_who_asked_for_an_undo_is_not_the_only_one_who_answers(asked: Pages) -> None:
    question = asked.table.view().question_id
    own = asked.tap(Answer(question, agreed=True))
    assert own.outcome is Outcome.REFUSED
    assert own.text == "Somebody else has to agree, on the laptop or on another page."
    asked.table.has_laptop = False
    assert asked.tap(Answer(question, agreed=True)).text == (
        "Somebody else has to agree, on another page."
    )
    assert asked.tap(Answer(question, agreed=True), REFEREE).outcome is Outcome.DONE
    second = asked.tap(Answer(question, agreed=False), PHONE)
    assert second.outcome is Outcome.REFUSED
    assert second.text.startswith("This was answered already.")
    assert not asked.table.view().ended


def test_the_page_that_stands_for_the_laptop_answers_as_the_laptop_does(asked: Pages) -> None:
    asked.clock.pass_s(1)
    asked.table.do("table.disagree")
    asked.clock.pass_s(1)
    first = Device("first", "this computer", Role.TABLE, speaks_for_table=True)
    asked.look(first)
    entry = asked.table.view().undo_entry
    assert entry is not None
    assert asked.tap(Undo(entry), first).outcome is Outcome.ASKED
    question = asked.table.view().question_id
    assert asked.tap(Answer(question, agreed=True), first).outcome is Outcome.DONE


ONE_OF_EACH: dict[Doing, Wish] = {
    Doing.STEP: FIRE,
    Doing.PAUSE: Step("table.pause"),
    Doing.FACT: EnterFact("fire", {}),
    Doing.NUMBER: TypeNumbers("points", "round 1", "s1", (None,), (3,)),
    Doing.UNDO: Undo(1),
    Doing.CORRECTION: Delete(2),
    Doing.CONSENT: Answer("change-1", agreed=True),
}


@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize("doing", ONE_OF_EACH)
def test_a_role_can_do_only_what_it_may(pages: Pages, role: Role, doing: Doing) -> None:
    device = Device("forged", "a forger", role)
    pages.look(device)
    entries = pages.table.view().newest
    answer = pages.tap(ONE_OF_EACH[doing], device)
    if doing in role.may:
        assert "cannot do this" not in answer.text
        return
    assert answer.outcome is Outcome.REFUSED
    assert answer.text == f"The page of the role {role.title} cannot do this."
    assert pages.table.view().newest == entries


def test_the_refusal_of_a_wrong_seat_names_the_players_in_every_way_to_enter_a_fact(
    pages: Pages,
) -> None:
    pages.tap(FIRE)
    pages.clock.pass_s(1)
    pages.look()
    (fire,) = facts(pages.table)
    number = pages.table.look(lambda record: record.number(fire.n))
    for wish in (EnterFact("draw", {"seat": 5}), AddMissed("draw", {"seat": 5}, number)):
        answer = pages.tap(wish)
        assert answer.outcome is Outcome.REFUSED
        assert answer.text == "Player: 5 does not fit. It takes a player: Ann, Bo, Cleo."
    pages.table.enter("draw", {"seat": 5})
    notice = pages.table.view().notice
    assert notice is not None
    assert "Ann, Bo, Cleo" in notice.text


def test_no_page_enters_a_name_that_the_laptop_would_refuse(pages: Pages) -> None:
    seat = pages.table.view().setup.seats[0].id
    for wish in (
        EnterFact("seat_joins", {"name": "a" * 9999}),
        EnterFact("seat_changes", {"seat": seat, "name": "a" * 9999}),
        AddMissed("seat_joins", {"name": "a" * 9999}, 0),
    ):
        answer = pages.tap(wish)
        assert answer.text.endswith("is too long. Use 40 characters at most."), answer
    assert pages.tap(EnterFact("seat_changes", {"seat": seat, "name": "Zoe"})).entry
    renamed = facts(pages.table)[-1]
    number = pages.table.look(lambda record: record.number(renamed.n))
    pages.clock.pass_s(1)
    pages.look()
    answer = pages.tap(Change(number, {"seat": seat, "name": "a" * 9999}))
    assert answer.text.endswith("is too long. Use 40 characters at most."), answer


def test_a_page_cannot_say_when_something_was(pages: Pages) -> None:
    at = {"us": 1, "pm": 0, "clock": "host-1"}
    for wish in (EnterFact("fire", {"at": at}), AddMissed("fire", {"at": at}, 0)):
        answer = pages.tap(wish)
        assert answer.outcome is Outcome.REFUSED
        assert "when something was" in answer.text
    assert not facts(pages.table)


def test_a_ruling_is_deleted_restored_and_changed_by_the_number_that_people_see(
    pages: Pages,
) -> None:
    pages.tap(FIRE)
    pages.look()
    pages.clock.pass_s(1)
    (line,) = pages.table.inspection.marshal().rulings
    assert pages.tap(Delete(line.shown)).outcome is not Outcome.REFUSED
    assert pages.tap(Delete(line.shown)).text.startswith("This is deleted already: ")
    assert not facts(pages.table)
    pages.look()
    assert pages.tap(Delete(line.shown, restore=True)).outcome is Outcome.DONE
    assert kinds(pages.table) == ["fire"]
    unchanged = pages.tap(Change(line.shown, dict(line.body)))
    assert unchanged.outcome is Outcome.REFUSED


def test_a_number_goes_into_the_cell_that_the_page_showed(tmp_path: Path) -> None:
    clock = Clock(SECOND_US)
    game = registry.learn(TEXTS["wizard"]).id
    with closing(begin(game, FOUR[:3], {}, tmp_path / "s.sqlite", clock_us=clock)) as table:
        at = Pages(table, clock)
        at.look()
        view = table.view()
        grids = panels_of(view.setup.game).own_number_grids(view.game)
        grid, row, cell = next(
            (grid, row, cell)
            for grid in grids
            for row in grid.rows
            for cell in row.cells
            if cell.entry
        )
        shown = cell.total if row.adds else cell.value
        wish = TypeNumbers(grid.title, row.title, cell.seat, (shown,), (1,))
        assert at.tap(wish).outcome is Outcome.DONE
        late = at.tap(TypeNumbers(grid.title, row.title, cell.seat, (shown,), (0,)), PHONE)
        assert late.outcome is Outcome.REFUSED


def test_taps_and_their_devices_survive_a_capture() -> None:
    for wish in ONE_OF_EACH.values():
        tap = Tap("tap-000000000001", 3, wish, heard_us=5)
        assert tap_of(tap.fields) == tap
    assert device_of(REFEREE.fields) == REFEREE


def test_hands_that_tap_at_random_lose_nothing_and_do_nothing_twice(tmp_path: Path) -> None:
    """Devices tap what their page offered, look again or not, and send again what they sent; the laptop types."""
    outcomes: set[Outcome] = set()
    for seed in range(examples(15, 150)):
        chance, clock = Random(seed), Clock(SECOND_US)
        game = chance.choice(("panic-fire", "skyfire", "sky-rise", "fractured-sky"))
        path = tmp_path / f"{seed}.sqlite"
        with closing(begin(game, ("Ann", "Bo", "Cleo"), {}, path, clock_us=clock)) as table:
            at = Pages(table, clock)
            done = _tapped_at_random(at, chance, outcomes)
            recorded = table.look(
                lambda record: [
                    entry.key for entry in record.entries if entry.kind == Control.TAPPED
                ]
            )
            assert len(recorded) == len({*recorded})
            assert len(recorded) == done
            after = [(entry.kind, entry.body) for entry in facts(table)]
        with closing(resume(path)) as again:
            assert [(entry.kind, entry.body) for entry in facts(again)] == after
    assert {Outcome.DONE, Outcome.REFUSED} <= outcomes


def _tapped_at_random(at: Pages, chance: Random, outcomes: set[Outcome]) -> int:
    devices = (TABLET, PHONE, REFEREE)
    offered: dict[str, list[Wish]] = {}
    sent: list[tuple[Device, Tap, TapAnswer]] = []
    done = 0
    for turn in range(60):
        at.clock.pass_s(chance.choice((0.05, 0.4, 2.0)))
        device = chance.choice(devices)
        if device.id not in offered or chance.random() < 0.6:
            at.look(device)
            offered[device.id] = list(_offers(at.table))
        if chance.random() < 0.2:
            working = [a.id for a in at.table.actions if at.table.view().works(a.id)]
            if working:
                at.table.do(chance.choice(working))
            continue
        if sent and chance.random() < 0.2:
            device, tap, answer = chance.choice(sent)
            assert at.table.tap(device, tap) == answer
            continue
        wish = chance.choice(offered[device.id])
        tap = Tap(f"tap-{turn:012}", at.seen[device.id], wish, at.clock.us - 100_000)
        count = len(at.table.look(lambda record: [*record.entries]))
        answer = at.table.tap(device, tap)
        outcomes.add(answer.outcome)
        sent.append((device, tap, answer))
        is_more = len(at.table.look(lambda record: [*record.entries])) > count
        assert is_more == (answer.outcome is Outcome.DONE), (wish, answer)
        done += is_more
    return done


def _offers(table: Table) -> Iterator[Wish]:
    view = table.view()
    for action in table.actions:
        if view.works(action.id) and (
            not action.id.startswith("table.") or action.id == "table.pause"
        ):
            yield Step(action.id)
    if view.undo_entry is not None:
        yield Undo(view.undo_entry)
    if view.redo_entry is not None:
        yield Undo(view.redo_entry, redo=True)
    if view.question_id:
        yield Answer(view.question_id, agreed=True)
        yield Answer(view.question_id, agreed=False)


SHOT = Step("panic-fire.shot")


def _press_shot(pages: Pages) -> None:
    pages.table.do("panic-fire.shot")


def _tap_shot(pages: Pages) -> None:
    pages.look()
    answer = pages.tap(SHOT)
    assert answer.outcome is Outcome.DONE, answer


def _are_for_players_to_order(table: Table) -> bool:
    return any(fact.kind == "tie_break" for fact in table.legal())


@pytest.mark.parametrize(
    ("first", "second"),
    [(_press_shot, _tap_shot), (_tap_shot, _press_shot), (_tap_shot, _tap_shot)],
)
@pytest.mark.parametrize("apart_s", [0.5, 60])
def test_a_tap_does_not_decide_which_of_two_shots_was_first(
    pages: Pages,
    first: Callable[[Pages], None],
    second: Callable[[Pages], None],
    apart_s: float,
) -> None:
    pages.table.do("panic-fire.fire")
    pages.clock.pass_s(5)
    first(pages)
    pages.clock.pass_s(apart_s)
    second(pages)
    assert _are_for_players_to_order(pages.table)
    pages.clock.pass_s(1)
    pages.look()
    assert pages.tap(EnterFact("tie_break", {"order": "swapped"})).outcome is Outcome.DONE


def test_two_keys_half_a_second_apart_still_decide_which_shot_was_first(pages: Pages) -> None:
    pages.table.do("panic-fire.fire")
    pages.clock.pass_s(5)
    _press_shot(pages)
    pages.clock.pass_s(0.5)
    _press_shot(pages)
    assert not _are_for_players_to_order(pages.table)


@pytest.mark.parametrize(("apart_s", "is_asked"), [(0.5, True), (3, True), (3.5, False)])
def test_the_prompt_asks_only_for_the_order_of_tapped_shots_close_together(
    pages: Pages, apart_s: float, is_asked: bool
) -> None:
    pages.table.do("panic-fire.fire")
    for act in (_press_shot, _tap_shot):
        pages.clock.pass_s(apart_s)
        act(pages)
    for kind, column in (("target", 1), ("shooter", 0), ("target", 0), ("shooter", 1)):
        pages.clock.pass_s(5)
        pages.table.enter(kind, {"seat": pages.table.view().setup.seats[column].id})
    is_said = "Which shot came first is not measured" in pages.table.view().awaiting
    assert is_said == is_asked
    shot = pages.table.view().game.last_shot
    assert shot is not None
    assert shot.tie == is_asked


def test_a_draw_on_a_phone_is_marked_as_tapped() -> None:
    at = phone_moment(Moment(us=5, clock="board-1"), waited_ms=0)
    assert at.tapped


@pytest.fixture
def reaction(tmp_path: Path) -> Iterator[Pages]:
    """Reaction, one string each; Ann's signal is given."""
    clock = Clock(10 * SECOND_US)
    options = {"drill": "reaction", "strings": "1"}
    table = begin("drills", ("Ann", "Bo"), options, tmp_path / "d.sqlite", clock_us=clock)
    with closing(table):
        at = Pages(table, clock)
        _begin_string(at)
        yield at


def _begin_string(at: Pages) -> None:
    at.clock.pass_s(2)
    at.table.do("drills.begin")
    for _ in range(20):
        at.clock.pass_s(0.5)
        at.table.tick()


def test_a_string_with_a_tap_is_shown_but_counts_in_no_best_median_or_points(
    reaction: Pages,
) -> None:
    reaction.look()
    assert reaction.tap(Step("drills.shot")).outcome is Outcome.DONE
    game = reaction.table.view().game
    ann, (string,) = game.players[0], game.strings
    assert (ann.strings, ann.times, ann.trend, ann.score) == (1, (), None, 0)
    assert string.result is None
    assert string.ended.endswith("s, not measured")


def test_a_tapped_string_does_not_beat_one_by_key(reaction: Pages) -> None:
    reaction.look()
    reaction.tap(Step("drills.shot"))
    _begin_string(reaction)
    reaction.table.do("drills.shot")
    ending = reaction.table.view().ending
    assert ending is not None
    assert ending.winners == (reaction.table.view().setup.seats[1].id,)


@pytest.mark.parametrize(
    ("game", "names"), [(game, names) for game, names in GAMES if game not in TIMED]
)
def test_a_game_tapped_to_its_end_is_the_same_game_as_typed(
    tmp_path: Path, game: str, names: tuple[str, ...]
) -> None:
    script = script_of(game, names, 2, tmp_path, type_in)
    typed = played(script, tmp_path / "typed.sqlite", type_in)
    assert played(script, tmp_path / "tapped.sqlite", tap_in) == typed


@pytest.mark.parametrize(
    ("game", "names"), [(game, names) for game, names in GAMES if game in TIMED]
)
def test_a_game_whose_times_decide_is_tapped_to_its_end_with_none_of_them_measured(
    tmp_path: Path, game: str, names: tuple[str, ...]
) -> None:
    script = script_of(game, names, 2, tmp_path, tap_in)
    tapped = played(script, tmp_path / "tapped.sqlite", tap_in)
    assert tapped == played(script, tmp_path / "again.sqlite", tap_in)
    if game == "drills":
        assert [line for line in tapped if "shot " in line and NOT_MEASURED not in line] == []


@pytest.mark.parametrize(
    "action", ["panic-fire.fire", "drills.draw.x", "table.nothing", "", "x" * 60]
)
@pytest.mark.parametrize(("game", "names"), GAMES[:5])
def test_an_action_that_no_page_shows_is_refused_in_every_game(
    game: str, names: tuple[str, ...], action: str, tmp_path: Path
) -> None:
    with closing(begin(game, names, {}, tmp_path / "game.sqlite", clock_us=Clock())) as table:
        if any(known.id == action for known in table.actions):
            return
        entries = table.view().newest
        answer = table.tap(TABLET, Tap("a-tap-of-the-test", entries, Step(action), 0))
        assert answer.outcome is Outcome.REFUSED
        assert answer.text.startswith("There is no such button here.")
        assert table.view().newest == entries


def test_what_is_no_ruling_cannot_be_deleted_or_restored(pages: Pages) -> None:
    for wish in (Delete(1), Delete(1, restore=True), Change(1, {}), Undo(1, redo=True)):
        answer = pages.tap(wish)
        assert answer.outcome is Outcome.REFUSED
        assert "FORMAT" not in answer.text


def test_a_missed_fact_after_a_line_that_does_not_exist_is_refused(pages: Pages) -> None:
    answer = pages.tap(AddMissed("fire", {}, 99_999))
    assert answer.outcome is Outcome.REFUSED
    assert not facts(pages.table)


def test_a_missed_fact_that_another_hand_added_meanwhile_is_asked_about(hearts: Pages) -> None:
    hearts.tap(HEART)
    hearts.clock.pass_s(1)
    hearts.look(TABLET)
    hearts.look(PHONE)
    (line,) = hearts.table.inspection.marshal().rulings
    missed = AddMissed(line.kind, {n: v for n, v in line.body.items() if n != "at"}, 0)
    assert hearts.tap(missed, PHONE).outcome is Outcome.DONE
    asked = hearts.tap(missed)
    assert asked.outcome is Outcome.SAME, asked
    assert len(facts(hearts.table)) == 2


@pytest.mark.parametrize("numbers", [(), (1, 2)])
def test_numbers_that_do_not_fit_a_cell_are_refused(
    tmp_path: Path, numbers: tuple[int, ...]
) -> None:
    clock = Clock(SECOND_US)
    game = registry.learn(TEXTS["wizard"]).id
    with closing(begin(game, FOUR[:3], {}, tmp_path / "s.sqlite", clock_us=clock)) as table:
        at = Pages(table, clock)
        at.look()
        view = table.view()
        (grid, *_) = panels_of(view.setup.game).own_number_grids(view.game)
        row = grid.rows[-1]
        wish = TypeNumbers(grid.title, row.title, row.cells[0].seat, (None,), numbers)
        assert at.tap(wish).outcome is Outcome.REFUSED
