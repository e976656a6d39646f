"""A game's keys with a person's changes: checked before it begins, and as a table for people."""

from __future__ import annotations

from collections.abc import Iterator

from companion.dashboard import registry as own
from companion.dashboard.game_screen import game_screen_of
from companion.display.panels import panels_of
from companion.program import PROGRAM
from companion.rules.actions import OWN_KEYS, Action, KeyMap, key_name, remapped
from companion.rules.columns import capitalized
from companion.rules.facts import Setup
from companion.rules.registry import GAMES, OWN_GAMES, example_game, open_game
from companion.rules.seats import seats_from_names, unnamed
from companion.session.key_meanings import Keyboard


def actions_of(game_id: str, keys: KeyMap = OWN_KEYS) -> tuple[Action, ...]:
    """Return all actions of a game with the most seats it allows; raise `ValueError` if two share a
    key."""
    game = open_game(game_id)
    setup = Setup(game_id, game.rules_version, seats_from_names(unnamed(game.seat_counts[-1])))
    of_table, of_game = (
        Keyboard(game, setup, keys).actions(setup),
        game_screen_of(game_id).actions(),
    )
    if panels_of(game_id).grids is not None:
        of_game = own.with_grid(of_table, of_game)
    return own.registry(of_table, of_game, keys)


def faults(keys: KeyMap, game_id: str) -> Iterator[tuple[str, str]]:
    """Yield the id of each action with invalid keys, and why.

    Either no game has such an action, or another action of this game has the key, with the most
    seats it allows. What is wrong is left out of the further checks.
    """
    left = dict(keys)
    known = {action.id for action in (*actions_of(game_id), *own.AT_THE_END)}
    # A game that a file states may not be known yet: its actions have a beginning of their own.
    others = {*GAMES, OWN_GAMES.rpartition(".")[2]} - {game_id}
    for action in keys:
        if action not in known and action.partition(".")[0] not in others:
            yield action, f"there is no action {action!r}; `{PROGRAM} config keys` lists them"
            del left[action]
    while left:
        try:
            actions_of(game_id, left)
            return
        except ValueError as collision:
            named = [action for action in left if action in str(collision)]
            blamed = named[0] if named else next(iter(left))
            key = str(collision).split("'")[1]
            why = str(collision).replace(repr(key), key_name(key))
            if f" {game_id}." in why:
                why += f" in {open_game(game_id).title}"
            yield blamed, f"{why}; give one of the two another key"
            del left[blamed]


def table(game_id: str, keys: KeyMap = OWN_KEYS) -> Iterator[str]:
    """Yield the lines of a Markdown table of a game's keys, by group, with the ids of the actions."""
    yield from (
        f"## {open_game(game_id).title}",
        "",
        "| key | what it does | action |",
        "|---|---|---|",
    )
    for group, members in own.grouped(
        (*actions_of(game_id, keys), *remapped(own.AT_THE_END, keys))
    ).items():
        yield f"| **{capitalized(group)}** | | |"
        for action in members:
            names = " ".join(f"`{_cell(key_name(key))}`" for key in action.keys)
            yield f"| {names} | {_cell(action.help)} | `{action.id}` |"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


HEAD = """# Keys

Every key of every game, as delivered. This page is made from the registry of actions (`companion config keys --page`),
and a test holds it against the registry. A seat is called here by the color it has without a name.

Another key for an action goes into the settings file (`companion config path` says where it lies), by the action's id:

```toml
[keys]
"table.undo" = ["backspace", "u"]  # a key or several; the first one is shown
{example:33}  # its own keys are free then
"dashboard.theme" = []             # no key; the palette still does it
```

Two actions on one key are refused, with one sentence that names both; `companion config validate` looks at all games.
The footer, help, the palette, every sentence that names a key, the regions of a game's map and plain mode
follow. What does not: the keys inside forms, lists and grids (arrows, Enter, Esc, a letter), Enter and Esc while a
proposal or a question waits, and ^q inside a form.
"""


def page() -> str:
    """Return the page with the keys of all games."""
    game = example_game()
    action = next(action.id for action in actions_of(game) if action.id.startswith(f"{game}."))
    lines = [HEAD.format(example=f'"{action}" = "!"')]
    for game_id in sorted(GAMES):
        lines += [*table(game_id), ""]
    return "\n".join(lines).rstrip() + "\n"
