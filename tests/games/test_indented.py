"""JSON indented for people, as the library does it."""

from __future__ import annotations

import json
from enum import IntEnum, StrEnum
from typing import Any

import pytest
from hypothesis import given, strategies as st

from companion.rules.indented import indented


class Word(StrEnum):
    ONE = "one"


class Number(IntEnum):
    ONE = 1


plain = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.sampled_from([Word.ONE, Number.ONE])
)
names = (
    st.text()
    | st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.sampled_from([Word.ONE])
)
values = st.recursive(
    plain,
    lambda inner: st.lists(inner) | st.lists(inner).map(tuple) | st.dictionaries(names, inner),
    max_leaves=20,
)


@given(value=values, indent=st.integers(0, 4))
def test_it_is_what_the_library_writes(value: Any, indent: int) -> None:
    assert indented(value, " " * indent) == json.dumps(value, ensure_ascii=False, indent=indent)


def test_what_is_no_json_is_refused() -> None:
    with pytest.raises(TypeError, match="not JSON serializable"):
        indented({"a": [object()]}, "  ")
