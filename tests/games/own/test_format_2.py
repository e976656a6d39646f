"""Format 2: counters used once, numbers that are set, ranks, rounds that end by an expression, elimination, teams."""

from __future__ import annotations

import pytest

from companion.display.tables import PanelTable, words
from companion.games.own import trial
from companion.games.own.panels import seats, tables
from companion.games.own.rules.expressions import Work
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
from companion.games.own.rules.reading import rules_of
from companion.games.own.rules.sense import own_rows
from companion.rules.actions import with_keys
from companion.rules.facts import TABLE, Refused, Setup
from companion.rules.gestures import Gesture, GestureKind
from companion.rules.seats import seats_from_names
from tests.games.own.files import TEXTS, said_of

TWELVE = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hanna", "Ida", "Jo", "Kim", "Lee")


ROUND = '[rounds.round]\ntitle = "round"\n'


def sheet(
    top: str = "", tables: str = "", score: str = "total(points)", seats: str = "[2, 12]"
) -> str:
    """Return a file of format 2 with one counter that lasts a round; `top` and `tables` are added."""
    return f"""\
format = 2
id = "sheet"
title = "Sheet"
does = "Counts."
seats = {seats}
score = "{score}"
{top}
{"" if "over" in top else 'over = "round > 3"'}

[counters.points]
title = "points"
lasts = "round"

{tables if "[rounds" in tables else tables + chr(10) + "[rounds.round]" + chr(10) + 'title = "round"'}

[inputs.point]
title = "point"
does = "points"
on = "tap"

[inputs.round_over]
title = "round is over"
does = "round ends"
for = "table"
key = "enter"

[examples.one]
seats = ["Ann", "Ben"]
plays = ["Ann points 0"]
scores = [0, 0]
"""


class Play:
    """A game under way, by what happened in words."""

    def __init__(self, text: str, *names: str) -> None:
        info = info_of(text)
        self.game = game_of(info.own)
        self.state = start(
            Setup(info.id, RULES_VERSION, seats_from_names(names), {}, dict(info.carried))
        )

    def does(self, kind: str, **body: object) -> State:
        self.state = apply(self.state, self.game.parse(kind, body), 1)
        return self.state

    def sentence(self, kind: str, **body: object) -> str:
        before, fact = self.state, self.game.parse(kind, body)
        self.state = apply(before, fact, 1)
        return self.game.sentence(before, self.state, fact, TABLE)

    def add(self, seat: str, by: int = 1, counter: str = "points") -> State:
        return self.does("add", seat=seat, counter=counter, by=by)

    def set(self, seat: str, value: int, counter: str = "points") -> State:
        return self.does("set", seat=seat, counter=counter, value=value)

    def scores(self) -> list[int]:
        return list(self.game.standings(self.state).values())

    def winners(self) -> tuple[str, ...]:
        return result(self.state).winners


# -- the two formats


@pytest.mark.parametrize(
    ("old", "new", "path"),
    [
        ("least = 0\n", "least = 0\nonce = false\n", "counters.taken.once"),
        ("by = 13\n", "sets = 13\n", "inputs.queen.sets"),
        (
            'title = "hand"\n',
            'title = "hand"\nends = "when"\nwhen = "sum(taken) == 26"\n',
            "rounds.hand.when",
        ),
        ('title = "hand"\n', 'title = "hand"\nends = "when"\n', "rounds.hand.ends"),
        ("[values]", '[out]\nwhen = "0"\n\n[values]', "out"),
        ('wins = "lowest"\n', 'wins = "lowest"\nteams = 2\n', "teams"),
    ],
)
def test_what_is_new_in_format_2_is_refused_in_a_file_of_format_1_with_the_line_to_write(
    old: str, new: str, path: str
) -> None:
    text = TEXTS["hearts"].replace(old, new, 1)
    assert said_of(text) == f"{path} is of format 2; expected format = 2."
    if path != "rounds.hand.ends":
        assert said_of(text.replace("format = 1", "format = 2")) == ""


@pytest.mark.parametrize("function", ["rank(taken)", "team(taken)", "used(taken)"])
def test_a_function_of_format_2_is_none_in_format_1(function: str) -> None:
    text = TEXTS["hearts"].replace('"total(points)"', f'"{function} + total(points)"')
    assert f"there is no function '{function[:4]}'" in said_of(text)
    assert said_of(text.replace("format = 1", "format = 2")) == ""


def test_a_counter_of_format_1_may_be_called_like_a_function_of_format_2() -> None:
    text = TEXTS["hearts"].replace("taken", "rank")
    assert said_of(text) == ""
    assert "counters.rank is a name that is taken" in said_of(
        text.replace("format = 1", "format = 2")
    )


def test_a_file_of_format_1_has_no_fact_that_sets_a_counter() -> None:
    assert "set" not in game_of(info_of(TEXTS["hearts"]).own).facts
    assert "set" in game_of(info_of(sheet()).own).facts


def test_format_1_has_six_seats_and_format_2_twelve() -> None:
    assert "1 to 7 players; expected the fewest and the most, of 1 to 6" in said_of(
        TEXTS["darts-501"].replace("[1, 6]", "[1, 7]")
    )
    assert said_of(sheet(seats="[2, 12]")) == ""
    assert "of 1 to 12" in said_of(sheet(seats="[2, 13]"))


# -- setting, and boxes that are used once


def test_a_counter_is_set_whatever_it_stood_at_and_within_its_bounds() -> None:
    play = Play(sheet(), "Ann", "Ben")
    play.add("ann", 5)
    assert play.sentence("set", seat="ann", counter="points", value=2) == "Ann: points set to 2"
    play.add("ann", 1)
    play.does("round_ends")
    assert play.scores() == [3, 0]
    bounded = Play(sheet().replace('title = "points"', 'title = "points"\nmost = 9'), "Ann", "Ben")
    with pytest.raises(Refused, match="points would be 10; expected 9 or less"):
        bounded.set("ann", 10)


def test_a_secret_counter_is_not_set_for_all_to_see() -> None:
    play = Play(TEXTS["bidding"].replace("format = 1", "format = 2"), "Ann", "Ben")
    with pytest.raises(Refused, match="tricks bid is secret"):
        play.set("ann", 2, "bid")


def test_a_prompt_is_the_same_whatever_the_secrets_forbid() -> None:
    text = (
        TEXTS["bidding"]
        .replace(
            'title = "hand"\ntimes = 2',
            'title = "hand"\ntimes = 2\nends = "when"\nwhen = "sum(taken) > 0"',
        )
        .replace("format = 1", "format = 2")
    )
    text = text[: text.index("[inputs.hand_over]")]
    text += '[checks.BD-1]\nsays = "The bids are not all right."\nwhen = "sum(bid) != 2"\n'
    text += '[examples.one]\nseats = ["Ann", "Ben"]\nplays = ["Ann bid 3", "Ann taken 1"]\nscores = [-1, 10]\n'
    prompts = set()
    for bid in (0, 1):
        play = Play(text, "Ann", "Ben")
        for seat in ("ann", "ben"):
            play.does("note", seat=seat, counter="bid", value=bid)
        prompts.add(with_keys(play.game.awaiting(play.state)))
        if bid == 1:
            with pytest.raises(Refused) as refused:
                play.add("ann", 1, "taken")
            assert refused.value.hidden
    assert prompts == {"Who takes a trick? 1 Ann, 2 Ben."}


BOX = 'once = true\ntitle = "points"'


@pytest.mark.parametrize("again", ["add", "set"])
def test_a_box_is_used_once_for_each_player_until_it_begins_anew(again: str) -> None:
    play = Play(sheet().replace('title = "points"', BOX), "Ann", "Ben")
    play.set("ann", 0)
    play.add("ben", 4)
    body = {"by": 1} if again == "add" else {"value": 3}
    with pytest.raises(Refused) as refused:
        play.does(again, seat="ann", counter="points", **body)
    assert refused.value.clause == "OG-12"
    assert refused.value.spoken() == "Ann has used points already. Choose one that is free."
    play.does("round_ends")
    assert play.does(again, seat="ann", counter="points", **body).counters["ann"]["points"] in (
        1,
        3,
    )


def test_a_box_of_a_turn_that_is_taken_back_is_free_again() -> None:
    turns = '[turn]\nends = "adds == 2"\nbust = "points > 9"\n'
    text = sheet(tables=turns).replace('title = "points"', BOX)
    text = text.replace("[inputs.point]", '[counters.darts]\ntitle = "darts"\n\n[inputs.point]')
    play = Play(text, "Ann", "Ben")
    play.set("ann", 5)
    play.does("bust")
    play.add("ben", 1, "darts")
    play.add("ben", 1, "darts")
    play.set("ann", 6)
    with pytest.raises(Refused, match="has used points already"):
        play.set("ann", 6)


def test_a_secret_cannot_be_a_box_that_is_used_once() -> None:
    text = (
        TEXTS["bidding"]
        .replace("format = 1", "format = 2")
        .replace("secret = true", "secret = true\nonce = true")
    )
    assert "that it is used already would tell of a secret" in said_of(text)


def test_an_expression_asks_which_boxes_are_used() -> None:
    checks = '[checks.SH-1]\nsays = "Everybody counts."\nwhen = "count(used(points)) == players"\n'
    play = Play(sheet(tables=checks), "Ann", "Ben")
    play.set("ann", 0)
    with pytest.raises(Refused, match="Everybody counts"):
        play.does("round_ends")
    play.add("ben", 0)
    play.does("round_ends")
    with pytest.raises(Refused, match="Everybody counts"):
        play.does("round_ends")
    assert "x is no counter; expected used(NAME) of a counter" in said_of(
        sheet(tables='[values]\nx = "points"\ny = "used(x)"\n')
    )
    assert "bid is secret until the round ends" in said_of(
        TEXTS["bidding"]
        .replace("format = 1", "format = 2")
        .replace('"total(points)"', '"used(bid)"')
    )


def test_an_input_can_set_a_counter() -> None:
    text = sheet().replace(
        '[inputs.point]\ntitle = "point"', '[inputs.point]\ntitle = "seven"\nsets = 7'
    )
    play = Play(text, "Ann", "Ben")
    fact = play.game.interpret(
        play.state, Gesture(GestureKind.TAP, "zone-2", 1_000_000, "board-1", 25, (1,))
    )
    assert fact.model_dump(include={"kind", "counter", "seat", "value"}) == {
        "kind": "set", "counter": "points", "seat": "ben", "value": 7,
    }  # fmt: skip
    both = text.replace("sets = 7", "sets = 7\nby = 2")
    assert "it sets the counter, or adds to it; expected sets, or by" in said_of(both)
    assert "'round ends' is no counter that could be set" in said_of(
        text.replace('does = "round ends"', 'does = "round ends"\nsets = 1')
    )


def test_an_input_sets_only_a_number_that_its_counter_takes() -> None:
    sheets = TEXTS["yahtzee"]
    assert "sets 26, and full_house has at most 25; expected 25 or less" in said_of(
        sheets.replace("sets = 25", "sets = 26")
    )
    assert "sets -1, and full_house has at least 0; expected 0 or more" in said_of(
        sheets.replace("sets = 25", "sets = -1")
    )


def test_an_example_sets_a_counter_in_a_line() -> None:
    text = (
        sheet()
        .replace('"Ann points 0"', '"Ann points = 7", "Ann points 1", "round ends"')
        .replace("[0, 0]", "[8, 0]")
    )
    assert list(trial.faults(rules_of(text))) == []


# -- ranks


def test_points_by_rank_among_the_players() -> None:
    values = '[values]\nwon = "4 - rank(points)"\nlast_first = "rank(-points)"\n'
    play = Play(
        sheet(tables=values, score="total(won) + 10 * last(last_first)"), "Ann", "Ben", "Cleo"
    )
    for seat, points in (("ann", 5), ("ben", 9), ("cleo", 5)):
        play.add(seat, points)
    play.does("round_ends")
    # equal points have the same place, and the next is left out
    assert play.scores() == [2 + 10, 3 + 30, 2 + 10]


def test_who_has_left_has_no_rank_that_counts() -> None:
    play = Play(
        sheet(tables='[values]\nplace = "rank(points)"\n', score="total(place)"),
        "Ann",
        "Ben",
        "Cleo",
    )
    play.add("ann", 9)
    play.does("seat_leaves", seat="ann")
    play.add("ben", 5)
    play.does("round_ends")
    assert play.scores()[1:] == [1, 2]


def test_a_rank_of_the_whole_table_is_none() -> None:
    assert "rank is another number for each player" in said_of(
        sheet(top='over = "rank(score) == 1"')
    )
    assert said_of(sheet(top='over = "max(rank(score)) == 1"')) == ""


# -- rounds that end by an expression

BY_SUM = '[rounds.hand]\ntitle = "hand"\nends = "when"\nwhen = "sum(points) >= 5 + round"\n'


def test_a_round_ends_by_itself_when_its_expression_holds() -> None:
    play = Play(sheet(tables=BY_SUM), "Ann", "Ben")
    play.add("ann", 5)
    assert play.state.closed == ()
    assert play.sentence("add", seat="ben", counter="points", by=1).endswith("hand 1 is over")
    assert play.scores() == [5, 1]
    play.set("ben", 6)
    assert len(play.state.closed) == 1
    play.set("ben", 7)
    assert (len(play.state.closed), play.scores()) == (2, [5, 8])
    with pytest.raises(Refused, match="a hand ends by itself"):
        play.does("round_ends")


def test_the_last_point_of_such_a_round_is_refused_where_a_check_does_not_hold() -> None:
    check = '\n[checks.SH-1]\nsays = "Everybody has a point."\nwhen = "min(points) > 0"\n'
    play = Play(sheet(tables=BY_SUM + check), "Ann", "Ben")
    with pytest.raises(Refused) as refused:
        play.add("ann", 6)
    assert refused.value.spoken() == "Everybody has a point. Look whose number is wrong."
    play.add("ben", 1)
    assert len(play.add("ann", 5).closed) == 1


@pytest.mark.parametrize(
    "lines", ['ends = "when"\n', 'when = "1"\n', 'ends = "turns"\nwhen = "1"\n']
)
def test_an_expression_belongs_to_a_round_that_ends_by_one(lines: str) -> None:
    faults = said_of(sheet(tables=f'[rounds.hand]\ntitle = "hand"\n{lines}'))
    assert (
        'a round that ends by an expression has one; expected ends = "when", when = "..."' in faults
    )


# -- elimination

OUT = '[out]\nwhen = "points >= 3"\n'


def test_who_is_out_counts_no_more_and_takes_part_in_nothing() -> None:
    values = '[values]\nplace = "rank(-points)"\nall_of = "sum(points)"\n'
    play = Play(
        sheet(tables=OUT + values, top='over = "players == 1"\nasked = "always"'),
        "Ann",
        "Ben",
        "Cleo",
    )
    assert (
        play.sentence("add", seat="ann", counter="points", by=3)
        == "Ann: points +3, now 3; Ann is out"
    )
    assert play.state.playing == ("ben", "cleo")
    with pytest.raises(Refused) as refused:
        play.add("ann", 1)
    assert refused.value.clause == "OG-11"
    assert refused.value.spoken() == "Ann is out. Name a player who is still in."
    play.add("ben", 1)
    play.does("round_ends")
    assert play.state.kept["ben"]["all_of"] == (1,)
    play.add("cleo", 4)
    assert play.state.over
    assert play.winners() == ("ben",)
    assert play.game.awaiting(play.state) == "Ben wins. The game is over."


def test_a_turn_goes_past_who_is_out_and_on_from_who_is_out_on_it() -> None:
    text = sheet(
        tables='[turn]\nends = "adds == 1"\n' + OUT, score="points", seats="[2, 4]"
    ).replace('lasts = "round"', 'lasts = "game"')
    play = Play(text, "Ann", "Ben", "Cleo")
    play.add("ann", 1)
    assert play.add("ben", 3).turn == "cleo"
    assert play.add("cleo", 1).turn == "ann"
    assert play.add("ann", 1).turn == "cleo"
    unended = Play(text.replace('ends = "adds == 1"', ""), "Ann", "Ben", "Cleo")
    assert unended.add("ann", 3).turn == "ben"
    assert unended.add("ben", 3).turn == "cleo"
    over = unended.add("cleo", 3)
    assert (over.turn, over.playing) == ("", ())
    with pytest.raises(Refused, match="nobody has a turn"):
        unended.does("turn_ends")


def test_elimination_at_the_end_of_a_round_is_asked_only_there() -> None:
    text = sheet(tables=OUT.replace("points >= 3", "score >= 3") + 'asked = "round"\n')
    play = Play(text, "Ann", "Ben", "Cleo")
    play.add("ann", 3)
    assert play.state.out == frozenset()
    play.does("round_ends")
    assert play.state.out == {"ann"}


def test_where_all_are_out_at_once_all_who_stayed_are_compared() -> None:
    text = sheet(
        tables=OUT.replace("points >= 3", "sum(points) >= 3"),
        top='over = "players == 0"\nasked = "always"',
    )
    play = Play(text.replace('score = "total(points)"', 'score = "points"'), "Ann", "Ben")
    play.add("ann", 1)
    play.add("ben", 2)
    assert (play.state.playing, play.winners()) == ((), ("ben",))


def test_who_is_out_is_shown_as_out() -> None:
    play = Play(sheet(tables=OUT), "Ann", "Ben")
    play.add("ann", 3)
    players = {
        line.id: (line.out, line.idle, line.note)
        for line in seats(play.game.view(play.state, TABLE))
    }
    assert players == {"ann": (True, True, "out"), "ben": (False, False, "")}


# -- teams

TEAMS = "teams = 2"


def test_teams_sit_in_turn_and_add_up_and_win_together() -> None:
    play = Play(
        sheet(
            TEAMS + '\nover = "max(score) >= 10"', seats="[4, 4]", score="team(total(points))"
        ).replace('seats = ["Ann", "Ben"]', 'seats = ["Ann", "Ben", "Cleo", "Dan"]'),
        *TWELVE[:4],
    )
    for seat, points in (("ann", 7), ("ben", 2), ("cleo", 3), ("dan", 4)):
        play.add(seat, points)
    play.does("round_ends")
    assert play.scores() == [10, 6, 10, 6]
    assert play.winners() == ("ann", "cleo")
    lines = {line.id: line.words[0] for line in seats(play.game.view(play.state, TABLE))}
    assert lines == {"ann": "team 1", "ben": "team 2", "cleo": "team 1", "dan": "team 2"}
    teams = tables(play.game.view(play.state, TABLE))[1]
    assert isinstance(teams, PanelTable)
    assert [words(row[1]) for row in teams.rows] == ["A C", "B D"]


def test_what_a_partner_counted_who_has_left_still_counts_and_nobody_new_joins_a_team() -> None:
    play = Play(sheet(TEAMS, seats="[4, 6]", score="team(total(points))"), *TWELVE[:4])
    play.add("cleo", 5)
    play.does("round_ends")
    play.does("seat_leaves", seat="cleo")
    assert play.scores() == [5, 0, 5, 0]
    with pytest.raises(Refused, match="the teams stay as they began"):
        play.does("seat_joins", name="Eve")
    assert play.does("seat_joins", name="Cleo").playing == ("ann", "ben", "cleo", "dan")


def test_players_who_make_no_teams_of_one_size_are_refused() -> None:
    with pytest.raises(Refused) as refused:
        Play(sheet(TEAMS, seats="[4, 8]"), *TWELVE[:5])
    assert refused.value.spoken() == "5 players make no 2 teams of one size. Seat 8 players."
    assert "3 to 6 players make no 2 teams" in said_of(sheet(TEAMS, seats="[3, 6]"))


# -- twelve seats


def test_twelve_players_have_a_key_each_and_the_last_two_no_button() -> None:
    text = sheet()
    assert own_rows(rules_of(text).says) == ["1234567890qw"]
    play = Play(text, *TWELVE)
    keys = {action.id: action.keys[0] for action in play.game.actions(play.state.setup)}
    assert [keys[f"own.point.{place}"] for place in range(1, 13)] == list("1234567890qw")
    for place in (1, 10):
        gesture = Gesture(GestureKind.TAP, f"zone-{place}", 1_000_000, "board-1", 25, (1,))
        assert (
            getattr(play.game.interpret(play.state, gesture), "seat", "")
            == TWELVE[place - 1].lower()
        )
    lines = list(play.game.checklist(play.state))
    assert len(lines) == 11
    assert lines[-1] == "Kim and Lee have no button: press their keys."


def test_no_two_of_twelve_players_look_the_same() -> None:
    dressed = seats_from_names(TWELVE)
    assert len({seat.glyph for seat in dressed}) == len({seat.initial for seat in dressed}) == 12
    assert [seat.color for seat in dressed[6:]] == [seat.color for seat in dressed[:6]]


def test_a_file_for_twelve_has_no_keys_for_a_second_row_and_says_so() -> None:
    text = sheet().replace(
        "[inputs.round_over]",
        '[inputs.other]\ntitle = "other"\ndoes = "points"\n\n[inputs.round_over]',
    )
    assert "expected at most 1 inputs for own with 12 players" in said_of(text)
    assert said_of(text.replace("[2, 12]", "[2, 11]")) == ""


def test_what_waits_says_how_a_counter_is_set_that_no_key_counts() -> None:
    yahtzee = Play(TEXTS["yahtzee"], "Ann", "Ben")
    assert (
        with_keys(yahtzee.game.awaiting(yahtzee.state))
        == "Ann, play and count (=: count anything else)."
    )
    assert (
        with_keys(yahtzee.game.awaiting(yahtzee.state), typed=True)
        == "Ann, play and count (type set, a counter and a number)."
    )
    wizard = Play(TEXTS["wizard"], "Ann", "Ben", "Cleo")
    assert "=" not in with_keys(wizard.game.awaiting(wizard.state))


def test_what_waits_names_no_key_for_a_bid_that_is_set() -> None:
    wizard = Play(TEXTS["wizard"], "Ann", "Ben", "Cleo")

    def waits() -> str:
        return with_keys(wizard.game.awaiting(wizard.state))

    everybody = "Play and count for Ann, Ben, Cleo: bid +1 q w e; bid 0 a s d."
    assert waits() == everybody, "the only trick of round 1 counts once all have bid"
    wizard.set("ann", 0, "bid")
    assert waits() == "Play and count: bid +1 w Ben, e Cleo; bid 0 s Ben, d Cleo."
    wizard.add("ben", 1, "bid")
    assert waits() == "Play and count: bid +1 e Cleo; bid 0 d Cleo."
    wizard.set("cleo", 0, "bid")
    assert waits() == "Who takes a trick? 1 Ann, 2 Ben, 3 Cleo."
    wizard.add("ben", 1, "tricks")
    both = "Play and count for Ann, Ben, Cleo: trick 1 2 3; bid +1 q w e; bid 0 a s d."
    assert waits() == both, "round 2 has two tricks"


def test_a_number_that_was_set_wrong_is_among_the_likely_mistakes_and_a_board_that_sets_asks_as_one_that_adds() -> (
    None
):
    format_2, format_1 = game_of(info_of(sheet()).own), game_of(info_of(TEXTS["hearts"]).own)
    assert ("wrong number set", ("set",), True) in [
        (fix.label, fix.kinds, fix.amends) for fix in format_2.fixes
    ]
    assert "wrong number set" not in [fix.label for fix in format_1.fixes]
    assert [step.kinds for step in (format_2.steps[0], format_1.steps[0])] == [
        ("add", "set"),
        ("add",),
    ]


@pytest.mark.parametrize("name", ["yahtzee", "wizard", "partners", "knockout"])
def test_a_full_table_stays_far_below_the_bound_of_a_fact(name: str) -> None:
    info = info_of(TEXTS[name])
    names = TWELVE[: info.seats[-1]]
    state = start(Setup(info.id, RULES_VERSION, seats_from_names(names), {}, dict(info.carried)))
    game, most = game_of(info.own), 0
    for number in range(200):
        legal = game.legal(state)
        if not legal:
            break
        work = Work(MOST_STEPS_OF_FACT)
        state = applied(state, legal[number * 7 % len(legal)], work)
        most = max(most, work.used)
    assert 0 < most < MOST_STEPS_OF_FACT / 2
