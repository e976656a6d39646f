"""Why a port did not open: the state and the sentence for each reason the system gives."""

from __future__ import annotations

import errno
from pathlib import Path

from companion.link.status import LinkState

_ABSENT = {errno.ENOENT, errno.ENODEV, errno.ENXIO}
_BUSY = {errno.EBUSY, errno.EAGAIN, errno.EWOULDBLOCK}
_FORBIDDEN = {errno.EACCES, errno.EPERM}


class OpenFailed(Exception):  # noqa: N818  it reads as what it is
    """A port that did not open; `state` and `sentence` say why and what to do."""

    def __init__(self, state: LinkState, sentence: str) -> None:
        super().__init__(sentence)
        self.state = state
        self.sentence = sentence


def explain(port: str, error: BaseException) -> OpenFailed:
    """Turn what opening `port` raised into a state and a sentence."""
    if "://" in port:
        return _explain_url(port, error)
    if isinstance(error, TimeoutError):
        return OpenFailed(
            LinkState.BUSY, f"{port} did not open within a second: unplug the board and plug it in again."
        )
    code = _errno(error)
    if code in _BUSY or "PermissionError" in str(error):  # Windows calls a port in use "access denied"
        return OpenFailed(
            LinkState.BUSY, f"{port} is held by another program (a serial monitor, ModemManager?): close that one."
        )
    if code in _FORBIDDEN:
        return OpenFailed(LinkState.NO_PERMISSION, _permission(port))
    if code in _ABSENT or "FileNotFoundError" in str(error):
        return OpenFailed(LinkState.ABSENT, f"{port} does not exist: plug the board in, or name another port.")
    return OpenFailed(LinkState.REFUSED, f"{port} cannot be used as a serial port ({error}): name another port.")


def _explain_url(port: str, error: BaseException) -> OpenFailed:
    if isinstance(error, OSError):
        reason = error.__context__ or str(error) or "no answer within a second"
        return OpenFailed(
            LinkState.ABSENT, f"Nothing answers at {port} ({reason}): start the board there, or check the URL."
        )
    return OpenFailed(LinkState.REFUSED, f"{port} is no URL of a port ({error}): write socket://HOST:PORT.")


def _errno(error: BaseException) -> int | None:
    code = getattr(error, "errno", None)
    return code if isinstance(code, int) else getattr(error.__context__, "errno", None)


def _permission(port: str) -> str:
    group = _group(port)
    return f"No permission to open {port}: run `sudo usermod -aG {group} $USER`, then log out and in again."


def _group(port: str) -> str:
    try:
        return Path(port).group()
    except (OSError, KeyError, NotImplementedError):
        return "dialout"
