"""Entering the open facts of a box: whatever is answered, undone or interrupted, the file loads and
says just that."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from companion.box.entry import BoxEntry
from companion.box.owner_box import box_in_force, own_path, own_rows
from companion.commands.components import starting_text
from companion.games.fractured_sky.rules.board import board_of
from companion.rules.box_questions import (
    UNDO,
    BoxQuestion,
    NoAnswer,
    RowId,
    asked_rows,
    keys_of,
    question_of,
    unlock_sentence,
)
from companion.rules.component_rows import Field, Unlock
from companion.rules.components import Box, example, packaged, rules_of, unlocks_of
from tests.thorough import examples

SKY = "fractured-sky"
OURS = ("fractured-sky", "panic-fire", "sky-rise", "skyfire")
games = pytest.mark.parametrize("game_id", OURS)


def entry(game_id: str = SKY) -> BoxEntry:
    return BoxEntry(game_id, starting_text(game_id), "my copy, 2026")


def typed(question: BoxQuestion, value: Any) -> str:
    """Return what somebody types for this value."""
    if value is None:
        return ""
    if question.by_key:
        keys = {choice: key for key, choice in question.keys.items()}
        return "".join(keys[item] for item in (value if question.several else (value,)))
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    return str(value)


def enter_all(made: BoxEntry, known: Box) -> list[str]:
    """Answer every question from a complete box; return the sentences about what that unlocked."""
    sentences = []
    while (question := made.question) is not None:
        row = known.row(question.table.name, question.name)
        value = None if row is None else row.fields.get(question.field.name)
        if value is None and not question.field.optional:
            made.skip()
        elif unlocked := made.answer(typed(question, value)):
            sentences.append(unlocked)
    return sentences


# -- what is asked


def all_fields() -> Iterator[tuple[str, BoxQuestion]]:
    for game_id in OURS:
        tables = {table.name: table for table in rules_of(game_id).TABLES}
        for name, row in asked_rows(packaged(game_id), packaged(game_id), tuple(tables.values())):
            yield from (
                (game_id, BoxQuestion(tables[name], row, field)) for field in tables[name].fields
            )


def test_every_question_has_at_most_twelve_words_and_no_clause() -> None:
    for _, question in all_fields():
        assert len(str(question).split()) <= 12, question
        assert str(question).endswith("?")
        assert not any(f"{prefix}-" in str(question) for prefix in ("FS", "SF", "PF", "SR"))


def test_every_choice_has_one_key_of_its_own_and_none_is_taken() -> None:
    for _, question in all_fields():
        keys = question.keys
        assert all(len(key) == 1 and key not in (UNDO, "-") for key in keys)
        assert len(set(keys.values())) == len(keys)


def test_keys_are_first_letters_and_where_these_are_taken_others() -> None:
    field = Field(
        "kind", "text", choices=("airship", "fortress", "market", "skimmer", "scout", "umbrella")
    )
    assert "".join(keys_of(field)) == "afmscb"


@pytest.mark.parametrize(
    ("field", "text", "ends"),
    [
        (Field("n", "number", most=9), "0", True),
        (Field("n", "number", most=20), "3", True),
        (Field("n", "number", most=20), "2", False),
        (Field("n", "number", most=20), "20", True),
        (Field("n", "number", most=20), "21", False),
        (Field("n", "number", least=3, most=999), "1", False),
        (Field("t", "text"), "1", False),
        (Field("r", "texts", choices=("a", "b"), exactly=2), "ab", True),
        (Field("r", "texts", choices=("a", "b"), exactly=2), "a", False),
        (Field("f", "flag"), "y", True),
    ],
)
def test_nobody_presses_enter_where_nothing_longer_could_be_meant(
    field: Field, text: str, ends: bool
) -> None:
    table = rules_of(SKY).TABLES[0]
    assert BoxQuestion(table, "x", field).ends(text) is ends


@games
def test_all_that_the_packaged_box_leaves_open_is_asked_and_nothing_else(game_id: str) -> None:
    made = entry(game_id)
    assert {(row.table, row.name) for row in packaged(game_id).open_rows} <= set(made.facts)
    assert made.known == 0
    assert [made.is_known(fact) for fact in made.facts] == [False] * len(made.facts)


@pytest.mark.usefixtures("unknown_cards")
def test_the_facts_of_the_packaged_games_are_counted() -> None:
    assert [len(entry(game_id).facts) for game_id in OURS] == [74, 12, 1, 32]


# -- answers


def test_a_card_is_written_when_its_last_field_is_answered_and_not_before() -> None:
    made = entry()
    made.at = made.facts.index(("card_black", "1"))
    assert str(made.question) == "Black AI, card 1 of 10: what does it place?"
    made.answer("a")
    made.answer("qw")
    assert str(made.question) == "Black AI, card 1 of 10: which stars are large?"
    assert not own_path(SKY).exists()
    made.answer("w")
    row = box_in_force(SKY).row("card_black", "1")
    assert row is not None
    assert row.fields == {"kind": "airship", "stars": ("NW", "N"), "large": ("N",)}
    assert (row.status, row.source, row.own) == ("confirmed", "my copy, 2026", True)
    assert str(made.question) == "Black AI, card 2 of 10: what does it place?"


def test_of_a_single_star_nobody_is_asked_whether_it_is_large() -> None:
    made = entry()
    made.at = made.facts.index(("card_black", "1"))
    made.answer("a")
    made.answer("q")
    assert made.known == 1


def test_who_stops_in_the_middle_of_a_card_goes_on_there() -> None:
    made = entry()
    made.at = made.facts.index(("card_orange", "4"))
    made.answer("f")
    again = entry()
    assert again.draft == {"kind": "fortress"}
    assert str(again.question) == "Orange AI, card 4 of 10: its stars, in their order?"


def test_who_stops_after_a_card_goes_on_with_the_next_one() -> None:
    made = entry()
    made.at = made.facts.index(("token_black", "1"))
    made.answer("1")
    made.answer("5")
    assert str(entry().question) == "Black AI, token 2 of 6: what is its low power?"


def test_undo_takes_back_answer_by_answer_and_the_file_says_the_same() -> None:
    made = entry()
    made.at = made.facts.index(("cost", "Fortress"))
    for answer in ("1", "2", "0"):
        made.answer(answer)
    assert box_in_force(SKY).row("cost", "Fortress") != packaged(SKY).row("cost", "Fortress")
    assert made.undo()
    assert box_in_force(SKY) == packaged(SKY)
    assert made.draft == {"gold": 1, "iron": 2}
    assert made.undo()
    assert made.undo()
    assert (made.draft, made.undo()) == ({}, False)


def test_what_is_answered_anew_stays_as_it_was_until_all_of_it_is() -> None:
    made = entry()
    at = made.facts.index(("token_black", "1"))
    made.at = at
    made.answer("1")
    made.answer("5")
    made.at = at
    made.answer("2 ")
    assert box_in_force(SKY).row("token_black", "1") == made.box.row("token_black", "1")
    assert made.is_known(made.facts[at])
    made.answer("7")
    row = box_in_force(SKY).row("token_black", "1")
    assert row is not None
    assert row.fields == {"low": 2, "high": 7}
    made.undo()
    row = box_in_force(SKY).row("token_black", "1")
    assert row is not None
    assert row.fields == {"low": 1, "high": 5}


def test_what_contradicts_is_said_in_a_sentence_and_not_taken() -> None:
    made = entry()
    made.at = made.facts.index(("token_black", "3"))
    made.answer("9")
    with pytest.raises(NoAnswer) as refusal:
        made.answer("3")
    assert str(refusal.value) == (
        "That does not work: Black AI, token 3 of 6: its low value is above its high value. Type low <= high."
    )
    assert made.draft == {"low": 9}
    assert box_in_force(SKY) == packaged(SKY)
    made.answer("12")
    assert made.known == 1


def test_what_does_not_add_up_with_earlier_answers_is_kept_and_told_once() -> None:
    made = entry("panic-fire")
    made.answer("10")
    for copies in ("30", "30", "30"):
        made.at = next(
            at
            for at, fact in enumerate(made.facts)
            if fact[0] == "copies" and not made.is_known(fact)
        )
        assert made.answer(copies) == ""
    doubt = "Kept, but 6 Bullet cards, 10 Shields and 106 copies are 122 cards; the rules say at most 112."
    assert made.answer("16").startswith(doubt)
    made.at = next(at for at, fact in enumerate(made.facts) if fact[0] == "copies")
    assert made.answer("5") == ""
    assert made.box.value("copies", "The Nun") == 5


@pytest.mark.usefixtures("unknown_cards")
def test_the_last_card_of_a_real_box_is_never_refused_for_a_sum() -> None:
    made = entry("skyfire")
    made.at = next(at for at, fact in enumerate(made.facts) if fact[0] == "fireworks")
    sentences = []
    while (question := made.question) is not None and question.table.name == "fireworks":
        sentences.append(made.answer("" if question.field.optional else "white"))
    assert not [fact for fact in made.facts if fact[0] == "fireworks" and not made.is_known(fact)]
    assert "Kept, but 0 fireworks cards show no white; the rules say 12." in sentences[-1]


def test_what_is_not_known_stays_unknown() -> None:
    made = entry()
    before = made.fact
    made.skip()
    assert made.fact != before
    assert not own_path(SKY).exists()
    while made.question is not None:
        made.skip()
    assert (made.fact, made.known) == (None, 0)
    made.first_open()
    assert made.fact == before


@pytest.mark.usefixtures("unknown_cards")
def test_a_finale_whose_symbols_alone_are_missing_keeps_for_how_many_it_is() -> None:
    made = entry("skyfire")
    made.at = made.facts.index(("finale", "finale for three"))
    made.answer("")
    assert str(made.question) == "Finale for three: which symbols, with commas?"
    made.answer("red star, wheel")
    row = box_in_force("skyfire").row("finale", "finale for three")
    assert row is not None
    assert row.fields == {"symbols": ("red star", "wheel"), "players": (3,)}


@pytest.mark.usefixtures("unknown_cards")
def test_a_number_stands_for_a_word_of_another_card() -> None:
    made = entry("skyfire")
    for answer in ("", "red star, wheel, wheel", ""):
        made.answer(answer)
    made.answer("")
    assert made.words == ("wheel", "red star")
    made.answer("1, comet, 2")
    assert made.draft["symbols"] == ("wheel", "comet", "red star")


def test_comments_and_rows_of_the_owner_are_left_alone() -> None:
    own_path(SKY).parent.mkdir(parents=True)
    mine = '# mine\n\n[[objective]]\nname = "one"\ntext = "have most Gold"\nstatus = "provisional"\nsource = "x"\n'
    own_path(SKY).write_text(mine)
    made = entry()
    made.at = made.facts.index(("market_card", "hard"))
    made.answer("4")
    assert own_path(SKY).read_text().startswith(mine)


def test_a_file_that_is_kept_elsewhere_and_linked_here_is_written_where_it_is(
    tmp_path: Path,
) -> None:
    own_path(SKY).parent.mkdir(parents=True)
    (tmp_path / "mine.toml").write_text(starting_text(SKY))
    own_path(SKY).symlink_to(tmp_path / "mine.toml")
    made = entry()
    made.at = made.facts.index(("market_card", "hard"))
    made.answer("4")
    assert own_path(SKY).is_symlink()
    assert own_path(SKY).read_text() == (tmp_path / "mine.toml").read_text() != starting_text(SKY)


HALF = '{"at": ["card_orange", "4"], "drafts": [{"table": "card_orange", "name": "4", "fields": {"kind": "scout"}}], '
DAMAGE = {
    "empty": "",
    "half": "[",
    "nothing": "{}",
    "a list": "[3]",
    "other rows": '[{"table": "card_black"}]',
    "deep": "[[[[" * 5000,
    "zero": "\x00",
    "a place that there is not": '{"at": ["card_orange", "99"], "drafts": [], "past": []}',
    "a place of another kind": '{"at": 7, "drafts": [], "past": []}',
    "steps of another kind": HALF + '"past": [3]}',
    "a step without its row": HALF + '"past": [{"at": null, "drafts": []}]}',
    "a step whose row cannot be": HALF
    + '"past": [{"at": null, "drafts": [], "row": "", "wrote": "[[token_black]]\\nname = 7"}]}',
    "a step whose row is no table": HALF
    + '"past": [{"at": null, "drafts": [], "row": "[[[", "wrote": ""}]}',
    "a step with two rows": HALF
    + '"past": [{"at": null, "drafts": [], "row": "# nothing", "wrote": ""}]}',
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_place_costs_nothing_but_the_way_back(damage: str) -> None:
    made = entry()
    made.at = made.facts.index(("token_black", "1"))
    for typed in ("1", "5"):
        made.answer(typed)
    (place,) = own_path(SKY).parent.glob("*.json")
    place.write_text(DAMAGE[damage])
    again = entry()
    assert again.known == 1
    assert not again.undo()
    again.answer("3" if again.question is not None and not again.question.by_key else "a")


def test_the_place_skips_and_all_that_can_be_taken_back_outlive_a_stop() -> None:
    made = entry()
    made.at = made.facts.index(("cost", "Fortress"))
    for answer in ("1", "2", "0"):
        made.answer(answer)
    skipped = made.fact
    made.skip()
    made.answer("1")
    assert entry().fact == made.fact != skipped
    for left, draft in (({}, {}), ({"gold": 1, "iron": 2}, None), ({"gold": 1}, None), ({}, None)):
        again = entry()
        assert again.undo()
        assert entry().draft == again.draft == left, draft
    assert not entry().undo()
    assert box_in_force(SKY) == packaged(SKY)
    made = entry()
    made.go(999)
    assert made.fact is None
    assert entry().fact == made.facts[0], "what is open is asked again, from the first"


def test_an_answer_is_not_taken_back_where_the_file_says_something_else_by_now() -> None:
    made = entry()
    made.at = made.facts.index(("token_black", "1"))
    for answer in ("1", "5"):
        made.answer(answer)
    mine = own_path(SKY).read_text().replace("high = 5", "high = 6")
    own_path(SKY).write_text(mine)
    with pytest.raises(NoAnswer, match="Your file has changed"):
        entry().undo()
    assert own_path(SKY).read_text() == mine


def test_answers_of_a_draft_that_cannot_be_are_asked_again() -> None:
    made = entry()
    made.at = made.facts.index(("card_orange", "4"))
    made.answer("f")
    (draft,) = own_path(SKY).parent.glob("*.json")
    stored = json.loads(draft.read_text())
    stored["drafts"][0]["fields"] = {"kind": "submarine", "stars": "N"}
    draft.write_text(json.dumps(stored))
    made = entry()
    made.at = made.facts.index(("card_orange", "4"))
    assert made.draft == {}


def test_what_cannot_be_kept_is_not_taken(
    monkeypatch: pytest.MonkeyPatch, own_data_folder: Path
) -> None:
    made = entry()
    own_data_folder.write_text("in the way")
    with pytest.raises(NoAnswer, match="cannot be written: Not a directory"):
        made.answer("3")
    assert made.known == 0


# -- rows added, and a row typed as a line


def test_an_added_row_outlives_a_stop_before_anything_is_known_of_it() -> None:
    made = entry("panic-fire")
    made.go_to_table(1)
    made.add("  Example   one ")
    assert entry("panic-fire").fact == made.fact == ("match_number", "Example one")
    assert len(entry("panic-fire").facts) == 13
    entry("panic-fire").answer("3")
    assert box_in_force("panic-fire").value("match_number", "Example one") == 3
    assert ("match_number", "Example one") in entry("panic-fire").facts


def test_a_row_that_is_there_already_or_has_no_name_is_not_added() -> None:
    made = entry("panic-fire")
    made.go_to_table(1)
    for name, sentence in (
        ("the nun", "the nun is in this table already. Type another name."),
        (" ", "Type a name for a Character."),
        ("x" * 501, "Type a name for a Character."),
    ):
        with pytest.raises(NoAnswer) as refusal:
            made.add(name)
        assert str(refusal.value) == sentence
    made.go_to_table(1)
    with pytest.raises(NoAnswer, match="Example cannot be added: this Character has no match"):
        made.add("Example")
    assert len(made.facts) == 12


@games
def test_only_a_table_without_a_fixed_number_of_rows_takes_more(game_id: str) -> None:
    made = entry(game_id)
    for place in range(len(made.groups())):
        made.go_to_table(-99)
        made.go_to_table(place)
        table = made.table
        assert table is not None
        if table.adds:
            assert table.name in ("match_number", "copies")
            continue
        with pytest.raises(NoAnswer, match=r"The rules fix this part at \d+ rows?"):
            made.add("Example")


def test_a_row_that_the_rest_of_the_file_needs_is_not_removed() -> None:
    made = entry("panic-fire")
    made.go_to_table(1)
    made.add("Example")
    made.answer("2")
    made.go_to_table(99)
    made.at = made.facts.index(("copies", "The Nun"))
    made.add("Example")
    made.answer("9")
    made.at = made.facts.index(("match_number", "Example"))
    with pytest.raises(NoAnswer, match="this Character has no match number"):
        made.remove()
    assert box_in_force("panic-fire").value("match_number", "Example") == 2


def test_a_whole_card_is_typed_as_one_line_and_a_wrong_part_of_it_keeps_the_rest() -> None:
    made = entry()
    made.at = made.facts.index(("card_black", "1"))
    made.answer_row("a qw w")
    row = box_in_force(SKY).row("card_black", "1")
    assert row is not None
    assert row.fields == {"kind": "airship", "stars": ("NW", "N"), "large": ("N",)}
    with pytest.raises(NoAnswer, match="g does nothing here"):
        made.answer_row("f g")
    assert made.draft == {"kind": "fortress"}
    made.answer_row("x")
    with pytest.raises(NoAnswer, match="That row is complete: 'm' was not used"):
        made.answer_row("s e m")
    assert made.fact == ("card_black", "4")


def test_a_field_that_is_chosen_is_answered_alone() -> None:
    made = entry()
    made.at = made.facts.index(("card_black", "1"))
    made.answer_row("a qw w")
    made.go(-1)
    made.choose(1)
    made.answer("dc")
    row = box_in_force(SKY).row("card_black", "1")
    assert row is None or row.fields["stars"] == ("NW", "N"), "which of them are large is open now"
    assert made.question is not None
    assert made.question.field.name == "large"
    made.answer("c")
    row = box_in_force(SKY).row("card_black", "1")
    assert row is not None
    assert row.fields == {"kind": "airship", "stars": ("E", "SE"), "large": ("SE",)}


# -- what it unlocks


def test_with_all_its_cards_and_tokens_the_companion_turns_up_an_ais_cards() -> None:
    made = entry()
    cards = [fact for fact in made.facts if fact[0] in ("card_black", "token_black")]
    sentence = ""
    for fact in cards:
        assert (
            made.unlocks == ""
            or "black" not in board_of(box_in_force(SKY), "eight").decks
            or sentence == ""
        )
        made.at = made.facts.index(fact)
        while made.fact == fact and made.question is not None:
            row = example(SKY).row(*fact)
            assert row is not None
            sentence = made.answer(typed(made.question, row.fields.get(made.question.field.name)))
    assert sentence == "The companion now shuffles and turns up the black AI's cards."
    board = board_of(box_in_force(SKY), "eight")
    assert board.decks == {"black": board_of(example(SKY), "eight").decks["black"]}
    assert board.tokens == {"black": board_of(example(SKY), "eight").tokens["black"]}


REST = {
    "fractured-sky": ["platforms unknown", "platforms unknown"],
    "panic-fire": ["match numbers unknown"],
    "sky-rise": [],
    "skyfire": ["backs unknown"],
}
"""What open facts cost still when all that unlocks something was entered."""


@pytest.mark.usefixtures("unknown_cards")
@games
def test_what_is_unlocked_takes_the_costs_away(game_id: str) -> None:
    made = entry(game_id)
    for unlock in unlocks_of(game_id):
        for fact in made.facts:
            if (
                fact[0] in unlock.tables
                and (not unlock.rows or fact[1] in unlock.rows)
                and not made.is_known(fact)
            ):
                made.at = made.facts.index(fact)
                answer_somehow(made)
        assert unlock_sentence(made.box, rules_of(game_id).TABLES, (unlock,), fact_of(unlock)) == (
            f"The companion now {unlock.does}."
        )
    costs = rules_of(game_id).costs(made.box)
    assert [rest in cost for rest, cost in zip(REST[game_id], costs, strict=True)] == [True] * len(
        costs
    )


def fact_of(unlock: Unlock) -> RowId:
    """Return a fact of this table."""
    return unlock.tables[0], unlock.rows[0] if unlock.rows else ""


def answer_somehow(made: BoxEntry) -> None:
    """Answer all questions about the current fact with something that fits."""
    fact = made.fact
    number = sum(
        made.is_known(row_id) for row_id in made.facts if fact is not None and row_id[0] == fact[0]
    )
    while made.fact == fact and (question := made.question) is not None:
        if question.by_key:
            count = question.field.exactly or 1
            made.answer("".join(list(question.keys)[:count]))
        elif question.table.map_side:
            made.answer(str(50 - number))
        elif question.field.kind == "number":
            made.answer(str(question.field.least + (number % 2 if question.field.most > 2 else 0)))
        elif question.field.optional and not question.field.wanted:
            made.answer("")
        else:
            red = number < WITHOUT_WHITE.get(question.table.name, 0)
            made.answer("%" if question.field.kind == "text" else "red" if red else "white")


WITHOUT_WHITE = {"fireworks": 12, "target": 4, "finale": 2}


# -- the whole example, and anything at all


def test_a_whole_box_entered_says_what_the_example_says() -> None:
    made, known = entry(), example(SKY)
    sentences = enter_all(made, known)
    for row in own_rows(box_in_force(SKY)):
        stated = known.row(row.table, row.name)
        assert stated is not None
        assert dict(row.fields) == dict(stated.fields)
    assert "The companion now shuffles and turns up the orange AI's cards." in sentences
    (place,) = own_path(SKY).parent.glob("*.json")
    assert json.loads(place.read_text())["drafts"] == []


@contextmanager
def somewhere() -> Iterator[None]:
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setenv("COMPANION_DATA", folder)
        yield


moves = st.one_of(
    st.tuples(st.just("answer"), st.integers(0, 10_000)),
    st.tuples(st.just("type"), st.text("afmscqwedxz0123456789,- ", max_size=5)),
    st.tuples(st.sampled_from(["undo", "skip", "stop", "remove"]), st.none()),
    st.tuples(st.just("add"), st.integers(0, 3)),
    st.tuples(st.sampled_from(["go", "part"]), st.integers(-9, 9)),
)


def an_answer(question: BoxQuestion, chance: int) -> str:
    """Draw a possible answer."""
    field = question.field
    if question.by_key:
        keys = list(question.keys)
        count = field.exactly or 1 + chance % (len(keys) if question.several else 1)
        return "".join((keys[chance % len(keys) :] + keys)[:count])
    if field.kind == "number":
        return str(field.least + chance % (min(field.most, 200) - field.least + 1))
    return f"word {chance}"


class Model:
    """An entry, and beside it the expected rows."""

    def __init__(self, game_id: str) -> None:
        self.game_id = game_id
        self.expected: dict[Any, Any] = {}
        self._past: list[dict[Any, Any]] = []
        self.stop(None)

    def stop(self, _: None) -> None:
        self.entry = entry(self.game_id)

    def answer(self, chance: int) -> None:
        if self.entry.question is not None:
            self.type(an_answer(self.entry.question, chance))

    def type(self, text: str) -> None:
        made = self.entry
        question, fact, draft = made.question, made.fact, dict(made.draft)
        try:
            value = None if question is None else question.read(text, made.words)
            made.answer(text)
        except NoAnswer:
            return
        assert question is not None
        assert fact is not None
        draft[question.field.name] = value
        self._past.append(dict(self.expected))
        if question_of(question.table, fact[1], draft) is None:
            self.expected[fact] = {
                name: value for name, value in draft.items() if value is not None
            }

    def undo(self, _: None) -> None:
        if self.entry.undo():
            self.expected = self._past.pop()

    def add(self, number: int) -> None:
        before = dict(self.expected)
        with suppress(NoAnswer):
            self.entry.add(f"Example {number}")
            self._past.append(before)

    def remove(self, _: None) -> None:
        fact, before = self.entry.fact, dict(self.expected)
        with suppress(NoAnswer):
            self.entry.remove()
            self._past.append(before)
            self.expected.pop(fact, None)

    def skip(self, _: None) -> None:
        self.entry.skip()

    def go(self, by: int) -> None:
        self.entry.go(by)

    def part(self, by: int) -> None:
        self.entry.go_to_table(by)


@settings(max_examples=examples(25, 500))
@given(st.sampled_from(["fractured-sky", "panic-fire", "skyfire"]), st.lists(moves, max_size=30))
def test_any_answers_undos_and_stops_leave_a_file_that_says_what_was_answered(
    game_id: str, steps: list[tuple[str, Any]]
) -> None:
    with somewhere():
        model = Model(game_id)
        for action, seed in steps:
            getattr(model, action)(seed)
            stated = {
                (row.table, row.name): dict(row.fields) for row in own_rows(box_in_force(game_id))
            }
            assert stated == model.expected
