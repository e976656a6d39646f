"""What a table says on an MQTT broker: topics and what is in them. MQTT.md describes them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final, NamedTuple
from urllib.parse import quote

from companion.session.feed_events import Event, Player, line_of

ONLINE, OFFLINE = "online", "offline"
DISCOVERY: Final = "homeassistant"
"""How the topics begin where Home Assistant looks for what is announced."""
_LONGEST_STATE: Final = 255
"""Characters that a state may have there."""


class Told(NamedTuple):
    """A message: its topic, what it says (empty: what was retained is cleared), and whether the broker retains it."""

    topic: str
    payload: str
    retain: bool = True


class Topics:
    """The topics below one prefix."""

    def __init__(self, prefix: str, *, home_assistant: bool) -> None:
        self.status = f"{prefix}/status"
        self.state = f"{prefix}/state"
        self.event = f"{prefix}/event"
        self.again = f"{prefix}/again"
        """Whoever writes there asks for the last events again."""
        self._seat = f"{prefix}/seat/"
        self.seats = f"{self._seat}+"
        self._node = "".join(sign if sign.isascii() and sign.isalnum() else "_" for sign in prefix)
        self._home_assistant = home_assistant

    def of_event(self, event: Event) -> Told:
        """Return the event as a message."""
        return Told(self.event, line_of(event), retain=False)

    def of_state(self, event: Event) -> Iterator[Told]:
        """Yield how the table stands after an event, and each player who has not left."""
        fields = {"session", "number", "wall", "text", "table"}
        yield Told(self.state, json.dumps(event.model_dump(mode="json", include=fields), separators=(",", ":")))
        for player in event.table.players:
            topic = self.seat(player.id)
            if player.left:
                yield from self.cleared(topic)
                continue
            said = player.model_dump(mode="json") | {"turn": player.id in event.table.turn}
            yield Told(topic, json.dumps(said, separators=(",", ":")))
            if self._home_assistant:
                yield self._announced(topic, self._object(topic), player.name, "{{ value_json.score }}")
        if self._home_assistant:
            last = f"{{{{ value_json.text[:{_LONGEST_STATE}] }}}}"
            yield self._announced(self.state, f"{self._node}_last", "Last ruling", last)

    def seat(self, player: str) -> str:
        """Return the topic of a player; signs that mean something in a topic are written as in an address."""
        return f"{self._seat}{quote(player, safe='')}"

    def kept(self, players: tuple[Player, ...]) -> frozenset[str]:
        """Return the topics of those who have not left."""
        return frozenset(self.seat(player.id) for player in players if not player.left)

    def is_seat(self, topic: str) -> bool:
        """Return whether it is the topic of a player, of this session or one before."""
        return topic.startswith(self._seat)

    def cleared(self, topic: str) -> Iterator[Told]:
        """Yield what clears the topic of a player who has left."""
        yield Told(topic, "")
        if self._home_assistant:
            yield Told(self._config(self._object(topic)), "")

    def _object(self, topic: str) -> str:
        """The name of a seat's entity: letters and digits, the signs that `quote` left over in hexadecimal."""
        seat = topic.removeprefix(self._seat)
        return f"{self._node}_seat_" + "".join(sign if sign.isalnum() else f"_{ord(sign):02x}" for sign in seat)

    def _config(self, name: str) -> str:
        return f"{DISCOVERY}/sensor/{name}/config"

    def _announced(self, topic: str, name: str, called: str, value: str) -> Told:
        said = {
            "name": called,
            "unique_id": name,
            "state_topic": topic,
            "value_template": value,
            "availability_topic": self.status,
            "payload_available": ONLINE,
            "payload_not_available": OFFLINE,
            "device": {"identifiers": [self._node], "name": "Table companion"},
        }
        return Told(self._config(name), json.dumps(said, separators=(",", ":")))
