"""Fixtures that the tests of the games share with those of the screen."""

from __future__ import annotations

from tests.dashboard import painting, settling, styling

settling.install()
painting.install()
styling.install()
