"""Requests of a table to its hub, and the hub's answers. HUB.md describes both."""

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

Answer = TypeVar("Answer")
LIMIT_S: Final = 10.0
"""Seconds for one request."""
LARGEST_ANSWER: Final = 1 << 16  # bytes
PACKED_FROM: Final = 16 << 10
"""Bytes from which a batch is compressed: those of a table in play are smaller; those after an outage are not, and go
over the air."""
PACKING: Final = 1  # gzip's fastest level, which already takes a batch to a tenth
TOO_OLD: Final = (
    "This hub is of an earlier version, which shows no laptop how far a game is: begin a new game for what is left of "
    "this one, and ask the organiser to update the hub before the next evening."
)
NO_FIELDS: Final[Mapping[str, str]] = {}
_LATER: Final = frozenset({408, 429, 500, 502, 503, 504})
"""Statuses that mean: try again."""


class NoHub(HubRefused):
    """The server that answered is not a hub, or is a hub too old for this request."""


class HubClient:
    """The hub as seen by a table that joined by `ticket`, for the session whose first entry has the digest
    `session`."""

    def __init__(self, ticket: Ticket, session: bytes, limit_s: float = LIMIT_S) -> None:
        """`limit_s`: seconds for one request."""
        self._ticket, self._limit_s = ticket, limit_s
        self._path = f"/table/sessions/{session.hex()}"
        self._laptop = laptop_mark()
        self.troubles: Callable[[], tuple[str, ...]] = tuple
        """Returns this table's troubles, which each request reports."""
        self.clock_off_s = 0.0
        """Seconds that this computer's clock is ahead of the hub's, by the last answer."""

    def head(self) -> HubHead:
        """Return the hub's progress with the session; raise `UndeliveredError` or `HubRefused`."""
        return self._request("GET", None)

    def send(self, batch: Mapping[str, Any]) -> HubHead:
        """Send a batch; return the hub's progress, which is on its disk. Raise as `head` does; after an error, only
        `head` tells if the hub has the batch."""
        body = json.dumps(batch, separators=(",", ":")).encode()
        if len(body) < PACKED_FROM:
            return self._request("POST", body)
        return self._request("POST", gzip.compress(body, PACKING), {"content-encoding": "gzip"})

    def _request(
        self, method: str, body: bytes | None, more: Mapping[str, str] = NO_FIELDS
    ) -> HubHead:
        fields = {"authorization": f"Bearer {self._ticket.token}", "x-laptop": self._laptop, **more}
        if troubles := ",".join(self.troubles()):
            fields[FIELD] = troubles
        fields["date"] = formatdate(usegmt=True)

        def head(answer: Mapping[str, Any]) -> HubHead:
            hub_time = answer.get("time")  # older hubs do not send it
            if isinstance(hub_time, int | float):
                self.clock_off_s = time.time() - hub_time
            return HubHead(int(answer["n"]), bytes.fromhex(answer["digest"]), int(answer["event"]))

        address, limit_s = self._ticket.address, self._limit_s
        return _request(
            address, method, self._path, body, fields, head, later=_LATER, limit_s=limit_s
        )


def agree(batches: HubBatches, client: HubClient) -> None:
    """Continue `batches` after what the hub has. If the hub has another end of the record, show it this one, so that
    the organiser sees both. Raise `HubRefused` then and for an older copy, else as `HubClient.head` does."""
    head = client.head()
    try:
        batches.begin(head)
    except (OlderCopy, OtherEnd):
        # a hub that sees two ends refuses this batch, and its answer says what was decided
        client.send(batches.last_shared(head))
        raise


def last_shown(ticket: Ticket) -> list[ShownGame]:
    """Return this table's games as the hub showed them last, the newest first; raise `UndeliveredError` or
    `HubRefused`."""
    fields = {"authorization": f"Bearer {ticket.token}", "x-laptop": laptop_mark()}

    def games(answer: Mapping[str, Any]) -> list[ShownGame]:
        return [ShownGame.model_validate_json(json.dumps(game)) for game in answer["sessions"]]

    try:
        return _request(ticket.address, "GET", "/table/sessions", None, fields, games, later=_LATER)
    except NoHub as why:
        raise HubRefused(TOO_OLD) from why


def join(address: str, code: str) -> Ticket:
    """Join the hub at an address with a code, and return the ticket; raise `UndeliveredError` or `HubRefused`."""
    body = json.dumps({"code": code, "laptop": laptop_mark()}).encode()

    def ticket(answer: Mapping[str, Any]) -> Ticket:
        return Ticket(
            address.rstrip("/"), str(answer["hub"]), int(answer["table"]), str(answer["token"])
        )

    return _request(address, "POST", "/table/join", body, {}, ticket)


def _request(
    address: str,
    method: str,
    path: str,
    body: bytes | None,
    fields: Mapping[str, str],
    read: Callable[[Mapping[str, Any]], Answer],
    later: Container[int] = (),
    limit_s: float = LIMIT_S,
) -> Answer:
    """Return `read` applied to the hub's answer; raise `UndeliveredError`, also for statuses in `later`, or
    `HubRefused`."""
    headers = {
        "user-agent": f"table-companion/{__version__}",
        "content-type": "application/json",
        **fields,
    }
    place = urlsplit(address)
    status, content = exchange(
        place, method, place.path.rstrip("/") + path, body, headers, limit_s, most=LARGEST_ANSWER
    )
    if status in later:
        raise UndeliveredError(_why_later(status, content))
    try:
        answer = json.loads(content)
        if status == 200:
            return read(answer)
        refused = str(answer["refused"])[:300]
    except (KeyError, TypeError, ValueError, RecursionError):
        raise NoHub(
            f"{address} answered {status}, but not as a hub does. Is it a hub's address?"
        ) from None
    if answer.get("fork") is True:
        raise OtherEnd(refused)
    raise HubRefused(refused)


def _why_later(status: int, content: bytes) -> str:
    """Return why a hub takes nothing now, as the end of a sentence: its own first sentence, if it gives one."""
    try:
        reason = json.loads(content)["refused"]
    except (KeyError, TypeError, ValueError, RecursionError):
        reason = ""
    first = ""
    if isinstance(reason, str):
        first = clean(reason).partition(". ")[0].rstrip(".")
    if not first:
        return f"it answered {status}"
    return f'it says "{first[:200]}"'
