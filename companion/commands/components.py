"""`companion components`: card facts for a game, and the owner's file that corrects them."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from companion import terminal
from companion.box import comparing, owner_box
from companion.box.entry import BoxEntry
from companion.config.schema import Preferences
from companion.dashboard.preferences import in_force
from companion.errors import CommandError, ErrorKind, reading, writing
from companion.exits import Exit
from companion.journal.disk import new_file
from companion.program import PROGRAM
from companion.rules import components as boxes
from companion.rules.box_difference import Difference
from companion.rules.box_questions import UNDO, NoAnswer, row_title
from companion.rules.columns import clean, fit, in_shell, json_text, plural, width, wrap
from companion.rules.component_rows import ComponentTable, expected_value
from companion.rules.components import Box, BoxError, ComponentRow
from companion.rules.registry import GAMES, open_game, part_of
from companion.system import shell
from companion.system.children import environment_for_others

# tried in turn if no variable names one
EDITORS = "sensible-editor", "editor", "nano", "vim", "vi", "notepad"
NARROWEST = 20  # columns for a source at least


def show(args: argparse.Namespace) -> None:
    """`list`: print every row of the box in use; if the owner's file is wrong, the packaged box, and exit with 65."""
    game_id, wrong = args.game, None
    try:
        with _right_rows(
            f"Until it is fixed the packaged file is used: {PROGRAM} components edit {game_id}"
        ):
            box = owner_box.box_in_force(game_id)
    except CommandError as problem:
        box, wrong = boxes.packaged(game_id), problem
    if args.json:
        print(json_text(_as_json_value(game_id, box), indent=2), file=terminal.data_stream())
    else:
        print("\n".join(_lines(game_id, box, shutil.get_terminal_size().columns)))
    if wrong is not None:
        raise wrong


def check(args: argparse.Namespace) -> None:
    """`check`: say that a file, by default the owner's, is right, or what is wrong with each row."""
    game_id, path = args.game, args.file or owner_box.own_path(args.game)
    if args.file is None and not path.exists():
        if part_of(game_id, "box") is None:
            print(_without_box(game_id))
            return
        print(f"You have no component file for {game_id}; the packaged one is used.")
        print(f"To correct it:  {PROGRAM} components edit {game_id}")
        return
    with reading(path), _right_rows():
        box = owner_box.box_with(game_id, path)
    print(_right(game_id, path, box))
    for problem in boxes.doubts(game_id, box):
        print(clean(f"It can be used. Count again: {problem}."))
    if args.file is None and (differs := comparing.differs(game_id)):
        print(differs)


def edit(args: argparse.Namespace) -> None:
    """`edit`: open the owner's file in the editor, creating it if need be; then check it."""
    game_id: str = args.game
    _require_box(game_id)
    path = owner_box.own_path(game_id)
    with writing(path, ". COMPANION_DATA names another data folder."):
        # inside `writing`: a folder that cannot be read is reported in one sentence
        if not path.exists():
            with new_file(path) as file:
                file.write(starting_text(game_id).encode())
    _open_in_editor(path)
    kept = f"It is kept, but not used until it is fixed: {PROGRAM} components edit {game_id}"
    with reading(path, "; the packaged file is used."), _right_rows(kept):
        box = owner_box.box_with(game_id, path)
    print(_right(game_id, path, box))
    if owner_box.own_rows(box):
        print("New sessions use it; one started before keeps its box.")


def draw(args: argparse.Namespace) -> int:
    """`map`: enter one side of the board on the screen, and write it into the owner's file."""
    game_id, side = args.game, args.side
    if GAMES[game_id].map_editor is None:
        games = [game for game, info in GAMES.items() if info.map_editor]
        with_map = " and ".join(sorted(games))
        raise CommandError(
            f"Only {with_map or 'no game here'} has a map that can be entered.", ErrorKind.USAGE
        )
    if not terminal.shows_screens():
        alternative = f"{PROGRAM} components edit {game_id} changes the file itself."
        raise CommandError(
            f"The map is entered in a terminal, and this is none; {alternative}", ErrorKind.USAGE
        )
    return draw_map(game_id, side, args.source, in_force(args))


def draw_map(game_id: str, side: str, source: str, wanted: Preferences) -> int:
    """Enter a side of the board on the screen; return the exit code."""
    with _right_rows(f"Fix it first: {PROGRAM} components edit {game_id}"):
        box = owner_box.box_in_force(game_id)

    def save(rows: Sequence[ComponentRow], gone: Sequence[tuple[str, str]]) -> Path:
        return owner_box.write_rows(game_id, rows, gone, starting_text(game_id))

    draft = owner_box.own_path(game_id).with_name(f"{game_id}.map-{side}.json")
    # by name, so that no other command imports the editor's screens
    editor = part_of(game_id, "map_editor")
    print(editor.MapEditor(box, side, draft, save, source, wanted=wanted).run())
    return Exit.DONE


@contextmanager
def _right_rows(then: str = "") -> Iterator[None]:
    """Raise `CommandError` for a component file with mistakes: a line for each wrong row, and `then` below them."""
    try:
        yield
    except BoxError as error:
        lines = []
        for problem in error.problems:
            separator = ", " if problem.line else ": "
            lines.append(f"{error.where}{separator}{problem}.")
        if then:
            lines.append(then)
        raise CommandError("\n".join(lines)) from error


def _right(game_id: str, path: Path, box: Box) -> str:
    own, unknown = len(owner_box.own_rows(box)), boxes.open_facts(game_id, box)
    if not own:
        return (
            f"{path} states nothing yet: all its rows are comments, so the packaged file is used."
        )
    return f"{path} is right: {plural(own, 'row')} of yours; {plural(unknown, 'fact')} about the box still missing."


def _require_box(game_id: str, kind: ErrorKind = ErrorKind.DATA) -> None:
    """Raise `CommandError` for a game that asks for no facts about a box."""
    if part_of(game_id, "box") is None:
        raise CommandError(_without_box(game_id), kind)


def _without_box(game_id: str) -> str:
    return f"{open_game(game_id).title} is played without a box: there is nothing to state of one."


def starting_text(game_id: str) -> str:
    """Return a new owner's file that states nothing: instructions, then the packaged rows as comments."""
    tables = [line for table in boxes.rules_of(game_id).TABLES for line in _explained(table)]
    lines = GAMES[game_id].text(boxes.PACKAGED).splitlines()
    rows = []
    for line in lines:
        rows.append(f"# {line}" if line and not line.startswith("#") else line)
    instructions = _HOW_TO.format(title=open_game(game_id).title, tables="\n".join(tables))
    return "\n".join((instructions, *rows, ""))


_HOW_TO = """\
# {title}: what your own copy says.
#
# The lines with # are comments: they state nothing, and the packaged file is used.
# To state a fact, take the "# " from the lines of its row. Give it what the table
# below asks for, a status, and a source: where you know it from, for example
# source = "my copy, 2026". It then takes the place of the packaged row of the same
# table and name. Leave all other rows as they are.
#
# status: confirmed (you have seen it), inferred (it follows from what you have
# seen), provisional (to be checked once more), unknown (the row states nothing).
#
{tables}
#
# Save, and leave the editor: the file is checked then.
"""


def _explained(table: ComponentTable) -> Iterator[str]:
    yield f"# [[{table.name}]]: {table.about}"
    for field in table.fields:
        optional = ", may be left out" if field.optional else ""
        yield f"#   {field.name}: {expected_value(field)}{optional}"


def _open_in_editor(path: Path) -> None:
    editor = _editor(path)
    try:
        code = subprocess.run(
            [*editor, str(path)], env=environment_for_others(), check=False
        ).returncode
    except OSError as error:
        why = f"The editor {editor[0]!r} cannot be started: {error.strerror}."
        raise CommandError(
            f"{why} Name another in EDITOR, or open {path} yourself.", ErrorKind.UNAVAILABLE
        ) from error
    if code:
        why = f"The editor {editor[0]!r} ended with code {code}; the file is {path}."
        raise CommandError(
            f"{why} `{PROGRAM} components check {in_shell(path.stem)}` checks it.",
            ErrorKind.UNAVAILABLE,
        )


def _editor(path: Path) -> list[str]:
    for variable in ("VISUAL", "EDITOR"):
        command = os.environ.get(variable, "").strip()
        if not command:
            continue
        try:
            return shell.split(command)
        except ValueError as error:
            why = f"{variable} is {command!r}, which cannot be read as a command ({error})"
            raise CommandError(
                f"{why}. Correct it, or open {path} yourself.", ErrorKind.USAGE
            ) from error
    for editor in EDITORS:
        if shutil.which(editor):
            return [editor]
    raise CommandError(
        f"There is no editor: name one in EDITOR, or open {path} yourself.", ErrorKind.UNAVAILABLE
    )


def _as_json_value(game_id: str, box: Box) -> dict[str, Any]:
    return {
        "game": game_id,
        "file": str(owner_box.own_path(game_id)) if owner_box.own_rows(box) else None,
        "rows": [
            {"table": row.table, **boxes.row_as_json(row), "own": row.own} for row in box.rows
        ],
        "open": boxes.open_facts(game_id, box),
        "costs": list(boxes.rules_of(game_id).costs(box)),
    }


def _lines(game_id: str, box: Box, columns: int) -> Iterator[str]:
    if part_of(game_id, "box") is None:
        yield _without_box(game_id)
        return
    own, unknown = len(owner_box.own_rows(box)), boxes.open_facts(game_id, box)
    yield f"{open_game(game_id).title}: {plural(len(box.rows), 'fact')} about the box, {unknown} still missing"
    if own:
        yield f"* {plural(own, 'row')} of yours, from {owner_box.own_path(game_id)}"
    for table in boxes.rules_of(game_id).TABLES:
        rows = []
        for row in box.table(table.name):
            mark = "*" if row.own else " "
            rows.append((mark, row.name, stated_text(row), row.status, row.source))
        yield ""
        yield from wrap(f"{table.name}: {table.about}", columns, "  ")
        yield from _in_columns(rows, columns)
    costs = boxes.rules_of(game_id).costs(box)
    yield ""
    if costs:
        yield "Without the missing facts:"
    for cost in costs:
        yield from wrap(f"- {cost}", columns, "  ")
    if own and (differs := comparing.differs(game_id)):
        yield differs
    if unknown:
        yield f"To enter the rest:  {PROGRAM} components enter {game_id}"
    yield f"To correct it:  {PROGRAM} components edit {game_id}"


def stated_text(row: ComponentRow) -> str:
    """Return a row's values as text: `3`, `red, blue`, `symbols red, blue; copies 2`, or `-`."""
    texts = {name: _value(value) for name, value in row.fields.items()}
    if texts.keys() <= {"value"}:
        return texts.get("value", "-")
    return "; ".join(f"{name} {text}" for name, text in texts.items())


def _value(value: Any) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(_value, value)) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _in_columns(rows: Sequence[tuple[str, ...]], columns: int) -> Iterator[str]:
    """Yield rows as aligned cells; the last cell takes the rest of the line, and more lines if needed."""
    widths = [max((width(row[place]) for row in rows), default=0) for place in range(4)]
    left = sum(widths) + len(widths)
    for row in rows:
        first, *more = wrap(row[4], max(columns - left, NARROWEST))
        yield " ".join((*(fit(cell, size) for cell, size in zip(row, widths, strict=False)), first))
        yield from (" " * left + line for line in more)


def _mend_first(game_id: str) -> str:
    return f"Fix your file first: {PROGRAM} components edit {game_id}"


_LONGEST = 300  # characters of a sentence that quotes a stranger's file


def export(args: argparse.Namespace) -> None:
    """`export`: write the owner's facts to a file for another owner."""
    game_id, path = args.game, args.file
    _require_box(game_id)
    with writing(path, "; name another file."), _right_rows(_mend_first(game_id)):
        count = owner_box.give_away(game_id, path)
    if not count:
        raise CommandError(
            f"You have no facts of your own yet: {PROGRAM} components enter {game_id}",
            ErrorKind.NO_INPUT,
        )
    print(f"{plural(count, 'fact')} written to {path}. Another owner takes them with:")
    print(f"  {PROGRAM} components import {game_id} {in_shell(path.name)}")


def take_over(args: argparse.Namespace) -> None:
    """`import`: take another owner's facts, field by field; those that differ are taken only on request."""
    game_id, path = args.game, args.file
    _require_box(game_id)
    try:
        with reading(path):
            found = owner_box.look_through(game_id, path)
    except BoxError as error:
        raise CommandError(f"{_first_wrong(error)} Nothing was taken from it.") from error
    taken = []
    for difference in found.differing:
        if _wanted(game_id, difference, at_once=args.theirs):
            taken.append(difference)
    rows = found.with_taken(taken)
    if rows:
        _write_facts(game_id, list(rows))
    kept_count = len(found.differing) - len(taken)
    print(
        f"{plural(len(found.new), 'new fact')}; {found.same} you have already; {kept_count} of yours kept."
    )
    if found.more:
        print(
            f"{plural(len(found.more), 'detail')} added to facts you have: {_named(game_id, found.more)}."
        )
    if kept_count and not args.theirs and not sys.stdin.isatty():
        print(
            f"To take these, too:  {PROGRAM} components import {game_id} {in_shell(str(path))} --theirs"
        )


def _named(game_id: str, differences: Sequence[Difference]) -> str:
    names = []
    for difference in differences:
        names.append(f"{row_called(game_id, difference.mine_row)} {difference.field}")
    return _cut(", ".join(names))


def row_called(game_id: str, row: ComponentRow) -> str:
    """Return the name that people use for a row of a game's box."""
    table = next(table for table in boxes.rules_of(game_id).TABLES if table.name == row.table)
    return row_title(table, row.name)


def differing(game_id: str, difference: Difference, mine: str, theirs: str) -> str:
    """Return a difference as a line, with the names of the two boxes: `Turn slot 1: yours 2 | theirs 3`."""
    field = "" if difference.field == "value" else f", {difference.field}"
    stated = "nothing" if difference.mine is None else _value(difference.mine)
    row = row_called(game_id, difference.theirs_row)
    return _cut(f"{row}{field}: {mine} {stated} | {theirs} {_value(difference.theirs)}")


def _wanted(game_id: str, difference: Difference, *, at_once: bool) -> bool:
    """Print a difference, and return whether to take theirs, asking if somebody can answer."""
    print(
        differing(
            game_id, difference, "yours" if difference.mine_row.own else "published", "theirs"
        )
    )
    if at_once or not sys.stdin.isatty():
        return at_once
    print("Take theirs? y takes it, Enter keeps yours: ", end="", flush=True)
    return sys.stdin.readline().strip().casefold() in ("y", "yes")


def compare(args: argparse.Namespace) -> None:
    """`compare`: compare the owner's file with the packaged one, field by field; the owner's choices are written into
    the file, or kept beside it."""
    game_id = args.game
    _require_box(game_id)
    if args.published and args.mine:
        raise CommandError("Name one of --published and --mine.", ErrorKind.USAGE)
    with _right_rows(_mend_first(game_id)):
        pairs, differences = comparing.compared(game_id), comparing.differing(game_id)
        undecided = differences if args.published else comparing.undecided(game_id)
    for pair in pairs:
        if pair.theirs is None:
            own = stated_text(pair.mine)
            print(_cut(f"{row_called(game_id, pair.mine)}: only yours, {own}. It stays."))
        elif pair.renamed:
            print(f"Your {pair.mine.name} is compared with the published {pair.theirs.name}.")
    answers = [(difference, _kept(game_id, difference, args)) for difference in undecided]
    taken = [difference for difference, keeps in answers if keeps is False]
    keeping = [difference for difference, keeps in answers if keeps]
    decided = bool(answers) and all(keeps is not None for _, keeps in answers)
    changed = 0
    with writing("Your file"), _right_rows("Nothing was changed."):
        if decided:
            changed = comparing.decide(game_id, pairs, taken, keeping, starting_text(game_id))
    _print_compared(game_id, len(pairs), len(undecided), changed, decided=decided)
    if differences and not undecided:
        print(_still_kept(len(differences)))


def _still_kept(facts: int) -> str:
    it = "it" if facts == 1 else "them"
    count = plural(facts, "fact that is", "facts that are")
    return f"You keep {count} published otherwise. --published takes {it}."


def _print_compared(game_id: str, rows: int, differ: int, changed: int, *, decided: bool) -> None:
    if not rows:
        print(f"You have no component file for {game_id}; the packaged one is used.")
    elif differ and not decided:
        print(f"To decide, in a terminal:  {PROGRAM} components compare {game_id}")
        print("Or at once: --published takes what is published, --mine keeps yours.")
    elif changed:
        print(
            f"{plural(changed, 'row')} changed in {owner_box.own_path(game_id)}. New games use it."
        )
    else:
        print(f"{plural(rows, 'row')} of yours; nothing to decide.")


def _kept(game_id: str, difference: Difference, args: argparse.Namespace) -> bool | None:
    """Print a difference; return whether the owner keeps their value, None if nobody can answer."""
    print(differing(game_id, difference, "yours says", "published says"))
    if args.published or args.mine:
        return bool(args.mine)
    if not sys.stdin.isatty():
        return None
    print("Keep yours? Enter keeps it, p takes what is published: ", end="", flush=True)
    return sys.stdin.readline().strip().casefold() not in ("p", "published")


def _write_facts(game_id: str, rows: list[ComponentRow]) -> None:
    try:
        with writing("Your file"):
            path = owner_box.write_rows(game_id, rows, (), starting_text(game_id))
    except BoxError as error:
        raise CommandError(
            f"The facts contradict yours: nothing was taken. {_first_wrong(error)}"
        ) from error
    print(f"{plural(len(rows), 'fact')} written to {path}. New games use them.")


def _first_wrong(error: BoxError) -> str:
    others = len(error.problems) - 1
    rest = ""
    if others > 0:
        rest = f" ({plural(others, 'more row is', 'more rows are')} wrong.)"
    return f"{_cut(str(error)).removesuffix('.')}.{rest}"


def _cut(text: str) -> str:
    text = clean(text)
    if len(text) <= _LONGEST:
        return text
    return f"{text[: _LONGEST - 3]}..."


SKIP, STOP, ADD, REMOVE, NEXT_PART, PART_BEFORE = "-", "q", "+", "remove", ">", "<"
SOURCE = "my copy"


def by_question(args: argparse.Namespace) -> None:
    """`enter`: ask for the open facts on the screen, or in plain lines."""
    wanted = in_force(args)
    if terminal.shows_screens() and not wanted.plain:
        enter(args.game, args.source, wanted)
    else:
        by_lines(entry_of(args.game, args.source), (line.rstrip("\n") for line in sys.stdin))


def enter(game_id: str, source: str, wanted: Preferences) -> None:
    """Ask for a game's open facts on the screen."""
    from companion.dashboard.box_entry import BoxEntryApp

    while True:
        entry = entry_of(game_id, source)
        # the map editor is a screen of its own: it runs after this one has ended
        side = BoxEntryApp(entry, open_game(game_id).title, wanted=wanted).run()
        if side is None:
            print(_kept_facts(entry))
            return
        draw_map(game_id, side, source, wanted)


def entry_of(game_id: str, source: str) -> BoxEntry:
    """Return the open facts of a game's box; raise `CommandError` if there are none or they cannot be read."""
    _require_box(game_id, ErrorKind.NO_INPUT)
    try:
        entry = BoxEntry(game_id, starting_text(game_id), source)
    except BoxError as error:  # one sentence, because the start screens have room for one
        raise CommandError(f"{_first_wrong(error)} {_mend_first(game_id)}") from error
    if not entry.facts:
        raise CommandError(
            f"Every fact about the box of {open_game(game_id).title} is known.", ErrorKind.NO_INPUT
        )
    return entry


def _kept_facts(entry: BoxEntry) -> str:
    known = f"{entry.known} of {len(entry.facts)} known"
    if not entry.path.exists():
        return f"{known}. Continue:  {PROGRAM} components enter {entry.game_id}"
    return f"{known}, kept in {entry.path}. New games use them. Continue:  {PROGRAM} components enter {entry.game_id}"


def by_lines(entry: BoxEntry, lines: Iterator[str]) -> None:
    """Ask in plain lines, a line for a row, until somebody stops or no question is left."""
    from companion.dashboard.box_entry import choices, table_lines

    print(f"{open_game(entry.game_id).title}: {entry.known} of {len(entry.facts)} known.")
    print("A line answers a question, or all of a row with spaces between the answers.")
    print(
        f"{SKIP} not known, {UNDO} undo, {NEXT_PART} and {PART_BEFORE} another part, {ADD} NAME add a row, "
        f"{REMOVE} deletes the row, {STOP} stop; :{UNDO} where {UNDO} itself is the answer."
    )
    shown = ""
    while (question := entry.question) is not None:
        if question.table.name != shown:
            shown = question.table.name
            print("\n" + "\n".join(table_lines(entry)))
        print(f"\n{question}\n  {choices(question, entry.words)}")
        line = next(lines, STOP)
        # in some questions the same key is an answer
        if line.strip() == STOP and STOP not in question.keys:
            break
        reply = _answered(entry, line)
        if reply:
            print(reply)
    print(f"\n{_kept_facts(entry)}")


def _answered(entry: BoxEntry, line: str) -> str:
    """Do what a line says; return the reply."""
    typed = line.strip()
    word, _, name = typed.partition(" ")
    try:
        if typed == SKIP:
            entry.skip()
        elif typed == UNDO:
            return "" if entry.undo() else "There is nothing to undo."
        elif word == ADD:
            entry.add(name)
        elif typed == REMOVE:
            return entry.remove()
        elif typed in (NEXT_PART, PART_BEFORE):
            entry.go_to_table(1 if typed == NEXT_PART else -1)
        else:
            return entry.answer_row(typed.removeprefix(":"))
    except NoAnswer as refusal:
        return f"! {refusal}"
    return ""
