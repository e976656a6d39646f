"""One session, told to an overlay, a hook and an MQTT broker while it is played: in the end all three say the same."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest

from companion.config.outlets import Broker, Hook
from companion.config.schema import Preferences
from companion.feed.events import EVENT
from companion.outbound.outlets import Outlets
from companion.web import at_play
from companion.web.addresses import LOCALHOST
from companion.web.at_play import TablePages
from tests.dashboard.every_screen import ENDED, Game
from tests.dashboard.recorded import recorded, rest_of
from tests.feed.feeding import feed_of
from tests.outbound.broker import TIMEOUT_S, mosquitto, needs_broker, reading
from tests.outbound.receiver import receiver
from tests.thorough import THOROUGH
from tests.web.browser import Browser, Chromium

pytestmark = needs_broker
SHOWN = """({
  where: document.getElementById("where").innerText,
  players: [...document.querySelectorAll("#players li")].map((each) => [
    each.dataset.player, each.querySelector(".name").innerText, each.querySelector(".score").innerText,
    each.className === "out", each.className === "turn"]),
})"""


@pytest.fixture(scope="module")
def page(chromium: Chromium) -> Iterator[Browser]:
    with chromium.page() as page:
        yield page


def as_shown(table: dict[str, Any]) -> dict[str, Any]:
    """Return what an overlay has to show of the table."""
    players = [
        [
            player["id"],
            player["name"],
            "?" if player["score"] is None else str(player["score"]),
            player["id"] not in table["turn"] and (player["out"] or player["left"]),
            player["id"] in table["turn"],
        ]
        for player in table["players"]
    ]
    return {
        "where": f"{table['where']} - paused" if table["paused"] else table["where"],
        "players": players,
    }


@pytest.mark.parametrize("game", ENDED if THOROUGH else ENDED[::2], ids=str)
def test_overlay_hook_and_broker_end_with_the_same_table(
    page: Browser, game: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(at_play, "PORT", 0)
    with (
        mosquitto(tmp_path) as broker,
        receiver() as server,
        reading(broker) as reader,
        recorded(game.id, game.name, 1, tmp_path) as table,
        closing(TablePages(table, LOCALHOST)) as pages,
        ExitStack() as ending,
    ):
        wanted = Preferences(
            hooks=(Hook("all", url=f"{server.url}/x"),), mqtt=Broker("127.0.0.1", broker.port)
        )
        ending.callback(Outlets(table, wanted, leave_s=TIMEOUT_S).close)
        page.open(f"{pages.address_of()}overlay")
        rest_of(game.id, game.name, 1, table)
        last = feed_of(table)[-1]
        assert last.table.ended
        wanted = last.model_dump(mode="json")["table"]
        posted = server.until(1)
        while EVENT.validate_json(posted[-1].body).number < last.number:
            posted = server.until(len(posted) + 1)
        reader.until(
            lambda: (
                json.loads(reader.retained.get("table-companion/state", '{"number": 0}'))["number"]
                == last.number
            )
        )
        page.wait_for(SHOWN, lambda shown: shown == as_shown(wanted))
        assert EVENT.validate_json(posted[-1].body) == last
        assert json.loads(reader.retained["table-companion/state"])["table"] == wanted
        assert EVENT.validate_json(reader.of("table-companion/event")[-1]) == last
        page.open("about:blank")
        page.wait_for("location.href === 'about:blank'")
