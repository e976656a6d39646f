"""What a session leaves behind: exports and their import, the report, statistics, the sheet to go on by hand.

EXPORTS.md describes the formats. Importing this package loads nothing heavy.
"""

FORMATS = ("json", "jsonl", "csv", "html", "bgstats")
