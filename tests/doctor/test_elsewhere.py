"""The doctor's findings on hooks: whether they could work, and the result of the last delivery."""

from __future__ import annotations

import stat
import tempfile
from pathlib import Path

import pytest

from companion.config.reading import CONFIG_VARIABLE
from companion.doctor import checks
from companion.doctor.checks import Finding, Severity, outlet_findings
from companion.journal.sessions import SessionInfo
from companion.outbound.hook_runner import Delivered, ProgressFile


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "settings.toml"
    monkeypatch.setenv(CONFIG_VARIABLE, str(path))
    return path


def finding_for(settings: Path, lines: str, last: Delivered | None = None) -> Finding:
    """Return the only finding about a hook called lights."""
    settings.write_text(f'[[hooks]]\nname = "lights"\n{lines}\n')
    session = settings.with_name("evening.sqlite")
    if last is not None:
        ProgressFile(session).write("lights", last)
    (finding,) = outlet_findings([SessionInfo(session, "evening")])
    return finding


def test_without_hooks_nothing_is_said(settings: Path) -> None:
    assert list(outlet_findings([])) == []


def test_a_key_that_stops_every_game_is_a_failure(settings: Path) -> None:
    settings.write_text('[keys]\n"table.undoo" = "f9"\n')
    (finding,) = outlet_findings([])
    assert (finding.level, "no action 'table.undoo'" in finding.sentence) == (
        Severity.FAILURE,
        True,
    )


def test_a_secret_that_is_missing_is_a_failure(settings: Path) -> None:
    finding = finding_for(
        settings, f'url = "http://a.example/t0ken"\nsecret_file = "{settings.parent / "none"}"'
    )
    assert finding.level is Severity.FAILURE
    assert "cannot be read: No such file" in finding.sentence
    assert "t0ken" not in finding.sentence


def test_a_command_that_is_missing_or_not_executable_is_a_failure(settings: Path) -> None:
    program = settings.with_name("lights")
    assert finding_for(settings, f'command = ["{program}"]').sentence.endswith(
        "that command is not there."
    )
    program.write_text("#!/bin/sh\n")
    assert finding_for(settings, f'command = ["{program}"]').sentence.endswith(
        "that command cannot be run."
    )
    program.chmod(0o755)
    assert finding_for(settings, f'command = ["{program}"]').level is Severity.OK


@pytest.mark.parametrize(
    ("last", "level", "words"),
    [
        (None, Severity.OK, "nothing was sent yet"),
        (Delivered(99, sent=3), Severity.OK, "3 events delivered in the session played last."),
        (
            Delivered(99, sent=1, dropped=2),
            Severity.OK,
            "1 event delivered in the session played last, 2 dropped.",
        ),
        (
            Delivered(9, trouble="it answered 500"),
            Severity.WARNING,
            "the last try failed: it answered 500.",
        ),
        (
            Delivered(9, trouble="it answered 500", off=True),
            Severity.WARNING,
            "then it was given up: it answered 500.",
        ),
    ],
)
def test_it_says_how_it_went_last(
    settings: Path, last: Delivered | None, level: Severity, words: str
) -> None:
    finding = finding_for(settings, 'url = "http://a.example/t0ken"', last)
    assert finding.level is level
    assert finding.sentence.startswith("lights (http://a.example): ")
    assert words in finding.sentence


def test_settings_that_make_no_sense_are_a_failure(settings: Path) -> None:
    settings.write_text("hooks = 1")
    (finding,) = outlet_findings([])
    assert finding.level is Severity.FAILURE


def test_the_broker_is_named_and_its_password_looked_for(
    settings: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checks, "find_spec", lambda name: name)
    settings.write_text('[mqtt]\nhost = "b"\n')
    (finding,) = outlet_findings([])
    assert (finding.level, finding.sentence) == (
        Severity.OK,
        "b:1883 is told while you play; nothing is sent to it now.",
    )
    settings.write_text(
        '[mqtt]\nhost = "b"\nusername = "me"\npassword_variable = "NO_SUCH_PASSWORD"\n'
    )
    (finding,) = outlet_findings([])
    assert finding.level is Severity.FAILURE
    assert "the variable NO_SUCH_PASSWORD has nothing in it" in finding.sentence
    settings.write_text('[mqtt]\nhost = "b"\ntls = true\nca_file = "/no/such"\n')
    (finding,) = outlet_findings([])
    assert (finding.level, "the file /no/such cannot be used" in finding.sentence) == (
        Severity.FAILURE,
        True,
    )
    monkeypatch.setattr(checks, "find_spec", lambda _name: None)
    (finding,) = outlet_findings([])
    assert finding.sentence == "The MQTT library is not installed."


def copies(settings: Path, folder: Path) -> Finding:
    settings.write_text(f'second_copy = "{folder}"\n')
    (finding,) = outlet_findings([])
    return finding


def test_a_folder_for_second_copies_that_is_away_or_refuses_is_a_failure(
    settings: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    finding = copies(settings, tmp_path / "stick")
    assert finding.level is Severity.FAILURE
    assert finding.sentence == f"The folder for second copies, {tmp_path / 'stick'}, is not there."
    stick = tmp_path / "stick"
    stick.mkdir()
    assert copies(settings, stick).level is Severity.OK
    assert list(stick.iterdir()) == []

    def refused(**_: object) -> None:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(tempfile, "NamedTemporaryFile", refused)
    assert "because the disk is write-protected" in copies(settings, stick).sentence


def test_a_disk_without_rights_is_a_warning_that_says_what_others_can_read(
    settings: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stat, "S_IMODE", lambda _mode: 0o777)
    finding = copies(settings, tmp_path)
    assert (finding.level, "They have hands and goals." in finding.sentence) == (
        Severity.WARNING,
        True,
    )
