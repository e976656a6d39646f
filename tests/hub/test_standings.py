"""Standings are what the results and the points file say, exactly, and each line can be checked by hand."""

from __future__ import annotations

import os
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from companion.errors import CommandError
from companion.exits import Exit, code_of
from companion.hub.points import LeagueRules, PointsRules, read_points
from companion.hub.standings import PlacedPlayer, TableResult, places_of, points_text, standings_of

NAMES = ("Ann", "Bo", "Cy", "Di", "Ed", "Flo")


def points(*each: int) -> tuple[Fraction, ...]:
    return tuple(map(Fraction, each))


def result(key: int, *players: tuple[str, int, int | None], **more: Any) -> TableResult:
    return TableResult(
        key, key, "SkyFire", tuple(PlacedPlayer(*player) for player in players), **more
    )


GAMES = st.lists(st.lists(st.sampled_from(NAMES), min_size=2, max_size=5, unique=True), max_size=8)
SCORE = st.none() | st.integers(-3, 9)


@st.composite
def results(draw: st.DrawFn) -> list[TableResult]:
    made = []
    for key, names in enumerate(draw(GAMES), start=1):
        scores = {name: draw(SCORE) for name in names}
        winners = draw(st.lists(st.sampled_from(names), min_size=1, max_size=2, unique=True))
        made.append(TableResult(key, key, "SkyFire", places_of(winners, scores)))
    return made


def rules() -> st.SearchStrategy[PointsRules]:
    breaks = st.lists(st.sampled_from(["wins", "best placing", "score", "games"]), unique=True)
    return st.builds(
        lambda ties, best, order: PointsRules(
            ties=ties, best=best, tie_breaks=tuple(order), score=Fraction(1, 10), win=Fraction(1)
        ),
        st.sampled_from(["share", "all"]),
        st.integers(0, 3),
        breaks,
    )


def test_places_points_and_reasons_of_a_night() -> None:
    night = [
        result(1, ("Ann", 1, 9), ("Bo", 2, 7), ("Cy", 2, 7), ("Di", 4, 1)),
        result(2, ("Bo", 1, 5), ("Ann", 2, 4), ("Cy", 3, None)),
    ]
    standings = standings_of(night, PointsRules(best=0))
    assert [(line.rank, line.name, points_text(line.points)) for line in standings.lines] == [
        (1, "Ann", "7"), (2, "Bo", "6 1/2"), (3, "Cy", "4 1/2"), (4, "Di", "1"),
    ]  # fmt: skip
    assert [game.why for game in standings.lines[1].counted] == [
        "2 1/2 for place 2 shared",
        "4 for place 1",
    ]


def test_an_event_of_a_league_says_the_points_that_were_made_there() -> None:
    placed = (PlacedPlayer("Ann", 1, Fraction(5, 2)), PlacedPlayer("Bo", 2, 1))
    lines = standings_of([TableResult(1, 0, "Club night", placed)], LeagueRules()).lines
    assert [line.counted[0].why for line in lines] == [
        "2 1/2 for 2 1/2 points there",
        "1 for 1 point there",
    ]


def test_equal_points_are_decided_by_what_the_file_says_and_the_line_says_by_what() -> None:
    night = [
        result(1, ("Ann", 1, 3), ("Bo", 2, 3)),
        result(2, ("Cy", 1, 9), ("Di", 2, 5), ("Bo", 3, 0)),
    ]
    by_wins = standings_of(night, PointsRules(placing=points(3, 2, 1), tie_breaks=("wins",))).lines
    assert [(line.rank, line.name, line.ahead) for line in by_wins] == [
        (1, "Ann", ""), (1, "Cy", "ahead of Bo by wins, 1 to 0"), (3, "Bo", ""), (4, "Di", ""),
    ]  # fmt: skip
    by_score = standings_of(
        night, PointsRules(placing=points(3, 2, 1), tie_breaks=("score",))
    ).lines
    assert [(line.rank, line.name, line.ahead) for line in by_score] == [
        (1, "Cy", "ahead of Ann by the average score, 9 to 3"),
        (2, "Ann", "ahead of Bo by the average score, 3 to 1 1/2"), (3, "Bo", ""), (4, "Di", ""),
    ]  # fmt: skip


def test_where_the_lowest_score_wins_it_breaks_ties_and_gets_the_award() -> None:
    low = [
        result(1, ("Ann", 1, 9), ("Bo", 2, 12), ("Cy", 3, None), lowest_wins=True),
        result(2, ("Bo", 1, 0), ("Ann", 2, 5), lowest_wins=True),
    ]
    rules = PointsRules(tie_breaks=("score",), awards=("best score",))
    assert (
        standings_of(low, rules).lines[0].ahead == "ahead of Ann by the lower average score, 6 to 7"
    )
    unknown = standings_of(
        low[:1], PointsRules(placing=points(1, 1, 1), tie_breaks=("score",))
    ).lines
    assert [(line.rank, line.name) for line in unknown] == [(1, "Ann"), (2, "Bo"), (2, "Cy")]
    twice = [
        result(key, (other, 1, 7), *more, lowest_wins=True)
        for key, other, *more in ((1, "Ann"), (2, "Cy", ("Bo", 2, 6)), (3, "Di", ("Bo", 2, 6)))
    ]
    fair = standings_of(twice, PointsRules(placing=points(2, 1), tie_breaks=("score",))).lines
    # who played once has a lower sum
    assert fair[0].ahead == "ahead of Ann by the lower average score, 6 to 7"
    mixed = standings_of([*low, result(3, ("Cy", 1, 40), ("Ann", 2, 3))], rules)
    assert [(award.names, award.why) for award in mixed.awards] == [
        (("Cy",), "40 points"), (("Bo",), "0 points, the lowest"),
    ]  # fmt: skip


def test_the_best_games_count_and_the_others_are_named() -> None:
    night = [
        result(n, ("Ann", place, None), ("Bo", 3 - place, None))
        for n, place in enumerate((1, 2, 1), start=1)
    ]
    line = standings_of(night, PointsRules(best=2)).lines[0]
    assert (line.name, points_text(line.points), [game.result.key for game in line.dropped]) == (
        "Ann",
        "8",
        [2],
    )


def test_awards_are_shown_when_they_are_released() -> None:
    night = [result(1, ("Ann", 1, 3), ("Bo", 2, 8))]
    standings = standings_of(night, PointsRules(awards=("best score", "most wins")))
    assert [(award.title, award.names, award.why) for award in standings.awards] == [
        ("best score", ("Bo",), "8 points"), ("most wins", ("Ann",), "1 win"),
    ]  # fmt: skip
    assert standings.for_everybody(released=False).awards == ()
    assert standings.for_everybody(released=True) == standings
    assert "best score" not in repr(standings)


@given(results(), results(), rules())
def test_what_everybody_sees_says_nothing_of_awards_that_are_not_released(
    one: list[TableResult], other: list[TableResult], how: PointsRules
) -> None:
    with_awards = how.model_copy(update={"awards": ("best score", "most games")})
    for each in (one, other):
        shown = standings_of(each, with_awards).for_everybody(released=False)
        assert shown == standings_of(each, how)


@given(results(), rules(), st.randoms(use_true_random=False))
def test_the_order_in_which_results_come_makes_no_difference(
    night: list[TableResult], how: PointsRules, chance: object
) -> None:
    mixed = list(night)
    chance.shuffle(mixed)  # type: ignore[attr-defined]
    assert standings_of(mixed, how) == standings_of(night, how)


@given(results(), rules())
def test_ranks_follow_points_and_those_who_share_one_are_equal_in_all_that_decides(
    night: list[TableResult], how: PointsRules
) -> None:
    lines = standings_of(night, how).lines
    assert [line.points for line in lines] == sorted((line.points for line in lines), reverse=True)
    assert [line.rank for line in lines] == sorted(line.rank for line in lines)
    assert {line.rank for line in lines} <= set(range(1, len(lines) + 1))
    for line in lines:
        assert line.rank == 1 + sum(other.rank < line.rank for other in lines)
        assert line.points == sum(game.points for game in line.counted)
        assert how.best == 0 or len(line.counted) <= how.best
        assert all(left.points <= kept.points for left in line.dropped for kept in line.counted)


@given(st.lists(st.integers(0, 3), min_size=2, max_size=6))
def test_points_that_are_shared_come_to_what_the_places_are_worth(scores: list[int]) -> None:
    players: dict[str, int | None] = dict(zip(NAMES, scores, strict=False))
    placed = places_of([], players)
    how = PointsRules(placing=points(7, 5, 2))
    total = sum(line.points for line in standings_of([TableResult(1, 1, "", placed)], how).lines)
    assert total == sum((7, 5, 2)[: len(scores)])


def test_winners_come_first_whatever_the_scores_and_unknown_scores_last() -> None:
    placed = places_of(["Bo"], {"Ann": 9, "Bo": 3, "Cy": None, "Di": 9})
    assert [(player.name, player.place) for player in placed] == [
        ("Bo", 1),
        ("Ann", 2),
        ("Di", 2),
        ("Cy", 4),
    ]


@pytest.mark.parametrize(
    ("points", "words"),
    [
        (Fraction(3), "3"),
        (Fraction(5, 2), "2 1/2"),
        (Fraction(1, 3), "1/3"),
        (Fraction(-7, 2), "-3 1/2"),
        (Fraction(0), "0"),
    ],
)
def test_points_are_said_as_people_say_them(points: Fraction, words: str) -> None:
    assert points_text(points) == words


def test_a_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "points.toml").write_text(
        'placing = [5, "5/2", 1]\nties = "all"\nbest = 3\nawards = ["best score"]\n'
    )
    read = read_points(tmp_path / "points.toml")
    assert (read.placing, read.ties, read.best) == (
        (*points(5), Fraction(5, 2), *points(1)),
        "all",
        3,
    )
    assert read_points(None) == PointsRules()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("placing = [", "is no TOML"),
        ("placing = [1.5]", "placing.0: points are whole numbers, or fractions in quotes"),
        ("placing = []", "placing: "),
        ('win = "x"', "win: 'x' is no number"),
        ('win = "1/0"', "win: '1/0' is no number"),
        ('ties = "coin"', "ties: "),
        ("best = -1", "best: "),
        ("bonus = 3", "bonus is nothing that points are made of. There is placing, ties, win"),
        ('awards = ["best hat"]', "awards.0: it should be 'best score', "),
        ("win = true", "win: points are whole numbers"),
    ],
)
def test_a_file_that_makes_no_sense_is_refused_with_the_place(
    tmp_path: Path, content: str, words: str
) -> None:
    path = tmp_path / "points.toml"
    path.write_text(content)
    with pytest.raises(CommandError) as refused:
        read_points(path)
    assert words in str(refused.value)
    assert str(refused.value).startswith(str(path))
    assert code_of(refused.value.kind) is Exit.DATA


def test_a_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="There is no file"):
        read_points(tmp_path / "none.toml")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(CommandError, match="it is no file but a pipe"):
        read_points(tmp_path / "pipe")


def test_a_file_of_some_editors_with_a_mark_at_its_beginning_is_read_and_one_of_other_letters_is_none(
    tmp_path: Path,
) -> None:
    path = tmp_path / "points.toml"
    path.write_bytes(b"\xef\xbb\xbfbest = 3\n")
    assert read_points(path).best == 3
    path.write_bytes(b"\xff")
    with pytest.raises(CommandError, match="cannot be read: it is no UTF-8\\."):
        read_points(path)
