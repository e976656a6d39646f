"""`companion score`: fold a transcript and print what it comes to; no device, no session."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TextIO

from companion.exits import Exit


def run(path: str, *, as_json: bool, out: TextIO, err: TextIO) -> int:
    """Print the score of the transcript at `path`; return 0, 65 for bad data or 66 for a file that cannot be read."""
    try:
        data = Path(path).read_bytes()
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
    from companion.games import open_game
    from companion.games.transcript import TranscriptError, fold, parse_transcript

    try:
        transcript = parse_transcript(text, path)
        state = fold(transcript, path)
    except TranscriptError as error:
        print(f"{error}.", file=err)
        return Exit.DATA
    game = open_game(transcript.setup.game)
    if as_json:
        head = {"game": game.id, "rules": game.rules_version, "over": game.over(state)}
        print(json.dumps({**head, **game.report(state)}, ensure_ascii=False, indent=2), file=out)
    else:
        print("\n".join(game.summary(state)), file=out)
    return Exit.DONE
