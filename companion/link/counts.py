"""The times after which a connection is silent, stalled or dead."""

from __future__ import annotations

_MS = 1_000_000
# Boards behind a USB bridge restart when the port is opened and are deaf for up to 3 s.
IDENTIFY_NS = 5_000 * _MS
# What nobody answers is asked again every 100 ms (`Pinger`), so that on a wire that loses every fifth frame each way
# some 15 round trips in a row would have to fail: 0.36 ** 15. The board counts a host as gone a second later.
SILENT_NS = 2_000 * _MS
# A number that was left out is sent again by the board after 100, 200, 400 and 800 ms, and asked for after 500: a hole
# that outlives all these has another reason than a lost frame, and is named before two seconds are over.
STALLED_NS = 1_500 * _MS
# Some systems never report an unplugged port: after this long only opening it again can help.
DEAD_NS = 10_000 * _MS
