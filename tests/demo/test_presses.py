"""The account of a demo with faults: each press once in the record, in a gap, in unknown time, or lost."""

from __future__ import annotations

from random import Random
from typing import Any

from companion.journal.entries import Control, Entry, Layer
from firmware_protocol.board.words import EDGE_ERROR_US
from firmware_protocol.messages import PRESSED
from firmware_protocol.virtual import physics
from tests.demo.presses import Press, Record, presses_in


def entries(*rows: tuple[Layer, str, dict[str, Any], int | None, tuple[int, ...]]) -> list[Entry]:
    return [
        Entry(n, layer, kind, body, "board", causes, None, t_us, None, "", b"")
        for n, (layer, kind, body, t_us, causes) in enumerate(rows, 1)
    ]


def event(
    t_us: int, boot: int = 7, channel: str = "zone-1"
) -> tuple[Layer, str, dict[str, Any], int, tuple[int, ...]]:
    return Layer.EVIDENCE, "event", {"boot": boot, "channel": channel, "flags": PRESSED}, t_us, ()


def gap(
    count: int, first_us: int, last_us: int
) -> tuple[Layer, str, dict[str, Any], int, tuple[int, ...]]:
    return Layer.EVIDENCE, "gap", {"boot": 7, "count": count, "first_us": first_us}, last_us, ()


HELLO = (Layer.EVIDENCE, "hello", {"boot": 7}, None, ())
BOOT = (Layer.EVIDENCE, "boot", {"previous": 7, "boot": 9}, None, ())


def press(t_us: int, start: int = 1, boot: int = 7) -> Press:
    return Press(start, boot, "zone-1", t_us)


def test_a_press_is_found_within_the_boards_error_and_twice_is_a_fault() -> None:
    record = Record(entries(HELLO, event(1_000), event(90_000), event(90_000 + EDGE_ERROR_US)))
    account = record.account([press(1_000 + EDGE_ERROR_US), press(90_000)])
    assert (len(account.recorded), len(account.twice)) == (1, 1)
    assert not account.good
    assert "TWICE" in account.sentence()


def test_a_press_beyond_the_boards_error_is_another_one() -> None:
    account = Record(entries(HELLO, event(1_000))).account([press(1_000 + EDGE_ERROR_US + 1)])
    assert len(account.lost) == 1


def test_a_press_that_is_nowhere_is_lost() -> None:
    account = Record(entries(HELLO, event(1_000))).account([press(1_000), press(5_000)])
    assert account.lost == [press(5_000)]
    assert "1 LOST" in account.sentence()


def test_a_gap_excuses_as_many_as_it_counts_and_only_within_its_range() -> None:
    presses = [press(t_us) for t_us in (1_000, 2_000, 3_000, 50_000)]
    account = Record(entries(HELLO, gap(2, 1_000, 3_000))).account(presses)
    assert (len(account.in_gaps), len(account.lost)) == (2, 2)


def test_a_restart_excuses_the_last_of_a_boot_and_not_what_was_overtaken() -> None:
    record = Record(entries(HELLO, event(500_000), BOOT))
    account = record.account([press(100_000), press(500_000), press(900_000)])
    assert account.unknown == [press(900_000)]
    assert account.lost == [press(100_000)]


def test_a_boot_drawn_twice_is_two_boots() -> None:
    record = Record(entries(HELLO, event(900_000), BOOT, event(1_000, boot=7 + 0x10000)))
    account = record.account([press(900_000), press(950_000), press(1_000, start=2)])
    assert (len(account.recorded), account.unknown, account.lost) == (2, [press(950_000)], [])


def test_hands_do_it_again_only_when_no_fact_can_come_of_it() -> None:
    fact: Any = (Layer.FACT, "draw", {}, None, (2,))
    ignored: Any = (Layer.CONTROL, str(Control.IGNORED), {"reason": ""}, None, (2,))
    assert not Record(entries(HELLO, event(1_000), fact)).came_to_nothing([press(1_000)])
    assert not Record(entries(HELLO, event(1_000))).came_to_nothing([press(1_000)])
    assert Record(entries(HELLO, event(1_000), ignored)).came_to_nothing([press(1_000)])
    assert not Record(entries(HELLO)).came_to_nothing([press(1_000)])
    assert Record(entries(HELLO, BOOT)).came_to_nothing([press(1_000)])
    assert not Record(entries(HELLO)).came_to_nothing([])


def test_bounces_and_waves_of_a_piezo_are_one_press_each() -> None:
    for seed in range(50):
        random = Random(seed)
        edges = physics.shot(1800, 8_000, 120_000, random)
        assert sorted(channel for _, channel in presses_in(edges)) == ["hit", "trigger"]
    burst = [
        edge
        for at in range(0, 100_000, 20_000)
        for edge in ((at, "zone-2", 1), (at + 10_000, "zone-2", 0))
    ]
    assert [at for at, _ in presses_in(burst)] == list(range(0, 100_000, 20_000))
