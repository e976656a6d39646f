"""A game that a file states is played, kept, taken back and read again like any other."""

from __future__ import annotations

import re
from contextlib import closing
from dataclasses import replace
from io import StringIO
from pathlib import Path
from random import Random

import pytest

from companion.commands.playing import seat_names
from companion.config.schema import Preferences
from companion.dashboard.app import Dashboard
from companion.dashboard.keymap import actions_of
from companion.dashboard.start.app import StartApp
from companion.dashboard.start.choices import NewGame, Search
from companion.dashboard.start.plan import refused
from companion.demo.simulating import simulation_of
from companion.errors import CommandError
from companion.games.own import trial
from companion.games.own.making import asked, made
from companion.games.own.panels import PANELS
from companion.games.own.rules.facts import Add
from companion.games.own.rules.fold import RULES_VERSION, apply, start
from companion.games.own.rules.game import game_of, info_of
from companion.games.own.rules.model import State
from companion.games.own.rules.reading import rules_of
from companion.games.own.rules.view import note_lines
from companion.link.finder import BoardSearch
from companion.rules import registry
from companion.rules.actions import with_keys
from companion.rules.common import COMMON_FACTS
from companion.rules.facts import TABLE, Fact, Moment, Refused, Setup
from companion.rules.forms import fields_of
from companion.rules.gestures import Gesture, GestureKind
from companion.rules.outcome import ending_of
from companion.rules.seats import seats_from_names, unnamed
from companion.rules.typed_facts import from_words
from companion.session.opening import begin, resume
from companion.session.table import Table
from tests.dashboard.fakes import ManualClock
from tests.dashboard.screen import screen_text, until
from tests.games.own.files import TEXTS, own


def at(s: float) -> Moment:
    return Moment(us=int(s * 1_000_000), clock="board-1")


class Play:
    """A game under way, by what happened in words."""

    def __init__(self, text: str, *names: str, **options: str) -> None:
        info = info_of(text)
        setup = Setup(info.id, RULES_VERSION, seats_from_names(names), options, dict(info.carried))
        self.game, self.state = game_of(info.own), start(setup)

    def does(self, kind: str, **body: object) -> State:
        self.state = apply(self.state, self.game.parse(kind, body), 1)
        return self.state

    def scores(self) -> list[int]:
        return list(self.game.standings(self.state).values())


def test_what_its_scores_count_stands_beside_them() -> None:
    games = {name: own(name) for name in ("darts-501", "beat-the-clock", "hearts")}
    units = {name: game.part(game.panels or "").unit for name, game in games.items()}
    assert units == {"darts-501": "points left", "beat-the-clock": "tasks", "hearts": "points"}


@pytest.mark.parametrize("name", TEXTS)
def test_the_examples_of_a_file_come_to_what_it_says(name: str) -> None:
    assert list(trial.faults(rules_of(TEXTS[name]))) == []


def test_an_example_that_is_not_true_is_told_with_what_it_came_to() -> None:
    text = TEXTS["hearts"].replace("scores = [39, 29, 36, 0]", "scores = [39, 29, 36, 1]")
    ((where, why),) = trial.faults(rules_of(text))
    assert where == ("examples", "two_hands")
    assert why == "the scores are [39, 29, 36, 0]; the file says [39, 29, 36, 1]"
    ((_, why),) = trial.faults(rules_of(TEXTS["bidding"].replace("Ben taken 2", "Bob taken 2")))
    assert why == "'Bob taken 2': nobody is called 'Bob'; expected one of table, Ann, Ben"


@pytest.mark.parametrize(
    ("name", "old", "new", "expected"),
    [
        (
            "hearts",
            "North taken 13",
            "North token 13",
            "step 1, 'North token 13': OG-2: nothing is called 'token'",
        ),
        (
            "hearts",
            "North taken 13",
            "thirteen",
            "'thirteen' is no play; expected SEAT COUNTER NUMBER, or one of ",
        ),
        (
            "hearts",
            "North taken 13",
            "North taken -1",
            "OG-2: points taken would be -1; expected 0 or more",
        ),
        ("darts-501", 'winners = ["Ann"]\n', "", "the game is over; expected winners = ['Ann']"),
        (
            "darts-501",
            "scores = [141, 449]",
            'scores = [141, 449]\nwinners = ["Ann"]',
            "the game is not over; the file",
        ),
        (
            "beat-the-clock",
            "winners = []",
            'winners = ["Ann"]',
            "[] won; the file says that ['Ann'] won",
        ),
    ],
)
def test_what_an_example_does_otherwise_is_told(
    name: str, old: str, new: str, expected: str
) -> None:
    ((_, why),) = trial.faults(rules_of(TEXTS[name].replace(old, new, 1)))
    assert expected in why


@pytest.mark.parametrize(
    ("does", "expected"),
    [
        ("round ends", 'no round ends by an input; expected [rounds.NAME] with ends = "input"'),
        ("clock starts", "there is no clock to start; expected [clock]"),
    ],
)
def test_a_key_that_can_never_do_anything_is_told(does: str, expected: str) -> None:
    text = TEXTS["darts-501"].replace('does = "bust"', f'does = "{does}"')
    assert list(trial.faults(rules_of(text)))[:1] == [(("inputs", "not_a_double"), expected)]


def test_a_check_refuses_the_end_of_the_round_by_its_own_clause() -> None:
    play = Play(TEXTS["hearts"], "North", "East", "South", "West")
    play.does("add", counter="taken", seat="north", by=13)
    with pytest.raises(Refused) as refused:
        play.does("round_ends")
    assert refused.value.clause == "HE-1"
    assert (
        refused.value.spoken()
        == "Each hand has 26 points in all. Mend what was counted, then end it."
    )
    with pytest.raises(Refused, match="no more than 26"):
        play.does("add", counter="taken", seat="east", by=14)


def test_a_bust_restores_the_turn_and_passes_it_on() -> None:
    play = Play(TEXTS["darts-501"], "Ann", "Ben", double_out="yes")
    for _ in range(2):
        for seat in ("ann", "ann", "ann", "ben", "ben", "ben"):
            play.does("add", counter="scored", seat=seat, by=60)
    play.does("add", counter="scored", seat="ann", by=60)
    before = play.scores()
    assert before == [81, 141]
    # 1 left, which no double brings to 0
    state = play.does("add", counter="scored", seat="ann", by=80)
    assert play.scores() == [141, 141]
    assert state.turn == "ben"
    assert state.happened == "bust: Ann's turn is taken back"


@pytest.mark.parametrize(
    ("darts", "expected"), [(1, "now 20"), (2, "now 40"), (3, "now 60; the turn is over")]
)
def test_the_log_says_of_what_ends_a_turn_that_it_does(darts: int, expected: str) -> None:
    play = Play(TEXTS["darts-501"], "Ann")
    fact = play.game.parse("add", {"counter": "scored", "seat": "ann", "by": 20})
    for number in range(darts):
        before, play.state = play.state, apply(play.state, fact, number + 2)
    assert play.game.sentence(before, play.state, fact, TABLE) == f"Ann: scored +20, {expected}"


def test_a_score_set_by_hand_is_one_to_every_question_of_the_file() -> None:
    play = Play(TEXTS["darts-501"], "Ann", "Ben", double_out="yes")
    play.does("score_set", seat="ann", score=30, reason="read again")
    # 1 left, which no double brings to 0
    state = play.does("add", counter="scored", seat="ann", by=29)
    assert (state.happened, play.scores()) == ("bust: Ann's turn is taken back", [30, 501])
    play.does("turn_ends")
    before = play.state
    assert play.does("add", counter="scored", seat="ann", by=30).over
    fact = play.game.parse("score_set", {"seat": "ben", "score": 0, "reason": "read again"})
    after = apply(before, fact, 1)
    assert play.game.sentence(before, after, fact, TABLE).endswith(
        "by hand: read again; the game is over"
    )


def test_a_score_set_by_hand_ends_the_game_with_the_round_that_it_belongs_to() -> None:
    play = Play(TEXTS["hearts"], "N", "E", "S", "W")
    play.does("add", counter="taken", seat="e", by=26)
    play.does("round_ends")
    between, hundred = (
        play.state,
        play.game.parse("score_set", {"seat": "n", "score": 100, "reason": "read again"}),
    )
    assert apply(between, hundred, 1).over
    play.does("add", counter="taken", seat="e", by=26)
    play.state = apply(play.state, hundred, 1)
    assert not play.state.over
    assert play.does("round_ends").over


def test_who_leaves_on_their_turn_ends_a_round_in_which_all_others_had_theirs() -> None:
    legs = TEXTS["darts-501"].replace(
        "[turn]", '[rounds.leg]\ntitle = "leg"\nends = "turns"\n\n[turn]'
    )
    play = Play(legs, "A", "B", "C")
    play.does("turn_ends")
    play.does("turn_ends")
    state = play.does("seat_leaves", seat="c")
    assert (len(state.closed), state.turn) == (1, "a")


def test_a_bust_leaves_what_players_noted_for_themselves() -> None:
    text = TEXTS["bidding"].replace(
        "[inputs.trick]", '[turn]\nbust = "taken > 3"\n\n[inputs.trick]'
    )
    play = Play(text, "Ann", "Ben")
    play.does("add", counter="taken", seat="ann", by=2)
    play.does("note", seat="ben", counter="bid", value=7)
    state = play.does("add", counter="taken", seat="ann", by=2)
    assert state.happened == "bust: Ann's turn is taken back"
    assert (state.counters["ann"]["taken"], state.counters["ben"]["bid"]) == (0, 7)


def test_whose_turn_it_is_not_cannot_count() -> None:
    play = Play(TEXTS["darts-501"], "Ann", "Ben")
    with pytest.raises(Refused, match="it is Ann's turn"):
        play.does("add", counter="scored", seat="ben", by=20)


def test_the_time_that_is_up_is_a_fact_that_comes_by_itself() -> None:
    play = Play(TEXTS["beat-the-clock"], "Ann", "Ben")
    assert play.game.due(play.state) is None
    play.does("clock_starts", at=at(5).model_dump())
    due = play.game.due(play.state)
    assert due is not None
    assert (due.us, due.since) == (300_000_000, at(5))
    fact = play.game.pressed(play.state, due.act)
    assert isinstance(fact, Fact)
    play.state = apply(play.state, fact, 1)
    assert play.game.over(play.state)
    assert play.game.due(play.state) is None
    assert play.game.result is not None
    assert play.game.result(play.state).winners == ()


def test_nothing_is_counted_before_the_clock_of_the_game_runs() -> None:
    play = Play(TEXTS["beat-the-clock"], "Ann", "Ben")
    with pytest.raises(Refused) as refused:
        play.does("add", counter="done", seat="ann")
    assert refused.value.spoken() == "The clock does not run yet. Start the clock first."
    older = start(replace(play.state.setup, rules_version=2))
    assert apply(older, Add(counter="done", seat="ann"), 1).scores["ann"] == 1
    play.does("clock_starts")
    play.does("add", counter="done", seat="ann")
    assert play.state.scores["ann"] == 1


TURN_CLOCK = (
    TEXTS["darts-501"]
    .replace('id = "darts-501"', 'id = "blitz"')
    .replace("[inputs.single_one]", '[clock]\nseconds = 30\nof = "turn"\nthen = "turn"\n\n[inputs.go]\ntitle = "go"\n'
             'does = "clock starts"\nfor = "table"\nkey = "w"\n\n[inputs.single_one]')
)  # fmt: skip


def test_the_clock_of_a_turn_begins_anew_with_each_turn() -> None:
    play = Play(TURN_CLOCK, "Ann", "Ben")
    play.does("clock_starts", at=at(1).model_dump())
    play.does("turn_ends", at=at(11).model_dump())
    due = play.game.due(play.state)
    assert due is not None
    assert due.since == at(11)
    play.does("time_up", at=at(41).model_dump())
    assert play.state.turn == "ann"
    assert play.state.since == at(41)


def test_a_secret_is_told_to_its_player_alone_until_the_round_ends() -> None:
    play = Play(TEXTS["bidding"], "Ann", "Ben")
    before = play.state
    state = play.does("note", seat="ann", counter="bid", value=3)
    fact = play.game.parse("note", {"seat": "ann", "counter": "bid", "value": 3})
    assert play.game.sentence(before, state, fact, "ann") == "Ann noted tricks bid: 3"
    assert play.game.sentence(before, state, fact, TABLE) == "Ann noted tricks bid"
    with pytest.raises(Refused, match="tricks bid is secret"):
        apply(state, Add(counter="bid", seat="ben"), 1)
    ends, closed = play.game.parse("round_ends", {}), play.does("round_ends")
    assert (
        play.game.sentence(state, closed, ends, TABLE) == "hand 1 is over; tricks bid: Ann 3, Ben 0"
    )


def test_what_waits_names_the_key_of_the_file() -> None:
    play = Play(TEXTS["hearts"], "North", "East", "South", "West")
    count = "Play and count for North, East, South, West: heart 1 2 3 4; queen q w e t"
    assert with_keys(play.game.awaiting(play.state)) == f"{count}.", "a hand has 26 points"
    for _ in range(13):
        play.does("add", seat="north", counter="taken", by=1)
    play.does("add", seat="east", counter="taken", by=13)
    assert with_keys(play.game.awaiting(play.state)).endswith("(Space: the hand is over).")


def test_inputs_with_the_same_label_are_both_in_the_prompt() -> None:
    text = TEXTS["hearts"].replace('label = "queen"', 'label = "heart"')
    play = Play(text, "North", "East", "South", "West")
    prompt = with_keys(play.game.awaiting(play.state))
    assert prompt.endswith(": heart 1 2 3 4; heart q w e t.")


def test_the_forms_offer_only_what_the_file_has() -> None:
    play = Play(TEXTS["hearts"], "N", "E", "S", "W")
    own_kinds = [
        kind
        for kind in play.game.facts
        if kind not in {fact.model_fields["kind"].default for fact in COMMON_FACTS}
    ]
    assert own_kinds == ["add", "round_ends"]
    assert [fix.label for fix in play.game.fixes] == ["missed count", "wrong count"]
    counter, number, whose = fields_of(play.game.facts["add"], play.state.setup)
    assert (counter.kind, counter.choices) == ("choice", (("taken", "taken"),))
    assert (number.required, whose.kind, whose.required) == (False, "seat", True)
    with pytest.raises(Refused, match="counter: 'points' does not fit; expected one of taken"):
        from_words(play.game, play.state.setup, "add points 1 n")
    assert {"note", "add"} <= Play(TEXTS["bidding"], "A", "B").game.facts.keys()


def test_the_footer_names_a_key_by_words_that_fit_it_whole() -> None:
    def labels(text: str) -> list[str]:
        play = Play(text, "Ann", "Ben")
        return [action.label for action in play.game.actions(play.state.setup) if action.footer]

    darts = ["one", "five", "twenty", "bull", "treble 20", "miss", "bust", "turn over"]
    assert labels(TEXTS["darts-501"]) == darts
    assert labels(TEXTS["beat-the-clock"]) == ["A task", "start clock"]
    unsaid = re.sub("label = .*", "", TEXTS["beat-the-clock"])
    assert labels(unsaid) == ["A tasks done", "clock starts"]
    assert labels(TEXTS["bidding"]) == ["A takes", "hand is over"]


def test_at_the_end_the_prompt_says_who_won_and_every_button_that_it_is_over() -> None:
    text = TEXTS["hearts"].replace('over = "max(score) >= 100"', 'over = "max(score) >= 1"')
    play = Play(text, "North", "East", "South", "West")
    play.does("add", counter="taken", seat="north", by=13)
    play.does("add", counter="taken", seat="south", by=6)
    play.does("add", counter="taken", seat="east", by=7)
    play.does("round_ends")
    assert play.game.awaiting(play.state) == "West wins. The game is over."
    assert not play.game.hold_means(play.state, "zone-2")
    for kind in (GestureKind.TAP, GestureKind.SHOT):
        with pytest.raises(Refused, match="the game is over"):
            play.game.interpret(play.state, Gesture(kind, "zone-2", 1_000_000, "board-1", 25, (1,)))


def test_the_summary_of_a_game_that_was_ended_early_says_so_in_the_words_of_every_game() -> None:
    play = Play(TEXTS["hearts"], "North", "East", "South", "West")
    play.does("abandon")
    assert play.game.summary(play.state)[0] == "The table ended the game early."


def test_who_won_together_is_said_to_have_as_much_as_the_others_only_where_that_is_so() -> None:
    for ann, headline in (
        (6, "Ann and Ben share the victory with 6 tasks"),
        (7, "Ann and Ben share the victory"),
    ):
        play = Play(TEXTS["beat-the-clock"], "Ann", "Ben")
        play.does("clock_starts")
        play.does("add", counter="done", seat="ann", by=ann)
        play.does("add", counter="done", seat="ben", by=12 - ann)
        ending = ending_of(play.game, play.state, "tasks")
        assert ending is not None
        assert (ending.headline, ending.decided) == (headline, "All of you won together.")


@pytest.mark.parametrize("wins", ["highest", "lowest"])
@pytest.mark.parametrize(("rounds", "bound"), [(1, 0), (5, 0), (0, 100), (0, 3)])
@pytest.mark.parametrize("seats", [(1, 1), (2, 4), (6, 6), (2, 7), (12, 12)])
def test_a_score_sheet_made_of_answers_is_right(
    wins: str, rounds: int, bound: int, seats: tuple[int, int]
) -> None:
    sheet = made("unser-spiel-b", "Ünser Spiel [b]", "points", seats, wins, rounds, bound)
    assert list(trial.faults(rules_of(sheet))) == []


def test_a_new_game_is_asked_for_until_each_answer_fits_and_its_id_keeps_letters_with_accents() -> (
    None
):
    answers = (
        "Fam \U0001f468\u200d\U0001f469",
        "Straße und Café",
        "Züge",
        "13",
        "2",
        "",
        "both",
        "lowest",
        "",
        "",
    )
    out = StringIO()
    sheet = asked(StringIO("\n".join(answers) + "\n"), out, lambda _: False)
    says = rules_of(sheet).says
    assert (says.id, says.title, says.unit, says.wins) == (
        "strasse-und-cafe",
        "Straße und Café",
        "Züge",
        "lowest",
    )
    for question in (
        "Type up to 40 plain characters, ",
        "Type a number from 1 to 12. ",
        "Type highest or lowest. ",
    ):
        assert question in out.getvalue()


@pytest.mark.parametrize("name", TEXTS)
def test_a_game_is_set_up_simulated_and_has_its_keys_before_any_session_of_it(name: str) -> None:
    game_id = registry.learn(TEXTS[name]).id
    names = tuple(unnamed(registry.GAMES[game_id].seats[0]))
    assert refused(NewGame(game_id, list(names))) is None
    assert {action.id.partition(".")[0] for action in actions_of(game_id)} >= {"own"}
    assert simulation_of(game_id, None, {}).play(0, Random(1)).facts > 0


async def test_where_a_game_stands_is_said_once_on_its_screen(tmp_path: Path) -> None:
    game_id = registry.learn(TEXTS["beat-the-clock"]).id
    with closing(begin(game_id, ("Ann", "Ben"), {}, tmp_path / "one.sqlite")) as table:
        app = Dashboard(table, clock=ManualClock())
        async with app.run_test(size=(80, 24)) as pilot:
            text = await until(
                pilot, app, "Press Space to start the clock.", "300 s on the clock for the game"
            )
    assert text.count("under way") == 1


async def test_a_game_for_one_number_of_players_asks_for_that_number() -> None:
    game_id = registry.learn(TEXTS["hearts"]).id
    with pytest.raises(CommandError, match=r"give 4 names, "):
        seat_names(game_id, " ", ())
    with pytest.raises(CommandError, match=r"simulated with 4 players\.$"):
        simulation_of(game_id, 3, {})
    begun = NewGame(game_id, ["Ann", "Ben"])
    app = StartApp((), Preferences(), Search(lambda _: BoardSearch(None, "")), game=begun)
    async with app.run_test() as pilot:
        await pilot.press("escape", "enter", "enter")
        await pilot.pause()
        assert "! This game needs 4 players; you named 2." in screen_text(app)


def test_a_player_notes_a_secret_by_the_form_of_the_file() -> None:
    play = Play(TEXTS["bidding"], "Ann", "Ben")
    (line,) = note_lines(play.game.view(play.state, "ben"), "ben")
    assert (line.label, line.takes) == ("tricks bid", "a whole number from 0 to 13")
    assert play.game.allows(play.state, play.game.parse(line.kind, line.body({"value": "4"})))
    with pytest.raises(Refused, match="four is none"):
        line.body({"value": "four"})
    hearts = Play(TEXTS["hearts"], "N", "E", "S", "W")
    assert note_lines(hearts.game.view(hearts.state, "n"), "n") == ()


def test_a_players_phone_and_curtain_show_its_secret_counters_and_nobody_elses() -> None:
    play = Play(TEXTS["bidding"], "Ann", "Ben")
    (line,) = note_lines(play.game.view(play.state, "ben"), "ben")
    play.does(line.kind, **line.body({"value": "4"}))
    own = {
        seat: PANELS.own(play.game.view(play.state, seat), seat) or () for seat in ("ann", "ben")
    }
    rows = {seat: [row for table in tables for row in table.rows] for seat, tables in own.items()}
    assert rows == {"ann": [("tricks bid", "not noted yet")], "ben": [("tricks bid", 4)]}
    hearts = Play(TEXTS["hearts"], "N", "E", "S", "W")
    assert PANELS.own(hearts.game.view(hearts.state, "n"), "n") is None


def test_ties_are_settled_by_the_file_in_turn() -> None:
    text = TEXTS["hearts"].replace(
        "[counters.taken]", 'ties = ["-best(taken)"]\n\n[counters.taken]', 1
    )
    text = text.replace('over = "max(score) >= 100"', 'over = "round > 2"').replace(
        "[examples.two_hands]", "[examples.x]"
    )
    play = Play(
        text.replace('winners = ["South", "West"]', 'winners = ["South"]'),
        "N",
        "E",
        "S",
        "W",
        moon="no",
    )
    for counts in ({"n": 2, "e": 1, "s": 13, "w": 10}, {"e": 1, "s": 13, "w": 12}):
        for seat, by in counts.items():
            play.does("add", counter="taken", seat=seat, by=by)
        play.does("round_ends")
    result = play.game.result
    assert play.state.over
    assert result is not None
    assert play.scores()[:2] == [2, 2]
    assert result(play.state).winners == ("e",)
    assert result(play.state).tie_break == "Equal scores were settled by -best(taken)."


def test_hands_mean_what_the_file_says() -> None:
    play = Play(TEXTS["hearts"], "North", "East", "South", "West")
    for kind, by in ((GestureKind.TAP, 1), (GestureKind.HOLD, 13)):
        fact = play.game.interpret(
            play.state, Gesture(kind, "zone-2", 1_000_000, "board-1", 25, (1,))
        )
        assert fact.model_dump(include={"counter", "seat", "by"}) == {
            "counter": "taken",
            "seat": "east",
            "by": by,
        }
    assert play.game.hold_means(play.state, "zone-4")
    assert not play.game.hold_means(play.state, "zone-5")
    label = "With a board, label button 2: tap: East takes a heart; hold: East takes the queen."
    assert [*play.game.checklist(play.state)][1] == label
    with pytest.raises(Refused, match="means nothing in this game"):
        play.game.interpret(
            play.state, Gesture(GestureKind.SHOT, "trigger", 1_000_000, "board-1", 25, (1,))
        )


DUEL = """
format = 1
id = "duel"
title = "Duel"
does = "Counts hits, more where more play."
seats = [1, 3]
score = "worth"
over = "max(score) >= 20"
asked = "always"

[counters.hits]
title = "hits"

[counters.pot]
title = "pot"
of = "table"

[values]
worth = "hits * players / 2 + turns + pot"

[turn]

[inputs.hit]
title = "hits"
does = "hits"
for = "turn"
on = "shot"
key = "space"

[inputs.miss]
title = "misses"
does = "turn ends"
for = "turn"
on = "dry pull"
key = "m"

[inputs.grow]
title = "grows"
does = "pot"
for = "table"
on = "hold"
zone = 7
key = "k"

[examples.one]
seats = ["Ann", "Ben"]
plays = ["Ann hits 3", "turn ends", "table pot 2"]
scores = [6, 2]
"""
"""A game with a gun, a button of the table, and values of names that every file has."""


def test_gun_and_the_tables_button_mean_what_the_file_says_and_the_checklist_names_them() -> None:
    assert list(trial.faults(rules_of(DUEL))) == []
    play = Play(DUEL, "Ann", "Ben")
    read = {}
    for kind, channel in (
        (GestureKind.SHOT, "trigger"),
        (GestureKind.DRY_PULL, "trigger"),
        (GestureKind.HOLD, "zone-7"),
    ):
        fact = play.game.interpret(
            play.state, Gesture(kind, channel, 1_000_000, "board-1", 25, (1,))
        )
        read[kind] = (fact.kind, getattr(fact, "counter", None), getattr(fact, "seat", None))
    assert read == {
        GestureKind.SHOT: ("add", "hits", "ann"),
        GestureKind.DRY_PULL: ("turn_ends", None, None),
        GestureKind.HOLD: ("add", "pot", None),
    }
    assert play.game.checklist(play.state) == (
        "With a board, label button 7: hold: grows.",
        "The gun: shot: hits; dry pull: misses.",
    )


def test_a_score_that_is_no_whole_number_is_refused_with_what_to_mend() -> None:
    play = Play(DUEL, "Ann")
    with pytest.raises(Refused, match="the score would be 1/2, no whole number") as refused:
        play.does("add", counter="hits", seat="ann")
    assert refused.value.clause == "OG-8"


class HandClock:
    """The host's clock, which a test sets."""

    us = 10_000_000

    def __call__(self) -> int:
        return self.us

    def runs(self, table: Table, s: float) -> None:
        self.us += int(s * 1_000_000)
        table.tick()


def test_a_countdown_is_right_over_pause_resume_and_undo(tmp_path: Path) -> None:
    game_id, clock, path = (
        registry.learn(TEXTS["beat-the-clock"]).id,
        HandClock(),
        tmp_path / "one.sqlite",
    )
    table = begin(game_id, ("Ann", "Ben"), {}, path, clock_us=clock)
    table.do("own.start")
    clock.runs(table, 100)
    table.do("table.pause")
    clock.runs(table, 1000)
    table.do("table.pause")
    clock.runs(table, 100)
    table.do("own.task.1")  # 200 s of 300 are over, and known
    table.close()
    clock.us = 5_000_000  # another run, whose clock says nothing of the first
    table = resume(path, lambda *parts, **named: Table(*parts, **{**named, "host_us": clock}))
    assert table.next_look_s() == 100
    clock.runs(table, 99)
    assert table.view().game.where != "over"
    clock.runs(table, 1.5)
    assert table.view().game.where == "over"
    assert table.view().standings == {"ann": 1, "ben": 0}
    clock.runs(table, 1)
    table.do("table.undo")
    clock.runs(table, 1)
    table.do("table.agree")
    assert table.view().game.where != "over"
    table.close()
