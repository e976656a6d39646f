"""A wire that lies about the version: every HELLO on it claims another one. The firmware knows nothing about it."""

from firmware_protocol.frames import FrameError, decode_frame, encode_frame
from firmware_protocol.messages import Hello

_DELIMITER = b"\0"
# The longest run between two delimiters that can be a frame.
_LONGEST = 252


class VersionClaim:
    """Patches the version of each whole HELLO in a stream of bytes, with its CRC; everything else passes unchanged."""

    def __init__(self) -> None:
        self.version: tuple[int, int] | None = None
        self._run = bytearray()

    def apply(self, data: bytes) -> bytes:
        """Return the bytes to pass on now; while a version is claimed, a run waits for its end."""
        if self.version is None:
            waiting, self._run = bytes(self._run), bytearray()
            return waiting + data
        *runs, rest = (bytes(self._run) + data).split(_DELIMITER)
        passed = b"".join(self._patched(run, self.version) + _DELIMITER for run in runs)
        if len(rest) > _LONGEST:
            passed, rest = passed + rest, b""
        self._run = bytearray(rest)
        return passed

    def clear(self) -> None:
        """Discard the run that waits for its end, as when the power goes."""
        self._run.clear()

    @staticmethod
    def _patched(run: bytes, version: tuple[int, int]) -> bytes:
        try:
            frame = decode_frame(run)
        except FrameError:
            return run
        if frame.kind != Hello.KIND or len(frame.body) < len(version):
            return run
        body = bytes(version) + frame.body[len(version) :]
        return encode_frame(frame.kind, frame.boot_id, frame.seq, body).strip(_DELIMITER)
