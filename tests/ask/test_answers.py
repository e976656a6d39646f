"""Answers: plain words, the house rule at this table, what it means now, and nothing that one seat alone may know."""

from __future__ import annotations

import re

import pytest

from companion.ask.answers import AtTable, answer_lines, answer_of, answers
from companion.rules.facts import TABLE, Moment
from companion.rules.registry import GAMES, learn, open_game
from companion.session.views import LineKind, LogLine, Refusal
from tests.games.own.files import TEXTS
from tests.games.panic_fire.playing import begun as panic_fire
from tests.games.skyfire.playing import begun as skyfire

CODE = re.compile(r"\b[A-Z]{2}-[A-Z]?\d+\b|`|\*\*")


def first(game: str, question: str, at: AtTable | None = None) -> str:
    """Return the clause of the best answer."""
    return answers(game, question, at or AtTable()).found[0].clause


def lines(game: str, question: str, at: AtTable | None = None) -> list[str]:
    return list(answer_lines(answers(game, question, at or AtTable())))


def test_an_answer_is_the_clause_in_plain_words() -> None:
    answer = lines("panic-fire", "I am shot and have a shield in front of me")[0]
    assert answer.startswith("A Shield in play is spent on the shot, and its owner stays in.")


@pytest.mark.parametrize("game", list(GAMES))
def test_no_answer_names_a_clause_or_has_a_mark_of_a_page(game: str) -> None:
    for clause in GAMES[game].clauses():
        answer = answer_of(game, clause, AtTable(), set())
        for text in (answer.text, *(sentence for _, sentence in answer.remarks)):
            assert not CODE.search(text), (clause, text)


def test_the_house_rule_is_that_of_the_table() -> None:
    question = "launch an empty zone"
    assert "House rule: Launching an empty zone: is refused." in lines(
        "skyfire", question, AtTable({"empty_launch": "refused"})
    )
    assert not any("is refused" in line for line in lines("skyfire", question))


def test_a_clause_without_house_rules_names_those_that_speak_of_it() -> None:
    said = lines("panic-fire", "I got shot, can I use a shield from my hand")
    assert any(line.startswith("House rule: Laying a Shield from the hand") for line in said)


def test_now_is_what_the_whole_table_sees() -> None:
    record = panic_fire()
    record.do("shield_in_play", seat="blue")
    game = open_game("panic-fire")
    said = lines(
        "panic-fire", "use a shield from my hand", AtTable(game=game.view(record.state, TABLE))
    )
    assert (
        "Now: blue has a Shield in play, which is spent first: one from the hand stays there."
        in said
    )


def test_an_answer_says_each_house_rule_once() -> None:
    said = [line for line in lines("panic-fire", "shield hand") if line.startswith("House rule")]
    assert len(said) == len(set(said)) > 1


def test_the_newest_ruling_that_cites_the_clause_is_named() -> None:
    log = (
        LogLine(4, "20:15:00", LineKind.FACT, "Ada is shot (PF-12)", 4),
        LogLine(7, "20:15:09", LineKind.FACT, "Ben spends a Shield (PF-12)", 6),
        LogLine(8, "20:15:10", LineKind.RECORD, "undone: Ben spends a Shield (PF-12)", 7),
        LogLine(9, "20:15:11", LineKind.FACT, "Ada draws (PF-9)", 8),
    )
    found = answers("panic-fire", "what does a shield do", AtTable(log=log)).found[0]
    assert found.line == log[1]
    assert "Log, line 6: Ben spends a Shield." in lines(
        "panic-fire", "what does a shield do", AtTable(log=log)
    )


def test_what_was_just_refused_by_the_clause_is_repeated_without_its_code() -> None:
    refusal = Refusal(3, "Blue is out (PF-13)", Moment(us=1, pm=2, clock="board-1"), 4, "")
    said = lines("panic-fire", "may a dead player still draw", AtTable(refusals=(refusal,)))
    assert "Refused: Blue is out." in " ".join(said)


def test_when_the_rules_do_not_say_so_does_the_answer() -> None:
    for question in ("can we play in teams", "how old must one be", "xyzzy"):
        answered = answers("panic-fire", question)
        assert answered.unsaid == "The rules do not say. Panic Fire is for 2 to 5 players.", (
            question
        )


def test_a_game_of_ones_own_answers_from_its_file() -> None:
    info = learn(TEXTS["hearts"])
    said = lines(info.id, "how many points does a hand have")
    assert said[0] == "A hand has no more than 26 points."
    assert "Each hand has 26 points in all." in said


@pytest.mark.usefixtures("sample_game")
def test_a_game_by_others_without_a_file_of_questions_answers_from_what_it_declares() -> None:
    assert lines("pebbles", "who guesses the pebbles")[0] == GAMES["pebbles"].does
    assert answers("pebbles", "xyzzy").unsaid.startswith("The rules do not say.")


def test_no_answer_changes_with_what_a_seat_noted_for_itself() -> None:
    record = skyfire()
    game = open_game("skyfire")
    before = AtTable(game=game.view(record.state, TABLE))
    record.do("hand_noted", seat="ada", cards=["rb", "ry", "rg", "br"])
    after = AtTable(game=game.view(record.state, TABLE))
    for clause in GAMES["skyfire"].clauses():
        question = GAMES["skyfire"].clauses()[clause][:60]
        assert lines("skyfire", question, before) == lines("skyfire", question, after), clause


def test_who_shot_a_player_with_a_shield_is_told_that_no_new_cards_are_laid() -> None:
    question = "shield saved the target, does the shooter keep the match"
    assert "PF-14" in [answer.clause for answer in answers("panic-fire", question, AtTable()).found]
