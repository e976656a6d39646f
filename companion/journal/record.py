"""An entry as text: the canonical JSON that is stored and hashed, and the chain of digests over it.

Each text begins with 128 random bits. The chain runs over the SHA-256 of the text, its commitment: whoever has that and
not the text can check the chain, and learns nothing of what the entry says, be it one of two things.
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
        Control.SETTINGS: {"hold_us": int, "window_us": int},
    },
}
_ENTRIES = "entries"  # the one list: of numbers


class Misfit(NamedTuple):
    """A field of a body, and what it must hold."""

    field: str
    wanted: str


def misfit(layer: Layer, kind: str, body: Mapping[str, Any]) -> Misfit | None:
    """Return the first field that is not what a body of this kind must hold, None where all fit."""
    needed = _NEEDED[layer].get(kind, {})
    for field, wanted in needed.items():
        if type(body.get(field)) is not wanted:
            return Misfit(field, f"{field} of type {wanted.__name__}")
    if _ENTRIES in needed and not all(type(number) is int for number in body[_ENTRIES]):
        return Misfit(_ENTRIES, "a list of entries")
    return None


FIRST_DIGEST = bytes(32)  # what entry 1 is chained to
SALT_BYTES = 16
_SALT = "SALT"  # sorted before all other names: the first bytes of a text tell by which rule it is chained
_SALTED = b'{"SALT":'

# ASCII, so that any string a board sends can be stored; sorted and dense, so that one entry has one spelling.
_encode: Callable[[Any], str] = json.JSONEncoder(
    ensure_ascii=True, sort_keys=True, separators=(",", ":"), allow_nan=False
).encode
_decode: Callable[[str], Any] = json.JSONDecoder().decode
Decode = Callable[[bytes], Any]
"""Returns what a record's text says, its names and short words the same objects in all entries: that takes half the
memory. Raises `ValueError` where it is no JSON in ASCII, or nested too deep."""
# bytes; the longest of a session, its header with a whole map, has some 60,000
LONGEST_RECORD = 1 << 20
DEEPEST = 32  # levels of lists and objects in a body; a map has seven
MOST_LOST = 1_000_000  # numbers that the gaps of one record may hold; an evening has some ten thousand entries
SHORT = 16  # letters of a word that other entries may well have too
_LEAST, _MOST = -(1 << 64), 1 << 64  # of a time: a board counts microseconds in 64 bits
_LAYERS = {str(layer): layer for layer in Layer}


class StoredEntry(NamedTuple):
    """An entry as the file holds it."""

    n: int
    key: str | None
    digest: bytes
    record: bytes


class LostEntries(NamedTuple):
    """Entries `first` to `last`, which are lost, as the file holds it. `digest` is that of entry `last`, known from the
    entry behind it or from the mark, so that the chain holds across; `wall` is the wall clock of the entry before."""

    first: int
    last: int
    digest: bytes
    wall: str
    why: str

    @property
    def n(self) -> int:
        """The number that the entry behind it follows."""
        return self.last


Row = StoredEntry | LostEntries


def new_salt() -> bytes:
    """Return a salt."""
    return os.urandom(SALT_BYTES)


def chain(previous: bytes, record: bytes) -> bytes:
    """Return the digest of `record` behind the entry whose digest is `previous`: `link` over its commitment. Formats 1
    and 2 had no salt; an entry of theirs is chained by the SHA-256 over both, without a commitment."""
    # of a damaged row it may be no bytes: then this is a `TypeError`
    if record[: len(_SALTED)] == _SALTED:
        return link(previous, hashlib.sha256(record).digest())
    return hashlib.sha256(previous + record).digest()


def link(previous: bytes, commitment: bytes) -> bytes:
    """Return the digest of the entry with this commitment behind the one whose digest is `previous`: SHA-256 over
    both."""
    return hashlib.sha256(previous + commitment).digest()


def commitment(entry: Entry) -> bytes | None:
    """Return what may be shown of `entry` to who must not know what it says: the SHA-256 of its text. None for an entry
    without salt, whose text could be guessed from it, and for one that is lost."""
    if not entry.salt:
        return None
    return hashlib.sha256(_text_of(entry, entry.n, entry.wall, entry.salt)).digest()


def seal(
    draft: Draft, n: int, wall: str, previous: bytes, salt: bytes
) -> tuple[Entry, StoredEntry]:
    """Return the entry that `draft` becomes as number `n`, and its row; `salt` are `SALT_BYTES` that nobody can guess.
    Raise `ValueError` or `TypeError` for a body that is no JSON."""
    if len(salt) != SALT_BYTES:
        raise ValueError(f"a salt has {SALT_BYTES} bytes, not {len(salt)}")
    try:
        record = _text_of(draft, n, wall, salt.hex())
    except RecursionError as error:
        raise ValueError(f"nested deeper than {DEEPEST} levels") from error
    digest = chain(previous, record)
    return unseal(record, digest), StoredEntry(n, draft.key, digest, record)


def row_of(entry: Entry) -> StoredEntry:
    """Return the row that `entry` was read from; of one that only stands in a gap, a row that does not verify."""
    return StoredEntry(
        entry.n, entry.key, entry.digest, _text_of(entry, entry.n, entry.wall, entry.salt)
    )


def gap_that_ends_with(entry: Entry) -> LostEntries | None:
    """Return the gap of which `entry` is the last number; None for any other entry."""
    if not is_lost(entry) or entry.n != entry.body["to"]:
        return None
    return LostEntries(entry.body["from"], entry.n, entry.digest, entry.wall, entry.body["why"])


def _text_of(draft: Draft | Entry, n: int, wall: str, salt: str) -> bytes:
    salted = {_SALT: salt} if salt else {}
    return _encode(
        fields_of(draft) | salted | {"body": dict(draft.body), "n": n, "wall": wall}
    ).encode("ascii")


def decode(record: bytes) -> Any:
    """Read one text; see `Decode`. It imports nothing, for the few entries that are asked for by themselves."""
    return _shared(_decode(record.decode("ascii")), DEEPEST + 1)


def quick_decode() -> Decode:
    """Return what reads very many texts as `decode` does, in a third of its time."""
    from pydantic_core import from_json  # a list of sessions, and a first paint, do without it

    def quickly(record: bytes) -> Any:
        # It takes UTF-8 as well, and any depth.
        if record.isascii() and record.count(b"{") + record.count(b"[") <= DEEPEST:
            try:
                return from_json(record)
            except ValueError:  # half a character, say, which a board may send
                pass
        return decode(record)

    return quickly


def unseal(record: Any, digest: Any, decode: Decode = decode) -> Entry:
    """Return the entry in `record`, as any file may hold it; raise `ValueError` when there is none."""
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
    """Whether each field has a value of its type; what a body holds is for the one who reads its kind."""
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
    """Whether `wall` is a time of ISO 8601 with its zone, which can be told in any other zone."""
    try:
        time = datetime.fromisoformat(wall)
    except (TypeError, ValueError):
        return False
    return time.tzinfo is not None and 1 < time.year < MAXYEAR


def _shared(value: Any, levels: int) -> Any:
    """The value, its names and short words interned."""
    kind = type(value)
    if kind is str:
        return intern(value) if len(value) <= SHORT else value
    if kind is not dict and kind is not list:
        return value
    if not levels:
        raise ValueError(f"nested deeper than {DEEPEST} levels")
    if kind is list:
        return [_shared(item, levels - 1) for item in value]
    # Most values are numbers: they are spared a call.
    return {
        intern(name): item if type(item) is int else _shared(item, levels - 1)
        for name, item in value.items()
    }


def read_chain(
    rows: Iterable[Row], n: int = 0, previous: bytes = FIRST_DIGEST, most_lost: int = MOST_LOST
) -> Iterator[Entry]:
    """Yield the entries of a record behind number `n`, whose digest is `previous`, an entry of kind `LOST` under each
    number of a gap; raise `SessionDamagedError` at the first that does not follow."""
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
    """The entries that stand for those of `gap` from number `expected` on: a record may be read from inside a gap."""
    numbers = type(gap.first) is int and type(gap.last) is int and gap.first <= expected <= gap.last
    texts = type(gap.digest) is bytes and type(gap.wall) is str and type(gap.why) is str
    if not (numbers and texts):
        raise SessionDamagedError(f"what is said of the lost entry {expected} makes no sense")
    if gap.last - expected >= most:
        raise SessionDamagedError(f"more than {MOST_LOST} entries are said to be lost")
    body = {"from": gap.first, "to": gap.last, "why": gap.why}
    for n in range(expected, gap.last + 1):
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
    """Raise `ValueError` when `draft` cannot be entry `n`; `at` returns an earlier entry by number."""
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
        draft.key.encode()  # a lone surrogate has no place in the file's index
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
    """Of a lost entry nobody knows: what is said of it stands."""
    return item.layer is Layer.FACT or is_control(item, Control.VOID, Control.LOST)
