"""What only the pebbles in the bag show: the color of the last one, and whether it has spots."""

from companion.rules.components import Box, ComponentTable, Field, Problem, Unlock

TABLES = (
    ComponentTable(
        "pebble",
        "a pebble",
        (
            Field("color", "text", choices=("white", "grey", "black"), asks="what color is it?"),
            Field("spots", "flag", asks="does it have spots?"),
        ),
        heading="pebbles",
        row="the {name} pebble",
    ),
)
UNLOCKS = (Unlock(("pebble",), "names the last pebble by its looks"),)


def check(box: Box) -> tuple[Problem, ...]:
    """White pebbles have no spots."""
    rows = box.table("pebble")
    wrong = [row for row in rows if row.fields.get("color") == "white" and row.fields.get("spots")]
    return tuple(Problem(row.table, row.name, "a white pebble has spots", "none") for row in wrong)


def costs(box: Box) -> tuple[str, ...]:
    """What is open."""
    return ("looks unknown: the last pebble is called the last",) if box.open_rows else ()
