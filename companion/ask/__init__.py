"""Answers questions about a game's rules in everyday words, by a search of texts that everybody may read."""
