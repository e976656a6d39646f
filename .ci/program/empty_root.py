#!/usr/bin/env python3
"""Try the program without Python where nothing else is: `.venv/bin/python .ci/program/empty_root.py FOLDER`.

The root has the folder, the C library and zlib, which every Linux has, one entry of terminfo, /proc and /dev.
There it plays a demo line by line and on a screen, teaches, answers, shows pages and a hub, runs a virtual board and
installs the firmware on a simulated chip. Needs Linux, root, tmux, and the clone's `.venv` for that chip.
"""

from __future__ import annotations

import re
import shutil
import stat
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from os import makedev, mknod
from pathlib import Path

CLONE = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(CLONE))
# The C library has to be of the loader's version, so it cannot be taken along; PyInstaller's start needs zlib before it
# finds ours.
ON_EVERY_LINUX = (
    "libc.so.6",
    "libm.so.6",
    "libdl.so.2",
    "libpthread.so.0",
    "librt.so.1",
    "libutil.so.1",
    "libz.so.1",
)
LIBRARIES = Path("/lib/x86_64-linux-gnu")
LOADER = Path("/lib64/ld-linux-x86-64.so.2")
TERMINAL = "xterm-256color"
DEVICES = {"null": (1, 3), "zero": (1, 5), "urandom": (1, 9), "tty": (5, 0), "ptmx": (5, 2)}
ADDRESS = re.compile(r"http://[^\s/]+/\S*")
PATIENCE_S = 120
INSIDE = (
    'mount -t proc proc "$0/proc" && mount --bind /dev/pts "$0/dev/pts" && '
    f"exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin TERM={TERMINAL} LANG=C.UTF-8 HOME=/home "
    'chroot "$0" /program/table-companion "$@"'
)


def make_root(program: Path, root: Path) -> None:
    """Fill the empty folder `root`."""
    for folder in ("proc", "dev/pts", "home", "tmp", "lib64", "lib/x86_64-linux-gnu"):
        (root / folder).mkdir(parents=True)
    shutil.copytree(program, root / "program", symlinks=True)
    shutil.copy(LOADER, root / LOADER.relative_to("/"))
    for name in ON_EVERY_LINUX:
        shutil.copy(LIBRARIES / name, root / LIBRARIES.relative_to("/"))
    entries = list(Path("/").glob(f"*/terminfo/x/{TERMINAL}"))
    if not entries:
        sys.exit(f"This system has no terminfo of {TERMINAL}: install ncurses-base.")
    target = root / "usr" / "share" / "terminfo" / "x"
    target.mkdir(parents=True)
    shutil.copy(entries[0], target)
    for name, (major, minor) in DEVICES.items():
        mknod(root / "dev" / name, stat.S_IFCHR | 0o666, makedev(major, minor))


def command(root: Path, *words: str) -> list[str]:
    """Return the command that runs the program in the root."""
    return [
        "unshare",
        "--mount",
        "--pid",
        "--fork",
        "--kill-child",
        "sh",
        "-c",
        INSIDE,
        str(root),
        *words,
    ]


def run(root: Path, *words: str) -> str:
    """Run the program to its end; return its output."""
    done = subprocess.run(
        command(root, *words),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=5 * PATIENCE_S,
        check=False,
    )
    if done.returncode:
        sys.exit(f"{' '.join(words)} ended with {done.returncode}.\n{done.stdout}{done.stderr}")
    return done.stdout


def wait_for(look: Callable[[], str], *texts: str) -> str:
    """Return the first answer of `look` that has all texts; end the program if that takes too long."""
    late = time.monotonic() + PATIENCE_S
    while time.monotonic() < late:
        seen = look()
        if all(text in seen for text in texts):
            return seen
        time.sleep(0.2)
    sys.exit(f"Waited for {texts} and saw:\n{look()}")


class Screen:
    """The program in a terminal of 80 x 24."""

    def __init__(self, folder: Path, root: Path, *words: str) -> None:
        self._tmux = ["tmux", "-S", str(folder / f"tmux-{words[0]}"), "-f", "/dev/null"]
        size = ["-x", "80", "-y", "24"]
        subprocess.run(
            [*self._tmux, "new-session", "-d", *size, *command(root, *words)], check=True
        )

    def type(self, *keys: str) -> None:
        """Send keys by tmux's names for them."""
        subprocess.run([*self._tmux, "send-keys", *keys], check=True)

    def text(self) -> str:
        """Return what the screen shows; nothing once the program has ended."""
        shown = subprocess.run(
            [*self._tmux, "capture-pane", "-p"], capture_output=True, text=True, check=False
        )
        return shown.stdout

    def end(self) -> None:
        """End the terminal, if it is still there."""
        subprocess.run([*self._tmux, "kill-server"], capture_output=True, check=False)


@contextmanager
def on_screen(folder: Path, root: Path, *words: str) -> Iterator[Screen]:
    """Run the program in a terminal for a while."""
    screen = Screen(folder, root, *words)
    try:
        yield screen
    finally:
        screen.end()


def try_lines(root: Path) -> None:
    """Play a demo line by line, then use the files and libraries that are read by name."""
    assert "Panic Fire" in run(root, "games", "list")
    assert (
        "winner: " in (played := run(root, "demo", "--plain", "--speed", "20"))
        or "champion: " in played
    )
    texts = run(root, "licenses", "--texts")
    assert "GNU LESSER GENERAL PUBLIC LICENSE" in texts
    assert "PYTHON SOFTWARE FOUNDATION LICENSE" in texts
    assert "sudden-death" in run(root, "ask", "panic-fire", "three way tie")
    for lesson in ("panic-fire", "skyfire", "sky-rise", "fractured-sky"):
        assert "step 1 of" in run(root, "teach", lesson, "--plain", "--port", "none")
    run(root, "system-files")
    assert (root / "home/.local/share/man/man1/table-companion-play.1").exists()


def try_screen(folder: Path, root: Path) -> None:
    """Watch a demo on the screen, then press a key of a game, with the virtual board beside it."""
    with on_screen(folder, root, "demo", "--speed", "20") as screen:
        wait_for(screen.text, "Panic Fire", "round 1 of 6")
    words = ("play", "panic-fire", "--seats", "anna,ben", "--port", "virtual")
    with on_screen(folder, root, *words) as screen:
        wait_for(screen.text, "anna", "ben", "Enter")
        screen.type("Enter")
        print(wait_for(screen.text, "fire! round 1 of 6 starts"))


def try_pages(root: Path) -> None:
    """Open the page that runs a table, then the page of the session that was played on the screen."""
    play = ("play", "panic-fire", "--seats", "anna,ben", "--port", "none", "--browser", "--no-open")
    tried = ((play, "anna"), (("serve", "--port", "0"), "anna"), (("hub", "--port", "0"), "setup"))
    for words, expected in tried:
        with subprocess.Popen(command(root, *words), stdout=subprocess.PIPE, text=True) as program:
            assert program.stdout is not None
            try:
                address = next(filter(None, map(ADDRESS.search, program.stdout)))[0]
                with urllib.request.urlopen(address, timeout=PATIENCE_S) as page:
                    assert expected in page.read().decode()
            finally:
                program.kill()  # unshare waits through SIGTERM; its child ends with it


def try_board(folder: Path, root: Path) -> None:
    """Install the firmware, compiled, on a simulated chip behind a pseudo-terminal."""
    from tests.board.chip import Chip

    flash = folder / "flash"
    flash.mkdir()
    with Chip(flash) as chip:
        run(root, "board", "install", "--port", str(Path(chip.port).resolve()))
        files = chip.files()
    assert "main.py" in files
    assert any(file.endswith(".mpy") for file in files), files


def main() -> None:
    """Try each part in turn."""
    with tempfile.TemporaryDirectory(prefix="empty-root-") as name:
        folder = Path(name)
        root = folder / "root"
        make_root(Path(sys.argv[1]).resolve(), root)
        try_lines(root)
        try_screen(folder, root)
        try_pages(root)
        try_board(folder, root)
    print("The program plays, shows pages and installs a board where nothing else is installed.")


if __name__ == "__main__":
    main()
