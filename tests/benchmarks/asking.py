"""Questions about the rules: building the index of each game, and answering, beside SQLite's own full-text index.

python -m tests.benchmarks.asking
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable
from functools import partial

from companion.ask.index import Index
from companion.ask.sources import Passage, sources_of
from companion.rules.registry import GAMES, open_game
from tests.ask.asked import ASKED
from tests.benchmarks.chip import row
from tests.benchmarks.figures import timed

MOST_MS = 50
RUNS = 20


def plain_index(passages: tuple[Passage, ...]) -> sqlite3.Connection:
    """Return the clauses in an index of SQLite without synonyms or questions, stemmed by its own tokenizer."""
    db = sqlite3.connect(":memory:")
    db.execute("CREATE VIRTUAL TABLE plain USING fts5(text, tokenize='porter')")
    texts = [(f"{passage.text} {passage.options}",) for passage in passages if passage.clause]
    db.executemany("INSERT INTO plain VALUES (?)", texts)
    return db


def plain_search(db: sqlite3.Connection, question: str) -> None:
    """Look for the words of a question."""
    words = " OR ".join(f'"{word}"' for word in re.findall(r"\w+", question))
    db.execute(
        "SELECT rowid FROM plain WHERE plain MATCH ? ORDER BY rank LIMIT 3", (words,)
    ).fetchall()


def best(work: Callable[[], object]) -> float:
    """Return the shortest of some runs, in milliseconds."""
    return min(timed(work) for _ in range(RUNS))


def main() -> None:
    """Print a row for each of our games."""
    for game_id in dict.fromkeys(game for game, _, _ in ASKED):
        open_game(game_id)
        built = best(partial(lambda game: Index(sources_of(game)), game_id))
        passages = sources_of(game_id).passages
        plain = best(partial(plain_index, passages))
        title = GAMES[game_id].title
        bound = f"at most {MOST_MS} ms"
        row(f"{title}: index", f"{built:.1f} ms, {built / plain:.1f} x plain", bound)
        index, db = Index(sources_of(game_id)), plain_index(passages)
        questions = [question for game, question, _ in ASKED if game == game_id]
        ours = sum(best(partial(index.find, each)) for each in questions) / len(questions)
        theirs = sum(best(partial(plain_search, db, each)) for each in questions) / len(questions)
        row(
            f"{title}: a question",
            f"{ours:.2f} ms, {ours / theirs:.1f} x plain",
            f"{theirs:.2f} ms",
        )


if __name__ == "__main__":
    main()
