"""An owner's file beside the packaged one, which may have changed since: nothing is dropped or kept without a word."""

from __future__ import annotations

import io
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from companion.box.comparing import differs, undecided
from companion.box.owner_box import box_in_force, own_path, own_rows
from companion.cli import main
from companion.exits import Exit
from companion.rules.box_difference import Pair, merged, pairs, row_differences
from companion.rules.component_rows import ComponentTable, Field
from companion.rules.components import Box, ComponentRow, packaged
from companion.session.opening import begin
from tests.commands.ran import Ran

GAME = "skyfire"
COMET: dict[str, Any] = {"called": "Comet", "symbols": ["red"], "back": "red yellow"}


def row(name: str, table: str = "fireworks", source: str = "my copy", **fields: Any) -> str:
    stated = "".join(f"{key} = {value!r}\n" for key, value in fields.items())
    return f'[[{table}]]\nname = "{name}"\n{stated}status = "confirmed"\nsource = "{source}"\n'


def own(*rows: str, game: str = GAME) -> Path:
    path = own_path(game)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(rows), encoding="utf-8")
    return path


def mine() -> dict[str, dict[str, Any]]:
    return {each.name: dict(each.fields) for each in own_rows(box_in_force(GAME))}


def test_a_file_that_says_otherwise_is_compared_field_by_field_and_nothing_is_decided_without_a_word() -> (
    None
):
    path = own(
        row("fireworks card 5", **COMET),
        row("target card 1", "target", symbols=["red", "white", "blue"]),
    )
    before = path.read_text()
    ran = Ran("components", "compare", GAME)
    assert ran.code == Exit.DONE
    assert (
        "Fireworks card 5, called: yours says Comet | published says red of red-yellow" in ran.out
    )
    assert "--published takes what is published, --mine keeps yours" in ran.out
    assert path.read_text() == before


def test_a_card_is_compared_with_the_same_card_whatever_its_number() -> None:
    own(row("fireworks card 1", **COMET))
    ran = Ran("components", "compare", GAME)
    assert "Your fireworks card 1 is compared with the published fireworks card 5." in ran.out
    assert "yours says Comet | published says red of red-yellow" in ran.out
    assert ran.out.count("yours says") == 1


def test_what_is_kept_takes_the_place_of_its_own_card_and_is_not_asked_again() -> None:
    own(row("fireworks card 1", **COMET))
    assert Ran("components", "compare", GAME, "--mine").code == Exit.DONE
    assert mine() == {
        "fireworks card 5": {"called": "Comet", "symbols": ("red",), "back": "red yellow"}
    }
    named = [each.fields["called"] for each in box_in_force(GAME).table("fireworks")]
    assert len(set(named)) == 20, "no card is there twice, none is missing"
    assert undecided(GAME) == ()
    assert "nothing to decide" in Ran("components", "compare", GAME).out


def test_what_was_kept_once_can_be_given_up_for_what_is_published() -> None:
    own(row("fireworks card 5", **COMET))
    Ran("components", "compare", GAME, "--mine")
    kept = "You keep 1 fact that is published otherwise. --published takes it."
    assert kept in Ran("components", "compare", GAME).out
    ran = Ran("components", "compare", GAME, "--published")
    assert (
        "Fireworks card 5, called: yours says Comet | published says red of red-yellow" in ran.out
    )
    assert "1 row changed" in ran.out
    assert box_in_force(GAME) == packaged(GAME)


def test_one_comparison_does_not_both_keep_and_take() -> None:
    path = own(row("fireworks card 5", **COMET))
    ran = Ran("components", "compare", GAME, "--mine", "--published")
    assert ran.code == Exit.USAGE
    assert "Name one of --published and --mine." in ran.err
    assert "Comet" in path.read_text()
    assert len(undecided(GAME)) == 1


def test_a_part_of_a_deck_in_an_order_of_ones_own_loses_no_published_card(tmp_path: Path) -> None:
    """As somebody began to enter it before the cards were published."""
    deck = packaged(GAME).table("fireworks")
    begun = [deck[place] for place in (11, 5, 7, 15, 9, 0)]
    rows = [
        row(
            f"fireworks card {number}",
            symbols=list(each.fields["symbols"]),
            back=each.fields["back"],
        )
        for number, each in enumerate(begun, start=1)
    ]
    path = own(*rows)
    kinds = sorted(
        (each.fields["symbols"], each.fields["back"])
        for each in box_in_force(GAME).table("fireworks")
    )
    assert kinds == sorted((card.fields["symbols"], card.fields["back"]) for card in deck)
    assert Ran("components", "compare", GAME, "--published").code == Exit.DONE
    assert "fireworks" not in path.read_text()
    assert box_in_force(GAME) == packaged(GAME)


def test_a_card_that_nobody_published_is_compared_with_the_one_that_is_left() -> None:
    deck = packaged(GAME).table("fireworks")
    rows = [
        row(
            f"fireworks card {21 - number}",
            symbols=list(each.fields["symbols"]),
            back=each.fields["back"],
        )
        for number, each in enumerate(deck, start=1)
    ]
    own(*rows[:3], row("fireworks card 17", symbols=["blue"], back="red white"), *rows[4:])
    asked = [
        (difference.theirs_row.name, difference.field, difference.mine)
        for difference in undecided(GAME)
        if difference.field != "called"
    ]
    assert asked == [("fireworks card 4", "symbols", ("blue",))]
    assert Ran("components", "compare", GAME, "--published").code == Exit.DONE
    assert box_in_force(GAME) == packaged(GAME)


def test_a_file_that_contradicts_the_published_cards_can_be_compared_all_the_same() -> None:
    own(row("fireworks card 5", **{**COMET, "called": "blue of red-blue"}))
    assert "two cards are called so" in Ran("components", "check", GAME).err
    assert Ran("components", "compare", GAME, "--published").code == Exit.DONE
    assert box_in_force(GAME) == packaged(GAME)


def test_what_is_published_is_taken_field_by_field() -> None:
    own(row("fireworks card 5", **COMET))
    ran = Ran("components", "compare", GAME, "--published")
    assert "1 row changed" in ran.out
    assert mine() == {}
    assert box_in_force(GAME) == packaged(GAME)


def test_a_back_that_an_owner_never_entered_is_not_dropped_silently() -> None:
    own(row("fireworks card 5", symbols=["red"]))
    assert (
        "back: yours says nothing | published says red yellow"
        in Ran("components", "compare", GAME).out
    )
    assert "2 facts" in differs(GAME)


def test_a_value_that_changes_later_is_asked_again() -> None:
    own(row("fireworks card 5", **COMET))
    Ran("components", "compare", GAME, "--mine")
    own(row("fireworks card 5", **{**COMET, "called": "Ember"}))
    assert [difference.mine for difference in undecided(GAME)] == ["Ember"]


def test_a_row_that_the_published_box_does_not_have_stays_and_is_named() -> None:
    own(row("Unreal Uplands", "region", resources=["Gold", "Wood"]), game="fractured-sky")
    before = own_path("fractured-sky").read_text()
    ran = Ran("components", "compare", "fractured-sky", "--published")
    assert before == own_path("fractured-sky").read_text(), ran.out


def test_list_check_and_a_new_session_say_that_a_file_differs(tmp_path: Path) -> None:
    own(row("fireworks card 5", **COMET))
    sentence = "Your component file differs from the published box in 1 fact: companion components compare skyfire"
    assert sentence in Ran("components", "list", GAME).out
    assert sentence in Ran("components", "check", GAME).out
    with closing(begin(GAME, ["Ada", "Bo", "Cleo"], {}, tmp_path / "new.sqlite")) as table:
        notice = table.view().notice
        assert notice is not None
        assert sentence in notice.text


def test_a_file_that_says_the_same_is_no_news() -> None:
    own(row("fireworks card 5", called="red of red-yellow", symbols=["red"], back="red yellow"))
    assert differs(GAME) == ""
    assert differs("panic-fire") == ""


@pytest.mark.parametrize("content", ["[[]]", "nonsense", '{"a": 1}', ""])
def test_a_damaged_memory_of_decisions_only_asks_again(content: str) -> None:
    own(row("fireworks card 5", **COMET))
    Ran("components", "compare", GAME, "--mine")
    own_path(GAME).with_name(f"{GAME}.kept.json").write_text(content)
    assert [difference.field for difference in undecided(GAME)] == ["called"]


# -- an import


def test_an_import_merges_by_field_not_by_row(tmp_path: Path) -> None:
    own(row("fireworks card 5", symbols=["red"], back="red yellow"))
    file = tmp_path / "from-bo.toml"
    file.write_text(
        row(
            "fireworks card 5",
            source="Bo's copy",
            called="Comet",
            symbols=["red"],
            back="red yellow",
        )
    )
    ran = Ran("components", "import", GAME, str(file))
    assert ran.code == Exit.DONE
    assert "1 detail added to facts you have: " in ran.out
    assert "called" in ran.out
    assert mine()["fireworks card 5"] == {
        "symbols": ("red",),
        "back": "red yellow",
        "called": "Comet",
    }


def test_an_import_leaves_what_it_does_not_state(tmp_path: Path) -> None:
    own(row("fireworks card 5", **COMET))
    file = tmp_path / "from-bo.toml"
    file.write_text(
        row("fireworks card 5", source="Bo's copy", symbols=["red"], back="red yellow", copies=1)
    )
    Ran("components", "import", GAME, str(file), "--theirs")
    assert mine()["fireworks card 5"]["called"] == "Comet"


def test_an_import_finds_the_same_card_under_another_number(tmp_path: Path) -> None:
    file = tmp_path / "from-bo.toml"
    file.write_text(row("fireworks card 1", source="Bo's copy", **COMET))
    Ran("components", "import", GAME, str(file), "--theirs")
    assert mine() == {
        "fireworks card 5": {"called": "Comet", "symbols": ("red",), "back": "red yellow"}
    }


# -- pure


TABLE = ComponentTable(
    "card", "a card", (Field("face", "text"), Field("back", "text", optional=True)), same=("face",)
)


def made(name: str, status: Any = "confirmed", source: str = "x", **fields: Any) -> ComponentRow:
    return ComponentRow("card", name, fields, status, source)


def test_rows_of_one_content_are_paired_first_and_what_is_left_with_what_is_left() -> None:
    box = Box((made("1", face="sun"), made("2", face="moon"), made("3", face="star")))
    compared = pairs(
        [made("1", face="moon"), made("2", face="comet"), made("4", face="sun")], box, [TABLE]
    )
    names = [(pair.mine.name, pair.theirs and pair.theirs.name) for pair in compared]
    assert names == [("1", "2"), ("2", "3"), ("4", "1")]
    assert [pair.renamed for pair in compared] == [True, True, True]
    assert Pair(made("9", face="x"), None).differences == ()


def test_a_merged_row_is_as_certain_as_its_weaker_part_and_names_both_sources() -> None:
    mine, theirs = (
        made("1", face="sun", source="mine"),
        made("1", "inferred", "theirs", face="moon", back="dark"),
    )
    both = merged(mine, theirs, ["back"])
    assert (dict(both.fields), both.status, both.source) == (
        {"face": "sun", "back": "dark"},
        "inferred",
        "mine; theirs",
    )
    whole = merged(mine, theirs, ["face", "back"])
    assert (whole.status, whole.source) == ("inferred", "theirs")
    assert [difference.field for difference in row_differences(mine, theirs)] == ["face", "back"]


@pytest.mark.parametrize(("typed", "kept"), [("\n", "Comet"), ("p\n", None), ("", "Comet")])
def test_in_a_terminal_each_difference_is_asked_and_enter_keeps_ones_own(
    typed: str,
    kept: str | None,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    own(row("fireworks card 5", **COMET))
    answers = io.StringIO(typed)
    monkeypatch.setattr(answers, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stdin", answers)
    main(["components", "compare", GAME])
    assert "Keep yours? Enter keeps it, p takes what is published: " in capsys.readouterr().out
    assert mine().get("fireworks card 5", {}).get("called") == kept
    assert undecided(GAME) == ()
