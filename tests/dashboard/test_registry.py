"""One registry of actions feeds keys, footer, help and palette."""

from __future__ import annotations

import asyncio

import pytest
from textual.events import Key
from textual.keys import _character_to_key
from textual.widgets import Input

from companion.dashboard import registry as own
from companion.dashboard.app import Dashboard
from companion.dashboard.keymap import actions_of
from companion.dashboard.screens.help import Palette, help_text
from companion.dashboard.widgets.lines import footer_keys
from companion.games.panic_fire.screen.game_screen import PanicFireScreen
from companion.rules.actions import Action, by_key, key_name, key_of_character
from companion.rules.clauses import without_clauses
from tests.dashboard.fakes import ACTIONS, FIRE, UNDO, FakeTable, ManualClock, table_view
from tests.dashboard.screen import screen_text

OF_EVERY_TABLE = {"u", "y", "z"}
GAME_ONLY = {"1", "2", "3", "4", "5", "q", "w", "e", "r", "t", "a", "s", "d", "f", "g"}


def test_every_action_is_in_help_with_its_key_and_its_sentence() -> None:
    actions = own.registry(ACTIONS)
    for now in (set[str](), {actions[0].id, actions[-1].id}, {action.id for action in actions}):
        text = help_text(actions, now, 80).plain
        for action in actions:
            assert f"{own.key_names(action)} " in text
            assert text.count(without_clauses(action.help)) == 1


async def test_help_begins_with_the_keys_that_work_now() -> None:
    app = Dashboard(
        FakeTable(table_view(works=lambda action_id: action_id == FIRE.id)), clock=ManualClock()
    )
    async with app.run_test(size=(80, 60)) as pilot:
        await pilot.press("question_mark")
        now, _, later = screen_text(app).partition("Table, not now")
        assert now.index("Works now") < now.index(FIRE.help)
        assert UNDO.help in later


async def test_the_footer_has_the_keys_that_work_now_and_what_puts_mistakes_right() -> None:
    app = Dashboard(
        FakeTable(table_view(works=lambda action_id: action_id != FIRE.id)), clock=ManualClock()
    )
    async with app.run_test(size=(80, 24)):
        footer = screen_text(app).rstrip().split("\n")[-1]
    assert "fire!" not in footer
    assert footer.split() == ["c", "fix", "mistakes", "?", "help", "l", "log", "^q", "quit"]


async def test_every_action_is_in_the_palette() -> None:
    app = Dashboard(FakeTable(), clock=ManualClock())
    async with app.run_test():
        titles = [command.title for command in app.get_system_commands(app.screen)]
    assert titles == [
        f"{action.label}: {action.help.rstrip('.')}" for action in own.registry(ACTIONS)
    ]


async def test_every_key_is_bound_to_its_action() -> None:
    app = Dashboard(FakeTable(), clock=ManualClock())
    async with app.run_test():
        bound = {
            key: binding.action for key, (_, binding, *_) in app.screen.active_bindings.items()
        }
    for key, action in by_key(own.registry(ACTIONS)).items():
        assert bound[key] == f"perform({action.id!r})"
    assert set(bound) == set(by_key(own.registry(ACTIONS)))


@pytest.mark.parametrize("action", ACTIONS, ids=lambda action: action.id)
async def test_a_key_of_the_table_does_its_action(action: Action) -> None:
    table = FakeTable()
    async with Dashboard(table, clock=ManualClock()).run_test() as pilot:
        await pilot.press(*action.keys)
    assert table.done == [action.id]


async def test_the_palette_does_what_the_key_does() -> None:
    table = FakeTable()
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test() as pilot:
        await pilot.press("ctrl+p")
        await pilot.pause()
        await pilot.press(*"undo")
        async with asyncio.timeout(10):
            while "undo: Take back the last ruling" not in screen_text(
                app
            ) or "fire!: Begin" in screen_text(app):
                await pilot.pause()
        assert not app.screen.query_one(Input).cursor_blink
        assert table.done == []
        await pilot.press("enter")
        await pilot.pause()
    assert table.done == ["table.undo"]


@pytest.mark.parametrize(("typed", "does"), [("redo", "table.redo"), ("r", None)])
async def test_one_enter_does_what_stands_first_however_fast_it_was_typed(
    typed: str, does: str | None
) -> None:
    table = FakeTable()
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test() as pilot:
        await pilot.press("ctrl+p")
        for key in (*typed, "enter"):
            app.post_message(Key(key, key if len(key) == 1 else None))
        async with asyncio.timeout(10):
            while isinstance(app.screen, Palette):
                await pilot.pause()
        await pilot.pause()
    assert len(table.done) <= 1
    assert does is None or table.done == [does]


def test_two_actions_on_one_key_are_refused() -> None:
    with pytest.raises(ValueError, match=r"'l' is bound to lamp and to dashboard\.log"):
        own.registry((Action("lamp", ("l",), "lamp", "Light it.", "Game"),))


def test_two_actions_with_one_id_are_refused() -> None:
    with pytest.raises(ValueError, match=r"share the id dashboard\.help"):
        own.registry((Action("dashboard.help", ("k",), "help", "Help.", "Game"),))


def test_the_dashboard_takes_no_key_that_games_may_want() -> None:
    assert not (OF_EVERY_TABLE | GAME_ONLY) & set(by_key(own.OWN))


@pytest.mark.parametrize("action", own.OWN, ids=lambda action: action.id)
def test_labels_fit_the_footer(action: Action) -> None:
    assert len(action.label) <= 12


def test_a_footer_that_is_too_narrow_for_the_games_keys_has_all_the_others() -> None:
    many = tuple(
        Action(f"a{n}", (str(n),), "something", "Does it.", "Game", footer=True) for n in range(9)
    )
    actions = [action for action in own.registry(many) if action.footer]
    game, others = footer_keys(actions, 60).plain.split("\n")
    assert len(game) <= 60
    assert game.startswith("0 something")
    assert others == "c fix mistakes  ? help  l log  ^q quit"


def test_the_footer_of_the_longest_turn_has_all_its_keys_on_80_columns() -> None:
    words = ("fortress", "market", "skimmer", "scout", "take", "peek", "resolution")
    of_a_turn = {f"fractured-sky.{word}" for word in words}
    every = (action for action in actions_of("fractured-sky") if action.footer)
    now = [
        action for action in every if action.id in of_a_turn or action.id.startswith("dashboard.")
    ]
    game, others = footer_keys(now, 78).plain.split("\n")
    assert game == "f Fortress  m Market  i Skimmer  s scout  g take  t peek  r resolution"
    assert others == "c fix mistakes  ? help  l log  ^q quit"


def test_a_spare_key_is_in_the_footer_while_one_row_has_room_for_it() -> None:
    words = ("shot", "illegal", "hand", "mend", "stalemate")
    of_a_round = {f"panic-fire.{word}" for word in words}
    every = (action for action in actions_of("panic-fire") if action.footer)
    after_a_shot = [
        action for action in every if action.id in of_a_round or action.id.startswith("dashboard.")
    ]
    spare = PanicFireScreen.spare_in_footer
    wide = footer_keys(after_a_shot, 114, spare).plain
    assert wide == (
        "Space shot  i illegal  h hand Shield  n rename  k stalemate  c fix mistakes"
        "  ? help  l log  ^q quit"
    )
    narrow = footer_keys(after_a_shot, 78, spare).plain
    assert narrow == "Space shot  i illegal  h hand Shield  n rename  c fix  ? help  l log  ^q quit"
    before = [action for action in after_a_shot if action.label not in ("hand Shield", "rename")]
    assert "k stalemate" in footer_keys(before, 78, spare).plain


async def test_a_page_opens_and_closes_with_its_own_key_or_that_of_another() -> None:
    table = FakeTable()
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test() as pilot:
        for key, title in (
            ("l", "Log, newest last"),
            ("b", "Board and record"),
            ("v", "Statistics"),
            ("question_mark", "Keys"),
        ):
            await pilot.press(key)
            await pilot.pause()
            assert screen_text(app).split("\n")[1].startswith(f"  {title}  ")
        await pilot.press("question_mark")
        await pilot.pause()
        assert len(app.screen_stack) == 1


async def test_quitting_ends_with_code_0() -> None:
    app = Dashboard(FakeTable(), clock=ManualClock())
    async with app.run_test() as pilot:
        await pilot.press("ctrl+q")
    assert (app.return_code or 0) == 0
    assert app.crash is None


async def test_the_last_line_of_a_page_names_the_keys_that_somebody_gave() -> None:
    app = Dashboard(
        FakeTable(),
        clock=ManualClock(),
        keys={"dashboard.back": ("f11",), "dashboard.take_back": ("X",)},
    )
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("l", "up")
        await pilot.pause()
        text = screen_text(app)
        assert "F11 back   " in text
        assert "X delete or restore" in text


@pytest.mark.parametrize(
    "character",
    [chr(code) for code in range(0x21, 0x7F)]
    + ["\N{EURO SIGN}", "\N{SECTION SIGN}", "\N{POUND SIGN}"],
)
def test_a_key_is_shown_as_the_character_that_it_types(character: str) -> None:
    name = _character_to_key(character)
    assert key_of_character(character) == name
    assert key_name(name) == character
