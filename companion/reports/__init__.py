"""Exports of a session and their import, its report, statistics, and the sheet to play on by hand.

EXPORTS.md describes the formats. Importing this package loads nothing heavy.
"""

FORMATS = ("json", "jsonl", "csv", "html", "bgstats")
