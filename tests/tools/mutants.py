"""Small wrong changes of a game's rules, and whether that game's tests notice each of them.

`python -m tests.tools.mutants --games panic_fire,skyfire --each 15 --seed 7` draws fifteen changes for each game, makes
each in a copy of this checkout, never in the checkout itself, and runs `pytest tests/games/<game> -x` there, then what
the tests of all games say of this one. A change that no test notices survived: it is printed as a difference, for
somebody to write the test or the reason.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import Queue

from companion.rules.registry import open_game
from tests.tools.mutations import KINDS, Alternatives, Mutant, mutants_of

HERE = Path(__file__).resolve().parents[2]
GAMES = ("panic_fire", "skyfire", "sky_rise", "fractured_sky")
PROCESSES = 2
LEFT_OUT = shutil.ignore_patterns(".git", ".venv", "__pycache__", ".*_cache")
LEAST_S, TIMES = 180, 10
"""How long a mutant's tests may take: so many times what they take without one, and at least so many seconds. A machine
that others make busy meanwhile must not kill one."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A drawn mutant of a game: its number in the draw, and the content of its file."""

    number: int
    game: str
    mutant: Mutant
    source: bytes

    def lines(self) -> str:
        """Return the mutant's place and difference."""
        mutant = self.mutant
        difference = [f"      {line}" for line in mutant.diff(self.source).splitlines()]
        return "\n".join(
            [f"{self.number:3} {mutant.path}:{mutant.line} ({mutant.kind})", *difference]
        )


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of a trial: `noticed` names the failed tests, empty if none failed."""

    trial: Trial
    noticed: str
    seconds: float

    def lines(self) -> str:
        """Return the lines of the report."""
        word = f"killed: {self.noticed}" if self.noticed else "SURVIVED"
        return f"{self.trial.lines()}\n      {word} ({self.seconds:.0f} s)"


def alternatives_of(game: str) -> Alternatives:
    """Return the alternatives of each option of a game; none for games whose options are in files."""
    if game == "own":
        return {}
    return {rule.name: rule.alternatives for rule in open_game(game.replace("_", "-")).house_rules}


def drawn(games: Sequence[str], each: int, seed: int) -> list[Trial]:
    """Return `each` mutants for each game, of all its kinds in turn; the same seed draws the same ones."""
    trials: list[Trial] = []
    for game in games:
        rng = random.Random(f"{seed} {game}")
        options = alternatives_of(game)
        paths = sorted((HERE / "companion" / "games" / game / "rules").glob("*.py"))
        sources = {path.relative_to(HERE): path.read_bytes() for path in paths}
        mutants = [
            mutant
            for path, source in sources.items()
            for mutant in mutants_of(path, source, options)
        ]
        for mutant in _in_turn(mutants, sources, each, rng):
            trials.append(Trial(len(trials) + 1, game, mutant, sources[mutant.path]))
    return trials


def _in_turn(
    mutants: Sequence[Mutant], sources: Mapping[Path, bytes], most: int, rng: random.Random
) -> list[Mutant]:
    """Return `count` of them, one kind after the other, no two of one place."""
    waiting = {kind: [mutant for mutant in mutants if mutant.kind == kind] for kind in KINDS}
    chosen: list[Mutant] = []
    while len(chosen) < most and any(waiting.values()):
        for kind in KINDS:
            if waiting[kind] and len(chosen) < most:
                mutant = waiting[kind].pop(rng.randrange(len(waiting[kind])))
                if not mutant.is_a_change(sources[mutant.path]):
                    continue
                chosen.append(mutant)
                waiting[kind] = [
                    other for other in waiting[kind] if _place(other) != _place(mutant)
                ]
    return chosen


def _place(mutant: Mutant) -> tuple[Path, int]:
    return mutant.path, mutant.start


class Copy:
    """A copy of the checkout in which mutants are tried."""

    def __init__(self, folder: Path, folder_only: bool) -> None:
        self.root, self.folder_only = folder / "copy", folder_only
        shutil.copytree(HERE, self.root, ignore=LEFT_OUT)
        # A mutant may be as long as the original and written within the same second: bytecode goes by content.
        command = [
            sys.executable,
            "-m",
            "compileall",
            "-q",
            "--invalidation-mode",
            "checked-hash",
            "companion",
        ]
        subprocess.run(command, cwd=self.root, check=True)

    def tests(self, game: str, timeout_s: float) -> str:
        """Run the game's own tests, then those of all games with this one; return what failed, empty if nothing did."""
        failed = self._run([f"tests/games/{game}"], timeout_s)
        # what people state in files has no name among the games
        if failed or self.folder_only or game == "own":
            return failed
        of_all = sorted(
            str(path.relative_to(self.root))
            for path in (self.root / "tests" / "games").glob("test_*.py")
        )
        return self._run([*of_all, "-k", game.replace("_", "-")], timeout_s)

    def _run(self, words: Sequence[str], timeout_s: float) -> str:
        try:
            ran = subprocess.run(
                [
                    sys.executable,
                    "-m",
                    "pytest",
                    *words,
                    "-x",
                    "-q",
                    "-n",
                    "0",
                    "-p",
                    "no:cacheprovider",
                ],
                cwd=self.root,
                env=os.environ | {"PYTHONPATH": str(self.root)},
                capture_output=True,
                text=True,
                timeout=timeout_s,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return "the time-out"
        if ran.returncode not in (0, 1, 2):
            raise RuntimeError(f"no tests were run: {ran.stdout}{ran.stderr}")
        failed = [line for line in ran.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
        return "" if ran.returncode == 0 else (failed or ["an error"])[0].split(" - ")[0]

    def verdict(self, trial: Trial, timeout_s: float) -> Verdict:
        """Try a mutant, and restore the file."""
        path = self.root / trial.mutant.path
        path.write_bytes(trial.mutant.applied_to(trial.source))
        begun = time.monotonic()
        try:
            noticed = self.tests(trial.game, timeout_s)
        finally:
            path.write_bytes(trial.source)
        return Verdict(trial, noticed, time.monotonic() - begun)


def tried(trials: Sequence[Trial], folder_only: bool) -> Iterator[Verdict]:
    """Try all mutants, two at a time, after the tests passed without any; yield the results in order."""
    with (
        tempfile.TemporaryDirectory(prefix="mutants-") as folder,
        ThreadPoolExecutor(PROCESSES) as pool,
    ):
        copies: Queue[Copy] = Queue()
        for number in range(PROCESSES):
            copies.put(Copy(Path(folder) / str(number), folder_only))
        limits: dict[str, float] = {}
        for game in dict.fromkeys(trial.game for trial in trials):
            limits[game] = _limit(copies, game)

        def run(trial: Trial) -> Verdict:
            copy = copies.get()
            try:
                return copy.verdict(trial, limits[trial.game])
            finally:
                copies.put(copy)

        yield from pool.map(run, trials)


def _limit(copies: Queue[Copy], game: str) -> float:
    """Return the time limit of a game's tests, which have to pass."""
    copy = copies.get()
    begun = time.monotonic()
    failed = copy.tests(game, 3_600)
    copies.put(copy)
    if failed:
        sys.exit(f"the tests of {game} fail without any mutant: {failed}")
    return max(LEAST_S, TIMES * (time.monotonic() - begun))


def main() -> None:
    """Draw, try and report."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.tools.mutants", description=__doc__.splitlines()[0]
    )
    parser.add_argument(
        "--games", default=",".join(GAMES), help="folders of companion/games, commas between"
    )
    parser.add_argument("--each", type=int, default=15, help="how many mutants for each game")
    parser.add_argument("--seed", type=int, default=random.randrange(1_000_000), help="of the draw")
    parser.add_argument(
        "--only", default="", help="try these numbers of the draw alone, commas between"
    )
    parser.add_argument(
        "--folder-only", action="store_true", help="leave out what the tests of all games say"
    )
    parser.add_argument("--list", action="store_true", help="print the draw and try nothing")
    asked = parser.parse_args()
    trials = drawn(asked.games.split(","), asked.each, asked.seed)
    if asked.only:
        numbers = {int(number) for number in asked.only.split(",")}
        trials = [trial for trial in trials if trial.number in numbers]
    print(f"seed {asked.seed}, {len(trials)} mutants of {asked.games}", flush=True)
    if asked.list:
        print("\n".join(trial.lines() for trial in trials))
        return
    survived: list[Verdict] = []
    for verdict in tried(trials, asked.folder_only):
        print(verdict.lines(), flush=True)
        survived += [] if verdict.noticed else [verdict]
    print(
        f"seed {asked.seed}: {len(trials) - len(survived)} of {len(trials)} killed, {len(survived)} survived"
    )
    print("\n".join(verdict.lines() for verdict in survived))


if __name__ == "__main__":
    main()
