"""`companion system-files`: manual pages, completions, a menu entry and a udev rule, where Linux looks for them."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path, PurePosixPath
from string import Template

from companion import __version__
from companion.commands.completion import script
from companion.errors import needs_extra, writing
from companion.program import NAMES, PROGRAM, VARIABLE
from companion.rules.columns import in_shell, plural
from companion.system.children import companion_command
from companion.terminal import data_stream

UDEV_RULE = "60-table-companion.rules"
HOW_UDEV = (
    "To open the board's port without root:\n"
    "  {name} system-files --udev |\n"
    f"    sudo tee /etc/udev/rules.d/{UDEV_RULE}\n"
    "  sudo udevadm control --reload && sudo udevadm trigger"
)
_COMPLETIONS = {
    "bash": "share/bash-completion/completions/{name}",
    "zsh": "share/zsh/site-functions/_{name}",
    "fish": "share/fish/vendor_completions.d/{name}.fish",
    "tcsh": "share/table-companion/{name}.tcsh",
    "powershell": "share/table-companion/{name}.ps1",
}
"""Where each shell looks for the program `name` by itself; the last two look nowhere."""
_MENU_ENTRY = "share/applications/table-companion.desktop"
_DESCRIPTION = "share/metainfo/local.table_companion.companion.metainfo.xml"
_ICON = "share/icons/hicolor/scalable/apps/table-companion.svg"
_RULE = f"lib/udev/rules.d/{UDEV_RULE}"
_MODE = 0o644


def run(args: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    """Write the files below a prefix and print what is still to do; or delete them, or print the udev rule. Raise
    `CommandError`."""
    if args.udev:
        data_stream().write(_text(UDEV_RULE))
        return
    for_one = args.folder is None
    prefix = Path.home() / ".local" if for_one else args.folder
    contents = dict(_contents(parser, for_one=for_one))
    if args.remove:
        print(f"{plural(_remove(prefix, contents), 'file')} deleted below {prefix}.")
        return
    for place, text in contents.items():
        _write(prefix / place, text)
    print(f"{plural(len(contents), 'file')} written below {prefix}.")
    print(_how_to_use(parser.prog, prefix, for_one=for_one))


def _contents(
    parser: argparse.ArgumentParser, *, for_one: bool
) -> Iterator[tuple[PurePosixPath, str]]:
    """Yield each file's place below the prefix, and its text; no udev rule `for_one`: udev reads no user's folder."""
    for name, page in manual_pages(parser):
        yield PurePosixPath("share/man/man1", f"{name}.1"), page
    for shell in _COMPLETIONS:
        yield _completions(shell, parser.prog), f"{script(shell, parser)}\n"
    entry = Template(_text("table-companion.desktop"))
    program = _in_menu() if for_one else parser.prog
    yield PurePosixPath(_MENU_ENTRY), entry.substitute(program=program)
    yield PurePosixPath(_DESCRIPTION), _text("table-companion.metainfo.xml")
    icon = files("companion.web").joinpath("icon.svg").read_text(encoding="utf-8")
    yield PurePosixPath(_ICON), icon
    if not for_one:
        yield PurePosixPath(_RULE), _text(UDEV_RULE)


def _completions(shell: str, name: str) -> PurePosixPath:
    """Return the place of a shell's completions: a shell finds them by the name of the program."""
    return PurePosixPath(_COMPLETIONS[shell].format(name=name))


def _in_menu() -> str:
    """Return the command by which a menu entry starts this program: a desktop often has another `PATH` than a shell."""
    program, *words = companion_command()
    quoted = re.sub(r'(["`$\\])', r"\\\1", program)
    # Entries have escapes of their own, and a percent sign begins a field.
    quoted = quoted.replace("\\", "\\\\").replace("%", "%%")
    # Started by its path, it could only print its first name.
    named = [] if NAMES[0] == PROGRAM else ["env", f"{VARIABLE}={PROGRAM}"]
    return " ".join([*named, f'"{quoted}"', *words])


def manual_pages(parser: argparse.ArgumentParser) -> Iterator[tuple[str, str]]:
    """Yield name and text of the manual page of the program, and of each command: `man companion play` opens
    `companion-play`. Raise `CommandError` if the library is missing."""
    with needs_extra("completion", "Manual pages need a library that is not installed."):
        from argparse_manpage.manpage import Manpage
    about = {
        "project_name": "table-companion",
        "version": __version__,
        "manual_title": "Table companion",
    }
    summaries = dict(_commands(parser))
    summaries[parser.prog] = "keep score and a record beside real games"
    for each in (_overview(parser), *_parsers(parser)):
        data = {**about, "description": summaries[each.prog]}
        page = Manpage(each, data, format="single-commands-section")
        page.prog = each.prog.replace(" ", "-")
        yield page.prog, str(page)


def _overview(parser: argparse.ArgumentParser) -> argparse.ArgumentParser:
    """Return the parser of the program with its commands as mere words: each of them has a page of its own."""
    usage = " ".join(parser.format_usage().split()[1:])
    overview = argparse.ArgumentParser(
        parser.prog, usage, parser.description, parser.epilog, add_help=False
    )
    commands = overview.add_argument_group("commands")
    for name, summary in _commands(parser):
        commands.add_argument(name, help=summary)
    for action in parser._actions:
        if action.option_strings:
            overview._add_action(action)
    return overview


def _parsers(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            yield from action.choices.values()


def _commands(parser: argparse.ArgumentParser) -> Iterator[tuple[str, str]]:
    """Yield each command with the program before it, `companion play`, and its line in the help."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for choice in action._choices_actions:
                yield f"{parser.prog} {choice.dest}", choice.help or ""


def _text(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _write(path: Path, text: str) -> None:
    """Write a file that everybody may read, over one of an earlier version; raise `CommandError`."""
    with writing(path, "; name another folder."):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        path.chmod(_MODE)


def _remove(prefix: Path, places: dict[PurePosixPath, str]) -> int:
    """Delete the files that are there and return their number; raise `CommandError`."""
    found = [prefix / place for place in places if (prefix / place).is_file()]
    for path in found:
        with writing(path):
            path.unlink()
    return len(found)


def _how_to_use(name: str, prefix: Path, *, for_one: bool) -> str:
    """Return what is still to do: what no shell, nor udev, finds by itself."""
    lines = [
        f"Open a new terminal: bash and fish complete, and `man {name}` works.",
        "For zsh, add this line to ~/.zshrc before compinit:",
        f"  fpath+=({in_shell(str(prefix / _completions('zsh', name).parent))})",
        "For tcsh, add this line to ~/.tcshrc:",
        f"  source {in_shell(str(prefix / _completions('tcsh', name)))}",
    ]
    if for_one:
        lines.append(HOW_UDEV.format(name=name))
    return "\n".join(lines)
