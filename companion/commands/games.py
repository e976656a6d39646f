"""`companion games`: the games that can be played, and files of the user's own."""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from pathlib import Path

from companion.commands.usage import print_or_write
from companion.config.own_games import SUFFIX, copy_of, examples, games_dir, kept_games, learn_file
from companion.errors import CommandError, ErrorKind, writing
from companion.exits import Exit
from companion.journal.disk import new_file
from companion.program import PROGRAM
from companion.rules.columns import clean, in_shell, json_text, wrap
from companion.rules.plain_toml import line_of
from companion.rules.registry import DEFINITION_KEY, GAMES, own_game_part, problems
from companion.terminal import data_stream
from firmware_protocol.virtual.children import is_frozen

NO_PACKAGES = (
    "This program without Python cannot take games that are Python packages. Games in files work."
)
_INDENT = " " * 4


def show(args: argparse.Namespace) -> int:
    """`games list`: print every game, then the packages and files that cannot be used, with the reason."""
    ours, kept = list(GAMES.values()), list(kept_games())
    rows = [(info.id, info.title, info.player_count, info.does) for info in ours]
    for own in kept:
        if own.info is not None:
            rows.append((own.path.stem, own.info.title, own.info.player_count, own.info.does))
    if args.json:
        names = ("id", "title", "players", "does")
        print(
            json_text([dict(zip(names, row, strict=True)) for row in rows], indent=2),
            file=data_stream(),
        )
    else:
        columns = shutil.get_terminal_size().columns - len(_INDENT)
        for game_id, title, players, does in rows:
            print(f"{clean(game_id)}  {clean(title)}, {players}")
            print("\n".join(f"{_INDENT}{line}" for line in wrap(does, columns)))
        print(f"\nExamples to copy and change, for example:  {copy_of('hearts')}")
        for name, file in examples().items():
            info = own_game_part("rules.game:info_of")(file.read_text(encoding="utf-8"))
            print(f"{_INDENT}{name}  {info.title}, {info.player_count}")
        if is_frozen():
            print(f"\n{NO_PACKAGES}")
    own_faults = [own.fault for own in kept if own.fault]
    for fault in [*problems(), *own_faults]:
        print(clean(str(fault)), file=sys.stderr)
    return Exit.DATA if own_faults else Exit.DONE


def check(args: argparse.Namespace) -> int:
    """`games check FILE`: print what is wrong with a file, and which of its examples have other results than it
    states."""
    path: Path = args.file
    info = learn_file(path)
    text = info.carried[DEFINITION_KEY]
    untrue = tuple(own_game_part("trial:faults")(own_game_part("rules.reading:rules_of")(text)))
    for where, why in untrue:
        print(
            clean(f"{path}, line {line_of(text, where)}: {'.'.join(where)}: {why}"), file=sys.stderr
        )
    if not untrue:
        print(
            clean(
                f"{path} is right: {info.title}, {info.player_count}. Play it:  {PROGRAM} play {in_shell(str(path))}"
            )
        )
    return Exit.DATA if untrue else Exit.DONE


def schema(args: argparse.Namespace) -> None:
    """`games schema`: print the JSON Schema of these files, for editors."""
    definition = own_game_part("rules.definition:Definition").model_json_schema(by_alias=True)
    print_or_write(json.dumps(definition, indent=2) + "\n", args.out)


def new(args: argparse.Namespace) -> None:
    """`games new`: write the file of a game, from an example or from a few answers."""
    known_examples = examples()
    if args.out is not None and args.out.exists():  # first, before any question
        raise CommandError(
            f"{args.out} is there already; name another with -o FILE.", ErrorKind.CANNOT_CREATE
        )
    if args.like is None:
        text = own_game_part("making:asked")(
            sys.stdin, sys.stdout, lambda typed: args.out is None and _kept(typed).exists()
        )
    elif args.like in known_examples:
        text = known_examples[args.like].read_text(encoding="utf-8")
    else:
        sentence = f"There is no example {args.like!r}; the examples are: {', '.join(sorted(known_examples))}."
        raise CommandError(sentence, ErrorKind.USAGE)
    game_id = own_game_part("rules.reading:rules_of")(text).says.id
    path = _kept(game_id) if args.out is None else args.out
    with writing(path, "; name another with -o FILE."), new_file(path, private=True) as file:
        file.write(text.encode())
    # read again from the disk: what was written must be a game
    learn_file(path)
    typed = game_id if args.out is None else str(path)
    print(
        f"Written: {path}\nPlay it:    {PROGRAM} play {in_shell(typed)}\n"
        f"Change it in any editor, then:  {PROGRAM} games check {in_shell(str(path))}"
    )


def _kept(game_id: str) -> Path:
    return games_dir() / f"{game_id}{SUFFIX}"
