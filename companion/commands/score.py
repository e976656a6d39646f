"""`companion score`: fold a transcript and print the result; no device, no session."""

from __future__ import annotations

import argparse

from companion.commands.usage import read_text
from companion.rules.actions import with_keys
from companion.rules.columns import json_text
from companion.terminal import data_stream


def run(args: argparse.Namespace) -> None:
    """Print the score of a transcript; raise `CommandError` for bad data or an unreadable file."""
    from companion.reports.importing import fold_transcript

    record = fold_transcript(read_text(args.file, "a transcript file"), str(args.file))
    game, state = record.game, record.state
    if args.json:
        head = {"game": game.id, "rules": game.rules_version, "over": game.over(state)}
        print(json_text({**head, **game.report(state)}, indent=2), file=data_stream())
    else:
        print("\n".join(map(with_keys, game.summary(state))))
