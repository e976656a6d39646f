"""The append-only record of a session: entries, fold, and the primitives that correct the past."""
