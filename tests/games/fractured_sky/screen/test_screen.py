"""Fractured Sky on the dashboard: what a person reads of the map and of the AIs, and how few keys a turn takes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from textual.geometry import Offset
from textual.pilot import Pilot

from companion.dashboard.app import Dashboard
from companion.dashboard.at_table import KEYS_IGNORED_S
from companion.dashboard.item import Item
from companion.dashboard.themes import seat_style
from companion.dashboard.widgets.cards import PlayerCard
from companion.dashboard.widgets.form import Form
from companion.dashboard.widgets.static import Static
from companion.games.fractured_sky.rules.view import FracturedSkyView
from companion.games.fractured_sky.screen.game_screen import FracturedSkyScreen
from companion.games.fractured_sky.screen.turns import TAKEN, AskField, Chooser
from companion.games.fractured_sky.screen.words import explored
from companion.rules.facts import Refused
from companion.session.opening import begin
from companion.session.table import Table
from tests.dashboard.fakes import ManualClock
from tests.dashboard.recorded import recorded
from tests.dashboard.screen import screen_text, until
from tests.games.fractured_sky.playing import Record, virtual

SIZES = [(80, 24), (160, 50)]
SMALL, PANELS = (80, 24), [(110, 32), (160, 50)]
AS_PAIR = ("1", "1", "n", "n")  # who begins, the Public card, both AIs' cards shuffled


def opened(folder: Path, seats: str = "Ada", **options: str) -> Table:
    return begin(
        "fractured-sky",
        seats.split(),
        options,
        folder / "sky.sqlite",
        components={},
        chance=Random(4),
    )


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with closing(opened(tmp_path, map="example", difficulty="medium")) as solo:
        yield solo


def game(table: Table) -> FracturedSkyView:
    view: FracturedSkyView = table.view().game
    return view


async def press(pilot: Pilot[None], *keys: str) -> None:
    for key in keys:
        await pilot.press(key)


def ahead(table: Table, *keys: str) -> None:
    """Play without a screen up to where a test begins: a number answers what is asked, n is the next step of an AI."""
    for key in keys:
        before = table.view().notice
        table.do("fractured-sky.next" if key == "n" else f"fractured-sky.answer.{key}")
        notice = table.view().notice
        assert notice in (None, before) or not notice.refused, notice


def ais_move(table: Table) -> None:
    """Play the AIs' turns until the seat is on turn again, or all are done."""
    while game(table).phase in ("shuffle", "ai") or (game(table).to_move or "").startswith("@"):
        move = game(table).move
        ahead(table, "1" if move is not None and move.decision.ask else "n")


@pytest.mark.parametrize("size", PANELS)
async def test_the_map_shows_every_region_and_platform_with_its_bridges_as_lines(
    table: Table, size: tuple[int, int]
) -> None:
    ahead(table, *AS_PAIR, "3")
    app = Dashboard(table)
    async with app.run_test(size=size) as pilot:
        await until(pilot, app, "Airship ●")
        text = screen_text(app)
    board = game(table).table.board
    for key, region in enumerate(board.regions, start=1):
        assert f"{key} {region.name}" in text
    for platform in board.platforms:
        assert f"platform {platform.id}" in text
    assert "4 Dusty Downs──" in text, "a bridge"
    assert "Starfall" in text.split("1 Amber Atoll")[1]
    assert "Fractured Sky, example map" in text
    assert "Example map" not in text, "it is said once, where the map is named"
    assert "Turn slots of the next round: 1, 2, 3 (1 Gold)" in text


async def test_a_small_screen_has_a_table_of_regions_and_one_of_them_in_words(table: Table) -> None:
    ahead(table, *AS_PAIR, "3")
    app = Dashboard(table)
    async with app.run_test(size=SMALL) as pilot:
        await until(pilot, app, "Starfalls Airships Skimmers")
        rows = screen_text(app).splitlines()
        board = game(table).table.board
        for key, region in enumerate(board.regions, start=1):
            assert any(f"{key} {region.name}" in row for row in rows)
        atoll = next(row for row in rows if " 1 Amber Atoll" in row)
        assert "1 Public" in atoll
        crag = next(row for row in rows if " 3 Copper Crag " in row)
        heads = next(row for row in rows if "Airships" in row)
        assert heads.index("Airships") == crag.index("●"), "its column says what it is"
        assert "round: 1, 2, 3 (1 Gold)" in screen_text(app)
        platforms = set()
        for _ in board.regions:
            await press(pilot, "down")
            text = " ".join(screen_text(app).split())
            platforms |= {known.id for known in board.platforms if f"platform {known.id}:" in text}
    assert platforms == {known.id for known in board.platforms}


def colors_of(app: Dashboard, sign: str) -> set[str]:
    """The colors in which a sign is drawn on the screen."""
    colors = set()
    for strip in app.screen._compositor.render_strips():
        for segment in strip:
            if sign in segment.text and segment.style is not None and segment.style.color:
                colors.add(segment.style.color.name)
    return colors


@pytest.mark.parametrize("size", [SMALL, *PANELS])
async def test_whose_piece_it_is_is_seen_by_glyph_and_color_alone(
    table: Table, size: tuple[int, int]
) -> None:
    ahead(table, *AS_PAIR, "3", "n", "n")
    app = Dashboard(table)
    async with app.run_test(size=size) as pilot:
        await until(pilot, app, "Amber Atoll")
        await pilot.pause()
        ada, black = colors_of(app, "●"), colors_of(app, "○")
    assert len(ada) == len(black) == 1
    assert ada != black


@pytest.mark.parametrize("size", [SMALL, *PANELS])
async def test_words_beside_the_map_describe_the_region_under_the_cursor(
    table: Table, size: tuple[int, int]
) -> None:
    ahead(table, *AS_PAIR, "3", "n", "n", "n", "n")
    app = Dashboard(table)
    async with app.run_test(size=size) as pilot:
        await until(pilot, app, "Ada, place an Airship")
        await press(pilot, "left")
        aside = app.screen.query_one("#aside", Static)
        await pilot.pause()
        words = " ".join(str(aside.render()).split())
        assert "1 Amber Atoll" in words
        assert "1 Public Starfall" in words
        assert "platform 1: 2 free" in words
        assert "platform 2: Fortress of ◇ AI orange, 2 free" in words


async def test_words_describe_where_an_ais_piece_goes_until_the_cursor_moves(table: Table) -> None:
    ahead(table, *AS_PAIR, "3")
    app = Dashboard(table)
    async with app.run_test(size=SMALL) as pilot:
        await press(pilot, "n")
        move = game(table).move
        assert move is not None
        place = game(table).table.board.place(move.decision.card.kind, move.decision.target or "")
        aside = app.screen.query_one("#aside", Static)
        await pilot.pause()
        assert f"{place}: " in str(aside.render())
        await press(pilot, "down")
        await pilot.pause()
        assert "2 Brass Basin: " in str(aside.render())


@pytest.mark.parametrize("size", PANELS)
async def test_each_player_is_a_card_with_what_is_left_in_words(
    table: Table, size: tuple[int, int]
) -> None:
    ahead(table, *AS_PAIR, "3")
    app = Dashboard(table)
    async with app.run_test(size=size) as pilot:
        await until(pilot, app, "2 Airships", "5 Markets", "5 Skimmers")
        titles = [str(card.border_title) for card in app.screen.query(PlayerCard)]
        turns = [str(card.border_subtitle) for card in app.screen.query(PlayerCard)]
    assert titles == ["● Ada", "○ AI black", "◇ AI orange"]
    assert turns == ["", "turn", ""]


@pytest.mark.parametrize("size", PANELS)
async def test_nothing_on_the_map_moves_when_a_notice_takes_a_row(
    table: Table, size: tuple[int, int]
) -> None:
    ahead(table, *AS_PAIR, "3")
    app = Dashboard(table)
    async with app.run_test(size=size) as pilot:
        await until(pilot, app, "platform 4")
        before = str(app.screen.query_one("#sky-map", Static).render())
        await press(pilot, "p")
        await until(pilot, app, "! Powers are entered at the end of the round.")
        assert str(app.screen.query_one("#sky-map", Static).render()) == before


@pytest.mark.parametrize("size", PANELS)
@pytest.mark.parametrize("key", ["f", "i", "s", "o"])
async def test_a_question_is_beside_the_map_and_never_over_it(
    table: Table, key: str, size: tuple[int, int]
) -> None:
    ahead(table, *AS_PAIR)
    app = Dashboard(table)
    async with app.run_test(size=size) as pilot:
        await until(pilot, app, "Ada, place an Airship")
        map_region = app.screen.query_one("#side").region
        await press(pilot, key)
        await until(pilot, app, "Esc ")
        assert isinstance(app.screen, Form)
        await pilot.pause()
        form = app.screen.query_one("#form").region
    assert not form.overlaps(map_region)


def test_an_ais_name_has_a_color_of_the_theme_and_not_the_gray_of_who_is_out() -> None:
    styles = {player.name: seat_style(player.color) for player in virtual().view().players}
    assert styles["AI black"] == "$foreground"
    assert styles["AI orange"] == "$seat-orange"


async def test_an_ais_turn_takes_two_keys_and_says_how_it_was_decided(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    ahead(table, *AS_PAIR, "3")
    app = Dashboard(table)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "n")
        move = game(table).move
        assert move is not None
        text = screen_text(app)
        for reason in move.decision.reasons:
            assert reason.text.split()[0] in text
        assert move.decision.reasons[-1].text in " ".join(text.split())
        assert f"{move.decision.card.kind} card" in text
        assert (
            move.decision.card.kind == "scout"
            or pointed_at(table, move.decision.target or "") in text
        )
        await press(pilot, "n")
    assert game(table).move is None
    assert game(table).to_move == "@orange"


def pointed_at(table: Table, target: str) -> str:
    """What the map shows of an AI's move without any color."""
    board = game(table).table.board
    return f">{board.ids.index(target) + 1} " if target in board.by_id else f"platform {target}: "


def test_no_unused_card_is_counted_before_a_round_has_its_hidden_cards() -> None:
    record = Record("ada bo cleo")
    assert explored(record.view()) == "nobody drew a card yet"
    record.do("first", seat="ada")
    assert explored(record.view()) == "nobody drew a card yet; 7 Hidden cards left"


async def test_a_move_the_table_cannot_make_gives_way_to_the_next(table: Table) -> None:
    ahead(table, *AS_PAIR, "3", "n")
    app = Dashboard(table)
    async with app.run_test(size=(80, 24)) as pilot:
        first = game(table).move
        assert first is not None
        await press(pilot, "k")
        second = game(table).move
        await until(pilot, app, " not possible (the table says so); AI black: ")
    assert second is not None
    assert (first.decision.card, first.decision.target) != (
        second.decision.card,
        second.decision.target,
    )


async def test_a_building_a_skimmer_and_a_scout_take_two_or_three_keys(table: Table) -> None:
    ahead(table, *AS_PAIR)
    app = Dashboard(table)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "f")
        await until(pilot, app, "Fortress for 2 Iron + 1 Wood on which platform? (example map)")
        await press(pilot, "q")
        await until(pilot, app, "! q is not an answer here. Press a key shown.")
        await press(pilot, "4")
        await until(pilot, app, "Ada builds a Fortress on platform 4")
        ais_move(table)
        await press(pilot, "i", "8")
        await until(pilot, app, "Ada builds a Skimmer in Hollow Heath")
        ais_move(table)
        await press(pilot, "s")
        if game(table).table.hidden[0] is None:
            await press(pilot, "w")
            await until(pilot, app, "Ada pays 2 Gold, scouts Hidden card 1 and takes 1 Wood")
            await until(pilot, app, "● scouted, took Wood")
    assert [piece.platform for piece in game(table).table.buildings if piece.player == "ada"] == [
        "4"
    ]


async def test_an_ais_card_and_its_deed_are_one_line_of_the_log(table: Table) -> None:
    ahead(table, *AS_PAIR, "3", "n", "n")
    app = Dashboard(table)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, app, "AI black: Airship to Amber Atoll (it shows the most Starfalls)")
        log = str(app.screen.query_one("#log", Static).render())
    assert log.count("AI black: Airship to") == 1
    assert len([line for line in table.view().log if "AI black: Airship to" in line.text]) == 2


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("key", ["f", "i", "s", "o"])
async def test_a_question_leaves_the_map_in_sight(
    table: Table, key: str, size: tuple[int, int]
) -> None:
    ahead(table, *AS_PAIR)
    app = Dashboard(table)
    async with app.run_test(size=size) as pilot:
        await until(pilot, app, "Ada, place an Airship")
        await press(pilot, key)
        await until(pilot, app, "Esc ")
        text = screen_text(app)
    for region in game(table).table.board.regions:
        assert region.name in text
    assert "5 Ember Estuary" in text


async def test_a_peek_is_offered_for_the_objectives_that_the_seat_has_not_seen(
    tmp_path: Path,
) -> None:
    with closing(opened(tmp_path, "Ada Bo Cy", map="example")) as table:
        ahead(table, "1", "1")
        app = Dashboard(table)
        async with app.run_test(size=(80, 24)) as pilot:
            await press(pilot, "t", "1")
            ahead(table, "1", "2")
            await press(pilot, "t")
            offered = [
                f"{number} the Objective of round {number}" in screen_text(app)
                for number in range(1, 6)
            ]
            await press(pilot, "4")
        assert offered == [False, True, True, True, True]
        assert game(table).peeks == (("ada", 1), ("ada", 4))


async def test_what_is_refused_after_the_last_question_asks_it_again_and_backspace_the_one_before(
    tmp_path: Path,
) -> None:
    with closing(opened(tmp_path, "Ada Bo Cy", map="example")) as table:
        ahead(table, "1", "1")
        app = Dashboard(table)
        cards = AskField(
            "card",
            "which card?",
            tuple(Item(card, f"card {card}", key=str(card)) for card in (1, 2)),
        )
        asks = [cards, AskField("resource", "look at the card: what is taken?", TAKEN)]
        async with app.run_test(size=(80, 24)) as pilot:
            await app.push_screen(
                Chooser(table, game(table), "Ada scouts", "scout", {"seat": "ada"}, asks)
            )
            await press(pilot, "2", "g")
            await until(pilot, app, "look at the card: what is taken?")
            assert "! There is no Hidden card 2" in screen_text(app)
            await press(pilot, "backspace")
            await until(pilot, app, "which card?")
            await press(pilot, "1", "g")
            await until(pilot, app, "Ada pays 2 Gold, scouts Hidden card 1 and takes 1 Gold")


async def test_a_list_is_worked_by_arrows_and_the_mouse_too(table: Table) -> None:
    ahead(table, *AS_PAIR)
    app = Dashboard(table)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "m", "down", "down", "enter")
        ais_move(table)
        await press(pilot, "m")
        await pilot.click("#menu", offset=(4, 4))
        await pilot.pause()
        ais_move(table)
        await press(pilot, "i", "escape")
    built = [
        (piece.building, piece.platform)
        for piece in game(table).table.buildings
        if piece.player == "ada"
    ]
    assert built == [("market", "3"), ("market", "5")]
    assert not [flight for flight in game(table).table.flights if flight.player == "ada"]


async def test_a_click_on_a_region_answers_as_its_key_does(table: Table) -> None:
    ahead(table, *AS_PAIR)
    app = Dashboard(table)
    async with app.run_test(size=(160, 50)) as pilot:
        rows = screen_text(app).splitlines()
        row = next(at for at, text in enumerate(rows) if "6 Foggy Flats" in text)
        on_screen = Offset(rows[row].index("6 Foggy") + 3, row)
        await pilot.click(
            "#sky-map", offset=on_screen - app.screen.query_one("#sky-map").region.offset
        )
        await until(pilot, app, "Ada places an Airship in Foggy Flats")


async def test_a_key_that_means_nothing_now_says_what_is_awaited(table: Table) -> None:
    app = Dashboard(table)
    async with app.run_test(size=(120, 40)) as pilot:
        await press(pilot, "f")
        await until(pilot, app, "! Nobody has a turn now. Who takes turn slot 1? Press 1 Ada.")
        ahead(table, *AS_PAIR)
        await press(pilot, "p")
        await until(pilot, app, "! Powers are entered at the end of the round. Play on until then.")
        ahead(table, "3")
        await press(pilot, "s")
        await until(pilot, app, "! AI black's cards are turned up by the companion. Press n.")
        table.enter("abandon", {})
        await until(pilot, app, "The game was ended early")
        await press(pilot, "escape", "s")
        text = await until(
            pilot, app, "! The table has ended the game early. Undo that to play on."
        )
        assert "─ ○ AI black ─" in text
        assert "━ ○ AI black ━" not in text, "it is nobody's turn any more"
        assert " turn ━" not in text


def test_a_form_of_a_round_says_after_the_end_that_the_game_is_over(tmp_path: Path) -> None:
    with recorded("fractured-sky", "four-seats", None, tmp_path) as table:
        for key in ("powers", "skimmer", "take", "compass", "here", "move.up"):
            with pytest.raises(Refused, match="the game is over"):
                FracturedSkyScreen().form(f"fractured-sky.{key}", table)


def working(table: Table) -> set[str]:
    """What of the screen's keys help lists among those that work now."""
    screen, view = FracturedSkyScreen(), table.view()
    return {
        action.id.removeprefix("fractured-sky.")
        for action in screen.actions()
        if screen.works(action, view)
    }


def test_keys_that_do_nothing_after_the_end_are_not_said_to_work(
    tmp_path: Path, table: Table
) -> None:
    assert not working(table) & {"resolution", "here", "move.up"}, (
        "nobody has begun, so no round was resolved"
    )
    table.do("fractured-sky.answer.1")
    assert {"here", "move.up", "by_hand"} <= working(table), (
        "the map answers which region the Public card shows"
    )
    table.enter("abandon", {})
    assert working(table) == set()
    with recorded("fractured-sky", "four-seats", None, tmp_path) as over:
        assert working(over) == {"resolution", "by_hand"}


async def test_an_ais_turn_by_physical_cards_takes_two_keys_and_three_where_the_compass_decides(
    tmp_path: Path,
) -> None:
    with closing(opened(tmp_path, map="example", ai_cards="physical")) as table:
        ahead(table, "1", "1", "3")
        app = Dashboard(table)
        async with app.run_test(size=(80, 24)) as pilot:
            await press(pilot, "a", "n")  # one Starfall shows: there is nothing to ask
            await press(pilot, "f", "n")
            assert [ship.player for ship in game(table).table.ships] == ["ada", "@black"]
            await press(pilot, "4", "a")
            await until(pilot, app, "AI black: which way does the compass point?")
            assert "Look at AI black's card before this one (Airship)." in " ".join(
                screen_text(app).split()
            )
            await press(pilot, "c")  # south-east
            await until(pilot, app, "compass: furthest south-east")
            await press(pilot, "n")
            assert [ship.player for ship in game(table).table.ships] == [
                "ada",
                "@black",
                "ada",
                "@black",
            ]


def to_a_second_airship(table: Table) -> None:
    """The AIs' first cards are played; where black's second Airship goes only a compass decides."""
    ahead(table, "1", "1", "3")
    for ai, card in (("@black", "airship"), ("@orange", "fortress")):
        table.enter("ai_turn", {"ai": ai, "card": card})
        ahead(table, "n")
    ahead(table, "4")


async def test_a_compass_that_was_left_is_opened_by_its_key_and_a_number_of_the_map_answers_the_tie_itself(
    tmp_path: Path,
) -> None:
    with closing(opened(tmp_path, map="example", ai_cards="physical")) as table:
        to_a_second_airship(table)
        app = Dashboard(table)
        async with app.run_test(size=(80, 24)) as pilot:
            await press(pilot, "d")
            await until(pilot, app, "! No compass is asked for")
            await press(pilot, "a", "escape")
            await until(pilot, app, "you decide: ")
            await press(pilot, "m")
            await until(pilot, app, "! AI black's Airship comes first. Where does AI black's")
            await press(pilot, "d", "enter")
            await until(pilot, app, "! No star of the compass is named", "6 Foggy Flats")
            await press(pilot, "1")  # its own Airship stands there: none of those that are tied
            await until(pilot, app, "which way does the compass point?")
            await press(pilot, "6")
            await until(
                pilot,
                app,
                "> Place AI black's Airship in Foggy Flats. Then press n (k: impossible).",
            )
            await press(pilot, "n")
            assert game(table).table.ships[-1].region == "foggy-flats"


def round_one(table: Table) -> None:
    """Play a round up to its powers: three Airships, a slot, the Hidden card."""
    ahead(table, *AS_PAIR)
    for region in ("1", "3", "6"):
        ahead(table, region)
        if game(table).phase == "slot":
            free = [slot.number for slot in game(table).slots if slot.player is None]
            ahead(table, str(free[0]))
        ais_move(table)
        while game(table).phase == "early":
            ahead(table, "5")
            ais_move(table)
    while game(table).phase == "hidden":
        ahead(table, "5")


async def test_powers_are_entered_and_the_round_is_resolved_region_by_region(table: Table) -> None:
    round_one(table)
    app = Dashboard(table)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "p")
        await until(pilot, app, "Type Ada's power in Amber Atoll", "Missing: Ada.")
        await press(pilot, "6", "enter", "3", "enter")
        await until(pilot, app, "Missing: Ada.", "  sum ")
        await press(pilot, "2", "enter")
        await until(
            pilot,
            app,
            "End of round 1",
            "Round 1, region by region",
            "Ada 5 = chip 6 - 1",
            "example map",
        )
        assert game(table).phase == "resolve"
        resolution = game(table).resolution
        assert resolution is not None
    assert [result.region for result in resolution.regions] == sorted(
        (result.region for result in resolution.regions),
        key=game(table).table.board.left_to_right.index,
    )


async def test_what_was_missed_of_a_place_belongs_where_the_form_says(table: Table) -> None:
    ahead(table, *AS_PAIR, "3")
    app = Dashboard(table)
    async with app.run_test(size=(80, 50)) as pilot:
        await press(pilot, "c", "f3", "8")
        await until(pilot, app, "Add a missed one")
        await press(pilot, *"ppp")
        await until(pilot, app, "< piece leaves the board >")
        await press(
            pilot, "tab", *"ada", "tab", "a", "tab", *"copper-crag", "tab", *"seen", "enter"
        )
        await until(pilot, app, "Ada's Airship leaves Copper Crag: seen")


async def test_the_table_is_offered_by_hand_only_what_and_whom_the_game_takes_and_marks_several_by_the_space_bar(
    tmp_path: Path,
) -> None:
    with closing(opened(tmp_path, "Ada Bo Cleo", map="example")) as three:
        three.enter("seat_leaves", {"seat": "cleo"})
        three.enter("first", {"seat": "ada"})
        app = Dashboard(three)
        async with app.run_test(size=(80, 24)) as pilot:
            await press(pilot, "o")
            await until(pilot, app, "< whose turn it is >  1 of 9")  # of no AI: none is there
            await press(pilot, "tab", "right")
            await until(pilot, app, "< ● Ada >  1 of 2")
            await press(pilot, "shift+tab", "p")
            await until(pilot, app, "< piece leaves the board >")
            await press(pilot, "tab", "left")
            await until(pilot, app, "< ■ Cleo >  3 of 3")  # a building of who left stays
            await press(pilot, "shift+tab", "w", "tab", "space", "right", "space", "space")
            await until(pilot, app, "[x] ● Ada >[ ] ▲ Bo<")


async def test_the_table_sets_a_count_by_hand_with_its_reason(table: Table) -> None:
    ahead(table, *AS_PAIR)
    app = Dashboard(table)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "o")
        await until(pilot, app, "Change by hand (example map)")
        await press(pilot, "right")
        await until(pilot, app, "count is set by hand")
        await press(pilot, "tab", "tab")
        await until(pilot, app, "one of these: left and right")
        await press(pilot, "shift+tab", "shift+tab")
        await press(pilot, "tab", "s", "tab", *["right"] * 3, "tab", *"4", "tab", *"seen", "enter")
        await until(pilot, app, "set to 4 by hand: seen")
    assert next(player for player in game(table).players if player.id == "@orange").starfalls == 4


async def test_what_a_seat_saw_is_told_and_weighed_behind_its_curtain_alone(table: Table) -> None:
    ahead(table, *AS_PAIR, "3")
    app = Dashboard(table)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "j", "enter")
        await until(pilot, app, "Explore draw 1  not noted yet")
        await press(pilot, "7", "enter")
        await until(pilot, app, "Explore draw 1  Gusty Gorge")
        await press(pilot, "pagedown")
        await until(pilot, app, "Gusty Gorge            0  100%  0%   0%")
        await press(pilot, "pagedown", "pagedown", "pagedown")
        await until(pilot, app, "no Hidden Starfall there this")
        await press(pilot, "escape")
        await until(pilot, app, "draws a Hidden card")
        text = screen_text(app)
    assert "noted" not in text  # nor that anything was
    assert "100%" not in text
    assert text.count("Gusty Gorge") == 1  # its name on the map


def dealt(table: Table) -> None:
    """The companion deals the first round and shuffles the AIs' cards."""
    ahead(table, "1")
    while game(table).phase in ("public", "shuffle"):
        ahead(table, "n")


async def test_a_card_that_the_companion_dealt_is_shown_to_its_seat_alone(tmp_path: Path) -> None:
    with closing(opened(tmp_path, map="example", starfalls="virtual")) as table:
        dealt(table)
        ahead(table, "3")
        app = Dashboard(table)
        async with app.run_test(size=(80, 24)) as pilot:
            seen = table.seat_view("ada").sights[0].region
            name = game(table).table.board.name(seen)
            assert "Explore draw 1  " not in screen_text(app)
            await press(pilot, "j", "enter")
            await until(pilot, app, f"Explore draw 1  {name}")


async def test_a_box_without_places_says_so_on_the_page_of_statistics(tmp_path: Path) -> None:
    with closing(opened(tmp_path, "Ada Bob")) as table:
        ahead(table, "1", "1")
        app = Dashboard(table)
        async with app.run_test(size=(120, 40)) as pilot:
            text = screen_text(app)
            await press(pilot, "f")
            await until(
                pilot, app, "! No platform is known yet. Enter it with its bridges: press o."
            )
            await press(pilot, "o")
            await until(pilot, app, "what       < platf", "> platform")
            await press(pilot, "escape")
            await press(pilot, "v")
            await press(pilot, "end")
            await until(pilot, app, "places unknown; where a compass decides, the table says which")
    assert "1 Careening Cliffs" in text
    assert "no map is entered" in text
    assert "example map" not in text


async def test_five_seats_have_room_on_the_large_board(tmp_path: Path) -> None:
    with closing(opened(tmp_path, "Ada Bob Cleo Dan Eve", map="example")) as table:
        ahead(table, "1", "1", "10")
        app = Dashboard(table)
        async with app.run_test(size=(80, 24)) as pilot:
            await until(pilot, app, "Ada places an Airship in Jade Jungle")
            text = screen_text(app)
    for name in ("Ada", "Bob", "Cleo", "Dan", "Eve"):
        assert name in text
    assert "0 Jade Jungle" in text
    assert "Next turns: 1, 2, 3, 4 (1" in text


async def test_the_footer_has_only_keys_that_mean_something_now(table: Table) -> None:
    app = Dashboard(table)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, app, "Who takes turn slot 1? Press 1 Ada.")
        assert "\n c fix mistakes  ? help  l log  ^q quit" in screen_text(app)
        ahead(table, *AS_PAIR)
        await until(
            pilot, app, "Ada, place an Airship in a region: 1 to 8. Or build (f m i) or scout (s)."
        )
        assert (
            "\n f Fortress  m Market  i Skimmer  s scout  down move on map\n c fix mistakes  ? help"
            in screen_text(app)
        )
        ahead(table, "3")
        await until(pilot, app, "Press n to turn up AI black's card.")
        assert "\n down move on map  c fix mistakes  ? help  l log  ^q quit" in screen_text(app)


async def test_the_footer_names_the_key_of_an_airship_where_the_table_turns_up_cards(
    tmp_path: Path,
) -> None:
    with closing(opened(tmp_path, map="example", ai_cards="physical")) as table:
        ahead(table, "1", "1")
        app = Dashboard(table)
        async with app.run_test(size=(80, 24)) as pilot:
            await until(
                pilot,
                app,
                "Ada, place an Airship in a region: 1 to 8. Or build (f m i) or scout (s).",
            )
            assert "a Airship" not in screen_text(app)
            await press(pilot, "3")
            await until(pilot, app, "Which card does AI black turn up? Press a f m i s.")
            assert "\n a Airship  f Fortress  m Market  i Skimmer  s scout" in screen_text(app)


async def test_a_dealt_card_is_looked_at_first_and_a_resource_taken_then(tmp_path: Path) -> None:
    with closing(opened(tmp_path, map="example", starfalls="virtual")) as table:
        dealt(table)
        clock = ManualClock()
        app = Dashboard(table, clock=clock)
        async with app.run_test(size=(80, 24)) as pilot:
            assert "g take" not in screen_text(app)
            await press(pilot, "s")  # one card, and nothing to say of it yet
            await until(pilot, app, "Ada pays 2 Gold and scouts Hidden card 1")
            await until(pilot, app, "Ada may take a resource for Hidden card 1")
            assert "\n g take  down move on map  c fix mistakes" in screen_text(app)
            await press(pilot, "j", "enter")
            await until(pilot, app, f"Hidden card 1  {seen_of(table)}")
            await press(pilot, "escape")
            clock.now += KEYS_IGNORED_S
            await press(pilot, "g")
            await until(pilot, app, "Ada takes for Hidden card 1 (example map)")
            await press(pilot, "w")
            await until(pilot, app, "Ada takes 1 Wood for Hidden card 1")
            await press(pilot, "g")
            await until(
                pilot,
                app,
                "! Nobody has just looked at a card without taking. Press n to turn up AI",
            )


def seen_of(table: Table) -> str:
    """The name of the region on the first card that Ada saw."""
    return game(table).table.board.name(table.seat_view("ada").sights[0].region)


async def test_other_keys_answer_and_are_named_on_the_map_and_in_the_forms(tmp_path: Path) -> None:
    keys = {"fractured-sky.answer.2": ("f12",), "fractured-sky.resolution": ("R",)}
    with closing(opened(tmp_path, map="example", difficulty="medium")) as table:
        app = Dashboard(table, keys=keys)
        async with app.run_test(size=(120, 40)) as pilot:
            await until(pilot, app, "F12 ")
            ahead(table, *AS_PAIR)
            await press(pilot, "i", "f12")
            assert game(table).table.flights[0].region == game(table).table.board.ids[1]
            await press(pilot, "R")
            assert "No round is over yet." in screen_text(app)
            await press(pilot, "R")
            assert "No round is over yet." not in screen_text(app)


async def test_what_the_screen_refuses_by_a_clause_is_opened_as_well(table: Table) -> None:
    app = Dashboard(table, keys={"fractured-sky.next": ("N",)})
    async with app.run_test(size=(120, 40)) as pilot:
        await press(pilot, "p")
        assert "! Powers are entered at the end of the round. Play on until then." in screen_text(
            app
        )
        await press(pilot, "ctrl+r")
        await until(pilot, app, "Refused     Powers are entered at the end of the round")
        assert "FS-21       " in screen_text(app)


async def test_beside_the_map_an_answer_is_whole_and_its_number_gives_way(tmp_path: Path) -> None:
    with recorded("fractured-sky", "virtual-decks", 45, tmp_path) as table:
        app = Dashboard(table, clock=ManualClock())
        async with app.run_test(size=(110, 32)) as pilot:
            await pilot.press("o")
            await until(pilot, app, "< whose turn it is >")


async def test_while_the_map_is_not_entered_its_panel_says_so_and_no_region_repeats_it(
    tmp_path: Path,
) -> None:
    with closing(opened(tmp_path, "Ada Bo")) as table:
        app = Dashboard(table, clock=ManualClock())
        async with app.run_test(size=(160, 50)) as pilot:
            await pilot.press(*AS_PAIR)
            text = await until(pilot, app, "Regions and platforms: no map is entered")
    assert text.count("resources unknown") <= 1, "in the words beside the map"


def with_platforms(table: Table, *platforms: str) -> None:
    """Begin a round on a board of which these platforms with one place are known."""
    ahead(table, "1", "1")
    for platform in platforms:
        table.enter("map_platform", {"platform": platform, "regions": ["creepy-cove"], "places": 1})


async def test_a_building_without_a_known_free_place_asks_for_another_platform(
    tmp_path: Path,
) -> None:
    with closing(opened(tmp_path, "Ada Bob Cy")) as table:
        with_platforms(table, "1")
        table.enter("build", {"seat": "ada", "building": "market", "platform": "1"})
        app = Dashboard(table)
        async with app.run_test(size=(80, 24)) as pilot:
            await press(pilot, "m")
            await until(
                pilot,
                app,
                "! No known platform has a free place. Enter another with its bridges: press o.",
            )
            await press(pilot, "o")
            await until(pilot, app, "< platform and its bridges >")


async def test_the_form_of_a_building_offers_the_free_platforms_and_another_one(
    tmp_path: Path,
) -> None:
    with closing(opened(tmp_path, "Ada Bob Cy")) as table:
        with_platforms(table, "1", "2")
        table.enter("build", {"seat": "ada", "building": "market", "platform": "1"})
        app = Dashboard(table)
        async with app.run_test(size=(80, 24)) as pilot:
            await press(pilot, "m")
            text = await until(pilot, app, "on which platform?", "another platform")
            assert "1 free" in text
            assert "0 free" not in text
            await press(pilot, "o")
            await until(pilot, app, "< platform and its bridges >")
            await press(pilot, "escape", "m", "2")
            await until(pilot, app, "Bob builds a Market on platform 2")


async def test_changes_by_hand_begin_with_what_is_asked_for_and_keep_their_order(
    tmp_path: Path,
) -> None:
    with closing(opened(tmp_path, map="example", ai_cards="physical")) as table:
        ahead(table, "1", "1")
        app = Dashboard(table)
        async with app.run_test(size=(80, 24)) as pilot:
            await until(pilot, app, "Enter AI black's 3 unused tokens")
            await press(pilot, "o")
            await until(pilot, app, "AI's unused tokens", "< AI black >  1 of 2", "> tokens")
            await press(pilot, "shift+tab", "shift+tab", "left", "left")
            await until(pilot, app, "< powers under Airships >")
            await press(pilot, *["left"] * 4)
            await until(pilot, app, "< whose turn it is >  1 of")


async def test_a_card_that_is_not_possible_asks_for_the_next_one(tmp_path: Path) -> None:
    with closing(opened(tmp_path, map="example", ai_cards="physical")) as table:
        ahead(table, "1", "1", "3")
        for piece in ("skimmer", "skimmer"):
            table.enter("ai_turn", {"ai": "@black", "card": piece, "stars": []})
            table.enter("ai_done", {})
            table.enter("turn", {"player": "@black", "reason": "for the test"})
        app = Dashboard(table)
        async with app.run_test(size=(80, 24)) as pilot:
            await until(pilot, app, "Which card does AI black turn up?")
            await press(pilot, "i")
            await until(pilot, app, "Skimmer is not possible: turn up AI black's next card.")


async def test_the_compass_form_names_the_card_to_look_at(tmp_path: Path) -> None:
    with closing(opened(tmp_path, map="example", ai_cards="physical")) as table:
        ahead(table, "1", "1", "3")
        table.enter("ai_turn", {"ai": "@black", "card": "airship", "stars": []})
        table.enter("ai_done", {})
        table.enter("turn", {"player": "@black", "reason": "for the test"})
        app = Dashboard(table)
        async with app.run_test(size=(80, 24)) as pilot:
            await press(pilot, "a")
            await until(
                pilot,
                app,
                "Look at AI black's card before this one (Airship).",
                "w north, e d c x z a q clockwise",
            )


async def test_a_region_without_a_name_says_how_to_enter_it(tmp_path: Path) -> None:
    with closing(opened(tmp_path, "Ada Bob")) as table:
        ahead(table, "1")
        app = Dashboard(table)
        async with app.run_test(size=(80, 24)) as pilot:
            await press(pilot, *["down"] * 7)
            await until(pilot, app, "Unnamed region: resources unknown; name unknown: o enters it")


async def test_a_platform_that_is_asked_for_is_typed_at_once_and_its_regions_by_their_numbers(
    tmp_path: Path,
) -> None:
    with closing(opened(tmp_path, ai_cards="physical")) as table:
        table.enter("first", {"seat": table.view().setup.seats[0].id})
        app = Dashboard(table)
        async with app.run_test(size=(80, 24)) as pilot:
            await press(pilot, "o")
            await until(pilot, app, "> platform", "platform and its bridges")
            await press(pilot, "1", "tab", "3", "5")
            await until(pilot, app, "[x] 3", ">[x] 5<", "platform and its bridges")
            await press(pilot, "5", "x")
            await until(pilot, app, ">[ ] 5<", "! No answer here begins with x.")
