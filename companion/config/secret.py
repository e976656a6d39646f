"""A secret that the settings name and never hold: where it stands, read when it is needed."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from companion.config.schema import NotASetting

LONGEST = 4096
"""Bytes of a file with a secret."""


class NoSecretError(Exception):
    """A secret cannot be read: one sentence, which does not have it."""


@dataclass(frozen=True, slots=True)
class Secret:
    """Where a secret stands: a file or an environment variable."""

    file: str = ""
    variable: str = ""

    @property
    def where(self) -> str:
        """The place in words."""
        return f"the file {self.file}" if self.file else f"the variable {self.variable}"

    def read(self) -> str:
        """Return the secret without white space around it; raise `NoSecretError`."""
        if self.variable:
            found = os.environ.get(self.variable, "").strip()
        else:
            try:
                with Path(self.file).expanduser().open("rb") as file:
                    found = file.read(LONGEST).decode("utf-8").strip()
            except (OSError, UnicodeDecodeError) as problem:
                why = problem.strerror if isinstance(problem, OSError) else "it is no UTF-8"
                raise NoSecretError(f"{self.where} cannot be read: {why}") from problem
        if not found:
            raise NoSecretError(f"{self.where} has nothing in it")
        return found


def secret_of(table: dict[str, object], name: str) -> Secret | None:
    """Return where the secret `name` of a table of the settings stands, and take `NAME_file` or `NAME_variable` out of
    the table; raise `NotASetting`."""
    if name in table:
        raise NotASetting(f"{name}_file or {name}_variable: no secret stands in the settings themselves")
    found = {key: table.pop(f"{name}_{key}") for key in ("file", "variable") if f"{name}_{key}" in table}
    if not found:
        return None
    (key, place), *more = found.items()
    if more or not isinstance(place, str) or not place:
        raise NotASetting(f'one of {name}_file = "PATH" and {name}_variable = "NAME"')
    return Secret(**{key: place})
