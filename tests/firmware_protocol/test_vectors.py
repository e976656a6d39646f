"""The golden frames: written and read byte for byte."""

import json
from pathlib import Path
from typing import Any

import pytest

from firmware_protocol import messages as m, vectors
from firmware_protocol.frames import FrameDecoder
from firmware_protocol.vectors.generate import CASES, GOLDEN, fields, golden

STORED: dict[str, Any] = json.loads(
    (Path(vectors.__file__).parent / GOLDEN).read_text(encoding="utf-8")
)


def test_the_stored_vectors_are_what_the_message_table_writes() -> None:
    assert json.loads(json.dumps(golden())) == STORED


@pytest.mark.parametrize("row", STORED["frames"], ids=lambda row: row["name"])
def test_a_golden_frame_reads_back_into_its_fields(row: dict[str, Any]) -> None:
    (frame,) = FrameDecoder().feed(bytes.fromhex(row["hex"]))
    assert (frame.kind, frame.boot_id, frame.seq) == (row["kind"], row["boot_id"], row["seq"])
    message = m.decode(frame)
    assert message is not None
    assert json.loads(json.dumps(fields(message))) == row["fields"]


@pytest.mark.parametrize("row", STORED["damaged"], ids=lambda row: row["why"])
def test_a_damaged_vector_is_refused_and_the_frame_after_it_is_read(row: dict[str, str]) -> None:
    decoder = FrameDecoder()
    after = m.encode(m.Ack(5), 1)
    assert [m.decode(frame) for frame in decoder.feed(bytes.fromhex(row["hex"]) + after)] == [
        m.Ack(5)
    ]
    assert decoder.bad_frames == 1


def test_every_kind_has_a_golden_frame() -> None:
    assert {message.KIND for _, message, _, _ in CASES} == set(m.BY_KIND)
