"""`companion licenses`: the libraries that came with the companion, each with its version and license."""

from __future__ import annotations

import argparse
import platform
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from typing import Final

from packaging.requirements import Requirement

from companion.errors import CommandError, ErrorKind
from companion.program import PROGRAM
from companion.rules.columns import clean, json_text, listed
from companion.system.interpreter import python_license
from companion.terminal import data_stream

DISTRIBUTION: Final = "table-companion"
FOR_DEVELOPERS: Final = ("test", "lint", "docs")
"""Extras of ours whose libraries are no part of the program."""
NOT_STATED: Final = "not stated by its package"
_LONGEST: Final = 40
"""Characters of a license that a column shows; some packages have their whole license text in that field."""
_SHARE_ALIKE: Final = ("GPL", "MPL", "Mozilla")
"""Parts of the names of licenses under which a changed library stays free."""


@dataclass(frozen=True, slots=True)
class Component:
    """A library that is installed."""

    name: str
    version: str
    license: str


def show(args: argparse.Namespace) -> None:
    """Print the libraries as a table or as JSON, or the texts of their licenses."""
    installed = sorted(needed(DISTRIBUTION), key=lambda library: library.name.lower())
    if args.texts:
        print("\n".join(_texts(installed)))
        return
    components = [Component("Python", platform.python_version(), "PSF-2.0")]
    components += [_component(library) for library in installed]
    if args.json:
        print(json_text([asdict(component) for component in components]), file=data_stream())
        return
    names = max(len(component.name) for component in components)
    versions = max(len(component.version) for component in components)
    for component in components:
        row = f"{component.name:{names}}  {component.version:{versions}}  {component.license}"
        print(clean(row))
    kept_free = [each for each in components if any(part in each.license for part in _SHARE_ALIKE)]
    print(f"\nThe texts: {PROGRAM} licenses --texts")
    if kept_free:
        print("If you change one of these, pass it on under its license; here they are unchanged:")
        print(f"  {listed(each.name for each in kept_free)}")


def needed(name: str) -> list[Distribution]:
    """Return the distribution `name` and the installed ones that it and its extras need, those of developers aside.
    Raise `CommandError` if it is not installed as a package."""
    try:
        first = distribution(name)
    except PackageNotFoundError as problem:
        why = (
            f"{name} is not installed as a package here, so its libraries are unknown: install it."
        )
        raise CommandError(why, ErrorKind.UNAVAILABLE) from problem
    extras = set(first.metadata.get_all("Provides-Extra") or ()) - {*FOR_DEVELOPERS}
    found: dict[str, Distribution] = {first.name: first}
    open_requests = list(_requirements(first, extras))
    asked = set[tuple[str, str]]()
    while open_requests:
        requirement = open_requests.pop()
        for extra in ("", *requirement.extras):
            if (requirement.name, extra) in asked:
                continue
            asked.add((requirement.name, extra))
            try:
                library = distribution(requirement.name)
            except PackageNotFoundError:  # of an extra that is not installed
                continue
            found[library.name] = library
            open_requests += _requirements(library, {extra})
    return list(found.values())


def _requirements(library: Distribution, extras: set[str]) -> Iterator[Requirement]:
    """Yield what a library needs on this computer, with these extras of it."""
    for text in library.requires or ():
        requirement = Requirement(text)
        marker = requirement.marker
        if marker is None or any(marker.evaluate({"extra": extra}) for extra in extras or {""}):
            yield requirement


def _component(library: Distribution) -> Component:
    return Component(library.name, library.version, _license(library))


def _license(library: Distribution) -> str:
    """Return the license as the package states it: an SPDX expression, a short text, or its classifiers."""
    data = library.metadata
    fields = (data.get_all("License-Expression") or []) + (data.get_all("License") or [])
    stated = str(fields[0]).strip() if fields else ""
    if stated and "\n" not in stated and len(stated) <= _LONGEST:
        return stated
    classifiers = data.get_all("Classifier") or ()
    names = [line.rpartition(" :: ")[2] for line in classifiers if line.startswith("License ::")]
    return ", ".join(names) or NOT_STATED


def _texts(installed: list[Distribution]) -> Iterator[str]:
    path = python_license()
    if path is not None:
        yield _title(f"Python {platform.python_version()}: PSF-2.0")
        yield path.read_text(encoding="utf-8", errors="replace").expandtabs()
    for library in installed:
        yield _title(f"{library.name} {library.version}: {_license(library)}")
        folder = ".dist-info/"
        for file in library.files or ():
            is_license = file.name.upper().startswith(("LICEN", "COPYING", "NOTICE"))
            if is_license and folder in str(file).replace("\\", "/"):
                yield file.read_text(encoding="utf-8").expandtabs()


def _title(text: str) -> str:
    rule = "=" * 78
    return f"{rule}\n{text}\n{rule}\n"
