from __future__ import annotations

from companion.journal.pages import KeyFilter

MANY = 20_000


def test_what_was_added_is_known_and_hardly_anything_else() -> None:
    keys = KeyFilter()
    for number in range(MANY):
        keys.add(f"b0a4d/0051/{number}")
    assert all(f"b0a4d/0051/{number}" in keys for number in range(MANY))
    taken_for_known = sum(f"draw:{number}" in keys for number in range(MANY))
    assert taken_for_known < MANY / 1_000


def test_nothing_is_known_at_first() -> None:
    assert "" not in KeyFilter()
