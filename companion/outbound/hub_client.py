"""What a table says to its hub, and what the hub answers. HUB.md describes both."""

from __future__ import annotations

import gzip
import json
import time
from collections.abc import Callable, Container, Mapping
from email.utils import formatdate
from typing import Any, Final, TypeVar
from urllib.parse import urlsplit

from companion import __version__
from companion.outbound.exchange import UndeliveredError, exchange
from companion.outbound.hub_batches import HubBatches, HubHead, HubRefused, OlderCopy, OtherEnd
from companion.outbound.hub_ticket import Ticket, laptop_mark
from companion.outbound.shown_game import ShownGame
from companion.outbound.table_trouble import FIELD
from companion.rules.columns import clean

Said = TypeVar("Said")
LIMIT_S: Final = 10.0
"""Seconds that one request has."""
LARGEST_ANSWER: Final = 1 << 16  # bytes
PACKED_FROM: Final = 16 << 10
"""Bytes from which on a batch is packed: what a table in play sends is smaller; what it sends when a network comes back
is not, and goes over the air."""
PACKING: Final = 1  # the quickest: it takes a batch to a tenth already
TOO_OLD: Final = (
    "This hub is of an earlier version, which shows no laptop how far a game is: begin a new game for what is left of "
    "this one, and ask the organiser to update the hub before the next evening."
)
NO_FIELDS: Final[Mapping[str, str]] = {}
_LATER: Final = frozenset({408, 429, 500, 502, 503, 504})
"""Statuses that say: try again."""


class NoHub(HubRefused):
    """Something answered that is not a hub, or a hub too old for this request."""


class HubClient:
    """The hub, as the table that joined by `ticket` speaks to it, about the session whose first entry has that
    digest."""

    def __init__(self, ticket: Ticket, session: bytes, limit_s: float = LIMIT_S) -> None:
        """`limit_s`: seconds that one request has."""
        self._ticket, self._limit_s = ticket, limit_s
        self._path = f"/table/sessions/{session.hex()}"
        self._laptop = laptop_mark()
        self.troubles: Callable[[], tuple[str, ...]] = tuple
        """What is wrong at this table, as the hub is told with each batch."""
        self.clock_off_s = 0.0
        """How many seconds this computer's clock is ahead of the hub's, by its last answer."""

    def head(self) -> HubHead:
        """Return how far the hub has the session; raise `UndeliveredError` or `HubRefused`."""
        return self._asked("GET", None)

    def send(self, batch: Mapping[str, Any]) -> HubHead:
        """Send a batch; return how far the hub has it then, on its disk. Raise as `head` does: then it may have it or
        not, and `head` tells."""
        body = json.dumps(batch, separators=(",", ":")).encode()
        if len(body) < PACKED_FROM:
            return self._asked("POST", body)
        return self._asked("POST", gzip.compress(body, PACKING), {"content-encoding": "gzip"})

    def _asked(
        self, method: str, body: bytes | None, more: Mapping[str, str] = NO_FIELDS
    ) -> HubHead:
        fields = {"authorization": f"Bearer {self._ticket.token}", "x-laptop": self._laptop, **more}

        if troubles := ",".join(self.troubles()):
            fields[FIELD] = troubles
        fields["date"] = formatdate(usegmt=True)

        def head(said: Mapping[str, Any]) -> HubHead:
            hub_time = said.get("time")  # older hubs do not say it
            if isinstance(hub_time, int | float):
                self.clock_off_s = time.time() - hub_time
            return HubHead(int(said["n"]), bytes.fromhex(said["digest"]), int(said["event"]))

        address, limit_s = self._ticket.address, self._limit_s
        return _asked(
            address, method, self._path, body, fields, head, later=_LATER, limit_s=limit_s
        )


def agree(batches: HubBatches, client: HubClient) -> None:
    """Have `batches` go on behind what the hub has. Where the hub has another end of the record, show it this one, so
    that the organiser learns of both; raise `HubRefused` then, and for an older copy, else as `HubClient.head` does."""
    head = client.head()
    try:
        batches.begin(head)
    except (OlderCopy, OtherEnd):
        # a hub that sees a fork refuses this, and says what was decided
        client.send(batches.last_shared(head))
        raise


def last_shown(ticket: Ticket) -> list[ShownGame]:
    """Return this table's games as the hub showed them last, the newest first; raise `UndeliveredError` or
    `HubRefused`."""
    fields = {"authorization": f"Bearer {ticket.token}", "x-laptop": laptop_mark()}

    def shown(said: Mapping[str, Any]) -> list[ShownGame]:
        return [ShownGame.model_validate_json(json.dumps(each)) for each in said["sessions"]]

    try:
        return _asked(ticket.address, "GET", "/table/sessions", None, fields, shown, later=_LATER)
    except NoHub as why:
        raise HubRefused(TOO_OLD) from why


def join(address: str, code: str) -> Ticket:
    """Join the hub there by a code, and return the ticket; raise `UndeliveredError` or `HubRefused`."""
    body = json.dumps({"code": code, "laptop": laptop_mark()}).encode()

    def ticket(said: Mapping[str, Any]) -> Ticket:
        return Ticket(address.rstrip("/"), str(said["hub"]), int(said["table"]), str(said["token"]))

    return _asked(address, "POST", "/table/join", body, {}, ticket)


def _asked(
    address: str,
    method: str,
    path: str,
    body: bytes | None,
    fields: Mapping[str, str],
    read: Callable[[Mapping[str, Any]], Said],
    later: Container[int] = (),
    limit_s: float = LIMIT_S,
) -> Said:
    """Return what `read` makes of the hub's answer; raise `UndeliveredError`, also for the statuses that say `later`,
    or `HubRefused`."""
    about = {
        "user-agent": f"table-companion/{__version__}",
        "content-type": "application/json",
        **fields,
    }
    place = urlsplit(address)
    status, content = exchange(
        place, method, place.path.rstrip("/") + path, body, about, limit_s, most=LARGEST_ANSWER
    )
    if status in later:
        raise UndeliveredError(_why_later(status, content))
    try:
        said = json.loads(content)
        if status == 200:
            return read(said)
        refused = str(said["refused"])[:300]
    except (KeyError, TypeError, ValueError, RecursionError):
        raise NoHub(
            f"{address} answered {status}, but not as a hub does. Is it a hub's address?"
        ) from None
    if said.get("fork") is True:
        raise OtherEnd(refused)
    raise HubRefused(refused)


def _why_later(status: int, content: bytes) -> str:
    """Why a hub takes nothing just now, as the end of a sentence: its own first sentence, where it gives one."""
    try:
        said = json.loads(content)["refused"]
    except (KeyError, TypeError, ValueError, RecursionError):
        said = ""
    first = clean(said).partition(". ")[0].rstrip(".") if isinstance(said, str) else ""
    return f'it says "{first[:200]}"' if first else f"it answered {status}"
