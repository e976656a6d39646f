"""The one registry of actions: bindings, footer, help and palette are all made from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from textual.binding import Binding, BindingsMap

from companion.rules.actions import OWN_KEYS, Action, KeyMap, by_key, key_name, named, remapped

GROUP = "Dashboard"

HELP = Action(
    "dashboard.help",
    ("question_mark",),
    "help",
    "Show every key and what it does.",
    GROUP,
    footer=True,
)
LOG = Action(
    "dashboard.log",
    ("l",),
    "log",
    "Show the whole log, with every line in full.",
    GROUP,
    footer=True,
)
STATISTICS = Action(
    "dashboard.statistics", ("v",), "statistics", "Show the statistics of the session.", GROUP
)
DETAILS = Action(
    "dashboard.details",
    ("b",),
    "board",
    "Show the details of the board's link and of the record.",
    GROUP,
)
TAKE_BACK = Action(
    "dashboard.take_back",
    ("x",),
    "take back",
    "In the log, in Fix mistakes: take a line back, or bring it back.",
    GROUP,
)
MARSHAL = Action(
    "dashboard.marshal",
    ("c",),
    "fix mistakes",
    "What the board said beside the rulings, to put them right.",
    GROUP,
    footer=True,
)
AMEND = Action(
    "dashboard.amend", ("f2",), "amend", "Fix mistakes: change the ruling under the cursor.", GROUP
)
INSERT = Action(
    "dashboard.insert",
    ("f3",),
    "insert",
    "Put a likely mistake right, or enter what was missed.",
    GROUP,
)
REREAD = Action(
    "dashboard.reread",
    ("f4",),
    "read again",
    "Read the evidence with another window or threshold.",
    GROUP,
)
LEVELS = Action(
    "dashboard.levels",
    ("f5",),
    "levels",
    "What is done by itself, proposed, or done by hand only.",
    GROUP,
)
PEOPLE = Action(
    "dashboard.people",
    ("f6",),
    "people",
    "Somebody leaves or joins; a score by hand; the end.",
    GROUP,
)
BOARD = Action(
    "dashboard.board",
    ("f7",),
    "set board",
    "What the session sets on its board: threshold, times.",
    GROUP,
)
WHY = Action(
    "dashboard.why",
    ("ctrl+r",),
    "why",
    "The reasons of the last answer and ruling, and of each score.",
    GROUP,
)
BIG = Action(
    "dashboard.big",
    ("f8",),
    "big",
    "Clock, turn and scores to be read from across the table.",
    GROUP,
)
SOUND = Action(
    "dashboard.sound",
    ("f9",),
    "sound",
    "Bell, buzzer and lamp for what happens, or silence.",
    GROUP,
)
CURTAIN = Action(
    "dashboard.curtain", ("j",), "own notes", "One player looks at what nobody else may see.", GROUP
)
PHONES_PAGE = Action(
    "dashboard.phones",
    ("ctrl+o",),
    "phones",
    "Show the table on phones, where each player notes for itself.",
    GROUP,
)
SCORES = Action(
    "dashboard.scores",
    ("enter", "number_sign"),
    "enter points",
    "Type a number for each player; Enter goes on to the next.",
    GROUP,
    footer=True,
)
"""Of games that have a grid of numbers alone, see `with_grid`."""
PALETTE = Action("dashboard.palette", ("ctrl+p",), "palette", "Find an action by its name.", GROUP)
THEME = Action(
    "dashboard.theme", ("ctrl+t",), "theme", "Change between the dark and the light theme.", GROUP
)
BACK = Action(
    "dashboard.back",
    ("escape",),
    "back",
    "Close the page that is open and go back to the table.",
    GROUP,
)
QUIT = Action(
    "dashboard.quit",
    ("ctrl+q", "ctrl+c"),
    "leave",
    "Leave; the record stays and can be resumed.",
    GROUP,
    footer=True,
)

OVER = "when a game is over"
REMATCH = Action(
    "ending.rematch", ("r",), "rematch", "Play again, with the same players and house rules.", OVER
)
REPORT = Action(
    "ending.report", ("h",), "report", "Write the report, one page of HTML, and open it.", OVER
)
PHONES = Action(
    "ending.phones", ("p",), "phones", "Show the table on phones, and the code to scan.", OVER
)
BG_STATS = Action(
    "ending.bgstats", ("g",), "BG Stats", "Write the play for the app BG Stats.", OVER
)
AT_THE_END = (REMATCH, REPORT, PHONES, BG_STATS)
"""What can be done once a game is over; on every page of it their keys mean this, whatever they were in the game."""

CORRECTING = (AMEND, INSERT, REREAD, LEVELS, PEOPLE)
VERBS = (TAKE_BACK, *CORRECTING, BOARD, CURTAIN, PHONES_PAGE, SCORES)
"""What a table that is only looked at does not offer: it would change the record, or show what one seat may see."""
_LOOKED_AT = {
    MARSHAL: replace(MARSHAL, label="evidence", help="What the board said beside the rulings.")
}
OWN = (
    MARSHAL, HELP, LOG, STATISTICS, DETAILS, WHY, TAKE_BACK, *CORRECTING, BOARD, BIG, SOUND, CURTAIN, PHONES_PAGE,
    PALETTE, THEME, BACK, QUIT,
)  # fmt: skip


def with_grid(
    table_actions: tuple[Action, ...], game_actions: tuple[Action, ...]
) -> tuple[Action, ...]:
    """Return a game's own actions with the key that opens its grid of numbers; a game may use Enter for itself."""
    taken = {key for action in (*table_actions, *game_actions) for key in action.keys}
    keys = tuple(key for key in SCORES.keys if key not in taken)
    return (*game_actions, replace(SCORES, keys=keys))


def registry(
    table_actions: tuple[Action, ...],
    game_actions: tuple[Action, ...] = (),
    keys: KeyMap = OWN_KEYS,
) -> tuple[Action, ...]:
    """Return the table's actions, those of the game's screens and the dashboard's own, with the keys that `keys` gives
    some of them; raise `ValueError` when two share a key or an id. A table without actions is only looked at: then the
    keys are left that change nothing."""
    looking = tuple(_LOOKED_AT.get(action, action) for action in OWN if action not in VERBS)
    actions = remapped(table_actions + game_actions + OWN if table_actions else looking, keys)
    by_key(actions)
    by_key(
        (
            *(each for each in actions if each.id.startswith(("table.", "dashboard."))),
            *remapped(AT_THE_END, keys),
        )
    )
    ids = [action.id for action in actions]
    if twice := {each for each in ids if ids.count(each) > 1}:
        raise ValueError(f"two actions share the id {', '.join(sorted(twice))}")
    return actions


def at_the_end(actions: Sequence[Action], keys: KeyMap = OWN_KEYS) -> tuple[Action, ...]:
    """Return the actions of a table once its game is over: with those of its last page, whose keys mean nothing else
    any more. A key that wrote the report a moment ago must not change the game."""
    own = remapped(AT_THE_END, keys)
    taken = {key for action in own for key in action.keys}
    kept = (
        replace(each, keys=tuple(key for key in each.keys if key not in taken)) for each in actions
    )
    return (*kept, *own)


def key_names(action: Action) -> str:
    """Return all keys of an action, the first one first; nothing for one that has no key of its own."""
    return " or ".join(key_name(key) for key in action.keys)


def first_key(action: Action) -> str:
    """Return the key that stands for an action on the screen; nothing for one that has no key of its own."""
    return key_name(action.keys[0]) if action.keys else ""


def grouped(actions: Sequence[Action]) -> dict[str, list[Action]]:
    """Return the actions by group, groups and actions in the order of the registry."""
    groups = dict.fromkeys(action.group for action in actions)
    return {group: [action for action in actions if action.group == group] for group in groups}


def key_of(action: Action) -> str:
    """Return the key of an action for a sentence that `actions.with_keys` goes through before it is shown."""
    return named(action.id, action.keys[0])


def bindings(actions: tuple[Action, ...], overrides: Mapping[str, str]) -> BindingsMap:
    """Return the bindings of every key; `overrides` (key -> action id) go before what the key means otherwise."""
    labels = {action.id: action.label for action in actions}
    ids = {key: action.id for key, action in by_key(actions).items()} | dict(overrides)
    return BindingsMap(
        Binding(key, f"perform({action_id!r})", labels.get(action_id, action_id), show=False)
        for key, action_id in ids.items()
    )
