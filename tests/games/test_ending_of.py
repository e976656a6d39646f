"""How a game ended: the winner, what decided it, the scores after each round; or that it ended early."""

from __future__ import annotations

import random
from collections.abc import Mapping
from pathlib import Path

import pytest

from companion.display.panels import panels_of
from companion.games.drills.rules.facts import Ready, Shot, Signal
from companion.games.fractured_sky.simulation import moves, setup_for
from companion.rules.common import Abandon
from companion.rules.ending import GameResult, ScoresAfter, decided_by, places_of
from companion.rules.facts import TABLE, Refused, Setup
from companion.rules.outcome import ending_of
from companion.rules.registry import open_game
from companion.rules.seats import seats_from_names
from tests.games.hints import EVERY, setup_of
from tests.games.random_play import steps
from tests.games.skyfire.playing import Record as SkyFire
from tests.games.test_fixtures import RECORDED
from tests.games.transcripts import folded

NAMES = {"ada": "Ada", "bo": "Bo", "cleo": "Cleo"}


def ending_texts(name: str) -> tuple[str, str]:
    record = folded(next(path for path in RECORDED if path.stem == name))
    ending = ending_of(record.game, record.state, panels_of(record.game.id).unit)
    assert ending is not None
    return ending.headline, ending.decided


def made(*after: tuple[str, Mapping[str, int]]) -> str:
    last = after[-1][1]
    best = tuple(player for player, score in last.items() if score == max(last.values()))
    return decided_by(GameResult(best, after), last, NAMES, "points")


@pytest.mark.parametrize(
    ("name", "headline", "decided"),
    [
        ("six-rounds", "Red wins with 3 Bullet cards",
         "Round 6 decided it: Red and Green were level before; Red finished 1 Bullet card ahead of Green."),
        ("sudden-death", "Bo wins with 2 Bullet cards",
         "Anna and Bo had the same number of Bullet cards; Bo won the sudden death."),
        ("misfires-by-hand", "Cleo wins with 10 points",
         "Round 5 decided it: Bo was in front before; Cleo finished 4 points ahead of Bo."),
        ("a-tie-broken", "Bo wins with 13 points",
         "Rounds 6 and 7 were played because of a tie. "
         "Round 7 decided it: Bo and Cleo were level before; Bo finished 2 points ahead of Ada."),
        ("two-players", "Bo wins with 54 points",
         "The goals decided it: Ada was in front before; Bo finished 11 points ahead of Ada."),
        ("four-players-photo-finish", "Bo wins with 39 points",
         "Bo and Cleo had the same points; Bo won the Tower Showdown."),
        ("two-seats-and-an-ai", "AI black wins with 16 Starfalls",
         "AI black took the lead in round 2 and finished 11 Starfalls ahead of Ada and Bo."),
        ("four-seats", "Ada wins with 10 Starfalls",
         "The table set a score by hand, and that made the difference: "
         "Cleo was in front before; Ada finished 2 Starfalls ahead of Cleo."),
    ],
)  # fmt: skip
def test_a_recorded_game_says_who_won_and_what_decided_it(
    name: str, headline: str, decided: str
) -> None:
    assert ending_texts(name) == (headline, decided)


@pytest.mark.parametrize(
    ("after", "decided"),
    [
        ((("1", {"ada": 2, "bo": 1}), ("2", {"ada": 4, "bo": 2})),
         "Ada led from round 1 on and finished 2 points ahead of Bo."),
        ((("1", {"ada": 2, "bo": 3}), ("2", {"ada": 4, "bo": 3}), ("3", {"ada": 4, "bo": 3})),
         "Ada took the lead in round 2 and finished 1 point ahead of Bo."),
        ((("1", {"ada": 2, "bo": 2, "cleo": 2}), ("roof", {"ada": 5, "bo": 4, "cleo": 4})),
         "The roof decided it: Ada, Bo and Cleo were level before; Ada finished 1 point ahead of Bo and Cleo."),
        ((("1", {"ada": 2, "bo": 2}),), "They have the same score."),
        ((("1", {"ada": 2, "bo": 1}),), "Ada is 1 point ahead of Bo."),
        ((("1", {"ada": 2}), ("2", {"ada": 3})), ""),
    ],
)  # fmt: skip
def test_what_decided_it_is_the_last_time_the_lead_changed(
    after: ScoresAfter, decided: str
) -> None:
    assert made(*after) == decided


def test_a_victory_that_is_shared_names_all_who_share_it() -> None:
    record = SkyFire()
    for winner in ("ada", "bo", "ada", "bo", "cleo"):
        record.win(winner)
    ending = ending_of(open_game("skyfire"), record.state, "points")
    assert ending is not None
    assert ending.winners == ("ada", "bo")
    assert (ending.headline, ending.decided) == (
        "ada and bo share the victory with 2 points",
        "They have the same score.",
    )


def test_who_plays_alone_beats_nobody() -> None:
    game = open_game("drills")
    state = game.start(
        Setup("drills", game.rules_version, seats_from_names(("Ada",)), {"strings": "1"})
    )
    for number, fact in enumerate((Ready(seat="ada"), Signal(), Shot()), start=2):
        state = game.advance(state, fact, number)
    ending = ending_of(game, state, "points")
    assert ending is not None
    assert (ending.headline, ending.decided) == ("Ada finished", "")


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_the_scores_after_the_last_round_are_the_standings(path: Path) -> None:
    record = folded(path)
    game, state = record.game, record.state
    assert game.result is not None
    after = game.result(state).after[-1][1]
    assert {seat: after[seat] for seat in game.standings(state)} == game.standings(state)


@pytest.mark.usefixtures("sample_game", "own_games")
@pytest.mark.parametrize("game_id", EVERY)
def test_a_table_may_end_any_game_early_and_then_nobody_wins_and_nothing_counts(
    game_id: str,
) -> None:
    game, setup = open_game(game_id), setup_of(game_id, 2)
    played = [(before, fact) for before, fact, _, _ in steps(game, setup, random.Random(7))]
    before, fact = played[len(played) // 2]
    assert ending_of(game, before, "points") is None
    after = game.advance(before, Abandon(reason="the bus leaves"), 99)
    ending = ending_of(game, after, "points")
    assert ending is not None
    assert (ending.winners, ending.abandoned) == ((), True)
    assert ending.headline == "The game was ended early"
    assert ending.decided == "Nobody has won: the bus leaves."
    assert game.ended(after)
    assert not game.over(after), "what only the end reveals stays hidden"
    assert not [
        line for line in game.summary(after) if line.startswith("not finished") or "'s turn" in line
    ]
    for late in (fact, Abandon()):
        with pytest.raises(
            Refused, match=r"the table has ended the game early\. Undo that to play on"
        ):
            game.advance(after, late, 100)


@pytest.mark.usefixtures("sample_game", "own_games")
@pytest.mark.parametrize("game_id", EVERY)
def test_a_game_that_is_over_is_not_ended_early(game_id: str) -> None:
    game, setup = open_game(game_id), setup_of(game_id, 2)
    *_, (_, _, _, state) = steps(game, setup, random.Random(7))
    ending = ending_of(game, state, "points")
    assert ending is not None
    assert ending.winners or ending.decided == "All of you lost together."
    assert not ending.abandoned
    with pytest.raises(Refused, match="the game is over"):
        game.advance(state, Abandon(), 99)


@pytest.mark.parametrize("seed", range(3))
def test_fs45_what_an_ai_traded_for_counts_in_its_round_and_is_nobodys_word(seed: int) -> None:
    setup, game = setup_for(("greedy",), {"difficulty": "hard"}), open_game("fractured-sky")
    *_, last = moves(setup, random.Random(seed))
    assert game.result is not None
    after = game.result(last.after).after
    assert [name for name, _ in after] == ["1", "2", "3", "4", "5"]
    view = game.view(last.after, TABLE)
    assert after[-1][1] == {player.id: player.starfalls for player in view.players}


@pytest.mark.parametrize(
    ("winners", "scores", "lowest", "last", "places"),
    [
        (["bo"], {"ann": 9, "bo": 3, "cy": 9}, False, (), {"bo": 1, "ann": 2, "cy": 2}),
        (["bo"], {"ann": 90, "bo": 3, "cy": 40}, True, (), {"bo": 1, "cy": 2, "ann": 3}),
        (["bo", "cy"], {"ann": 9, "bo": 3, "cy": 5}, False, (), {"bo": 1, "cy": 1, "ann": 3}),
        (["bo"], {"ann": None, "bo": 3, "cy": -5}, False, (), {"bo": 1, "cy": 2, "ann": 3}),
        (["bo"], {"ann": 9, "bo": 3, "cy": 1}, False, ("ann",), {"bo": 1, "cy": 2, "ann": 3}),
        ([], {"ann": None, "bo": None}, False, (), {"ann": 1, "bo": 1}),
    ],
)
def test_winners_share_the_first_place_and_the_others_follow_by_score(
    winners: list[str],
    scores: dict[str, int | None],
    lowest: bool,
    last: tuple[str, ...],
    places: dict[str, int],
) -> None:
    result = places_of(winners, scores, lowest_wins=lowest, last=last)
    assert (result, list(result)) == (places, list(places))
