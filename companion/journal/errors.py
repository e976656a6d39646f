"""Errors of session files. The text of each is one sentence: what, why, what to do."""

from __future__ import annotations

from companion.errors import CommandError, ErrorKind


class JournalError(CommandError):
    """A session cannot be read or written; `str()` is one sentence for the people at the table."""


class SessionMissingError(JournalError):
    """No session file has this name."""

    kind = ErrorKind.NO_INPUT


class SessionExistsError(JournalError):
    """A new session would overwrite an existing one."""

    kind = ErrorKind.CANNOT_CREATE


class SessionDeniedError(JournalError):
    """The system refuses access to the file: permissions, a full disk, a lock of another program."""

    kind = ErrorKind.NO_INPUT


class NotASessionError(JournalError):
    """The file is not an SQLite database, or belongs to another application."""


class NewerSessionError(JournalError):
    """The file was written by a newer version of the companion."""


class SessionDamagedError(JournalError):
    """The file is torn, altered or unreadable."""


class SessionDoubtfulError(SessionDamagedError):
    """The file can be read, but it has less than was once saved, or is not the file that was saved."""


class SessionBusy(JournalError):
    """Another process is writing this session."""

    kind = ErrorKind.BUSY


class ReadingStopped(JournalError):
    """The caller cancelled a read."""


class NotSaved(JournalError):
    """Entries are not yet on the disk."""

    kind = ErrorKind.NOT_SAVED


class NotWritten(JournalError):
    """A session's file, or one beside it, cannot be created, moved or deleted."""

    kind = ErrorKind.CANNOT_CREATE
