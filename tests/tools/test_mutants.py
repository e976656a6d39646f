"""The tool that draws wrong changes: each is one, of every kind, and the same for the same seed."""

from __future__ import annotations

from pathlib import Path

from tests.tools.mutants import drawn
from tests.tools.mutations import KINDS, mutants_of

SOURCE = b'''"""A sentence with 7."""

LEAST: int = 3


def late(options: Options, now: int) -> bool:
    """Whether it is late, at 9."""
    if options["clock"] == "board" and not now < LEAST:
        return now - 1 in (4, 5)
    return f"{now + 6}" == ""
'''
OPTIONS = {"clock": ("board", "screen", "none")}


def texts(kind: str) -> list[str]:
    return [
        mutant.text for mutant in mutants_of(Path("a.py"), SOURCE, OPTIONS) if mutant.kind == kind
    ]


def test_numbers_change_by_one_and_what_only_describes_stays() -> None:
    assert texts("constant") == ["4", "2", "2", "0", "5", "3", "6", "4"]


def test_an_options_value_becomes_each_of_its_alternatives() -> None:
    assert texts("option") == [
        "(options['clock'] != 'board')",
        "(options['clock'] == 'screen')",
        "(options['clock'] == 'none')",
    ]


def test_comparisons_and_what_joins_them_change() -> None:
    assert {"(now <= LEAST)", "(now >= LEAST)", "(now - 1 not in (4, 5))"} <= set(
        texts("comparison")
    )
    assert "(options['clock'] == 'board' or not now < LEAST)" in texts("boolean")
    assert "(options['clock'] == 'board')" in texts("boolean"), "one part alone"
    assert texts("arithmetic") == ["(now + 1)"]
    assert "(not (now - 1 in (4, 5)))" in texts("return")


def test_only_the_place_of_a_change_differs() -> None:
    for mutant in mutants_of(Path("a.py"), SOURCE, OPTIONS):
        changed = mutant.applied_to(SOURCE)
        assert changed.startswith(SOURCE[: mutant.start])
        assert changed.endswith(SOURCE[mutant.end :])
        assert mutant.is_a_change(SOURCE), mutant
        assert len(mutant.diff(SOURCE).splitlines()) == 2


def test_a_draw_has_every_kind_for_each_game_and_is_the_same_for_the_same_seed() -> None:
    trials = drawn(("panic_fire", "skyfire"), each=12, seed=3)

    for game in ("panic_fire", "skyfire"):
        of_game = [trial for trial in trials if trial.game == game]
        assert len(of_game) == 12
        assert {trial.mutant.kind for trial in of_game} == set(KINDS)
    places = {(trial.mutant.path, trial.mutant.start) for trial in trials}
    assert len(places) == len(trials)
    assert (
        trials
        == drawn(("panic_fire", "skyfire"), each=12, seed=3)
        != drawn(("panic_fire", "skyfire"), 12, seed=4)
    )
