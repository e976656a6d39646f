"""The tab key: what a shell offers after it has read our script."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.cli import main, parser
from companion.rules.registry import GAMES
from tests.end_to_end.program import run, run_here, sentence

Press = Callable[..., list[str]]

# What Bash does at the tab key: the words, which of them the cursor is in, and the function that was declared for them.
TAB = """
source "$1"
COMP_WORDS=({words}); COMP_CWORD=$(( ${{#COMP_WORDS[@]}} - 1 ))
COMP_LINE="${{COMP_WORDS[*]}}"; COMP_POINT=${{#COMP_LINE}}
function_of() {{ while [ $# -gt 1 ]; do [ "$1" = -F ] && echo "$2"; shift; done; }}
"$(function_of $(complete -p companion))" companion "${{COMP_WORDS[COMP_CWORD]}}" "${{COMP_WORDS[COMP_CWORD-1]}}"
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = run("completion", "bash")
    assert made.returncode == 0, made.stderr
    path = tmp_path_factory.mktemp("script") / "companion.bash"
    path.write_text(made.stdout, encoding="utf-8")
    return path


@pytest.fixture
def in_bash(script: Path, tmp_path: Path) -> Press:
    """Press the tab key in a Bash with the script; return its completions."""
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("there is no bash")
    program = tmp_path / "bin" / "companion"
    program.parent.mkdir()
    program.write_text(
        f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m companion "$@"\n', encoding="utf-8"
    )
    program.chmod(0o755)

    def press(*words: str) -> list[str]:
        environment = {**os.environ, "PATH": f"{program.parent}:{os.environ['PATH']}"}
        typed = TAB.format(words=shlex.join(["companion", *words]))
        command = [bash, "--norc", "--noprofile", "-c", typed, "bash", str(script)]
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
            env=environment,
            cwd=tmp_path,
        )
        assert done.stderr == ""
        return done.stdout.split()

    return press


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (("sess",), {"sessions"}),
        (("sessions", "un"), {"unarchive", "unchoose"}),
        (("play", ""), set(GAMES)),
        (("play", "sky"), {"sky-rise", "skyfire"}),
        (("demo", "--game", "pan"), {"panic-fire"}),
        (("components", "list", "fr"), {"fractured-sky"}),
        (("export", "--format", "js"), {"json", "jsonl"}),
        (("demo", "--sp"), {"--speed"}),
        (("completion", "z"), {"zsh"}),
    ],
)
def test_commands_options_choices_and_games_are_completed(
    in_bash: Press, words: tuple[str, ...], offered: set[str]
) -> None:
    assert set(in_bash(*words)) == offered


@pytest.fixture(scope="module")
def named(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with sessions, two of them named."""
    folder = tmp_path_factory.mktemp("named")
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("COMPANION_DATA", str(folder))
        for name in ("Friday", "Saturday; reboot", "Monday"):
            run_here("play", "panic-fire", "--seats", "anna,ben", "--port", "none")
            assert run_here("sessions", "rename", "panic-fire", name).returncode in (0, 2)
    return folder


@pytest.mark.parametrize(
    "command", [("resume",), ("export",), ("sessions", "rename"), ("journal", "check"), ("watch",)]
)
def test_sessions_are_completed_by_their_names(
    named: Path, in_bash: Press, command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_DATA", str(named))
    offered = in_bash(*command, "Fri")
    assert offered == ["Friday"]
    assert not any("reboot" in word for word in in_bash(*command, ""))


@pytest.mark.parametrize(
    ("shell", "begins"),
    [
        ("zsh", "#compdef companion"),
        ("tcsh", "complete companion"),
        ("fish", "complete -c companion"),
        ("powershell", "Register-ArgumentCompleter"),
    ],
)
def test_the_other_shells_have_their_script(shell: str, begins: str) -> None:
    made = run("completion", shell)
    assert made.returncode == 0
    assert begins in made.stdout
    assert "completion games" in made.stdout


def test_the_script_is_for_the_name_under_which_the_program_was_started() -> None:
    code = "import sys\nsys.argv[0] = '/usr/bin/table-companion'\nfrom companion.cli import main\nmain(sys.argv[1:])"
    made = subprocess.run(
        [sys.executable, "-c", code, "completion", "zsh"],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert "#compdef table-companion" in made.stdout
    assert "$(table-companion completion games" in made.stdout
    assert "$(companion " not in made.stdout


def test_each_shell_that_the_library_knows_has_its_script() -> None:
    shtab = pytest.importorskip("shtab", reason="the extra `completion` is not installed")
    for shell in shtab.SUPPORTED_SHELLS:
        assert parser().parse_args(["completion", shell]).what == shell


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("sess", {"sessions"}),
        ("play sky", {"sky-rise", "skyfire"}),
        ("export --format js", {"json", "jsonl"}),
        ("demo --sp", {"--speed"}),
    ],
)
def test_fish_completes_commands_options_choices_and_games(
    tmp_path: Path, typed: str, offered: set[str]
) -> None:
    fish = shutil.which("fish")
    if fish is None:
        pytest.skip("there is no fish")
    script = tmp_path / "companion.fish"
    script.write_text(run("completion", "fish").stdout, encoding="utf-8")
    program = tmp_path / "companion"
    program.write_text(
        f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m companion "$@"\n', encoding="utf-8"
    )
    program.chmod(0o755)
    done = subprocess.run(
        [fish, "--no-config", "-c", f"source {script}; complete -C 'companion {typed}'"],
        env={**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}", "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert {line.split("\t")[0] for line in done.stdout.splitlines()} == offered


def test_without_the_library_a_sentence_says_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "shtab", None)
    assert main(["completion", "bash"]) == 69
    out, err = capsys.readouterr()
    assert out == ""
    assert "pip install -e '.[completion]'" in err
    assert err.count("\n") == 1


def test_only_the_scripts_need_the_library() -> None:
    for arguments in (["--help"], ["completion", "games"], ["sessions"]):
        code = (
            f"import sys\nfrom companion.cli import main\ntry:\n    main({arguments})\nexcept SystemExit:\n    pass\n"
            "sys.exit('shtab' in sys.modules)"
        )
        assert (
            subprocess.run(
                [sys.executable, "-c", code], capture_output=True, check=False
            ).returncode
            == 0
        )


def test_a_shell_that_there_is_not_is_refused() -> None:
    result = run("completion", "xonsh")
    assert result.returncode == 2
    wanted = "type bash, zsh, tcsh, fish, powershell, games or sessions"
    assert f"'xonsh' means nothing here: {wanted}" in sentence(result)
