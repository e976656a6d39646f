"""What the hub tells a monitoring system of itself."""

from __future__ import annotations

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Histogram, generate_latest


class Metrics:
    """Counts of what was stored, and how long that took."""

    media_type = CONTENT_TYPE_LATEST

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._entries = Counter("companion_hub_entries", "Entries in batches that were stored", registry=self._registry)
        self._batches = Histogram("companion_hub_batch_seconds", "Seconds to store a batch", registry=self._registry)

    def stored(self, entries: int, seconds: float) -> None:
        """Count a batch; what was sent again counts again."""
        self._entries.inc(entries)
        self._batches.observe(seconds)

    def text(self) -> bytes:
        """Return all of it in Prometheus' text format."""
        return generate_latest(self._registry)
