"""SkyFire: facts, rules, words, view; design by Michael Purcell, CC BY-SA 4.0. RULES.md states every clause."""
