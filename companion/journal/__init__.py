"""The append-only record of a session: entries, fold, and the primitives that put the past right."""
