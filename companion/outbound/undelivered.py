"""What bounds the delivery of an event, and says that it failed."""

from __future__ import annotations

LIMIT_S = 5.0
"""Seconds that one delivery has."""


class UndeliveredError(Exception):
    """An event did not arrive: why, in words without a secret, a path or an argument."""
