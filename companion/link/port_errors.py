"""Why a port did not open: a state and a sentence for each reason that the system reports."""

from __future__ import annotations

import errno

from companion.errors import CommandError, ErrorKind
from companion.link.status import LinkState
from companion.system.devices import group_of
from companion.system.port_users import others_at

_ABSENT = {errno.ENOENT, errno.ENODEV, errno.ENXIO}
_BUSY = {errno.EBUSY, errno.EAGAIN, errno.EWOULDBLOCK}
_FORBIDDEN = {errno.EACCES, errno.EPERM}
_NO_PORT = {
    errno.EISDIR: "it is a folder",
    errno.ENOTTY: "it is no serial port",
    errno.EINVAL: "it is no serial port",
}


class OpenFailed(CommandError):
    """A port did not open; `state` and `sentence` say why and what to do."""

    def __init__(self, state: LinkState, sentence: str) -> None:
        super().__init__(sentence, ErrorKind.UNAVAILABLE)
        self.state = state
        self.sentence = sentence


def explain(port: str, error: BaseException) -> OpenFailed:
    """Return the state and the sentence for the error that opening `port` raised."""
    if "://" in port:
        return _explain_url(port, error)
    if isinstance(error, TimeoutError):
        return OpenFailed(
            LinkState.BUSY,
            f"{port} did not open within a second: unplug the board and plug it in again.",
        )
    code = _errno(error)
    # Windows reports a port in use as "access denied", which pyserial turns into a text.
    if code in _BUSY or "PermissionError" in str(error):
        holder = " and ".join(others_at(port))
        if not holder:
            holder = "another program (a serial monitor, ModemManager?)"
        return OpenFailed(LinkState.BUSY, f"{port} is held by {holder}: close that one.")
    if code in _FORBIDDEN:
        return OpenFailed(LinkState.NO_PERMISSION, _permission(port))
    if code in _ABSENT or "FileNotFoundError" in str(error):
        return OpenFailed(
            LinkState.ABSENT, f"{port} does not exist: plug the board in, or name another port."
        )
    reason = _NO_PORT.get(code or 0) or f"it cannot be used as a serial port ({error})"
    return OpenFailed(
        LinkState.REFUSED, f"{port} is not a board's port: {reason}. Name another port."
    )


def _explain_url(port: str, error: BaseException) -> OpenFailed:
    cause = error.__context__ or error
    # pyserial raises a SerialException, an OSError, for a bad URL as well; its cause tells the two apart.
    if isinstance(error, OSError) and not isinstance(cause, TypeError | ValueError | KeyError):
        reason = getattr(cause, "strerror", None) or str(cause) or "no answer within a second"
        return OpenFailed(
            LinkState.ABSENT,
            f"Nothing answers at {port} ({reason}): start the board there, or check the URL.",
        )
    reason = ""
    if cause is error:
        reason = f" ({error})"
    return OpenFailed(
        LinkState.REFUSED, f"{port} is no URL of a port{reason}: write socket://HOST:PORT."
    )


def _errno(error: BaseException) -> int | None:
    for cause in (error, error.__context__):
        code = getattr(cause, "errno", None)
        # `termios.error` is no OSError: it has the number as its first argument.
        if not code and cause is not None and cause.args:
            code = cause.args[0]
        if isinstance(code, int):
            return code
    return None


def _permission(port: str) -> str:
    group = group_of(port)
    if group == "root":  # nobody should join that group for a port
        return f"No permission to open {port}: run `sudo chmod a+rw {port}`; it lasts until the board is unplugged."
    return f"No permission to open {port}: run `sudo usermod -aG {group} $USER`, then log out and in again."
