"""The functions that loop over bytes and words: in machine code if the interpreter can, else in plain Python."""

# CRC-32 (IEEE, reflected) of each four bits, as little-endian words. A bytearray, because that is aligned to words.
CRC_TABLE = bytearray(
    b"\x00\x00\x00\x00\x64\x10\xb7\x1d\xc8\x20\x6e\x3b\xac\x30\xd9\x26"
    b"\x90\x41\xdc\x76\xf4\x51\x6b\x6b\x58\x61\xb2\x4d\x3c\x71\x05\x50"
    b"\x20\x83\xb8\xed\x44\x93\x0f\xf0\xe8\xa3\xd6\xd6\x8c\xb3\x61\xcb"
    b"\xb0\xc2\x64\x9b\xd4\xd2\xd3\x86\x78\xe2\x0a\xa0\x1c\xf2\xbd\xbd"
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    # The types of `plain` hold for both.
    from firmware_protocol.board import plain as done_by
else:
    try:
        from firmware_protocol.board import native as done_by
    except (ImportError, SyntaxError):
        # CPython has no `micropython`, and not every MicroPython a native emitter.
        from firmware_protocol.board import plain as done_by

frame = done_by.frame
unframe = done_by.unframe
put_time = done_by.put_time
put_event = done_by.put_event
copy = done_by.copy
gather = done_by.gather
drain = done_by.drain
find = done_by.find
highest = done_by.highest
last = done_by.last
total = done_by.total
changes = done_by.changes
unchanged = done_by.unchanged
