"""Questions about the rules: building the index of each game, and answering, beside SQLite's own full-text index.

python -m tests.benchmarks.asking
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from companion.ask.index import Index
from companion.ask.sources import sources_of
from companion.rules.registry import GAMES, open_game
from tests.ask.asked import ASKED
from tests.ask.quality import PlainSearch
from tests.benchmarks.chip import row
from tests.benchmarks.figures import timed

MOST_MS = 50
RUNS = 20


def best(work: Callable[[], object]) -> float:
    """Return the shortest of some runs, in milliseconds."""
    return min(timed(work) for _ in range(RUNS))


def main() -> None:
    """Print a row for each of our games."""
    for game_id in dict.fromkeys(game for game, _, _ in ASKED):
        open_game(game_id)
        built = best(partial(lambda game: Index(sources_of(game)), game_id))
        sources = sources_of(game_id)
        plain = best(partial(PlainSearch, sources))
        title = GAMES[game_id].title
        bound = f"at most {MOST_MS} ms"
        row(f"{title}: index", f"{built:.1f} ms, {built / plain:.1f} x plain", bound)
        index, search = Index(sources), PlainSearch(sources)
        questions = [question for game, question, _ in ASKED if game == game_id]
        ours = sum(best(partial(index.find, each)) for each in questions) / len(questions)
        theirs = sum(best(partial(search.clauses, each)) for each in questions) / len(questions)
        row(
            f"{title}: a question",
            f"{ours:.2f} ms, {ours / theirs:.1f} x plain",
            f"{theirs:.2f} ms",
        )


if __name__ == "__main__":
    main()
