"""How the house is built, in one table: `python -m tests.tools.house [CHECKOUT ...]`, one column a checkout.

A checkout is a folder with `companion/` in it, an older one as well: what is counted is read from its files, and one
tap is played in a process of its own, by the parts that the checkout's own tests play with. Without a folder: the one
this file lies in.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

GAMES = ("panic_fire", "skyfire", "sky_rise", "fractured_sky")
NOT_LOOSE = {"__init__", "__main__", "cli", "exits"}
HERE = Path(__file__).resolve().parents[2]

# Played in the checkout: Fire! is called, then a tap draws a card; the second such tap counts, from the board's word of
# it to the view that a screen asks for: calls from one file of the house into another, and of the game's `apply` from
# outside of its folder. Other threads, as that of the disk, are not counted: their work differs from run to run.
TAP = """
import sys
sys.path.insert(0, sys.argv[1])
try:
    from tests.table import parts
except ImportError:
    from tests.session import parts
house = (sys.argv[1] + "/companion/", sys.argv[1] + "/firmware_protocol/")
calls = applied = 0

def profile(frame, event, arg):
    global calls, applied
    if event != "call" or frame.f_back is None:
        return
    into, out = frame.f_code.co_filename, frame.f_back.f_code.co_filename
    calls += into != out and into.startswith(house)
    applied += frame.f_code.co_name == "apply" and "/panic_fire/" in into and "/panic_fire/" not in out

table = parts.table_on(parts.journal_of([parts.first_entry()]))
table.subscribe(lambda: None)
link = getattr(table, "board", table)  # older checkouts had one object for both
link.on_identified(parts.hello(), parts.BOOT)
parts.fire(table)
board = parts.Board()
link.store([board.armed()])
for us in 2_000_000, 4_000_000:
    tap = parts.tap(board, "zone-1", us)
    parts.settle(table, us - 1_000)
    calls = applied = 0
    sys.setprofile(profile)
    for one in tap:
        link.store([one])
    parts.settle(table, us + 1_000_000)
    table.view()
    sys.setprofile(None)
assert [fact.kind for fact in parts.facts(table._journal)] == ["fire", "draw", "draw"]
table.close()
print(calls, applied)
"""


@dataclass(frozen=True)
class House:
    """The Python files of a checkout."""

    root: Path

    @cached_property
    def product(self) -> dict[Path, str]:
        """The companion's files with their text."""
        return self._files("companion")

    @cached_property
    def tests(self) -> dict[Path, str]:
        """The tests' files with their text."""
        return self._files("tests")

    @cached_property
    def imports(self) -> dict[Path, set[str]]:
        """Return the project modules that each of the companion's files imports; for `from a import b`, both."""
        return {path: set(_imported(ast.parse(text))) for path, text in self.product.items()}

    def _files(self, folder: str) -> dict[Path, str]:
        found = sorted((self.root / folder).rglob("*.py"))
        return {path.relative_to(self.root): path.read_text(encoding="utf-8") for path in found}


def _imported(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield str(node.module)
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def loose(house: House) -> list[str]:
    """Return top-level modules that belong to no package."""
    return [
        path.stem for path in house.product if len(path.parts) == 2 and path.stem not in NOT_LOOSE
    ]


def of_game(house: House, game: str) -> list[Path]:
    """Return the files of a game, by their path or by their imports."""

    def named(parts: Iterable[str]) -> bool:
        return any(part.removesuffix(".py").startswith(game) for part in parts)

    return [
        path
        for path, names in house.imports.items()
        if named(path.parts) or any(named(n.split(".")) for n in names)
    ]


def outside(house: House) -> list[Path]:
    """Return the files of games that are outside their folders."""
    found = {
        path
        for game in GAMES
        for path in of_game(house, game)
        if not path.is_relative_to(f"companion/games/{game}")
    }
    return sorted(found)


def twice(house: House) -> dict[str, int]:
    """Return public classes that have a namesake in another file."""
    names = Counter(
        node.name
        for text in house.product.values()
        for node in ast.parse(text).body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )
    return {name: count for name, count in sorted(names.items()) if count > 1}


def arrows(house: House) -> dict[str, set[str]]:
    """Return the packages that each package, top-level module or the board's contract imports."""
    rooms = {path.parts[1].removesuffix(".py") for path in house.product} - {"__init__", "__main__"}
    found: dict[str, set[str]] = {room: set() for room in rooms | {"firmware_protocol"}}
    for path, names in house.imports.items():
        here = path.parts[1].removesuffix(".py")
        for name in names if here in rooms else ():
            top, *rest = name.split(".")
            there = (
                top
                if top == "firmware_protocol"
                else rest[0]
                if top == "companion" and rest
                else here
            )
            if there in found and there != here:
                found[here].add(there)
    return found


def floors(graph: Mapping[str, set[str]]) -> int:
    """Return the depth of the layers; packages that import each other are one layer."""
    reach = {room: _reachable(graph, room) for room in graph}
    height: dict[str, int] = defaultdict(int)
    # what lies below comes first
    for room in sorted(graph, key=lambda each: (len(reach[each]), each not in reach[each])):
        below = (height[each] for each in reach[room] if room not in reach[each])
        height[room] = 1 + max(below, default=0)
    return max(height.values())


def _reachable(graph: Mapping[str, set[str]], room: str) -> set[str]:
    seen: set[str] = set()
    waiting = [room]
    while waiting:
        new = graph[waiting.pop()] - seen
        seen |= new
        waiting += new
    return seen


def one_tap(root: Path) -> tuple[str, str]:
    """Return the calls into other files and the applications of the rules for a tap; question marks if none can be
    played."""
    played = subprocess.run(
        [sys.executable, "-c", TAP, str(root)],
        cwd=root,
        env=os.environ | {"PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    if played.returncode:
        print(
            f"{root}: no tap was played: {played.stderr.strip().splitlines()[-1]}", file=sys.stderr
        )
        return "?", "?"
    calls, applied = played.stdout.split()
    return calls, applied


def figures(house: House) -> dict[str, str]:
    """Return a checkout's column of the table."""
    lines = {path: text.count("\n") for path, text in (house.product | house.tests).items()}
    spread = {game: of_game(house, game) for game in GAMES}
    graph = arrows(house)
    calls, applied = one_tap(house.root)
    abroad = outside(house)
    return {
        "loose modules on the top floor": str(len(loose(house))),
        "rooms": str(len(graph)),
        "floors": str(floors(graph)),
        "arrows between rooms": str(sum(map(len, graph.values()))),
        **{
            f"{game}: rooms it spans": str(len({path.parts[1] for path in paths}))
            for game, paths in spread.items()
        },
        **{f"{game}: files": str(len(paths)) for game, paths in spread.items()},
        "files of a game outside its folder": str(len(abroad)),
        "lines of these": str(sum(lines[path] for path in abroad)),
        "files of the companion": str(len(house.product)),
        "lines of the companion": str(sum(lines[path] for path in house.product)),
        "lines of the tests": str(sum(lines[path] for path in house.tests)),
        "files over 600 lines": str(sum(count > 600 for count in lines.values())),
        "files of the companion under 50 lines": str(
            sum(lines[path] < 50 for path in house.product)
        ),
        "public class names defined twice": str(len(twice(house))),
        "one tap: calls into other files": calls,
        "one tap: the rules applied": applied,
    }


def main() -> None:
    """Print the table, and the names behind its counts."""
    houses = [House(Path(name).resolve()) for name in sys.argv[1:] or [str(HERE)]]
    columns = [figures(house) for house in houses]
    print(f"{'':40}", *(f"{house.root.name:>12.12}" for house in houses))
    for row in columns[0]:
        print(f"{row:40}", *(f"{column[row]:>12}" for column in columns))
    for house in houses:
        print(f"\n{house.root.name}\n  loose: {', '.join(loose(house))}")
        print(f"  classes: {', '.join(f'{name} {count}' for name, count in twice(house).items())}")
        print(
            "  abroad: " + ", ".join(str(path.relative_to("companion")) for path in outside(house))
        )


if __name__ == "__main__":
    main()
