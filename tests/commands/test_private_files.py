"""Every place that creates a file, and whether its content can be secret; a new place is in neither list.

A file that can hold a secret is made by `companion.journal.disk.open_private`, readable by its owner alone from its
first byte (and by the group of a shared folder).
"""

from __future__ import annotations

import ast
import os
import stat
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import companion
from companion.commands.usage import print_or_write
from companion.dashboard.ending import crash_sentence
from companion.demo.capture import Capture
from companion.hub.database import Database
from companion.journal.disk import PRIVATE, create_private, new_file, open_private, write_private
from companion.journal.folder import sessions_dir
from companion.session.opening import begin
from tests.commands.ran import Ran

TOP = Path(companion.__file__).parent
NO_SECRET = {
    "board/boot_loader.py _copy": "the firmware, onto the board's drive",
    "board/chip_checks/trial.py run_trial": "a board's figures, by a list of fields",
    "board/firmware.py _compiled": "the firmware, in a folder of this user alone, which is removed",
    "board/installing.py put": "the firmware, in a folder of this user alone, which is removed",
    "board/virtual.py _start": "the virtual board's number and address",
    "cli.py _open_what_is_closed": "nothing: the device that forgets",
    "commands/components.py edit": "what a box holds",
    "commands/config.py init": "settings, which name the files of secrets",
    "commands/system_files.py _write": "manual pages, completions, a menu entry, a udev rule",
    "dashboard/at_table.py takes_keys": "no file: that a screen is in use",
    "doctor/checks.py _second_copy_finding": "nothing: the file is gone again",
    "games/fractured_sky/screen/editor.py _take": "the sketch of a map",
    "journal/schema.py upgraded": "no file: in memory",
    "journal/store.py _schema_after": "no file: in memory",
    "link/status.py write": "how the link is, once a second",
    "box/owner_box.py give_away": "what a box holds",
}
"""Places whose files anybody may read, and what is in them."""
MADE_BEFORE = {
    "commands/bundle.py write": "the archive, in a file that `new_file` made",
    "paths.py temporary_folder": "a folder of this user alone, which is removed",
    "hub/database.py __init__": "SQLite, in a file that `_make` made; its log has the same rights",
    "hub/only_hub.py only_hub": "the address of the hub, in a file that `create_private` made",
    "journal/copy.py _copy": "SQLite, in a file that `create_private` made",
    "journal/copy.py write_second_copy": "a session, in a file that `create_private` made",
    "journal/disk.py write_private": "the content, in a file that `create_private` made",
    "journal/features.py _has_locks": "nothing, in a file that `open_private` made",
    "journal/mark.py __init__": "the mark, in a file that `create_private` made",
    "journal/mark_owner.py write_owner": "a digest, in a file that `create_private` made",
    "session/evening.py held": "nothing, in a file that `create_private` made",
    "journal/store.py _closed_on_error": "SQLite, in a file that `create_private` made",
    "journal/store.py _reader": "SQLite, of a session that is there",
    "journal/store.py begin_anew": "SQLite, in a file that `create_private` made",
    "demo/replay.py _journal": "a folder of this user alone, which is removed",
}
"""Places that write into what was made private before, and where."""
MAKERS = {"journal/disk.py open_private", "journal/disk.py new_file"}
_MAKING = {"write_text", "write_bytes", "touch", "create_engine", "mkfifo"}
_OF_MODULES = {
    "os": {"mkfifo", "mknod"},
    "shutil": {"copy", "copy2", "copyfile", "copytree"},
    "sqlite3": {"connect"},
    "tempfile": {"mkstemp", "mkdtemp", "NamedTemporaryFile", "TemporaryDirectory", "TemporaryFile"},
}


def _makes_a_file(call: ast.Call) -> bool:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    module = str(getattr(getattr(call.func, "value", None), "id", ""))
    text = ast.unparse(call)
    if name == "open" and module == "os":
        return "O_CREAT" in text
    if name in ("open", "fdopen", "ZipFile"):
        return "open_private(" not in text and _writes(call)
    if name == "new_file":
        return "private=" not in text
    if name == "execute":
        return "VACUUM INTO" in text
    return name in _MAKING or name in _OF_MODULES.get(module, ())


def _writes(call: ast.Call) -> bool:
    """Return whether a file is opened for writing, or by a mode that is not a constant."""
    is_method = isinstance(call.func, ast.Attribute) and call.func.attr == "open"
    modes = [keyword.value for keyword in call.keywords if keyword.arg == "mode"]
    modes += call.args[:1] if is_method else call.args[1:2]
    lines = [_text(node) for mode in modes for node in ast.walk(mode) if _text(node)]
    if modes and not lines:
        return not is_method
    return any(len(mode) <= len("w+b") and set(mode) & set("wax+") for mode in lines)


def _text(node: ast.AST) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _places() -> Iterator[str]:
    for path in sorted(TOP.rglob("*.py")):
        yield from _in(
            ast.parse(path.read_text(encoding="utf-8")), path.relative_to(TOP).as_posix(), ""
        )


def _in(node: ast.AST, file: str, function: str) -> Iterator[str]:
    for child in ast.iter_child_nodes(node):
        inside = (
            child.name if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef) else function
        )
        if isinstance(child, ast.Call) and _makes_a_file(child):
            yield f"{file} {inside}"
        yield from _in(child, file, inside)


def test_every_place_that_makes_a_file_is_known_and_none_is_known_in_vain() -> None:
    found = set(_places())
    known = {*NO_SECRET, *MADE_BEFORE, *MAKERS}
    assert found - known == set(), (
        "a new place: make its file with open_private, or say why anybody may read it"
    )
    assert known - found == set()


def test_a_place_that_is_new_is_found() -> None:
    for made in (
        "open(p, 'w')",
        "p.open('xb')",
        "p.write_text('')",
        "os.open(p, os.O_CREAT)",
        "sqlite3.connect(p)",
        "open(p, m)",
    ):
        assert list(_in(ast.parse(f"def new(p):\n    {made}\n"), "file.py", "")) == ["file.py new"]
    for made in (
        "open(p)",
        "p.open('rb')",
        "os.fdopen(open_private(p), 'w')",
        "new_file(p, private=True)",
    ):
        assert list(_in(ast.parse(f"def new(p):\n    {made}\n"), "file.py", "")) == []


pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has other rights")


@pytest.fixture(autouse=True, params=[0o000, 0o277], ids=oct)
def umask(request: pytest.FixtureRequest) -> Iterator[None]:
    before = os.umask(request.param)
    yield
    os.umask(before)


def _new_file(path: Path) -> None:
    with new_file(path, private=True) as file:
        assert _rights(path) == PRIVATE
        file.write(b"secret")


def _opened(path: Path) -> None:
    os.close(open_private(path))


def _capture(path: Path) -> None:
    capture = Capture(path)
    assert _rights(path) == PRIVATE
    capture.end(None)


def _crash(path: Path) -> None:
    crash_sentence(ValueError("the hand: ace"), None, path)


def _hub(path: Path) -> None:
    database = Database(f"sqlite:///{path}")
    with database.writing():
        beside = {
            file.name.removeprefix(path.name): _rights(file) for file in path.parent.iterdir()
        }
    assert beside == {"": PRIVATE, "-wal": PRIVATE, "-shm": PRIVATE}
    database.close()


def _stored(path: Path) -> None:
    session = sessions_dir() / "evening.sqlite"
    begin("panic-fire", ["red", "blue"], {}, session).close()
    assert Ran("export", str(session), "--format", "jsonl", "--stored", "-o", str(path)).code == 0


def _report(path: Path) -> None:
    session = sessions_dir() / "evening.sqlite"
    begin("panic-fire", ["red", "blue"], {}, session).close()
    assert Ran("report", str(session), "-o", str(path)).code == 0


def _pack(path: Path) -> None:
    session = sessions_dir() / "evening.sqlite"
    begin("panic-fire", ["red", "blue"], {}, session).close()
    assert Ran("hub", "pack", str(session), "-o", str(path)).code == 0


def _rights(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


MAKERS_OF_SECRETS: list[Callable[[Path], object]] = [
    _opened, create_private, lambda path: write_private(path, b"secret"), _new_file,
    lambda path: print_or_write("secret", path, private=True), _capture, _crash, _hub, _stored, _report, _pack,
]  # fmt: skip


@pytest.mark.parametrize("make", MAKERS_OF_SECRETS, ids=lambda make: make.__name__)
def test_what_can_hold_a_secret_is_its_owners_alone_whatever_the_umask(
    make: Callable[[Path], object], tmp_path: Path
) -> None:
    folder = tmp_path / "new"
    folder.mkdir(mode=0o755)
    folder.chmod(0o755)
    make(folder / "file")
    assert {path.name: oct(_rights(path)) for path in folder.iterdir()} == {"file": oct(PRIVATE)}


def test_a_crash_file_that_anybody_could_read_is_private_from_now_on(tmp_path: Path) -> None:
    crash_file = tmp_path / "crash.txt"
    crash_file.write_text("before")
    crash_file.chmod(0o644)
    _crash(crash_file)
    assert _rights(crash_file) == PRIVATE
    assert "ace" in crash_file.read_text()


def test_the_rights_are_there_before_the_first_byte(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The umask can only remove rights, so the mode of the call that creates the file is all that it ever has."""
    asked: list[int] = []
    real = os.open

    def opened(path: str, flags: int, mode: int = 0o777) -> int:
        asked.append(mode)
        return real(path, flags, mode)

    monkeypatch.setattr(os, "open", opened)
    _opened(tmp_path / "file")
    assert asked == [PRIVATE]
