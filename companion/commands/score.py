"""`companion score`: fold a transcript and print what it comes to; no device, no session."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from companion.exits import CommandError, Exit
from companion.journal.disk import LARGEST_TEXT, read_regular
from companion.rules.actions import with_keys
from companion.rules.columns import json_text

if TYPE_CHECKING:
    from companion.rules.game import Game

EPOCH = "1970-01-01T00:00:00+00:00"  # an export carries its own times; a line without one has no other


def run(path: str, *, as_json: bool, out: TextIO, err: TextIO) -> int:
    """Print the score of the transcript at `path`; return 0, 65 for bad data or 66 for a file that cannot be read."""
    try:
        data = read_regular(Path(path), LARGEST_TEXT)
        text = data.decode("utf-8-sig")  # some editors begin a file with a mark of their own
    except OSError as error:
        print(f"{path} cannot be read: {error.strerror or error}; name a transcript file.", file=err)
        return Exit.NO_INPUT
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        print(f"{path}, line {line}: FORMAT: this is no UTF-8 text; expected one JSON object a line.", file=err)
        return Exit.DATA
    return _score(path, text, as_json, out, err)


def _score(path: str, text: str, as_json: bool, out: TextIO, err: TextIO) -> int:
    from companion.rules.transcript import TranscriptError

    try:
        game, state = _export(path, text) if _is_export(text) else _transcript(path, text)
    except (TranscriptError, CommandError) as error:
        print(f"{str(error).removesuffix('.')}.", file=err)
        return Exit.DATA
    if as_json:
        head = {"game": game.id, "rules": game.rules_version, "over": game.over(state)}
        print(json_text({**head, **game.report(state)}, indent=2), file=out)
    else:
        print("\n".join(map(with_keys, game.summary(state))), file=out)
    return Exit.DONE


def _is_export(text: str) -> bool:
    """Whether it is the export of a session: a transcript whose header also says when the session was begun."""
    try:
        header = json.loads(text.partition("\n")[0])
    except (ValueError, RecursionError):
        return False
    return isinstance(header, dict) and "wall" in header


def _transcript(path: str, text: str) -> tuple[Game[Any], Any]:
    """Fold a transcript; every fact has to be possible."""
    from companion.rules.registry import open_game
    from companion.rules.transcript import fold, parse_transcript

    transcript = parse_transcript(text, path)
    return open_game(transcript.setup.game), fold(transcript, path)


def _export(path: str, text: str) -> tuple[Game[Any], Any]:
    """Fold the export of a session; facts that make no sense any more are kept there, and do not count."""
    from companion.reports.importing import parse_export
    from companion.reports.record import record_of

    record = record_of(parse_export(text, path, EPOCH), Path(path).stem)
    return record.game, record.state
