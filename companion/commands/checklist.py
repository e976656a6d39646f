"""`companion checklist GAME`: what to lay out on the table before the game begins, to read or to print."""

from __future__ import annotations

import argparse
import sys

from companion.commands.config import rules_for
from companion.commands.playing import seat_names
from companion.config.parsers import options
from companion.dashboard.preferences import in_force
from companion.exits import CommandError
from companion.rules.game import Refused, Setup
from companion.rules.registry import open_game
from companion.rules.seats import seats_from_names
from companion.session.owner_box import for_session

BOX = "[ ] "  # to be ticked, on paper or with a finger


def run(args: argparse.Namespace) -> int:
    """Print the steps, as they are with these seats, house rules and the box that a game would begin with."""
    game, wanted = open_game(args.game), in_force(args, [args.game])
    box, notice = for_session(args.game)
    chosen = rules_for(wanted, args.game, options(args.option))
    try:
        seats = seats_from_names(seat_names(args.game, args.seats, wanted.seats))
        steps = game.checklist(game.start(Setup(args.game, game.rules_version, seats, chosen, box)))
    except Refused as refusal:
        raise CommandError(refusal.spoken()) from refusal
    if notice is not None:
        print(notice, file=sys.stderr)
    print(f"{game.title}, set up for {len(seats)}")
    print(
        "\n".join(BOX + step for step in steps or ("This game has no checklist: its rules say how it is set up.",)),
    )
    return 0
