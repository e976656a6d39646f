"""Where a server listens, and the check of the name a browser used, which no script in it can change."""

from __future__ import annotations

import errno
import ipaddress
import re
import socket
from collections.abc import Mapping
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

from companion.errors import CommandError, ErrorKind
from companion.system.sockets import reuse_address
from companion.web.interfaces import OwnAddress, is_served_at, local_name, own_addresses

LOCALHOST = "127.0.0.1"
EVERYWHERE = (
    "0.0.0.0",
    "::",
)  # connections at the internet's addresses are cut, see `is_served_at`
_HOST = re.compile(
    r"(?:\[([0-9a-fA-F:.]+)\]|([0-9.]+)|([A-Za-z][A-Za-z0-9-]*(?:\.local)?))(?::\d{1,5})?"
)


def is_own_only(address: str) -> bool:
    """Return whether the host of a page's address is this computer for itself: a phone would look for the page on
    itself."""
    return OwnAddress(urlsplit(address).hostname or "").is_own_only


def checked_lan_address(address: str) -> str:
    """Return `address`; raise `CommandError` unless it is one that pages may be served at in a local network."""
    try:
        known = ipaddress.ip_address(address)
    except ValueError:
        raise CommandError(
            f"{address!r} is no address: give one such as 192.168.1.20.", ErrorKind.USAGE
        ) from None
    if known.is_loopback or known.is_unspecified:
        raise CommandError(
            f"No phone can reach {address}: type --lan alone, and addresses are found.",
            ErrorKind.UNAVAILABLE,
        )
    if not is_served_at(address):
        raise CommandError(
            f"{address} is an address of the whole internet, not of a local network: name a local one with "
            "--lan ADDRESS.",
            ErrorKind.UNAVAILABLE,
        )
    return address


def lan_addresses(named: str = "") -> tuple[OwnAddress, ...]:
    """Return the addresses for `--lan`: the named one alone, or all that this computer has, the likeliest first.

    Raise `CommandError` if there is none.
    """
    if named:
        return (OwnAddress(checked_lan_address(named)),)
    found = own_addresses()
    if not found:
        why = (
            "This machine is on no network, so no phone can reach it: join one, or leave --lan out."
        )
        raise CommandError(why, ErrorKind.UNAVAILABLE)
    return found


def listening_everywhere(port: int) -> list[socket.socket]:
    """Return sockets that listen at all addresses of this computer, also those that it gets later.

    Raise `CommandError` if there is none; IPv6 is left out on a system without it.
    """
    doors = [listening(EVERYWHERE[0], port)]
    with suppress(CommandError):
        doors.append(listening(EVERYWHERE[1], doors[0].getsockname()[1]))
    return doors


def listening(address: str, port: int) -> socket.socket:
    """Return a socket that listens at that address and port (0: any free one); raise `CommandError`."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    try:
        # asyncio sets TCP_NODELAY only on a socket that names its protocol; without it, the second part of an answer
        # waits 40 ms for the first to be acknowledged.
        door = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    except OSError as problem:  # a system without IPv6
        raise CommandError(
            f"{address} cannot be used ({problem.strerror}).", ErrorKind.UNAVAILABLE
        ) from problem
    try:
        reuse_address(door)
        if family == socket.AF_INET6:
            door.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        door.bind((address, port))
        door.listen()
    except OSError as problem:
        door.close()
        place = f"Port {port}"
        if address not in EVERYWHERE:
            place = f"Port {port} of {address}"
        why = f"{place} cannot be opened ({problem.strerror}): name another with --port."
        if isinstance(problem, PermissionError):
            why = f"Port {port} may not be opened by you: name one above 1023 with --port."
        if problem.errno == errno.EADDRNOTAVAIL:
            why = f"{address} is no address of this computer: type --lan alone, and it is found."
        raise CommandError(why, ErrorKind.UNAVAILABLE) from problem
    door.setblocking(False)
    return door


def header_of(scope: Mapping[str, Any], name: bytes) -> str:
    """Return the single header of that lower-case name in an ASGI request; empty if there is none, or more than one."""
    values = [value for key, value in scope["headers"] if key.lower() == name]
    return values[0].decode("latin-1") if len(values) == 1 else ""


def is_plain_host(host: str) -> bool:
    """Return whether a `Host` header names this machine by number, as `localhost`, or by its own multicast name.

    An attacker can make their own name resolve to this machine, and their page could then read ours (DNS rebinding); a
    number always means the same machine, and no DNS server answers for a name in `.local` (RFC 6762, 3). Behind a
    forwarded port the port differs from ours, so it is not compared.
    """
    match = _HOST.fullmatch(host)
    if match is None:
        return False
    if match[3]:
        return match[3].casefold() in ("localhost", local_name())
    try:
        ipaddress.ip_address(match[1] or match[2])
    except ValueError:
        return False
    return True
