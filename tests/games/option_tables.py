"""The table of rulings in the RULES.md of each game of ours, made from the house rules that its code declares.

`python -m tests.games.option_tables` writes them anew, after somebody changed an `options.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from companion import games
from companion.rules.house_rules import HouseRule
from companion.rules.registry import GAMES, part_of

HEAD = "| clause | option | default | alternative |"


def declaring() -> dict[str, Sequence[HouseRule]]:
    """Return the house rules of each game whose code says what they mean, by the game's id."""
    rules = {}
    for game_id in GAMES:
        options = part_of(game_id, "options")
        if options is not None and any(rule.meanings for rule in options.HOUSE_RULES):
            rules[game_id] = options.HOUSE_RULES
    return rules


def table(rules: Sequence[HouseRule]) -> str:
    """Return the table of these house rules, in Markdown."""
    rows = [HEAD, "|---|---|---|---|"]
    for rule in rules:
        default, others = rule.stated
        rows.append(f"| {rule.clause} | `{rule.name}` | {default} | {others} |")
    return "\n".join(rows) + "\n"


def with_table(page: str, rules: Sequence[HouseRule]) -> str:
    """Return a page of rules with its table replaced by one of these house rules."""
    before, head, after = page.partition(HEAD)
    assert head, "the page has no table of rulings to replace"
    lines = after.splitlines(keepends=True)[1:]
    while lines and lines[0].startswith("|"):
        del lines[0]
    return before + table(rules) + "".join(lines)


def page_of(game_id: str) -> Path:
    """Return the rules page of one of our games."""
    return Path(games.__file__).parent / game_id.replace("-", "_") / "RULES.md"


def main() -> None:
    """Rewrite the tables."""
    for game_id, rules in declaring().items():
        path = page_of(game_id)
        path.write_text(with_table(path.read_text(encoding="utf-8"), rules), encoding="utf-8")


if __name__ == "__main__":
    main()
