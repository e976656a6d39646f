"""A hook's command: what it gets, and that it ends."""

from __future__ import annotations

import os
import select
import shlex
import sys
import threading
from ast import literal_eval
from pathlib import Path

import pytest

from companion.feed.events import line_of
from companion.outbound.exchange import UndeliveredError
from companion.outbound.hook_delivery import RunCommand
from companion.system.children import bare_environment
from tests.outbound.events import event_of

FOREVER = "import time\ntime.sleep(600)\n"


def python(source: str, limit_s: float = 20.0) -> RunCommand:
    return RunCommand((sys.executable, "-I", "-c", source), limit_s)


def ends(pid: int) -> bool:
    """Wait for the end of a killed process; return whether it ended."""
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([handle], [], [], 20)[0])
    finally:
        os.close(handle)


def test_it_gets_the_event_on_standard_input_and_nothing_of_our_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_TOKEN", "secret")
    out = tmp_path / "got"
    python(
        f"import os, sys; open({str(out)!r}, 'w').write(repr((sys.stdin.read(), dict(os.environ))))"
    )(event_of(7))
    text, env = literal_eval(out.read_text())
    assert text == f"{line_of(event_of(7))}\n"
    assert {name: value for name, value in env.items() if name != "LC_CTYPE"} == bare_environment()


def test_no_shell_reads_what_a_player_is_called(tmp_path: Path) -> None:
    evil = f"$(touch {shlex.quote(str(tmp_path / 'evil'))})"
    python("import sys; sys.stdin.read()")(event_of(1, evil))
    assert not (tmp_path / "evil").exists()


@pytest.mark.parametrize(
    ("source", "words"),
    [("raise SystemExit(3)", "code 3"), ("import os; os.kill(os.getpid(), 15)", "signal 15")],
)
def test_it_says_how_a_command_failed(source: str, words: str) -> None:
    with pytest.raises(UndeliveredError, match=f"it ended with {words}"):
        python(source)(event_of(1))


def test_a_command_that_is_not_there_is_said_without_its_arguments() -> None:
    with pytest.raises(
        UndeliveredError, match="it cannot be started: No such file or directory"
    ) as refused:
        RunCommand(("/no/such/command", "--token=1234"))(event_of(1))
    assert "token" not in str(refused.value)


def test_one_that_does_not_end_is_ended_with_all_that_it_began(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    source = (
        "import os, subprocess, sys, time\n"
        f"child = subprocess.Popen([sys.executable, '-I', '-c', {FOREVER!r}])\n"
        f"open({str(pids)!r}, 'w').write(f'{{os.getpid()}} {{child.pid}}')\n{FOREVER}"
    )
    with pytest.raises(UndeliveredError, match="it did not end within 1 s"):
        python(source, limit_s=1)(event_of(1))
    own, child = map(int, pids.read_text().split())
    assert ends(own)
    assert ends(child)


def test_what_a_command_leaves_behind_ends_with_it(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    source = (
        "import subprocess, sys\n"
        f"child = subprocess.Popen([sys.executable, '-I', '-c', {FOREVER!r}])\n"
        f"open({str(pid)!r}, 'w').write(str(child.pid))\n"
    )
    python(source)(event_of(1))
    assert ends(int(pid.read_text()))


def test_one_that_never_reads_is_no_hindrance() -> None:
    python("pass")(event_of(1, "x" * 200_000))


def test_it_may_be_stopped_by_another_thread(tmp_path: Path) -> None:
    ready = tmp_path / "ready"
    os.mkfifo(ready)
    command = python(f"open({str(ready)!r}, 'w').close()\n{FOREVER}")
    why: list[str] = []

    def run() -> None:
        try:
            command(event_of(1))
        except UndeliveredError as problem:
            why.append(str(problem))

    thread = threading.Thread(target=run)
    thread.start()
    ready.open().close()
    command.stop()
    thread.join(20)
    assert why == ["it ended with signal 9"]


def test_none_is_left_running_that_is_started_after_the_end() -> None:
    command = python(FOREVER)
    command.stop()
    with pytest.raises(UndeliveredError, match="it ended with signal 9"):
        command(event_of(1))
