"""The search: the right clause for questions in everyday words, with synonyms and typing mistakes."""

from __future__ import annotations

import tomllib
from collections import defaultdict

import pytest

from companion.ask.index import Index, index_of
from companion.ask.sources import QUESTIONS, Passage, Sources, english, sources_of
from companion.ask.words import Vocabulary, distance, spelled, stem
from companion.rules.clause_texts import clauses
from companion.rules.registry import GAMES, open_game
from companion.rules.rulings import rulings
from tests.ask.asked import ASKED
from tests.ask.quality import OurSearch, PlainSearch, Question, cross_validated, quality

OURS = [game for game, info in GAMES.items() if QUESTIONS in info.files]


def test_nine_of_ten_questions_find_their_clause_first_and_the_others_among_three() -> None:
    asked = [Question(game, text, frozenset({clause})) for game, text, clause in ASKED]
    ours, plain = quality(asked, OurSearch), quality(asked, PlainSearch)
    missed = [question for question, place in zip(ASKED, ours.places, strict=True) if place]
    assert ours.first >= 0.95, missed
    assert ours.among_three == 1, missed
    assert ours.first > plain.first


@pytest.mark.parametrize("game", ["panic-fire", "skyfire", "sky-rise", "fractured-sky"])
def test_questions_that_were_left_out_are_found_more_often_than_by_a_plain_search(
    game: str,
) -> None:
    ours, plain = (cross_validated(game, search, folds=1) for search in (OurSearch, PlainSearch))
    assert ours.first > plain.first + 0.05
    assert ours.among_three > max(0.9, plain.among_three)


def test_a_question_of_signs_alone_finds_nothing_and_breaks_nothing() -> None:
    index = index_of("skyfire")
    for question in ("", "?!", "🚀" * 50, "qwertyzxcv", "the of a"):
        assert index.find(question) == (), question
    for question in ('" OR misfire:*', "NEAR(misfire", "'); DROP TABLE misfire; --"):
        assert index.find(question), question


def test_a_word_with_a_typing_mistake_is_taken_for_the_nearest_word_of_the_game() -> None:
    vocabulary = Vocabulary([], ["the"])
    vocabulary.learn(["launch the shield"])
    for typed, meant in (("lanuch", "launch"), ("sheild", "shield"), ("shild", "shield")):
        assert vocabulary.read(typed).meant == [stem(meant)], typed
    assert vocabulary.read("aim").meant == ["aim"], "a short word may be any other"
    assert vocabulary.read("pineapple").meant == ["pineappl"], "nothing is near it"


def test_a_common_word_is_no_typing_mistake_although_the_game_has_one_like_it() -> None:
    vocabulary = Vocabulary([], [], ["found"])
    vocabulary.learn(["the round begins"])
    assert vocabulary.read("found").meant == ["found"]
    assert vocabulary.read("rounf").meant == ["round"]


def test_a_negation_is_one_word_however_it_is_spelled() -> None:
    words = spelled("Bob won't, I can’t, the player's card, two players' cards")
    assert " ".join(words) == "bob wont i cant the player card two players cards"
    index = index_of("panic-fire")
    asked = "what if a player {} draw a card"
    assert index.find(asked.format("won't")) == index.find(asked.format("wont"))


def test_words_of_any_language_are_found() -> None:
    index = Index(
        Sources((Passage("AB-1", "Wer zieht, nimmt Hölzer."), Passage("AB-2", "Niemand gewinnt.")))
    )
    assert index.find("hölzer")[0].clause == "AB-1"


def test_a_very_long_question_is_read_from_its_beginning() -> None:
    index = index_of("skyfire")
    assert index.find(f"misfire {'qwertyzxcv ' * 10_000}")[0].clause == "SF-12"


def test_of_equally_near_words_the_frequent_one_is_meant() -> None:
    vocabulary = Vocabulary([], [])
    vocabulary.learn(["chop chip chip chip"])
    assert vocabulary.read("chxp").meant == ["chip"]


def test_a_word_says_what_is_typed_although_it_means_something_else_in_the_game() -> None:
    same = (("connect", "join"),)
    connect, people = (
        Passage("AB-1", "Pieces connect at sides."),
        Passage("AB-2", "People may join."),
    )
    assert Index(Sources((connect, people), same)).find("who can join")[0].clause == "AB-2"


def test_a_swap_of_neighbors_is_one_mistake() -> None:
    assert distance("sheild", "shield", 2) == 1
    assert distance("fortres", "fortress", 2) == 1
    assert distance("gold", "wood", 1) > 1


def test_words_with_one_meaning_count_as_one_and_phrases_too() -> None:
    vocabulary = Vocabulary([["gun", "pistol", "toy gun"]], [])
    assert vocabulary.read("pistols").meant == vocabulary.read("toy gun").meant == ["gun"]
    assert vocabulary.read("pistols").stems == ["pistol"]


def test_a_word_exactly_as_listed_comes_before_another_with_its_stem() -> None:
    vocabulary = Vocabulary([["out", "eliminated"], ["kill", "eliminate"]], [])
    assert vocabulary.read("eliminated").meant == ["out"]
    assert vocabulary.read("eliminates").meant == ["kill"]


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
