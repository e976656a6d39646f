"""Hooks as a person has them: the settings file, the program, a server and a command."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from companion.config.reading import CONFIG_VARIABLE
from companion.exits import Exit
from tests.end_to_end.program import companion
from tests.outbound.receiver import receiver


def test_a_game_in_plain_lines_tells_its_hooks_to_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings, seen = tmp_path / "settings.toml", tmp_path / "seen.jsonl"
    monkeypatch.setenv(CONFIG_VARIABLE, str(settings))
    program = tmp_path / "note"
    program.write_text(
        f"#!{sys.executable} -I\nimport sys\nopen({str(seen)!r}, 'a').write(sys.stdin.read())\n"
    )
    program.chmod(0o755)
    with receiver() as server:
        settings.write_text(
            f'[[hooks]]\nname = "web"\nurl = "{server.url}/x"\n[[hooks]]\nname = "note"\ncommand = ["{program}"]\n'
        )
        with companion("play", "panic-fire", "--seats", "ann,ben", "--port", "none") as played:
            assert played.process.stdin is not None
            played.process.stdin.write("f\n")
            played.process.stdin.flush()
            server.until(2)
            assert played.leave() == Exit.DONE
        posted = [json.loads(post.body) for post in server.posted]
    assert [event["kind"] for event in posted][:2] == ["session", "round"]
    assert [json.loads(line) for line in seen.read_text().splitlines()] == posted
