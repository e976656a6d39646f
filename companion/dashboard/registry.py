"""The registry of actions, from which bindings, footer, help and palette are made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from companion.rules.actions import OWN_KEYS, Action, KeyMap, by_key, key_name, named, remapped

if TYPE_CHECKING:
    from textual.binding import BindingsMap

GROUP = "Dashboard"

HELP = Action(
    "dashboard.help",
    ("question_mark",),
    "help",
    "Show every key and what it does; / answers questions.",
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
    "delete",
    "In log and Fix mistakes: delete or restore a line.",
    GROUP,
)
MARSHAL = Action(
    "dashboard.marshal",
    ("c",),
    "fix mistakes",
    "Compare rulings with board reports, and correct them.",
    GROUP,
    footer=True,
)
AMEND = Action(
    "dashboard.amend", ("f2",), "change", "In Fix mistakes: change the chosen ruling.", GROUP
)
INSERT = Action(
    "dashboard.insert",
    ("f3",),
    "add missed",
    "Fix a likely mistake, or add something missed.",
    GROUP,
)
REREAD = Action(
    "dashboard.reread",
    ("f4",),
    "re-read",
    "Read sensors again with another window or threshold.",
    GROUP,
)
LEVELS = Action(
    "dashboard.levels",
    ("f5",),
    "automation",
    "Choose what happens automatically.",
    GROUP,
)
PEOPLE = Action(
    "dashboard.people",
    ("f6",),
    "people",
    "Players leave or join; set a score; end the game.",
    GROUP,
)
BOARD = Action(
    "dashboard.board",
    ("f7",),
    "set board",
    "Set the board's threshold and times.",
    GROUP,
)
WHY = Action(
    "dashboard.why",
    ("ctrl+r",),
    "why",
    "Show why: the last answer, the last ruling, each score.",
    GROUP,
)
BIG = Action(
    "dashboard.big",
    ("f8",),
    "big",
    "Show clock, turn and scores, readable from across the table.",
    GROUP,
)
SOUND = Action(
    "dashboard.sound",
    ("f9",),
    "sound",
    "Turn bell, buzzer and lamp on or off.",
    GROUP,
)
CURTAIN = Action(
    "dashboard.curtain", ("j",), "your notes", "Open one player's private notes.", GROUP
)
PHONES_PAGE = Action(
    "dashboard.phones",
    ("ctrl+o",),
    "phones",
    "Show the table on phones, with private notes.",
    GROUP,
)
SCORES = Action(
    "dashboard.scores",
    ("enter", "number_sign"),
    "type points",
    "Type a number for each player; Enter goes to the next.",
    GROUP,
    footer=True,
)
"""Only for games with a grid of numbers, see `with_grid`."""
PALETTE = Action("dashboard.palette", ("ctrl+p",), "palette", "Find an action by its name.", GROUP)
THEME = Action(
    "dashboard.theme", ("ctrl+t",), "theme", "Switch between the dark and the light theme.", GROUP
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
    "quit",
    "Quit; the game is kept and can be resumed.",
    GROUP,
    footer=True,
)

OVER = "when a game is over"
REMATCH = Action(
    "ending.rematch", ("r",), "rematch", "Play again, with the same players and house rules.", OVER
)
REPORT = Action(
    "ending.report", ("h",), "report", "Write the report as an HTML page and open it.", OVER
)
PHONES = Action(
    "ending.phones", ("p",), "phones", "Show the table on phones, and the code to scan.", OVER
)
BG_STATS = Action(
    "ending.bgstats", ("g",), "BG Stats", "Write the play for the app BG Stats.", OVER
)
AT_THE_END = (REMATCH, REPORT, PHONES, BG_STATS)
"""Actions for a finished game; on all its pages their keys mean these, whatever they meant during
play."""

CORRECTING = (AMEND, INSERT, REREAD, LEVELS, PEOPLE)
VERBS = (TAKE_BACK, *CORRECTING, BOARD, CURTAIN, PHONES_PAGE, SCORES)
"""What a table that is only watched does not offer: it would change the record, or show a seat's
secrets."""
_LOOKED_AT = {
    MARSHAL: replace(MARSHAL, label="evidence", help="Compare rulings with the board's reports.")
}
OWN = (
    MARSHAL, HELP, LOG, STATISTICS, DETAILS, WHY, TAKE_BACK, *CORRECTING, BOARD, BIG, SOUND, CURTAIN, PHONES_PAGE,
    PALETTE, THEME, BACK, QUIT,
)  # fmt: skip


def with_grid(
    table_actions: tuple[Action, ...], game_actions: tuple[Action, ...]
) -> tuple[Action, ...]:
    """Return a game's own actions plus the one that opens its grid; a game may use Enter for
    itself."""
    taken = {key for action in (*table_actions, *game_actions) for key in action.keys}
    keys = tuple(key for key in SCORES.keys if key not in taken)
    return (*game_actions, replace(SCORES, keys=keys))


def registry(
    table_actions: tuple[Action, ...],
    game_actions: tuple[Action, ...] = (),
    keys: KeyMap = OWN_KEYS,
) -> tuple[Action, ...]:
    """Return the actions of the table, of the game's screens and of the dashboard, with a person's
    `keys`.

    A table without actions is only watched: then only actions that change nothing remain. Raises
    `ValueError` if two actions share a key or an id.
    """
    looking = tuple(_LOOKED_AT.get(action, action) for action in OWN if action not in VERBS)
    actions = remapped(table_actions + game_actions + OWN if table_actions else looking, keys)
    by_key(actions)
    # At the end a game's own keys may be those of the last page, the others may not.
    lasting = (action for action in actions if action.id.startswith(("table.", "dashboard.")))
    by_key((*lasting, *remapped(AT_THE_END, keys)))
    counts = Counter(action.id for action in actions)
    twice = sorted(action_id for action_id, count in counts.items() if count > 1)
    if twice:
        raise ValueError(f"two actions share the id {', '.join(twice)}")
    return actions


def at_the_end(actions: Sequence[Action], keys: KeyMap = OWN_KEYS) -> tuple[Action, ...]:
    """Return the actions of a table once its game is over, with those of its last page.

    Those take their keys from all others: a key that wrote the report a moment ago must not change
    the game.
    """
    own = remapped(AT_THE_END, keys)
    taken = set(by_key(own))
    others = []
    for action in actions:
        free = tuple(key for key in action.keys if key not in taken)
        others.append(replace(action, keys=free))
    return (*others, *own)


def key_names(action: Action) -> str:
    """Return all keys of an action, the first one first; "" without any."""
    return " or ".join(key_name(key) for key in action.keys)


def first_key(action: Action) -> str:
    """Return the key that is shown for an action, "" without one."""
    return key_name(action.keys[0]) if action.keys else ""


def grouped(actions: Sequence[Action]) -> dict[str, list[Action]]:
    """Return the actions by group, in the order of the registry."""
    groups = dict.fromkeys(action.group for action in actions)
    return {group: [action for action in actions if action.group == group] for group in groups}


def key_of(action: Action) -> str:
    """Return the key of an action for a sentence that passes through `actions.with_keys` before it
    is shown."""
    return named(action.id, action.keys[0])


def bindings(actions: tuple[Action, ...], overrides: Mapping[str, str]) -> BindingsMap:
    """Return the bindings of every key; `overrides` (key -> action id) take precedence."""
    # Imported late: a table whose screen is a page does without the terminal's library.
    from textual.binding import Binding, BindingsMap

    labels = {action.id: action.label for action in actions}
    ids = {key: action.id for key, action in by_key(actions).items()} | dict(overrides)
    return BindingsMap(
        Binding(key, f"perform({action_id!r})", labels.get(action_id, action_id), show=False)
        for key, action_id in ids.items()
    )
