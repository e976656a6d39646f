"""Bytes to events: transport, session, clock, finder, supervisor. Importing it does not load pyserial."""

from companion.link.evidence import Evidence, LastEvidence, NotDurable
from companion.link.listener import Listener
from companion.link.status import NO_LINK, LinkState, LinkStatus
from companion.link.supervisor import Link

__all__ = ["NO_LINK", "Evidence", "LastEvidence", "Link", "LinkState", "LinkStatus", "Listener", "NotDurable"]
