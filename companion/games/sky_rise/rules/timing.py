"""The Tower Showdown's clock (SR-17): only stamps of one clock can be compared, and those too close are a tie."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.sky_rise.rules.model import Stop
from companion.rules.common import Common
from companion.rules.game import Moment, SeatId
from companion.rules.house_rules import Options
from companion.rules.pauses import Span, between


def building_time(common: Common, begun: Moment | None, stop: Moment | None) -> Span | None:
    """How long a contender built, pauses left out; None where nobody can know."""
    return between(begun, stop, common.pauses, common.paused)


def in_order(stops: Sequence[Stop]) -> tuple[Stop, ...]:
    """The stops by their stamps where these can be compared, else as they were recorded."""
    stamps = [stop.at for stop in stops if stop.at is not None]
    if len(stamps) < len(stops) or len({at.clock for at in stamps}) > 1:
        return tuple(stops)
    return tuple(stop for _, stop in sorted(zip(stamps, stops, strict=True), key=lambda pair: pair[0].us))


def photo_finish(stops: Sequence[Stop], options: Options) -> tuple[SeatId, ...]:
    """The contenders of whom nobody can say that another was before them; empty before anybody is done."""
    return tuple(one.seat for one in stops if not any(_before(other, one, options) for other in stops))


def winner_of(stops: Sequence[Stop], options: Options) -> SeatId | None:
    """Who was first beyond doubt; None before anybody is done, and where two are too close."""
    first = photo_finish(stops, options)
    return first[0] if len(first) == 1 else None


def _before(one: Stop, other: Stop, options: Options) -> bool:
    """Whether one stop was before the other by more than the error of their stamps, the house rule's or their own."""
    span = between(one.at, other.at)
    return span is not None and span.us > 0 and span.us >= max(options.numbers["stamp_error_us"], span.pm)
