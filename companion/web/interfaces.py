"""The addresses at which other devices may reach this computer, the likely ones first."""

from __future__ import annotations

import asyncio
import ipaddress
import re
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum

import ifaddr

LOOK_S = 5.0
"""Seconds between two looks at the interfaces. Reading them takes a millisecond."""
_TUNNEL = re.compile(r"(tun|tap|wg|utun|ppp|zt|tailscale|docker|br-|veth|virbr|vbox|vmnet|lxc)")
"""How names of interfaces begin that lead to a VPN, or to containers and machines inside this one."""
_LOCAL_NET = tuple(
    ipaddress.ip_network(net) for net in ("192.168.0.0/16", "10.0.0.0/8", "172.16.0.0/12")
)  # RFC 1918
_CARRIER = ipaddress.ip_network("100.64.0.0/10")  # RFC 6598; Tailscale takes its addresses from it
_LINK_LOCAL = ipaddress.ip_network("169.254.0.0/16")  # RFC 3927: a cable without a DHCP server
_UNIQUE_LOCAL = ipaddress.ip_network("fd00::/8")  # RFC 4193
_LABEL = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")  # RFC 1123

_Ip = ipaddress.IPv4Address | ipaddress.IPv6Address


class Likelihood(IntEnum):
    """How likely a phone beside this computer reaches an address of a kind; lower is likelier."""

    LOCAL = 0
    OTHER_PRIVATE = 1
    UNIQUE_LOCAL = 2
    TUNNEL = 3
    LINK_LOCAL = 4
    CARRIER = 5


@dataclass(frozen=True, slots=True)
class OwnAddress:
    """An address of this computer, and the name of the network interface that has it."""

    ip: str
    interface: str = ""

    @property
    def host(self) -> str:
        """The address as it is written in a URL."""
        return f"[{self.ip}]" if ":" in self.ip else self.ip

    @property
    def is_own_only(self) -> bool:
        """Whether this computer alone reaches it: a phone would look for the page on itself."""
        try:
            return ipaddress.ip_address(self.ip).is_loopback
        except ValueError:
            return self.ip == "localhost"

    @property
    def text(self) -> str:
        """The address with its interface, for people: `192.168.1.20 (wlan0)`."""
        return f"{self.ip} ({self.interface})" if self.interface else self.ip


@dataclass(frozen=True, slots=True)
class Origins:
    """Where browsers reach a server of this computer: at each of `addresses`, of which `shown` is the one that codes
    lead to."""

    scheme: str
    port: int
    addresses: tuple[OwnAddress, ...]
    shown: OwnAddress

    def at(self, host: str) -> str:
        """Return the origin with another host: `http://192.168.1.20:8765`."""
        return f"{self.scheme}://{host}:{self.port}"

    @property
    def main(self) -> str:
        """The origin of the shown address."""
        return self.at(self.shown.host)

    @property
    def named(self) -> str:
        """The origin with this computer's multicast name; empty if it has none, or is on no network."""
        name = local_name()
        if not name or self.shown.is_own_only:
            return ""
        return self.at(name)

    def others(self, path: str = "") -> list[str]:
        """Return the other addresses as people can type them, each with `path` and the interface's name."""
        lines = []
        for address in self.addresses:
            if address != self.shown:
                name = f" ({address.interface})" if address.interface else ""
                lines.append(f"{self.at(address.host)}{path}{name}")
        if self.named:
            lines.append(f"{self.named}{path}")
        return lines


def own_addresses() -> tuple[OwnAddress, ...]:
    """Return this computer's addresses that pages may be served at, the likeliest first.

    Loopback, public addresses, and IPv6 other than fd00::/8 are left out.
    """
    found: list[tuple[Likelihood, OwnAddress]] = []
    for adapter in ifaddr.get_adapters():
        for entry in adapter.ips:
            text = entry.ip if isinstance(entry.ip, str) else entry.ip[0]
            likelihood = _likelihood(ipaddress.ip_address(text), adapter.nice_name)
            if likelihood is not None:
                found.append((likelihood, OwnAddress(text, adapter.nice_name)))
    # The sort is stable: addresses of one kind stay in the system's order, which names them in the order in which
    # the interfaces appeared.
    found.sort(key=lambda pair: pair[0])
    return tuple(address for _, address in found)


def _likelihood(ip: _Ip, interface: str) -> Likelihood | None:
    """Return how likely a phone reaches `ip`; None for an address at which no pages are served."""
    if not is_served_at(str(ip)) or ip.is_loopback:
        return None
    if ip.version == 6:
        return Likelihood.UNIQUE_LOCAL
    if ip in _CARRIER:
        return Likelihood.CARRIER
    if ip in _LINK_LOCAL:
        return Likelihood.LINK_LOCAL
    if _TUNNEL.match(interface):
        return Likelihood.TUNNEL
    if any(ip in net for net in _LOCAL_NET):
        return Likelihood.LOCAL
    return Likelihood.OTHER_PRIVATE


def is_served_at(address: str) -> bool:
    """Return whether pages may be served at an address of this computer: a local one, and not the internet's."""
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return False
    if ip.version == 6:
        mapped = ip.ipv4_mapped
        if mapped is not None:
            return is_served_at(str(mapped))
        return ip.is_loopback or ip in _UNIQUE_LOCAL
    if ip.is_unspecified:
        return False
    return ip.is_private or ip in _CARRIER


def preferred(addresses: Sequence[OwnAddress], wanted: str) -> OwnAddress | None:
    """Return the address that `wanted` names by its digits or its interface, else the likeliest; None if there is
    none."""
    for address in addresses:
        if wanted and wanted in (address.ip, address.interface):
            return address
    return addresses[0] if addresses else None


def local_name() -> str:
    """Return the name that this computer has in multicast DNS, `laptop.local`; empty if its host name allows none."""
    label = socket.gethostname().partition(".")[0].casefold()
    if label == "localhost" or not _LABEL.fullmatch(label):
        return ""
    return f"{label}.local"


async def watch_addresses(
    changed: Callable[[tuple[OwnAddress, ...]], object], period_s: float = LOOK_S
) -> None:
    """Call `changed` with the computer's addresses whenever they differ from before; run until cancelled."""
    known = await asyncio.to_thread(own_addresses)
    while True:
        await asyncio.sleep(period_s)
        now = await asyncio.to_thread(own_addresses)
        if now != known:
            known = now
            changed(now)
