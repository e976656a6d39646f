"""`companion score`: fold a transcript and print what it comes to; no device, no session."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.commands.usage import read_text
from companion.exits import CommandError
from companion.rules.actions import with_keys
from companion.rules.columns import json_text

if TYPE_CHECKING:
    from companion.rules.game import Game

EPOCH = "1970-01-01T00:00:00+00:00"  # an export carries its own times; a line without one has no other


def run(args: argparse.Namespace) -> None:
    """Print the score of a transcript; raise `CommandError` for bad data, and for a file that cannot be read."""
    from companion.rules.transcript import TranscriptError

    path = str(args.file)
    text = read_text(args.file, "a transcript file")
    try:
        game, state = _export(path, text) if _is_export(text) else _transcript(path, text)
    except (TranscriptError, CommandError) as error:
        raise CommandError(f"{str(error).removesuffix('.')}.") from error
    if args.json:
        head = {"game": game.id, "rules": game.rules_version, "over": game.over(state)}
        print(json_text({**head, **game.report(state)}, indent=2))
    else:
        print("\n".join(map(with_keys, game.summary(state))))


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
