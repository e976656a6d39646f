"""An address shown in a browser, and where that makes no sense."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.system.browser import in_browser


@pytest.mark.parametrize(
    "environment",
    [{"SSH_CONNECTION": "10.0.0.1 5 10.0.0.2 22", "DISPLAY": ":0"}, {}, {"DISPLAY": ""}],
    ids=["over ssh", "no display", "an empty one"],
)
def test_no_browser_is_opened_where_nobody_would_see_it(
    environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    assert not in_browser("file:///tmp/evening.html", environment)


def test_a_browser_runs_without_the_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser, seen = tmp_path / "browser", tmp_path / "seen"
    browser.write_text(f'#!/bin/sh\ntest -t 1 || echo "$1" > {seen}\necho noise\n')
    browser.chmod(0o755)
    monkeypatch.setenv("BROWSER", f"{browser} %s")
    assert in_browser("file:///tmp/evening.html", {"DISPLAY": ":0"})
    assert seen.read_text() == "file:///tmp/evening.html\n"
