"""What the tests of the screen share."""

from __future__ import annotations

from textual import _wait

# Behind each key the pilot sleeps until the process has done next to nothing for so long. Textual's own 20 ms a key are
# most of the time of these tests; the share of work that counts as nothing stays the same.
_IDLE_SHARE = _wait.SLEEP_IDLE / _wait.SLEEP_GRANULARITY
_wait.SLEEP_GRANULARITY = 1 / 200
_wait.SLEEP_IDLE = _IDLE_SHARE * _wait.SLEEP_GRANULARITY
