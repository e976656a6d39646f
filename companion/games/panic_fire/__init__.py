"""Panic Fire: the rules of RULES.md, clause by clause, over facts from the gun, the zones and the keyboard."""
