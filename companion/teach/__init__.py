"""Lessons: a game that stops at each new rule, explains it, and lets the learner do it."""
