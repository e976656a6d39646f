"""What the hub logs: a line of JSON each, for who runs it as a service."""

from __future__ import annotations

import json
import logging
import traceback
from datetime import UTC, datetime
from typing import TextIO


class JsonLine(logging.Formatter):
    """A record of the log as one line; of a fault, its kind and where it came from, not its words, which may quote what
    somebody sent."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        said = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "from": record.name,
        }
        if record.exc_info and record.exc_info[0] is not None:
            frames = traceback.extract_tb(record.exc_info[2])
            where = f"{frames[-1].filename}:{frames[-1].lineno}" if frames else ""
            return json.dumps(said | {"fault": record.exc_info[0].__name__, "at": where})
        return json.dumps(said | {"said": record.getMessage()})


def log_to(stream: TextIO) -> None:
    """Have warnings and faults of the hub's libraries written there."""
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonLine())
    for name in ("uvicorn", "sqlalchemy", "alembic"):
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.setLevel(logging.WARNING)
        logger.propagate = False
