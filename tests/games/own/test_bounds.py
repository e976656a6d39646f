"""The whole work of one fact, and of one check of a file, is bounded by steps; what hits the bound is told in words."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from companion import cli
from companion.exits import Exit
from companion.games.own import trial
from companion.games.own.rules import expressions, model
from companion.games.own.rules.facts import Add
from companion.games.own.rules.fold import (
    MOST_STEPS_OF_FACT,
    RULES_VERSION,
    applied,
    apply,
    result,
    start,
)
from companion.games.own.rules.game import game_of, info_of
from companion.games.own.rules.model import State
from companion.rules import registry
from companion.rules.common import Abandon, Pause
from companion.rules.facts import Refused, Setup
from companion.rules.seats import seats_from_names
from companion.session.opening import begin
from tests.games.own.files import TEXTS, heavy

NAMES = ("Ann", "Ben", "Cleo", "Dan")


def begun(text: str, version: int = RULES_VERSION) -> State:
    info = info_of(text)
    return start(Setup(info.id, version, seats_from_names(NAMES), {}, dict(info.carried)))


def steps_of(state: State, fact: Add) -> int:
    work = expressions.Work(10**9)
    applied(state, fact, work)
    return work.used


def test_a_fact_that_takes_too_many_steps_in_all_is_refused_with_where_and_what_to_do() -> None:
    state, hit = begun(heavy(checks=40)), Add(counter="hits", seat="ann")
    assert steps_of(state, hit) > 5 * MOST_STEPS_OF_FACT
    with pytest.raises(Refused) as refused:
        apply(state, hit, 1)
    assert refused.value.clause == "OG-10"
    assert refused.value.spoken() == (
        "This takes more than 10,000 steps in all, the last of them for check HV-8. "
        "Make the expressions of the file shorter, then begin a new game."
    )
    assert state == begun(heavy(checks=40))


def test_a_fact_within_the_bound_counts_as_before() -> None:
    assert apply(begun(heavy(checks=6)), Add(counter="hits", seat="ann"), 1).scores["ann"] == 1


@pytest.mark.parametrize("version", [1, 2, 3])
def test_sessions_of_older_rules_have_no_bound_of_a_whole_fact(version: int) -> None:
    state = begun(heavy(checks=40), version)
    assert apply(state, Add(counter="hits", seat="ann"), 1).scores["ann"] == 1


SUMS = f"{'sum(' * 5}hits{')' * 5}"
LONG = f"0 * ({SUMS} + {SUMS} + {SUMS})"
ROUND = '[rounds.hand]\ntitle = "hand"\n\n[inputs.hit]'
VALUES = "\n".join(f'v{number} = "{SUMS}"' for number in range(3))


@pytest.mark.parametrize(
    ("old", "new", "kind"),
    [
        ('score = "hits"', f'score = "{LONG} + hits"', "add"),
        ('over = "', f'over = "{LONG} + ', "add"),
        ("[inputs.hit]", f'[turn]\nbust = "{LONG}"\n\n[inputs.hit]', "add"),
        ("[inputs.hit]", f'[turn]\nends = "{LONG}"\n\n[inputs.hit]', "add"),
        (
            'over = "max(hits) >= 5"',
            f"over = '1'\nwins = 'lowest'\nties = ['{LONG}', '{LONG}', '{LONG}']",
            "add",
        ),
        ("[inputs.hit]", f"[values]\n{VALUES}\n\n{ROUND}", "round_ends"),
    ],
    ids=["score", "over", "bust", "turn ends", "ties", "values"],
)
def test_the_bound_is_of_all_that_a_fact_asks(old: str, new: str, kind: str) -> None:
    text = heavy(checks=5).replace(old, new)
    state = begun(text, 3)
    fact = game_of(info_of(text).own).parse(
        kind, {} if kind == "round_ends" else {"counter": "hits", "seat": "ann"}
    )
    free = apply(state, fact, 1)
    result(free)
    bounded = replace(
        state, common=replace(state.common, setup=replace(state.setup, rules_version=RULES_VERSION))
    )
    with pytest.raises(Refused, match=f"more than {MOST_STEPS_OF_FACT:,} steps in all"):
        apply(bounded, fact, 1)


def test_a_game_that_takes_too_many_steps_can_still_be_paused_and_ended() -> None:
    state = begun(heavy(checks=40))
    assert apply(apply(state, Pause(), 1), Abandon(reason=""), 2).common.abandoned == ""


def test_a_check_of_a_file_ends_after_so_many_steps_and_says_at_which_play(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plays = ", ".join(['"Ann hits 0"'] * 200)
    example = f'[examples.long]\nseats = ["Ann", "Ben", "Cleo", "Dan"]\nplays = [{plays}]\nscores = [0, 0, 0, 0]\n'
    path = tmp_path / "heavy.toml"
    path.write_text(heavy(checks=6) + example)
    assert cli.main(["games", "check", str(path)]) == Exit.DATA
    line = path.read_text().splitlines().index("[examples.long]") + 1
    assert capsys.readouterr().err == (
        f"{path}, line {line}: examples.long: step 121 takes all examples together over 1,000,000 steps; "
        "expected shorter expressions, or fewer plays in the examples\n"
    )


def test_all_examples_of_a_file_share_one_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    own = info_of(TEXTS["hearts"]).own
    assert list(trial.faults(own)) == []
    monkeypatch.setattr(trial, "MOST_STEPS_OF_CHECK", 500)
    ((where, why),) = trial.faults(own)
    assert where == ("examples", "to_the_end")
    assert "takes all examples together over 500 steps" in why


def test_no_key_works_out_who_won_again(monkeypatch: pytest.MonkeyPatch) -> None:
    text = TEXTS["hearts"].replace(
        "[counters.taken]", 'ties = ["-best(taken)"]\n\n[counters.taken]', 1
    )
    state = begun(text.replace('over = "max(score) >= 100"', 'over = "max(score) >= 1"'))
    game = game_of(info_of(text).own)
    for kind, body in (
        ("add", {"counter": "taken", "seat": "ann", "by": 26}),
        ("round_ends", {}),
    ):
        state = apply(state, game.parse(kind, body), 1)
    won = result(state).winners
    assert won == ("ann",)

    def refuses(*_: object) -> None:
        raise AssertionError("nothing is worked out for a key")

    monkeypatch.setattr(model, "evaluated", refuses)
    assert result(state).winners == won
    assert game.awaiting(state).startswith("Ann wins.")


def test_a_key_and_the_footer_of_a_heavy_game_take_so_many_steps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken = 0
    real = expressions.evaluated

    def counted(*args: object) -> object:
        nonlocal taken
        state = args[1].state  # type: ignore[attr-defined]
        before = state.work.used if state.work is not None else 0
        try:
            return real(*args)  # type: ignore[arg-type]
        finally:
            taken += (state.work.used if state.work is not None else 0) - before

    monkeypatch.setattr(model, "evaluated", counted)
    game_id = registry.learn(heavy(checks=40)).id
    table = begin(game_id, NAMES, {}, tmp_path / "one.sqlite")
    table.do("own.hit.1")
    of_key, taken = taken, 0
    works = table.view().works
    assert not any(works(action.id) for action in table.actions if action.id.startswith("own."))
    table.close()
    assert 0 < of_key <= 2 * (MOST_STEPS_OF_FACT + 1)
    assert 0 < taken <= len(NAMES) * (MOST_STEPS_OF_FACT + 1)  # each is asked of the rules once
