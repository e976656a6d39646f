"""What to lay out before the first string."""

from __future__ import annotations

from companion.games.drills.rules.model import State


def checklist(state: State) -> tuple[str, ...]:
    """Return the steps of the setup, a plain line each."""
    if state.drill == "plates":
        return ("Give everybody a zone button.", "Put the lamp where all of them see it.")
    par = f"Par is {state.options.numbers['par_ms'] / 1000:g} s."
    return (
        "Use the toy gun only, and nobody stands in front of it.",
        "Put the lamp where whoever shoots sees it.",
        *([par] if state.drill == "par" else []),
        f"{state.name(state.still_to_come[0])} begins." if state.still_to_come else "",
    )
