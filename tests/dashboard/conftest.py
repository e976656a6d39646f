"""Fixtures that the tests of the screens share."""

from __future__ import annotations

from tests.dashboard import painting, settling, styling

settling.install()
painting.install()
styling.install()
