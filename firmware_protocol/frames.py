"""Frames on the wire: `0x00 | COBS(kind u8, boot_id u16, seq u32, body, crc32 u32) | 0x00`, little-endian.

Pure: bytes in, frames out; no I/O and no clock. A delimiter is sent on both sides, so damage to one frame never costs
its neighbour. COBS: Cheshire and Baker, "Consistent Overhead Byte Stuffing", 1999.
"""

import struct
from binascii import crc32

HEADER = "<BHI"
HEADER_SIZE = 7
CRC_SIZE = 4
# A HELLO with a full channel table takes some 150 bytes; a longer run without a delimiter is noise.
MAX_BODY = 240
# COBS adds one byte up to 254.
MAX_ENCODED = HEADER_SIZE + MAX_BODY + CRC_SIZE + 1


class FrameError(ValueError):
    """A frame cannot be built or read; the message says why."""


class Frame:
    """One frame: `kind` u8, `boot_id` u16, `seq` u32 (0 if the kind is not numbered) and the body's bytes."""

    __slots__ = ("body", "boot_id", "kind", "seq")

    def __init__(self, kind: int, boot_id: int, seq: int, body: bytes) -> None:
        self.kind = kind
        self.boot_id = boot_id
        self.seq = seq
        self.body = body

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Frame):
            return False
        mine = (self.kind, self.boot_id, self.seq, self.body)
        return mine == (other.kind, other.boot_id, other.seq, other.body)

    def __hash__(self) -> int:
        return hash((self.kind, self.boot_id, self.seq, self.body))

    def __repr__(self) -> str:
        return f"Frame(kind=0x{self.kind:02x}, boot_id={self.boot_id}, seq={self.seq}, body={self.body!r})"


def cobs_encode(data: bytes) -> bytes:
    """Return `data` without any zero byte, at most one byte longer per 254.

    >>> cobs_encode(bytes([1, 0, 2]))
    b'\\x02\\x01\\x02\\x02'
    """
    out = bytearray()
    start = 0
    size = len(data)
    while True:
        zero = data.find(b"\0", start)
        end = size if zero < 0 else zero
        while end - start >= 254:
            out.append(255)
            out += data[start : start + 254]
            start += 254
            if start == size:
                return bytes(out)
        out.append(end - start + 1)
        out += data[start:end]
        if zero < 0:
            return bytes(out)
        start = zero + 1


def cobs_decode(data: bytes) -> bytes:
    """Return the data that `cobs_encode` was given; raise `FrameError` for bytes it cannot have produced."""
    out = bytearray()
    at = 0
    size = len(data)
    while at < size:
        code = data[at]
        after = at + code
        if code == 0 or after > size:
            raise FrameError("not COBS")
        out += data[at + 1 : after]
        if code != 255 and after < size:
            out.append(0)
        at = after
    return bytes(out)


def encode_frame(kind: int, boot_id: int, seq: int, body: bytes) -> bytes:
    """Return the frame's bytes with both delimiters; raise `FrameError` for a body over `MAX_BODY`."""
    if len(body) > MAX_BODY:
        raise FrameError(f"a body of {len(body)} bytes is over the limit of {MAX_BODY}")
    plain = struct.pack(HEADER, kind, boot_id, seq) + body
    plain += struct.pack("<I", crc32(plain) & 0xFFFFFFFF)
    return b"\0" + cobs_encode(plain) + b"\0"


def decode_frame(encoded: bytes) -> Frame:
    """Return the frame between two delimiters; raise `FrameError` if it is damaged."""
    plain = cobs_decode(encoded)
    if len(plain) < HEADER_SIZE + CRC_SIZE:
        raise FrameError("too short")
    payload = plain[:-CRC_SIZE]
    if struct.unpack("<I", plain[-CRC_SIZE:])[0] != crc32(payload) & 0xFFFFFFFF:
        raise FrameError("CRC-32 does not match")
    kind, boot_id, seq = struct.unpack(HEADER, payload[:HEADER_SIZE])
    return Frame(kind, boot_id, seq, payload[HEADER_SIZE:])


class FrameDecoder:
    """Cuts a byte stream into frames, however it is split; memory stays below `MAX_ENCODED` whatever arrives.

    `bad_frames` counts runs between delimiters that were no frame; `skipped_bytes` counts the bytes in them.
    """

    def __init__(self) -> None:
        self.bad_frames = 0
        self.skipped_bytes = 0
        self._partial = bytearray()
        self._overlong = False

    def feed(self, data: bytes) -> "list[Frame]":
        """Return the frames completed by `data`, in order; never raises."""
        frames: list[Frame] = []
        pieces = data.split(b"\0")
        for piece in pieces[:-1]:
            self._collect(piece)
            self._finish(frames)
        self._collect(pieces[-1])
        return frames

    def _collect(self, piece: bytes) -> None:
        if self._overlong or len(self._partial) + len(piece) > MAX_ENCODED:
            self.skipped_bytes += len(self._partial) + len(piece)
            self._partial = bytearray()
            self._overlong = True
            return
        self._partial += piece

    def _finish(self, frames: "list[Frame]") -> None:
        encoded = bytes(self._partial)
        overlong = self._overlong
        self._partial = bytearray()
        self._overlong = False
        if overlong:
            self.bad_frames += 1
        elif encoded:
            try:
                frames.append(decode_frame(encoded))
            except FrameError:
                self.bad_frames += 1
                self.skipped_bytes += len(encoded)
