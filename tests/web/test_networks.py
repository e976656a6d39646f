"""The pages in networks as tables have them: a hotspot, a VPN, two networks at once, and one that changes."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.web.browser import CHROMIUM, Chromium
from tests.web.networks import Laptop, Place, laptop, why_none
from tests.web.served import played, press, served

WHY_NOT = why_none()
pytestmark = [pytest.mark.waits, pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT)]


@pytest.fixture
def own() -> Iterator[Laptop]:
    """Return the companion's computer, without any network."""
    with laptop() as made:
        yield made


def opened(at: Place, address: str) -> str:
    """Return what a phone gets at an address; empty if it gets nothing."""
    done = subprocess.run(
        [*at.inside, "curl", "-s", "-g", "--max-time", "5", address], check=False, capture_output=True, text=True
    )  # fmt: skip
    return done.stdout


def hosts(lines: list[str]) -> list[str]:
    """Return the hosts of the printed addresses, in their order, without the computer's name."""
    found = [
        urlsplit(word).hostname or "" for line in lines for word in line.split() if "://" in word
    ]
    return [host for host in found if not host.endswith(".local")]


def test_on_a_hotspot_without_a_route_to_anywhere_a_phones_browser_follows_the_game(
    own: Laptop, tmp_path: Path
) -> None:
    if CHROMIUM is None:
        pytest.skip("no Chromium is installed (Debian: apt install chromium)")
    phone = own.phone("wlan0", "10.42.0.1/24", "10.42.0.7/24")
    with (
        played(tmp_path) as table,
        served(str(table.path), "--port", "0", "--lan", inside=own.inside) as program,
        closing(Chromium(tmp_path / "profile", phone.inside)) as chromium,
        chromium.page() as page,
    ):
        address = program.address()
        assert urlsplit(address).hostname == "10.42.0.1"
        page.open(address)
        page.wait_for("document.body.innerText.includes('round 1 of 6')")
        press(table, "fire", "draw.1")
        page.wait_for("document.body.innerText.includes('red draws')")
        # The browser ignores this header without encryption, and says so.
        assert [error for error in page.errors if "Cross-Origin-Opener-Policy" not in error] == []


def test_with_a_vpn_and_tailscale_the_address_in_the_room_comes_first_and_all_are_listed(
    own: Laptop, tmp_path: Path
) -> None:
    own.interface("tun0", "10.8.0.6/24")
    own.interface("tailscale0", "100.101.1.2/32")
    phone = own.phone("eth0", "192.168.1.20/24", "192.168.1.30/24")
    own.ip("route", "add", "default", "via", "10.8.0.1")
    with (
        played(tmp_path) as table,
        served(str(table.path), "--port", "0", "--lan", inside=own.inside) as program,
    ):
        assert "red" in opened(phone, program.address())
        program.line("100.101.1.2")
        assert hosts(program.lines)[:3] == ["192.168.1.20", "10.8.0.6", "100.101.1.2"]


def test_phones_in_two_networks_each_open_the_address_of_theirs_and_none_opens_one_of_the_internet(
    own: Laptop, tmp_path: Path
) -> None:
    first = own.phone("eth0", "192.168.1.20/24", "192.168.1.30/24")
    second = own.phone("wlan0", "192.168.77.1/24", "192.168.77.9/24")
    outside = own.phone("eth1", "8.8.8.7/24", "8.8.8.8/24")
    with (
        played(tmp_path) as table,
        served(str(table.path), "--port", "0", "--lan", inside=own.inside) as program,
    ):
        address = program.address()
        other = program.line("192.168.77.1").split()[1]
        assert "red" in opened(first, address)
        assert "red" in opened(second, other)
        assert opened(second, other.replace("192.168.77.1", "192.168.1.20")) == ""  # no route
        assert opened(outside, address.replace("192.168.1.20", "8.8.8.7")) == ""
        assert not any("8.8.8.7" in line for line in program.lines)


def test_when_the_address_changes_the_code_is_shown_again_and_the_secret_stays(
    own: Laptop, tmp_path: Path
) -> None:
    phone = own.phone("wlan0", "192.168.1.20/24", "192.168.1.30/24")
    with (
        played(tmp_path) as table,
        served(str(table.path), "--port", "0", "--lan", inside=own.inside) as program,
    ):
        before = urlsplit(program.address())
        own.ip("addr", "flush", "dev", "wlan0")
        own.ip("addr", "add", "192.168.43.5/24", "dev", "wlan0")
        phone.ip("addr", "add", "192.168.43.9/24", "dev", "wlan0")
        program.line("has changed: scan again")
        after = urlsplit(program.line("http://192.168.43.5"))
        assert (after.port, after.path) == (before.port, before.path)
        assert "red" in opened(phone, after.geturl())
