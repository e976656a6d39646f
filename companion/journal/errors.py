"""What can go wrong with a session file, each as one sentence: what, why, what to do."""

from __future__ import annotations

from companion.errors import CommandError, ErrorKind


class JournalError(CommandError):
    """A session cannot be read or written; `str()` is one sentence for the people at the table."""


class SessionMissingError(JournalError):
    """There is no file of that name."""

    kind = ErrorKind.NO_INPUT


class SessionExistsError(JournalError):
    """A new session would overwrite an older one."""

    kind = ErrorKind.CANNOT_CREATE


class SessionDeniedError(JournalError):
    """The system refuses to read or write the file: permissions, a full disk, a lock of another program."""

    kind = ErrorKind.NO_INPUT


class NotASessionError(JournalError):
    """The file is no SQLite database, or that of another application."""


class NewerSessionError(JournalError):
    """The file was written by a newer version of the companion."""


class SessionDamagedError(JournalError):
    """The file is torn, altered or unreadable."""


class SessionDoubtfulError(SessionDamagedError):
    """The file reads well, but more of it was saved once than it has, or it is not the one that was saved."""


class SessionBusy(JournalError):
    """Another process writes this session."""

    kind = ErrorKind.BUSY


class ReadingStopped(JournalError):
    """Whoever had the record read wants no more of it."""


class NotSaved(JournalError):
    """Entries are not on the disk."""

    kind = ErrorKind.NOT_SAVED


class NotWritten(JournalError):
    """A session's file, or one beside it, cannot be made, moved or deleted."""

    kind = ErrorKind.CANNOT_CREATE
