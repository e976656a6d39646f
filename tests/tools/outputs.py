"""Whether two checkouts write the same of the same sessions: `python -m tests.tools.outputs CHECKOUT [CHECKOUT ...]`.

The sessions are those of the fixtures and long records of each game, some of them corrected in every way. Each checkout
exports them in every format, prints their sheets, their feeds and their statistics; every output whose bytes are not
those of the checkout that this file lies in is named, and the exit code is 1 where there is one. A checkout is a folder
with `companion/` in it, as for `tests.tools.house`.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from companion.reports.importing import parse_export, write_session
from companion.rules.registry import open_game
from tests.benchmarks.evenings import GAMES, SEATS
from tests.benchmarks.long_records import in_memory, on_disk
from tests.games.hints import setup_of
from tests.games.own.files import learned

HERE = Path(__file__).resolve().parents[2]
FIXTURES = HERE / "tests" / "fixtures"
ENTRIES, UNDONE = 400, 80
SEEDS = (1,)
WALL = "2026-01-31T20:00:00.000+00:00"

# Run by each checkout: one line of JSON, the digest of what each command writes of each session.
WRITES = """
import contextlib, hashlib, io, json, sys
from pathlib import Path
from companion.cli import main

def digest(*arguments):
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()) as said:
        code = main(list(arguments))
    out.flush()
    written = out.buffer.getvalue() + said.getvalue().encode() + str(int(code or 0)).encode()
    return hashlib.sha256(written).hexdigest()

found = {}
formats = [("--format", each) for each in ("html", "jsonl", "csv", "json", "bgstats")]
more = [("--format", "jsonl", "--evidence"), ("--format", "jsonl", "--stored"), ("--excel",)]
for path in sorted(Path(sys.argv[1]).glob("sessions/*.sqlite")):
    for extra in (*formats, *more):
        found[f"export {path.stem} {' '.join(extra)}"] = digest("export", path.stem, *extra, "--anyway")
    for command in ("sheet", "feed"):
        found[f"{command} {path.stem}"] = digest(command, path.stem, "--anyway")
for extra in ((), ("--json",), ("--plot",), ("--no-tests",)):
    found[f"stats {' '.join(extra)}"] = digest("stats", *extra, "--anyway")
print(json.dumps(found))
"""


def lay_out(folder: Path) -> None:
    """Fill a data folder with the sessions."""
    sessions = folder / "sessions"
    sessions.mkdir()
    for path in sorted([*FIXTURES.glob("sessions/*.sqlite*"), *FIXTURES.glob("journal/*.sqlite*")]):
        shutil.copy(path, sessions / path.name)
    for path in sorted(FIXTURES.glob("*/*.jsonl")):
        entries = parse_export(path.read_text(encoding="utf-8"), path.name, WALL)
        write_session(
            sessions / f"{path.parent.name}-{path.stem}.sqlite", entries, path.name, over=True
        )
    with learned():
        for game_id in GAMES:
            for seed in SEEDS:
                for corrected in (False, True):
                    record = in_memory(
                        open_game(game_id),
                        setup_of(game_id, SEATS),
                        ENTRIES,
                        UNDONE,
                        corrected=corrected,
                        seed=seed,
                    )
                    on_disk(sessions / f"long-{game_id}-{seed}-{corrected}.sqlite", record)


def outputs(checkout: Path, folder: Path) -> Mapping[str, str]:
    """Return the digest of each output of a checkout."""
    around = {**os.environ, "PYTHONPATH": str(checkout), "COMPANION_DATA": str(folder)}
    command = [sys.executable, "-c", WRITES, str(folder)]
    done = subprocess.run(
        command, capture_output=True, text=True, check=True, env=around, cwd=checkout
    )
    found: Mapping[str, str] = json.loads(done.stdout.splitlines()[-1])
    return found


def differing(checkouts: list[Path]) -> Iterator[str]:
    """Yield a line for each output that is not the same everywhere."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        lay_out(folder)
        here = outputs(HERE, folder)
        for checkout in checkouts:
            other = outputs(checkout, folder)
            yield from (
                f"{checkout}: {what}"
                for what in sorted({*here, *other})
                if here.get(what) != other.get(what)
            )
    print(f"{len(here)} outputs of {len(checkouts) + 1} checkouts compared")


if __name__ == "__main__":
    lines = list(differing([Path(argument).resolve() for argument in sys.argv[1:]]))
    print("\n".join(lines))
    sys.exit(bool(lines))
