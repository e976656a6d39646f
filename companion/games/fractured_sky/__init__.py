"""Fractured Sky: the rules of RULES.md, clause by clause, with the AI opponents of its solo game."""
