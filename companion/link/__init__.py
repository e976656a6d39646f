"""Bytes to events: transport, session, clock, finder, supervisor. Importing it does not load pyserial."""

from companion.link.evidence import Evidence, Mark, NotDurable
from companion.link.listener import Listener
from companion.link.status import NO_LINK, LinkState, LinkStatus
from companion.link.supervisor import Link

__all__ = ["NO_LINK", "Evidence", "Link", "LinkState", "LinkStatus", "Listener", "Mark", "NotDurable"]
