"""A computer and phones in networks of their own: Linux network namespaces, which a plain user can make, too."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager

_HOLD = "ip link set lo up; echo there; exec sleep infinity"


class Place:
    """A network namespace, and the process that holds it."""

    def __init__(self, command: Sequence[str]) -> None:
        self._holder = subprocess.Popen([*command, "sh", "-c", _HOLD], stdout=subprocess.PIPE)
        assert self._holder.stdout is not None
        assert self._holder.stdout.readline() == b"there\n"

    @property
    def pid(self) -> int:
        """The process that holds it."""
        return self._holder.pid

    @property
    def inside(self) -> Sequence[str]:
        """Command that runs a program there."""
        return ["nsenter", "--preserve-credentials", "-U", "-n", "-t", str(self.pid)]

    def ip(self, *arguments: str) -> None:
        """Run `ip` there."""
        subprocess.run([*self.inside, "ip", *arguments], check=True, capture_output=True)

    def close(self) -> None:
        """End the process, and with it the namespace."""
        self._holder.kill()
        self._holder.wait()
        if self._holder.stdout is not None:
            self._holder.stdout.close()


class Laptop(Place):
    """The computer of the companion. It has no network at first."""

    def __init__(self, ending: ExitStack) -> None:
        super().__init__(["unshare", "-rn"])
        ending.callback(self.close)
        self._ending = ending

    def interface(self, name: str, address: str) -> None:
        """Give it an interface that leads nowhere, as that of a VPN nobody else here is in."""
        # A dummy interface is a kernel module that not every machine has.
        self.ip("link", "add", name, "type", "veth", "peer", "name", f"{name}-end"[-15:])
        self.ip("addr", "add", address, "dev", name)
        self.ip("link", "set", name, "up")

    def phone(self, name: str, own: str, phones: str) -> Place:
        """Return a phone at the other end of the interface `name`. Both addresses are with their prefix."""
        phone = Place([*self.inside, "unshare", "-n"])
        self._ending.callback(phone.close)
        end = ("peer", "name", "wlan0", "netns", str(phone.pid))
        self.ip("link", "add", name, "type", "veth", *end)
        self.ip("addr", "add", own, "dev", name)
        self.ip("link", "set", name, "up")
        phone.ip("addr", "add", phones, "dev", "wlan0")
        phone.ip("link", "set", "wlan0", "up")
        return phone


def why_none() -> str:
    """Return why no networks can be made here; empty if they can."""
    if sys.platform != "linux":
        return "network namespaces exist on Linux alone"
    for program in ("ip", "unshare", "nsenter"):
        if shutil.which(program) is None:
            return f"{program} is not installed (Debian: apt install iproute2 util-linux)"
    tried = subprocess.run(["unshare", "-rn", "ip", "link"], check=False, capture_output=True)
    return "" if tried.returncode == 0 else "no program may have a network of its own here"


@contextmanager
def laptop() -> Iterator[Laptop]:
    """Yield a computer without any network."""
    with ExitStack() as ending:
        yield Laptop(ending)
