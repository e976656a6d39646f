"""The search: the right clause for questions in everyday words, with synonyms and typing mistakes."""

from __future__ import annotations

import sqlite3
import tomllib
from collections import defaultdict

import pytest

from companion.ask import index as search
from companion.ask.index import Index, index_of
from companion.ask.sources import QUESTIONS, Passage, Sources, english, sources_of
from companion.ask.words import Vocabulary, distance, spelled, stem
from companion.rules.clause_texts import clauses
from companion.rules.registry import GAMES, open_game
from companion.rules.rulings import rulings
from tests.ask.asked import ASKED

OURS = [game for game, info in GAMES.items() if QUESTIONS in info.files]


def places(*, full_text: bool) -> list[int]:
    """Return at which place the right clause of each question is found, 0 for the first; 9 if it is not."""
    indexes = {game: Index(sources_of(game), full_text=full_text) for game, _, _ in ASKED}
    found = []
    for game, question, clause in ASKED:
        order = [match.clause for match in indexes[game].find(question)] or [""]
        found.append(order.index(clause) if clause in order[:9] else 9)
    return found


def test_nine_of_ten_questions_find_their_clause_first_and_the_others_among_three() -> None:
    found = places(full_text=True)
    wrong = [asked for asked, place in zip(ASKED, found, strict=True) if place]
    assert found.count(0) >= 0.9 * len(ASKED), wrong
    assert max(found) < 3, wrong


def test_without_full_text_in_sqlite_the_clause_is_still_found() -> None:
    found = places(full_text=False)
    assert found.count(0) >= 0.85 * len(ASKED)
    assert sum(place < 3 for place in found) >= 0.95 * len(ASKED)


def test_a_computer_whose_sqlite_has_no_full_text_compares_words(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(_rows: object) -> None:
        raise sqlite3.OperationalError("no such module: fts5")

    monkeypatch.setattr(search, "FullText", refuse)
    index = Index(
        Sources((Passage("AB-1", "Stones are taken in turn."), Passage("AB-2", "Nobody wins.")))
    )
    assert [match.clause for match in index.find("take a stone")] == ["AB-1"]


def test_a_question_of_signs_alone_finds_nothing_and_breaks_nothing() -> None:
    index = index_of("skyfire")
    for question in ("", "?!", '" OR text:*', "NEAR(", "'); DROP TABLE rules; --", "🚀" * 50):
        assert all(match.score > 0 for match in index.find(question)), question


def test_a_word_with_a_typing_mistake_is_taken_for_the_nearest_word_of_the_game() -> None:
    vocabulary = Vocabulary([], ["the"])
    vocabulary.learn("launch the shield")
    for typed, meant in (("lanuch", "launch"), ("sheild", "shield"), ("shild", "shield")):
        assert vocabulary.read(typed) == [stem(meant)], typed
    assert vocabulary.read("aim") == ["aim"], "a short word may be any other"
    assert vocabulary.read("pineapple") == ["pineappl"], "nothing is near it"


def test_words_of_any_language_are_found() -> None:
    index = Index(
        Sources((Passage("AB-1", "Wer zieht, nimmt Hölzer."), Passage("AB-2", "Niemand gewinnt.")))
    )
    assert index.find("hölzer")[0].clause == "AB-1"


def test_a_very_long_question_is_read_from_its_beginning() -> None:
    index = index_of("skyfire")
    assert index.find(f"misfire {'qwertyzxcv ' * 10_000}")[0].clause == "SF-12"


def test_a_swap_of_neighbors_is_one_mistake() -> None:
    assert distance("sheild", "shield", 2) == 1
    assert distance("fortres", "fortress", 2) == 1
    assert distance("gold", "wood", 1) > 1


def test_words_with_one_meaning_count_as_one_and_phrases_too() -> None:
    vocabulary = Vocabulary([["gun", "pistol", "toy gun"]], [])
    assert vocabulary.read("pistols") == vocabulary.read("a toy gun")[1:] == ["gun"]


def test_a_word_exactly_as_listed_comes_before_another_with_its_stem() -> None:
    vocabulary = Vocabulary([["out", "eliminated"], ["kill", "eliminate"]], [])
    assert vocabulary.read("eliminated") == ["out"]
    assert vocabulary.read("eliminates") == ["kill"]


@pytest.mark.parametrize("game", OURS)
def test_every_clause_with_questions_exists_and_every_clause_of_a_game_has_some(game: str) -> None:
    listed = tomllib.loads(GAMES[game].text(QUESTIONS))
    known = set(clauses(game)) | {ruling.clause for ruling in rulings(game).values()}
    assert set(listed["questions"]) <= known
    own = set(GAMES[game].clauses())
    assert own <= set(listed["questions"]), sorted(own - set(listed["questions"]))


@pytest.mark.parametrize("game", OURS)
def test_no_question_is_listed_for_two_clauses(game: str) -> None:
    listed = tomllib.loads(GAMES[game].text(QUESTIONS))
    places = defaultdict(set)
    for clause, questions in (*listed["questions"].items(), *listed["unsaid"].items()):
        for question in questions:
            places[" ".join(spelled(question))].add(clause)
    assert {question: named for question, named in places.items() if len(named) > 1} == {}


@pytest.mark.parametrize("game", OURS)
def test_no_word_has_two_meanings(game: str) -> None:
    for groups in (english()["same"], tomllib.loads(GAMES[game].text(QUESTIONS))["same"]):
        words = [word for group in groups for word in group]
        assert sorted({word for word in words if words.count(word) > 1}) == []


def test_a_file_of_questions_by_others_that_makes_no_sense_is_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    info = GAMES["drills"]
    open_game(info.id)
    page = info.text("RULES.md")
    for text in ("[", "questions = 3", "[questions]\nDR-1 = 5", 'same = "x"', "[unsaid]\nx = [1]"):
        monkeypatch.setattr(
            type(info), "text", lambda _self, name, text=text: page if name == "RULES.md" else text
        )
        sources = sources_of(info.id)
        assert {passage.clause for passage in sources.passages} >= set(clauses("drills")) - {
            "PAUSE", "FORMAT", "SEATS",
        }, text  # fmt: skip
        assert Index(sources).find("a false start")[0].clause == "DR-4"
