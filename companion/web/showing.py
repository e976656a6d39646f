"""The contents of all pages at one moment: a snapshot is taken from a record, then drawn without it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from companion.display.panels import panels_of
from companion.feed.feed import session_id
from companion.reports.markup import Markup, join, text
from companion.rules.actions import Action
from companion.rules.facts import TABLE, Seat, SeatId, secret_kinds
from companion.rules.game import Game
from companion.rules.pausing import stopped_kinds
from companion.session.game_watch import GameStopped, aborted_as_stopped
from companion.session.phone_answers import Said
from companion.session.projection import SessionProjection
from companion.session.reasons import LineReason, public_reasons
from companion.session.roles import Role
from companion.session.seat_entries import own_entries
from companion.session.seat_notes import Noted, last_notes
from companion.session.views import LineKind, LogLine, SavedView, TableView
from companion.session.watching import WATCHING
from companion.web.blocks import LINES, Blocks, own_block, table_blocks
from companion.web.role_blocks import role_blocks
from companion.web.role_offers import Offers
from companion.web.rules_pages import PublicRules, public_rules
from companion.web.seat_forms import entry_block, note_block, proposal_block
from companion.web.tabs import TITLE, tab_title

Viewer = SeatId | Role
"""Who sees a page: `TABLE` for everybody, a seat, or whoever has a role."""


@dataclass(frozen=True, slots=True)
class PageContents:
    """The contents at one moment: blocks for everybody, for each seat with its own secrets, and for each role that was
    given out."""

    title: str
    session: str
    """The session's id in the public feed."""
    seats: tuple[Seat, ...]
    blocks: Mapping[Viewer, Blocks]
    """Maps each viewer to the blocks of the page; unchanged blocks are the same objects as before."""
    everybody: PublicRules = field(compare=False)
    """What the page of everybody answers about the rules and the log."""
    present: PublicRules = field(compare=False)
    """What the other pages answer, which nothing delays."""
    work: tuple[Callable[[], None], ...] = field(default=(), compare=False)
    """Functions that work out the odds, in any thread. The pages can be shown before, and are drawn again after."""

    def rules(self, viewer: Viewer) -> PublicRules:
        """Return what a viewer's page answers about the rules and the log."""
        return self.everybody if viewer == TABLE else self.present


@dataclass(frozen=True, slots=True)
class ForRoles:
    """What the pages of `roles` show and offer: the view of the whole table, its actions, and what can be entered."""

    roles: frozenset[Role]
    view: TableView
    actions: tuple[Action, ...]
    offers: Offers


@dataclass(frozen=True, slots=True)
class PageSnapshot:
    """The state of a record at one moment; nothing in it changes afterwards."""

    session: str
    view: TableView
    state: Any
    lines: tuple[LogLine, ...]
    closed: bool
    noted: Mapping[SeatId, Noted]
    """Last note of each seat that was not undone."""
    proposed: Mapping[SeatId, Said]
    """Last proposal of each seat."""
    reasons: Mapping[int, LineReason]
    """Why the newest lines are as they are, by their numbers."""
    for_roles: ForRoles | None = None
    """None if no role was given out."""


def snapshot_of(record: SessionProjection, saved: SavedView) -> PageSnapshot:
    """Return a snapshot of the record."""
    view = record.view(WATCHING, saved)
    secret = secret_kinds(record.game.facts)
    lines = tuple(_public(record, line, secret) for line in view.log)
    session = session_id(record.entries[0])
    return PageSnapshot(
        session,
        view,
        record.state,
        lines,
        record.closed,
        last_notes(record),
        dict(record.phones.last),
        public_reasons(record, lines[-LINES:]),
    )


def _public(record: SessionProjection, line: LogLine, secret: frozenset[str]) -> LogLine:
    """Return the line without the reason why a secret fact no longer fits: it may name what only its seat knows."""
    entry = record.entry(line.n) if line.kind is LineKind.BROKEN else None
    if entry is None or entry.kind not in secret:
        return line
    return replace(line, text=f"{record.text(line.n)} - it does not fit any more")


def place_of(session: str, viewer: Viewer) -> str:
    """Return what a page is of: 16 hexadecimal digits for a session and a viewer, which tell nothing about either.

    A page that is connected again, after a rematch or with another seat, notices by it that it has to load anew; a note
    names it, so that none reaches another game.
    """
    whose = f"role {viewer.title}" if isinstance(viewer, Role) else viewer
    return hashlib.sha256(f"{session} {whose}".encode()).hexdigest()[:16]


class Painter:
    """Draws the pages of a game. With `notes`, seats' pages have forms for private notes; with `odds`, all pages have
    those that follow from what everybody can see."""

    def __init__(self, game: Game[Any], *, notes: bool, odds: bool) -> None:
        self._game = game
        self._panels = panels_of(game.id)
        self._notes, self._odds = notes, odds

    def showing(
        self,
        snapshot: PageSnapshot,
        before: Mapping[Viewer, Blocks],
        delayed: PageSnapshot | None = None,
    ) -> PageContents:
        """Return the contents of the pages. A block equal to the one in `before` is the same object; everybody's page
        shows `delayed`, if given."""
        view = snapshot.view
        public = self._public(snapshot)
        turns = frozenset(line.id for line in view.players if line.turn)
        everybody = public if delayed is None else self._public(delayed)
        blocks: dict[Viewer, Blocks] = {TABLE: _kept(everybody, before.get(TABLE, {}))}
        # The delay is for the audience. Seats see the present; without a delay they share its very blocks.
        for_seats = blocks[TABLE] if delayed is None else public
        # A record made elsewhere may have a seat with the id of `TABLE`: it gets no page.
        seats = tuple(seat for seat in view.setup.seats if seat.id != TABLE)
        views = []
        if self._odds:
            views.append(view.game)
            if delayed is not None:
                views.append(delayed.view.game)
        for seat in seats:
            secrets = self._game.view(snapshot.state, seat.id)
            views.append(secrets)
            blocks[seat.id] = _kept(
                for_seats | self._own(snapshot, seat, secrets, turns), before.get(seat.id, {})
            )
        for role, drawn in _of_roles(snapshot, public):
            blocks[role] = _kept(drawn, before.get(role, {}))
        rules = self._rules(snapshot)
        return PageContents(
            self._game.title,
            snapshot.session,
            seats,
            blocks,
            everybody=rules if delayed is None else self._rules(delayed),
            present=rules,
            work=self._work(views),
        )

    def _work(self, views: Iterable[Any]) -> tuple[Callable[[], None], ...]:
        """Return the functions that work out the odds for these views of the game."""
        functions = (self._panels.work(view) for view in views)
        return tuple(function for function in functions if function is not None)

    def _rules(self, snapshot: PageSnapshot) -> PublicRules:
        return public_rules(snapshot.view, self._game.title, snapshot.lines, snapshot.reasons)

    def _public(self, snapshot: PageSnapshot) -> Blocks:
        return table_blocks(
            snapshot.view, self._game.title, snapshot.lines, closed=snapshot.closed, odds=self._odds
        )

    def _own(
        self, snapshot: PageSnapshot, seat: Seat, secrets: Any, turns: frozenset[SeatId]
    ) -> Blocks:
        view = snapshot.view
        own = own_block(self._panels, seat, secrets)
        where = self._panels.stands(view.game, abandoned=view.abandoned)
        own[TITLE] = tab_title(f"{seat.name}: {self._game.title}", where)
        if not self._notes:
            return own
        own["turn"] = text("It is your turn.") if seat.id in turns else Markup("")
        if view.ended or snapshot.closed or seat.id in view.left:
            own["note"] = Markup("")
            return own
        lines = self._panels.notes(secrets, seat.id)
        own["note"] = join(
            (
                # Proposals first: a live region must keep its place in the page.
                self._proposals(snapshot, seat),
                self._entries(snapshot, seat),
                note_block(lines, snapshot.noted.get(seat.id)),
            )
        )
        return own

    def _entries(self, snapshot: PageSnapshot, seat: Seat) -> Markup:
        if not snapshot.view.phones_enter:
            return Markup("")
        entries = own_entries(self._panels, snapshot.view.game, seat.id)
        stopped = self._stopped(snapshot, [entry.new_kind for entry in entries])
        possible = [entry for entry in entries if entry.new_kind not in stopped]
        return entry_block(possible, waits=len(possible) < len(entries))

    def _proposals(self, snapshot: PageSnapshot, seat: Seat) -> Markup:
        proposals = self._panels.proposals
        if proposals is None or not snapshot.view.phones_propose:
            return Markup("")
        asked = [
            proposal
            for proposal in proposals(snapshot.view.game, seat.id)
            if not (proposal.at_once and snapshot.view.phones_enter)
        ]
        stopped = self._stopped(snapshot, [proposal.kind for proposal in asked])
        possible = [proposal for proposal in asked if proposal.kind not in stopped]
        return proposal_block(possible, snapshot.proposed.get(seat.id))

    def _stopped(self, snapshot: PageSnapshot, kinds: Iterable[str]) -> frozenset[str]:
        """Return those of these kinds of facts that the pause refuses."""
        with suppress(GameStopped), aborted_as_stopped():
            return stopped_kinds(self._game, snapshot.state, frozenset(filter(None, kinds)))
        return frozenset()


def role_view(view: TableView, lines: tuple[LogLine, ...]) -> TableView:
    """Return what a page of a role gets of the laptop's view: nothing that a seat's note or refusal could change.

    `lines` are the public ones of the log. A refusal may depend on a secret, and where the record is copied to is the
    laptop's own matter.
    """
    saved = view.saved
    if saved.ok:
        saved = SavedView("", ok=True)
    return replace(view, log=lines, saved=saved, refusals=(), readers=(), behind="")


def _of_roles(snapshot: PageSnapshot, public: Blocks) -> Iterator[tuple[Role, Blocks]]:
    """Yield the blocks of each role that was given out."""
    acting = snapshot.for_roles
    if acting is None:
        return
    shown = role_view(acting.view, snapshot.lines)
    for role in acting.roles:
        yield role, role_blocks(shown, acting.actions, role, public, acting.offers)


def _kept(blocks: Blocks, before: Blocks) -> Blocks:
    """Return the blocks, each of them the old object if it is equal: `Pages` compares by identity."""
    kept = {}
    for name, block in blocks.items():
        old = before.get(name)
        kept[name] = block if old is None or old != block else old
    return kept
