"""Which addresses of this computer phones are shown, and under which names its pages open."""

from __future__ import annotations

import asyncio
import socket
from types import SimpleNamespace

import ifaddr
import pytest

from companion.web import interfaces
from companion.web.addresses import is_plain_host
from companion.web.interfaces import (
    Origins,
    OwnAddress,
    is_served_at,
    local_name,
    own_addresses,
    preferred,
    watch_addresses,
)

WLAN, VPN = OwnAddress("192.168.1.20", "wlan0"), OwnAddress("10.8.0.6", "tun0")


def has(monkeypatch: pytest.MonkeyPatch, *interfaces_with: tuple[str, *tuple[str, ...]]) -> None:
    """Let the system report these interfaces, each with its addresses."""
    adapters = [
        SimpleNamespace(
            nice_name=name,
            ips=[SimpleNamespace(ip=(ip, 0, 0) if ":" in ip else ip) for ip in ips],
        )
        for name, *ips in interfaces_with
    ]
    monkeypatch.setattr(ifaddr, "get_adapters", lambda: adapters)


@pytest.mark.parametrize(
    ("present", "shown"),
    [
        ((("wlan0", "10.42.0.1"),), ["10.42.0.1"]),
        (
            (("tun0", "10.8.0.6"), ("wlan0", "192.168.1.20")),
            ["192.168.1.20", "10.8.0.6"],
        ),
        (
            (("tailscale0", "100.101.1.2", "fd7a:115c:a1e0::1"), ("eth0", "172.16.4.9")),
            ["172.16.4.9", "fd7a:115c:a1e0::1", "100.101.1.2"],
        ),
        (
            (("docker0", "172.17.0.1"), ("eth0", "192.168.0.5"), ("wlan0", "192.168.7.5")),
            ["192.168.0.5", "192.168.7.5", "172.17.0.1"],
        ),
        ((("eth0", "169.254.9.9", "fe80::1", "2a01:4f8::1"),), ["169.254.9.9"]),
        ((("eth0", "8.8.8.8"), ("lo", "127.0.0.1", "::1")), []),
        ((), []),
    ],
    ids=["hotspot", "VPN", "Tailscale", "containers", "no DHCP", "the internet's", "no network"],
)
def test_addresses_are_listed_with_the_likeliest_first_and_without_those_of_the_internet(
    present: tuple[tuple[str, ...], ...], shown: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    has(monkeypatch, *present)  # type: ignore[arg-type]
    assert [address.ip for address in own_addresses()] == shown


def test_a_setting_chooses_by_address_or_interface_and_a_wrong_one_falls_back_to_the_likeliest() -> (
    None
):
    assert preferred((WLAN, VPN), "tun0") == preferred((WLAN, VPN), "10.8.0.6") == VPN
    assert preferred((WLAN, VPN), "") == preferred((WLAN, VPN), "eth7") == WLAN
    assert preferred((), "tun0") is None


def test_other_addresses_are_written_as_people_type_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: "Attic.example.org")
    six = OwnAddress("fd00::2", "eth0")
    origins = Origins("http", 8765, (WLAN, VPN, six), WLAN)
    assert origins.main == "http://192.168.1.20:8765"
    assert origins.others("/x/") == [
        "http://10.8.0.6:8765/x/ (tun0)",
        "http://[fd00::2]:8765/x/ (eth0)",
        "http://attic.local:8765/x/",
    ]
    alone = OwnAddress("127.0.0.1")
    assert Origins("http", 8765, (), alone).others() == []


@pytest.mark.parametrize(
    ("host_name", "name"),
    [
        ("attic", "attic.local"),
        ("Attic-2.fritz.box", "attic-2.local"),
        ("localhost", ""),
        ("", ""),
        ("a_b", ""),
        ("-a", ""),
        ("bücher", ""),
    ],
)
def test_a_computer_has_a_multicast_name_if_its_host_name_allows_one(
    host_name: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: host_name)
    assert local_name() == name


@pytest.mark.parametrize(
    ("host", "is_ours"),
    [
        ("attic.local", True),
        ("ATTIC.local:8765", True),
        ("attic.local.", False),
        ("cellar.local", False),
        ("attic.local.evil.example", False),
        ("attic", False),
        ("evil.example", False),
        ("localhost:80", True),
        ("[fd00::2]:8765", True),
        ("192.168.1.20:8765", True),
        ("192.168.1.20.evil.example", False),
        (".local", False),
        ("", False),
    ],
)
def test_only_this_computers_own_name_opens_its_pages(
    host: str, is_ours: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: "attic")
    assert is_plain_host(host) is is_ours


def test_without_a_multicast_name_no_name_but_localhost_opens_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: "a_b")
    assert is_plain_host("localhost")
    assert not is_plain_host("a_b.local")


@pytest.mark.parametrize(
    ("address", "is_local"),
    [
        ("127.0.0.1", True),
        ("::1", True),
        ("::ffff:192.168.1.20", True),
        ("::ffff:8.8.8.8", False),
        ("100.64.0.1", True),
        ("fd00::2", True),
        ("fc00::2", False),
        ("fe80::1", False),
        ("2a01:4f8::1", False),
        ("8.8.8.8", False),
        ("0.0.0.0", False),
        ("", False),
    ],
)
def test_pages_are_served_at_local_addresses_alone(address: str, is_local: bool) -> None:
    assert is_served_at(address) is is_local


async def test_a_change_of_address_is_noticed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = iter([(WLAN,), (WLAN,), (VPN,), (VPN,), (), ()])
    noticed: list[tuple[OwnAddress, ...]] = []
    over = asyncio.Event()

    def answer() -> tuple[OwnAddress, ...]:
        try:
            return next(answers)
        except StopIteration:
            over.set()
            return ()

    monkeypatch.setattr(interfaces, "own_addresses", answer)
    watching = asyncio.ensure_future(watch_addresses(noticed.append, period_s=0.0))
    loop_end = asyncio.ensure_future(asyncio.to_thread(lambda: None))
    await loop_end
    async with asyncio.timeout(10):
        while len(noticed) < 2:
            await asyncio.sleep(0)
    watching.cancel()
    assert noticed == [(VPN,), ()]
