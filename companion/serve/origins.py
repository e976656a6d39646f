"""Under which name a page was asked for, and which page asked: what a browser says, and no script in it can change."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Mapping
from typing import Any

_HOST = re.compile(r"(?:\[([0-9a-fA-F:.]+)\]|([0-9.]+|localhost))(?::\d{1,5})?")


def header_of(scope: Mapping[str, Any], name: bytes) -> str:
    """Return the one header of that name (in lower case) of an ASGI request; empty where there is none, or two."""
    found = [value for key, value in scope["headers"] if key.lower() == name]
    return found[0].decode("latin-1") if len(found) == 1 else ""


def is_plain_host(host: str) -> bool:
    """Return whether a `Host` header names this machine by number or as `localhost`.

    Somebody else's name may be made to point here, and a page of theirs would then be allowed to read ours (DNS
    rebinding); a number cannot be pointed anywhere. Behind a forwarded port the number is another one than ours.
    """
    found = _HOST.fullmatch(host)
    if found is None:
        return False
    if found[2] == "localhost":
        return True
    try:
        ipaddress.ip_address(found[1] or found[2])
    except ValueError:
        return False
    return True
