"""Entries as text: the canonical JSON that is stored and hashed, and the chain of digests over it.

Each text begins with 128 random bits. The chain runs over the SHA-256 of each text, its commitment,
so whoever has the commitments can check the chain without learning what an entry says, even if it
could only be one of two things.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import MAXYEAR, datetime
from sys import intern
from typing import Any, NamedTuple

from companion.journal.entries import Control, Draft, Entry, Layer, fields_of, is_control, is_lost
from companion.journal.errors import SessionDamagedError

_NEEDED: Mapping[Layer, Mapping[str, Mapping[str, type]]] = {
    Layer.EVIDENCE: {
        "event": {
            "boot": int,
            "seq": int,
            "channel": str,
            "flags": int,
            "bounces": int,
            "peak": int,
        },
        "state": {"boot": int, "seq": int, "flags": int, "levels": int},
        "overrun": {"boot": int, "seq": int, "source": str, "count": int, "first_us": int},
        "gap": {"boot": int, "seq": int, "first_seq": int, "count": int, "first_us": int},
        "hello": {
            "uid": str,
            "boot": int,
            "board": str,
            "firmware": str,
            "reset": str,
            "stamp_error_us": int,
        },
        "note": {"text": str},
        "boot": {"previous": int, "boot": int},
        "config": {"boot": int, "crc": int, "of_session": bool, "told": bool},
    },
    Layer.FACT: {},
    Layer.CONTROL: {
        Control.VOID: {"entry": int},
        Control.RENAMED: {"name": str},
        Control.LOST: {"from": int, "to": int, "why": str},
        Control.IGNORED: {"reason": str},
        Control.READ_AS: {"entry": int, "can_hold": bool},
        Control.REMARK: {"entries": list, "why": str, "who": str},
        Control.CONSENT: {"entry": int, "agreed": bool},
        Control.BOARD: {
            "hit_threshold": int,
            "hit_scan_us": int,
            "hit_mask_us": int,
            "lock_us": int,
            "glitch_us": int,
        },
        Control.PHONES: {"propose": bool},
        Control.PROPOSED: {"seat": str, "line": str},
        Control.ENTRIES_ALLOWED: {"enter": bool},
        Control.ENTERED: {"seat": str, "line": str},
        Control.TAPPED: {"device": str, "role": str, "entries": list, "within_us": int},
        Control.TEST: {"begins": bool, "boot": int, "what": str, "who": str},
        Control.SETTINGS: {"hold_us": int, "window_us": int},
    },
}
_ENTRIES = "entries"  # the only field that is a list; its items are entry numbers


class Misfit(NamedTuple):
    """A field of a body with a wrong value, and what the field must hold."""

    field: str
    wanted: str


def misfit(layer: Layer, kind: str, body: Mapping[str, Any]) -> Misfit | None:
    """Return the first field of a body of this kind that has a wrong value, or None if all fit."""
    needed = _NEEDED[layer].get(kind, {})
    for field, wanted in needed.items():
        if type(body.get(field)) is not wanted:
            return Misfit(field, f"{field} of type {wanted.__name__}")
    if _ENTRIES in needed and not all(type(number) is int for number in body[_ENTRIES]):
        return Misfit(_ENTRIES, "a list of entries")
    return None


FIRST_DIGEST = bytes(32)  # the predecessor of entry 1 in the chain
SALT_BYTES = 16
# Upper case sorts before all other names, so the first bytes of a text show whether it is salted.
_SALT = "SALT"
_SALTED = b'{"SALT":'

# ASCII, because a board may send half a surrogate pair, which UTF-8 cannot store. Sorted and without
# spaces, so that an entry has exactly one spelling and one digest.
_encode: Callable[[Any], str] = json.JSONEncoder(
    ensure_ascii=True, sort_keys=True, separators=(",", ":"), allow_nan=False
).encode
_decode: Callable[[str], Any] = json.JSONDecoder().decode
Decode = Callable[[bytes], Any]
"""Decodes the text of a record. Names and short strings are interned, which halves the memory of a
long record. Raises `ValueError` for anything but ASCII JSON, and for JSON nested too deep."""
# Bytes. The longest text of a real session, its header with a whole map, has about 60,000.
LONGEST_RECORD = 1 << 20
DEEPEST = 32  # nested lists and objects in a body; a map has seven levels
MOST_LOST = (
    1_000_000  # entries that the gaps of one record may cover; an evening has about ten thousand
)
SHORT = 16  # characters up to which a string is likely to repeat in other entries, and is interned
_LEAST, _MOST = -(1 << 64), 1 << 64  # microseconds; a board counts them in 64 bits
_LAYERS = {str(layer): layer for layer in Layer}


class StoredEntry(NamedTuple):
    """The row of an entry in the session file."""

    n: int
    key: str | None
    digest: bytes
    record: bytes


class LostEntries(NamedTuple):
    """The row of a gap in the session file: entries `first` to `last` are lost.

    `digest` is that of entry `last`, taken from the next entry or from the mark, so that the chain
    continues across the gap. `wall` is the wall clock of the entry before the gap.
    """

    first: int
    last: int
    digest: bytes
    wall: str
    why: str

    @property
    def n(self) -> int:
        """The last lost number; the next entry has `n + 1`."""
        return self.last


Row = StoredEntry | LostEntries


def new_salt() -> bytes:
    """Return `SALT_BYTES` bytes from the system's random source."""
    return os.urandom(SALT_BYTES)


def chain(previous: bytes, record: bytes) -> bytes:
    """Return the digest of `record` in a chain whose last digest is `previous`: `link` over its
    commitment.

    Formats 1 and 2 had no salt; their entries are chained by the SHA-256 of both, without a
    commitment.
    """
    # In a damaged row `record` may be of another type; then the slice or the comparison raises
    # `TypeError`, which `read_chain` reports as damage.
    if record[: len(_SALTED)] == _SALTED:
        return link(previous, hashlib.sha256(record).digest())
    return hashlib.sha256(previous + record).digest()


def link(previous: bytes, commitment: bytes) -> bytes:
    """Return the SHA-256 over `previous` and `commitment`: the digest of the next entry in the
    chain."""
    return hashlib.sha256(previous + commitment).digest()


def commitment(entry: Entry) -> bytes | None:
    """Return the SHA-256 of the text of `entry`, which may be shown to people who must not read it.
    None for an entry without salt, whose text could be guessed from it, and for a lost one."""
    if not entry.salt:
        return None
    return hashlib.sha256(_text_of(entry, entry.n, entry.wall, entry.salt)).digest()


def seal(
    draft: Draft, n: int, wall: str, previous: bytes, salt: bytes
) -> tuple[Entry, StoredEntry]:
    """Return the entry that `draft` becomes as number `n`, and its row.

    `salt` must be `SALT_BYTES` bytes that nobody can guess. Raise `ValueError` or `TypeError` for a
    body that is not JSON.
    """
    if len(salt) != SALT_BYTES:
        raise ValueError(f"a salt has {SALT_BYTES} bytes, not {len(salt)}")
    try:
        record = _text_of(draft, n, wall, salt.hex())
    except RecursionError as error:
        raise ValueError(f"nested deeper than {DEEPEST} levels") from error
    digest = chain(previous, record)
    # Read back what was written: nothing is stored that a reader would refuse.
    return unseal(record, digest), StoredEntry(n, draft.key, digest, record)


def row_of(entry: Entry) -> StoredEntry:
    """Return the row that `entry` was read from. If the entry replaces a lost one, the row does not
    verify."""
    return StoredEntry(
        entry.n, entry.key, entry.digest, _text_of(entry, entry.n, entry.wall, entry.salt)
    )


def gap_that_ends_with(entry: Entry) -> LostEntries | None:
    """Return the gap whose last number is that of `entry`, or None if no gap ends there."""
    if not is_lost(entry) or entry.n != entry.body["to"]:
        return None
    return LostEntries(entry.body["from"], entry.n, entry.digest, entry.wall, entry.body["why"])


def _text_of(draft: Draft | Entry, n: int, wall: str, salt: str) -> bytes:
    salted = {_SALT: salt} if salt else {}
    return _encode(
        fields_of(draft) | salted | {"body": dict(draft.body), "n": n, "wall": wall}
    ).encode("ascii")


def decode(record: bytes) -> Any:
    """Decode one text; see `Decode`. For single entries: it imports nothing more."""
    return _shared(_decode(record.decode("ascii")), DEEPEST + 1)


def quick_decode() -> Decode:
    """Return a decoder for many texts, equal to `decode` and three times as fast."""
    from pydantic_core import from_json  # costly to import, and not needed for a list of sessions

    def quickly(record: bytes) -> Any:
        # `from_json` also accepts UTF-8 and any depth, which `decode` refuses.
        if record.isascii() and record.count(b"{") + record.count(b"[") <= DEEPEST:
            try:
                return from_json(record)
            except ValueError:  # for example a lone surrogate from a board, which `decode` accepts
                pass
        return decode(record)

    return quickly


def unseal(record: Any, digest: Any, decode: Decode = decode) -> Entry:
    """Return the entry in `record`, which may come from any file; raise `ValueError` if it is not
    an entry."""
    if type(record) is not bytes or type(digest) is not bytes or len(record) > LONGEST_RECORD:
        raise ValueError("no text with a digest, or too long a one")
    try:
        fields = decode(record)
        if not _has_its_types(fields):
            raise ValueError("an entry of other values")
        entry = Entry(
            fields["n"],
            _LAYERS[fields["layer"]],
            intern(fields["kind"]),
            fields["body"],
            intern(fields["actor"]),
            tuple(fields["causes"]),
            fields["after"],
            fields["t_us"],
            fields["key"],
            fields["wall"],
            digest,
            fields["joined"],
            fields.get(_SALT, ""),
        )
    except (KeyError, TypeError, RecursionError) as error:
        raise ValueError(f"no entry ({error})") from error
    wrong = misfit(entry.layer, entry.kind, entry.body)
    if wrong is not None:
        raise ValueError(f"{entry.kind} needs {wrong.wanted}")
    return entry


def _has_its_types(fields: dict[str, Any]) -> bool:
    """Return whether each field has a value of its type. Bodies are checked by `misfit`."""
    n, after, t_us, key, causes = (
        fields["n"],
        fields["after"],
        fields["t_us"],
        fields["key"],
        fields["causes"],
    )
    salt = fields.get(_SALT)
    return (
        type(n) is int
        and type(fields["body"]) is dict
        and _is_time_of_day(fields["wall"])
        and (key is None or type(key) is str)
        and (t_us is None or (type(t_us) is int and _LEAST <= t_us <= _MOST))
        and (after is None or (type(after) is int and 0 < after < n))
        and type(fields["joined"]) is bool
        and (_SALT not in fields or (type(salt) is str and len(salt) == 2 * SALT_BYTES))
        and (
            not causes or (set(map(type, causes)) == {int} and min(causes) > 0 and max(causes) < n)
        )
    )


def _is_time_of_day(wall: Any) -> bool:
    """Return whether `wall` is an ISO 8601 time with a zone that can be converted to any other
    zone."""
    try:
        time = datetime.fromisoformat(wall)
    except (TypeError, ValueError):
        return False
    # In the first and the last year a conversion may leave the range of `datetime`.
    return time.tzinfo is not None and 1 < time.year < MAXYEAR


def _shared(value: Any, levels: int) -> Any:
    """Return `value` with its names and short strings interned; raise `ValueError` below `levels`
    levels."""
    kind = type(value)
    if kind is str:
        return intern(value) if len(value) <= SHORT else value
    if kind is not dict and kind is not list:
        return value
    if not levels:
        raise ValueError(f"nested deeper than {DEEPEST} levels")
    if kind is list:
        return [_shared(item, levels - 1) for item in value]
    # Most values are numbers; checking for them here saves a call each.
    return {
        intern(name): item if type(item) is int else _shared(item, levels - 1)
        for name, item in value.items()
    }


def read_chain(
    rows: Iterable[Row], n: int = 0, previous: bytes = FIRST_DIGEST, most_lost: int = MOST_LOST
) -> Iterator[Entry]:
    """Yield the entries after number `n`, whose digest is `previous`; for each number of a gap, an
    entry of kind `LOST`. Raise `SessionDamagedError` at the first row that does not follow from the
    one before."""
    decode = quick_decode()
    for row in rows:
        expected = n + 1
        if isinstance(row, LostEntries):
            for entry in _lost(row, expected, most_lost):
                most_lost -= 1
                yield entry
            n, previous = row.last, row.digest
            continue
        try:
            digest = chain(previous, row.record)
            entry = unseal(row.record, digest, decode)
        except (ValueError, TypeError) as error:
            raise SessionDamagedError(f"entry {expected} cannot be read") from error
        if row.digest != digest or entry.n != expected or (row.n, row.key) != (entry.n, entry.key):
            raise SessionDamagedError(f"entry {expected} does not follow from the one before it")
        n, previous = expected, digest
        yield entry


def _lost(gap: LostEntries, expected: int, most: int) -> Iterator[Entry]:
    """Yield the entries that stand for those of `gap`, starting at `expected`: a record may be read
    from inside a gap."""
    numbers = type(gap.first) is int and type(gap.last) is int and gap.first <= expected <= gap.last
    texts = type(gap.digest) is bytes and type(gap.wall) is str and type(gap.why) is str
    if not (numbers and texts):
        raise SessionDamagedError(f"what is said of the lost entry {expected} makes no sense")
    if gap.last - expected >= most:
        raise SessionDamagedError(f"more than {MOST_LOST} entries are said to be lost")
    body = {"from": gap.first, "to": gap.last, "why": gap.why}
    for n in range(expected, gap.last + 1):
        # Only the last digest is known: the next entry was chained to it.
        digest = gap.digest if n == gap.last else b""
        yield Entry(
            n,
            Layer.CONTROL,
            Control.LOST,
            body,
            "companion",
            (),
            None,
            None,
            None,
            gap.wall,
            digest,
        )


def check_draft(draft: Draft, n: int, at: Callable[[int], Entry]) -> None:
    """Raise `ValueError` if `draft` cannot be entry `n`; `at` returns an earlier entry by number."""
    if any(not 1 <= cause < n for cause in draft.causes):
        raise ValueError(f"the causes {draft.causes} of entry {n} must be earlier entries")
    if draft.after is not None and (draft.layer is not Layer.FACT or not 1 <= draft.after < n):
        raise ValueError(
            f"only a fact goes behind an earlier entry, not {draft.layer} {n} behind {draft.after}"
        )
    if draft.joined and not (_can_be_taken_back(draft) and _can_be_taken_back(at(n - 1))):
        raise ValueError(
            f"only facts and voids are joined to one another, not {draft.kind} to {at(n - 1).kind}"
        )
    if draft.key is not None:
        draft.key.encode()  # raises `ValueError` for a lone surrogate, which SQLite cannot index
    if is_control(draft, Control.VOID):
        _check_void(draft, n, at)


def _check_void(draft: Draft, n: int, at: Callable[[int], Entry]) -> None:
    target = draft.body.get("entry")
    if not isinstance(target, int) or not 1 <= target < n:
        raise ValueError(f"a void names an earlier entry, not {target!r}")
    entry = at(target)
    if not _can_be_taken_back(entry):
        raise ValueError(
            f"entry {target} is {entry.layer} ({entry.kind}); only facts and voids can be taken back"
        )


def _can_be_taken_back(item: Draft | Entry) -> bool:
    """Return whether `item` is a fact or a void, or stands for a lost entry, which may have been
    either."""
    return item.layer is Layer.FACT or is_control(item, Control.VOID, Control.LOST)
