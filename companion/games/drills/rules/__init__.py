"""The rules of the drills, as RULES.md states them."""
