"""The questions on each game's rules page: each answer cites clauses and is played here."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from companion.rules.clause_texts import clauses
from companion.rules.game import Retraction
from companion.rules.registry import GAMES, open_game
from tests.games.fractured_sky.playing import ORANGE, A, B, C, begun as begun_sky, three
from tests.games.fractured_sky.test_ending import played as resolved
from tests.games.panic_fire.playing import begun as begun_fire
from tests.games.sky_rise.playing import scores

HEAD = "## Questions people ask"
ITEM = re.compile(r"^- \*\*(.+\?)\*\* (.*(?:\n  .*)*)", re.MULTILINE)
CLAUSE = re.compile(r"\b[A-Z]{2}-[A-Z]?\d+\b")
STATUS = ("*Published*", "*Review*", "**house rule**")


def answers(game_id: str) -> dict[str, str]:
    """Return the questions of a game's page, each with its answer in one line."""
    _, _, section = GAMES[game_id].text("RULES.md").partition(HEAD)
    return {question: " ".join(answer.split()) for question, answer in ITEM.findall(section)}


def anybody_may_shoot_and_the_shot_is_judged_after_it() -> None:
    record = begun_fire()
    record.shoot("red", "blue")  # nobody had to have the turn, nor to hold a match
    record.do("match", basis="target")
    assert record.alive == {"red", "green"}
    other = begun_fire()
    other.shoot("green", "blue")
    other.do("illegal")
    assert other.alive == {"red", "blue"}


def a_shield_is_laid_at_any_time_by_who_has_none() -> None:
    record = begun_fire()
    for _ in range(3):
        record.do("draw", seat="blue")
    record.do("shield_in_play", seat="blue")
    record.refuses("shield_in_play", "PF-6", seat="blue")
    other = begun_fire(shield_from_hand="only_when_shot")
    other.do("shield_in_play", seat="blue")  # the opening one
    other.shoot("red", "blue")
    other.refuses("shield_in_play", "PF-R6", seat="blue")


def a_shot_that_hit_nobody_is_taken_off() -> None:
    record = begun_fire()
    record.do("shot")
    assert record.awaiting.endswith(" Nobody: X.")
    taken_off = record.game.pressed(record.state, "panic-fire.miss")
    assert isinstance(taken_off, Retraction)
    record.void(*taken_off.entries)
    assert record.view.open_shots == ()
    other = begun_fire(accidental_discharge="illegal")
    other.do("shot")
    assert "Nobody" not in other.awaiting


def white_is_asked_of_faces_by_a_target() -> None:
    assert "faces" in clauses("skyfire")["SF-14"]
    assert "white" in clauses("skyfire")["SF-2"]


def wild_pyramids_chain() -> None:
    assert scores("R##R .... ....", "red") == [8]
    assert scores("R##R .... ....", "red", wild_chain="adjacent_only") == []
    assert scores("###. .... ....", "red") == []


def a_scout_may_take_nothing() -> None:
    record = begun_sky("ada")
    record.do("scout", seat="ada", card=1)
    record.ai_card("scout", "N")
    assert record.phase == "turn", "one resource was taken, by the AI"
    other = begun_sky("ada")
    other.do("scout", seat="ada", card=1, resource="gold")
    other.ai_card("scout", "N")
    assert other.phase == "early"
    other.refuses("ai_turn", "FS-41", ai=ORANGE, card="airship")


def more_than_ten_counts_less() -> None:
    chips: dict[str, tuple[int, ...]] = {"ada": (10, 4, 0), "bo": (1, 2, 0), "cleo": (0, 0, 1)}
    record = resolved(chips)
    assert record.resolution.steps[0].text == "ada played 14: each chip counts 4 less"
    assert [record.standing(region, "ada").power for region in (A, B, C)] == [6, 0, 0]
    for floor, power in (("zero", 1), ("negative", 0)):  # with a Fortress: 0 + 1, and -4 + 1
        built = three(excess_floor=floor)
        built.do("build", seat="ada", building="fortress", platform="2")
        assert resolved(chips, record=built).standing(C, "ada").power == power


def two_airships_of_one_player_need_the_house_rule() -> None:
    record = three()
    record.place("ada", A)
    record.do("turn", player="ada", reason="for the test")
    record.refuses("airship", "FS-9", seat="ada", region=A)
    allowed = three(one_airship_per_region="no")
    allowed.place("ada", A, A)
    assert len(allowed.now.ships) == 2


def public_and_hidden_starfalls_go_together() -> None:
    record = resolved({"ada": (2, 3, 1), "bo": (5, 1, 0), "cleo": (1, 0, 3)}, hidden=A)
    assert record.region(A).starfalls == 2
    assert record.resolution.gains == {"ada": 0, "bo": 2, "cleo": 0}


def chips_say_which_have_another_color() -> None:
    assert "The 1 and the 10 have another color" in clauses("fractured-sky")["FS-2"]


TRIED: dict[str, dict[str, Callable[[], None]]] = {
    "panic-fire": {
        "Who may grab the gun first?": anybody_may_shoot_and_the_shot_is_judged_after_it,
        "What if a shot hits nobody, or the gun goes off by accident?": a_shot_that_hit_nobody_is_taken_off,
        "May a Shield be laid from the hand at any time?": a_shield_is_laid_at_any_time_by_who_has_none,
    },
    "skyfire": {"Does a white back count?": white_is_asked_of_faces_by_a_target},
    "sky-rise": {"Do wild pyramids next to each other join?": wild_pyramids_chain},
    "fractured-sky": {
        "May one decline the resource of a scouted card?": a_scout_may_take_nothing,
        "What if a player's chips come to more than 10?": more_than_ten_counts_less,
        "May two of a player's own Airships be in one region?": two_airships_of_one_player_need_the_house_rule,
        "What if a Public and a Hidden Starfall show in one region?": public_and_hidden_starfalls_go_together,
        "What do the borders of the chips reveal?": chips_say_which_have_another_color,
    },
}


@pytest.mark.parametrize("game_id", TRIED)
def test_every_question_on_the_page_is_tried_here_and_no_other(game_id: str) -> None:
    assert list(answers(game_id)) == list(TRIED[game_id])


@pytest.mark.parametrize("game_id", TRIED)
def test_every_answer_says_who_says_so_and_cites_clauses_and_house_rules_that_there_are(
    game_id: str,
) -> None:
    rules = {rule.name for rule in open_game(game_id).house_rules}
    for question, answer in answers(game_id).items():
        assert any(status in answer for status in STATUS), question
        cited = CLAUSE.findall(answer)
        assert cited, question
        assert set(cited) <= {
            *clauses(game_id),
            *re.findall(r"\| ([A-Z]{2}-R\d+) \|", GAMES[game_id].text("RULES.md")),
        }
        assert set(re.findall(r"`(\w+)`", answer)) <= rules, question


@pytest.mark.parametrize(
    ("game_id", "question"), [(game, each) for game, tried in TRIED.items() for each in tried]
)
def test_an_answer_is_what_the_companion_does(game_id: str, question: str) -> None:
    TRIED[game_id][question]()
