"""Sends a table's record to its hub in a thread. The game never waits, and goes on without a hub."""

from __future__ import annotations

import threading
import time
from typing import Final

from companion.feed.feed import FeedReading
from companion.journal.errors import JournalError
from companion.outbound.exchange import UndeliveredError
from companion.outbound.hub_batches import HubBatches, HubRefused, OtherEnd
from companion.outbound.hub_client import HubClient, agree
from companion.outbound.hub_ticket import Ticket
from companion.outbound.table_trouble import CLOCKS_APART_S, apart, troubles_of
from companion.rules.columns import plural
from companion.session.clocks import time_of_day
from companion.session.table import Table

PAUSES_S: Final = (1.0, 2.0, 4.0, 8.0, 15.0)
"""Seconds between tries; the last repeats for as long as the network is away."""
BEAT_S: Final = 10.0
"""Seconds until a table with nothing new reports that it is there."""
REFUSED_S: Final = 30.0
"""Seconds until a refused request is repeated: the organiser may have fixed the cause."""
LEAVE_S: Final = 2.0
"""Seconds for sending the rest when people leave."""


class HubLine:
    """Sends a table's record to its hub. The caller closes it after the table."""

    def __init__(
        self, table: Table, ticket: Ticket, delay_s: float = 0.0, leave_s: float = LEAVE_S
    ) -> None:
        """`delay_s` is the delay of the public events."""
        self._ticket, self._leave_s, self._tell = ticket, leave_s, table.tell
        self._news = threading.Event()
        self._ending = threading.Event()
        # The state in words, and the Unix time since when the hub lacks something, 0 if it lacks nothing. The thread
        # replaces the pair as a whole; any thread may read it.
        self._state = "not reached yet", 0.0
        self._known = False  # whether the hub's progress is known since it was last reached
        self._tries = 0
        self._other_end = False  # whether the hub reported another end since it last had everything
        self._batches = table.look(
            lambda record: HubBatches(
                record.entries,
                lambda: table.durable_n,
                FeedReading(
                    record.game, record.setup, record.entries, lambda: table.durable_n, delay_s
                ),
            )
        )
        self._client = HubClient(ticket, table.look(lambda record: record.entries[0].digest))
        self._client.troubles = lambda: troubles_of(table)
        self._clock_told = False
        self._troubles_told: tuple[str, ...] = ()
        others = table.readers
        table.readers = lambda: (*others(), self.row)
        table.behind = lambda: self.short
        self._unsubscribe = table.subscribe(self._news.set)
        self._thread = threading.Thread(target=self._run, name="hub", daemon=True)
        self._thread.start()

    @property
    def row(self) -> tuple[str, str]:
        """The hub and its state, for people."""
        state, since = self._state
        if since:
            state = f"{plural(self._batches.lag, 'entry', 'entries')} behind since {time_of_day(since)}: {state}"
        return f"{self._ticket.hub} (table {self._ticket.table})", state

    @property
    def short(self) -> str:
        """The number of entries the hub lacks, in two or three words; empty if none."""
        return f"hub {self._batches.lag} behind" if self._state[1] else ""

    def close(self) -> None:
        """Send the rest, within a bound, and end."""
        self._unsubscribe()
        self._ending.set()
        self._news.set()
        self._thread.join(self._leave_s)

    def _run(self) -> None:
        while True:
            ending, news = self._ending.is_set(), self._news.is_set()
            # both read before the turn: what comes during it gets a turn of its own
            self._news.clear()
            pause_s = self._turn(beat=not news)
            if ending:
                return
            if pause_s:
                self._ending.wait(pause_s)
            else:
                self._news.wait(BEAT_S)

    def _turn(self, *, beat: bool) -> float:
        """Try to send what the hub lacks, or at least a `beat`; return the seconds to rest."""
        try:
            self._talk(beat=beat)
        except JournalError:
            return PAUSES_S[0]  # old entries cannot be read now
        except UndeliveredError as problem:
            self._fall_behind(
                problem,
                f"Nothing reaches the hub just now ({problem}). Play on: it gets the rest later.",
            )
            self._tries += 1
            return PAUSES_S[min(self._tries, len(PAUSES_S)) - 1]
        except HubRefused as problem:
            self._other_end = self._other_end or isinstance(problem, OtherEnd)
            self._fall_behind(problem, f"The hub takes nothing: {problem}")
            return REFUSED_S
        self._tries = 0
        (_, since), sent = self._state, self._batches.sent
        count = plural(sent, "entry", "entries")
        if sent > 1:
            count = f"all {count}"
        self._state = f"{count} there", 0.0
        sentences = []
        if since:
            if self._other_end:
                sentences.append("The organiser decided that this file counts.")
            sentences.append("The hub has everything again.")
            self._other_end = False
        sentences += self._clock_sentences()
        if sentences:
            self._tell(" ".join(sentences))
        return 0.0

    def _clock_sentences(self) -> list[str]:
        """Report once that this computer's clock and the hub's differ. The order of the game depends on neither."""
        off_s, was_told = self._client.clock_off_s, self._clock_told
        self._clock_told = abs(off_s) > CLOCKS_APART_S
        if not self._clock_told or was_told:
            return []
        way = "ahead of" if off_s > 0 else "behind"
        return [
            f"This computer's clock is {apart(off_s)} {way} the hub's. Set the wrong one; the game goes on."
        ]

    def _talk(self, *, beat: bool) -> None:
        batches, client = self._batches, self._client
        if not self._known:
            # after an error it is unknown what arrived
            agree(batches, client)
            self._known = True
        while (batch := batches.next()) is not None:
            batches.stored(batch, client.send(batch))
            beat = False
        troubles = client.troubles()
        if beat or troubles != self._troubles_told:
            batches.begin(client.send(batches.beat()))
        self._troubles_told = troubles

    def _fall_behind(self, problem: Exception, sentence: str) -> None:
        """Note why nothing arrives, and show the `sentence` if the reason is new."""
        before, since = self._state
        self._known, self._state = False, (str(problem), since or time.time())
        if before != str(problem):
            self._tell(sentence)
