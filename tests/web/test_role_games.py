"""Whole games played on a page of the table, in a real browser, by taps alone."""

from __future__ import annotations

from collections import Counter
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from companion.session.roles import Role
from companion.session.table import Table
from companion.session.taps import Wish
from companion.web import app, at_play, tap_post
from companion.web.addresses import LOCALHOST
from companion.web.at_play import TablePages
from tests.session.tap_scripts import StepClock, played, script_of, transcript, type_in
from tests.thorough import THOROUGH
from tests.web.browser import Chromium
from tests.web.role_clicks import in_a_hurry, opened, tap

pytestmark = pytest.mark.usefixtures("own_games")
GAMES = ["panic-fire", "skyfire", "sky-rise", "fractured-sky", "drills", "hearts"]
NAMES = ("Anna", "Bo", "Cleo")


@pytest.mark.parametrize("game", GAMES if THOROUGH else ["skyfire"])
def test_a_game_is_played_to_its_end_by_taps_as_by_keys(
    game: str, chromium: Chromium, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(at_play, "PORT", 0)
    monkeypatch.setattr(tap_post, "MOST_A_SECOND", 1_000)  # no finger is as quick as a script
    monkeypatch.setattr(app, "HEARD_S", 0.02)
    names = (*NAMES, "Dmitri") if game == "hearts" else NAMES
    script = script_of(game, names, 3, tmp_path)
    steps = []

    def by_key(table: Table, _clock: StepClock, wish: Wish) -> None:
        type_in(table, wish)
        steps.append(transcript(table))

    typed = played(script, tmp_path / "typed.sqlite", by_key)
    found = Counter[str]()
    with chromium.page() as phone, in_a_hurry(phone), ExitStack() as open_pages:

        def do(table: Table, _clock: StepClock, wish: Wish) -> None:
            if not found:
                opened(
                    phone,
                    open_pages.enter_context(closing(TablePages(table, LOCALHOST))),
                    Role.TABLE,
                )
            found[tap(phone, table, wish)] += 1
            assert transcript(table) == steps[sum(found.values()) - 1], wish

        tapped = played(script, tmp_path / "tapped.sqlite", do)
        assert phone.errors == []
    assert tapped == typed
    assert found
