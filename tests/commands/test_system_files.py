"""`companion system-files`: what a Linux system has of an installed program."""

from __future__ import annotations

import argparse
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from companion.cli import parser
from companion.commands import system_files
from companion.commands.system_files import UDEV_RULE, manual_pages
from companion.doctor.ports import RULES_FILE
from companion.doctor.surroundings import Surroundings
from companion.program import VARIABLE
from tests.commands.ran import Ran

pytest.importorskip("argparse_manpage", reason="the extra `completion` is not installed")

RASPBERRY_PI = 0x2E8A


@pytest.fixture(scope="module")
def prefix(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("usr")
    ran = Ran("system-files", str(folder))
    assert ran.code == 0, ran.err
    return folder


def checked(program: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run a program of the system; skip if it is missing."""
    found = shutil.which(program)
    if found is None:
        pytest.skip(f"there is no {program}")
    return subprocess.run(
        [found, *arguments], capture_output=True, text=True, timeout=60, check=False
    )


def files_below(folder: Path) -> set[Path]:
    return {path for path in folder.rglob("*") if path.is_file()}


def test_the_menu_entry_is_valid(prefix: Path) -> None:
    entry = prefix / "share/applications/table-companion.desktop"
    done = checked("desktop-file-validate", entry)
    assert (done.returncode, done.stdout) == (0, "")


def test_the_commands_of_the_menu_entry_can_be_typed(prefix: Path) -> None:
    lines = (prefix / "share/applications/table-companion.desktop").read_text().splitlines()
    commands = [line.split() for line in lines if line.startswith("Exec=")]
    assert ["Exec=companion", "demo"] in commands
    for _, *words in commands:
        parser().parse_args(words)


def test_the_icon_of_the_menu_entry_is_where_a_desktop_looks(prefix: Path) -> None:
    lines = (prefix / "share/applications/table-companion.desktop").read_text().splitlines()
    (name,) = (line.removeprefix("Icon=") for line in lines if line.startswith("Icon="))
    icon = prefix / "share/icons/hicolor/scalable/apps" / f"{name}.svg"
    assert icon.read_text().startswith("<svg")


def test_the_description_for_software_centers_is_valid(prefix: Path) -> None:
    (description,) = (prefix / "share/metainfo").iterdir()
    done = checked("appstreamcli", "validate", "--no-net", description)
    assert done.returncode == 0, done.stdout
    assert f"<id>{description.name.removesuffix('.metainfo.xml')}</id>" in description.read_text()


def test_each_command_has_a_manual_page_with_its_options(prefix: Path) -> None:
    commands = next(
        action for action in parser()._actions if isinstance(action, argparse._SubParsersAction)
    )
    pages = {path.name for path in (prefix / "share/man/man1").iterdir()}
    assert pages == {"companion.1", *(f"companion-{name}.1" for name in commands.choices)}
    play = (prefix / "share/man/man1/companion-play.1").read_text()
    assert r"\-\-seats" in play
    assert "play a session at the table" in play


def test_the_first_manual_page_lists_the_commands_and_leaves_the_rest_to_their_pages(
    prefix: Path,
) -> None:
    first = (prefix / "share/man/man1/companion.1").read_text()
    assert "\\fBcompanion play\\fR\nplay a session at the table\n" in first
    assert "\\-\\-version" in first
    assert "Exit codes:" in first
    assert r"\-\-seats" not in first


def test_the_manual_pages_are_typeset_without_a_warning(prefix: Path) -> None:
    for page in sorted((prefix / "share/man/man1").iterdir()):
        done = checked("groff", "-man", "-Tutf8", "-ww", "-z", page)
        assert (done.returncode, done.stderr) == (0, ""), page.name


@pytest.mark.parametrize(
    ("place", "begins"),
    [
        ("share/bash-completion/completions/companion", "# AUTOMATICALLY GENERATED"),
        ("share/zsh/site-functions/_companion", "#compdef companion"),
    ],
)
def test_the_shells_find_their_completions(prefix: Path, place: str, begins: str) -> None:
    assert (prefix / place).read_text().startswith(begins)


@pytest.mark.parametrize("place", ["usr", "usr/local"])
def test_the_rule_keeps_modem_manager_away_from_the_board_and_lets_its_user_open_it(
    prefix: Path, place: str, tmp_path: Path
) -> None:
    rule = (prefix / "lib/udev/rules.d" / UDEV_RULE).read_text()
    assert 'TAG+="uaccess"' in rule
    # logind gives a tagged device to its user by 73-seat-late.rules
    assert UDEV_RULE < "73-seat-late.rules"
    shutil.copytree(prefix / "lib", tmp_path / place / "lib")
    assert Surroundings(root=tmp_path).has_udev_rule(RASPBERRY_PI)


def test_the_rule_has_one_name_here_and_in_the_advice_of_the_doctor() -> None:
    assert Path(RULES_FILE).name == UDEV_RULE


def test_everybody_can_read_the_files(prefix: Path) -> None:
    assert {stat.S_IMODE(path.stat().st_mode) for path in files_below(prefix)} == {0o644}


def test_without_a_folder_they_go_into_the_users_own_and_the_rule_is_explained(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    ran = Ran("system-files")
    assert ran.code == 0
    written = files_below(tmp_path / ".local")
    assert f"{len(written)} files written" in ran.out
    assert not any(path.suffix == ".rules" for path in written)
    assert "sudo tee" in ran.out


def test_ones_own_menu_entry_starts_the_program_whatever_the_path_of_the_desktop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    python = tmp_path / "100% of $HOME" / "python"
    python.parent.mkdir()
    python.symlink_to(sys.executable)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(sys, "executable", str(python))
    assert Ran("system-files").code == 0
    entry = tmp_path / ".local/share/applications/table-companion.desktop"
    line = f'Exec="{tmp_path}/100%% of \\\\$HOME/python" -P -m companion demo\n'
    assert line in entry.read_text()
    done = checked("desktop-file-validate", entry)
    assert (done.returncode, done.stdout) == (0, "")


def test_what_is_started_by_ones_own_menu_entry_has_the_name_of_the_program_that_wrote_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(system_files, "PROGRAM", "table-companion")
    assert Ran("system-files").code == 0
    entry = tmp_path / ".local/share/applications/table-companion.desktop"
    line = f'Exec=env {VARIABLE}=table-companion "{sys.executable}" -P -m companion demo\n'
    assert line in entry.read_text()
    done = checked("desktop-file-validate", entry)
    assert (done.returncode, done.stdout) == (0, "")


def test_the_files_are_for_the_name_under_which_the_program_was_started(tmp_path: Path) -> None:
    code = "import sys\nsys.argv[0] = '/usr/bin/table-companion'\nfrom companion.cli import main\nmain()"
    done = subprocess.run(
        [sys.executable, "-c", code, "system-files", tmp_path],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert "`man table-companion`" in done.stdout
    completions = tmp_path / "share/bash-completion/completions/table-companion"
    assert "-F _shtab_table_companion table-companion" in completions.read_text()
    assert (tmp_path / "share/man/man1/table-companion-play.1").exists()
    assert (
        "Exec=table-companion demo"
        in (tmp_path / "share/applications/table-companion.desktop").read_text()
    )
    others = {path for path in files_below(tmp_path) if path.name.startswith(("_", "companion"))}
    assert others == {tmp_path / "share/zsh/site-functions/_table-companion"}


def test_the_rule_can_be_printed_alone(prefix: Path) -> None:
    rule = (prefix / "lib/udev/rules.d" / UDEV_RULE).read_text()
    assert Ran("system-files", "--udev").out == rule


def test_a_newer_version_writes_over_the_files_and_remove_deletes_these_alone(
    tmp_path: Path,
) -> None:
    other = tmp_path / "share/man/man1/other.1"
    other.parent.mkdir(parents=True)
    other.write_text("not ours")
    assert Ran("system-files", str(tmp_path)).code == 0
    page = tmp_path / "share/man/man1/companion.1"
    page.write_text("of an earlier version")
    assert Ran("system-files", str(tmp_path)).code == 0
    assert page.read_text().startswith('.TH COMPANION "1"')
    written = len(files_below(tmp_path)) - 1
    assert f"{written} files deleted" in Ran("system-files", str(tmp_path), "--remove").out
    assert files_below(tmp_path) == {other}


def test_a_folder_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "share").write_text("a file")
    ran = Ran("system-files", str(tmp_path))
    assert ran.code == 73
    assert ran.err.count("\n") == 1
    assert "name another folder" in ran.err


def test_without_the_library_a_sentence_says_how_to_install_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "argparse_manpage.manpage", None)
    ran = Ran("system-files", str(tmp_path))
    assert ran.code == 69
    assert "pip install -e '.[completion]'" in ran.err
    assert files_below(tmp_path) == set()


def test_the_pages_have_names_that_man_joins_from_two_words() -> None:
    assert all(" " not in name for name, _ in manual_pages(parser()))
