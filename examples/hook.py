"""A hook: write the scores into scores.txt in the home folder, a line for each event that it is started with."""

import json
import sys
from pathlib import Path


def main() -> None:
    """Read one event from standard input. Names are what people typed: data, never part of a command."""
    event = json.load(sys.stdin)
    scores = [
        f"{player['name']} {'?' if player['score'] is None else player['score']}"
        for player in event["table"]["players"]
    ]
    with (Path.home() / "scores.txt").open("a", encoding="utf-8") as file:
        print(event["wall"], *scores, sep="\t", file=file)


if __name__ == "__main__":
    main()  # exit code 0: done; any other, and the event comes again
