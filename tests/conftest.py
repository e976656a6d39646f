"""Fixtures and hooks of all tests."""

from __future__ import annotations

import gc
import os
import sys
import tempfile
from collections.abc import Generator, Iterator
from contextlib import closing, suppress
from importlib import import_module
from itertools import count
from pathlib import Path
from shutil import disk_usage
from typing import TYPE_CHECKING
from zlib import crc32

import pytest
from hypothesis import HealthCheck, settings

from tests.thorough import THOROUGH, examples

if TYPE_CHECKING:
    from tests.web.browser import Chromium

# Tests make small objects by the million and few circles of them; a tenth of the time went into looking for those.
gc.set_threshold(50_000)

# How long an example takes tells of the machine: a busy one would fail what is right.
settings.register_profile(
    "any machine",
    max_examples=examples(60, 1_000),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("any machine")

# Where a machine keeps no bytecode, each of the hundreds of programs that tests start would compile the companion.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# Where the system has a folder in memory with room for a run, nobody waits for a disk: that took a tenth of the time.
# The tests of the journal itself stay on the disk.
MEMORY, ROOM = Path("/dev/shm"), 1_000_000_000
if "TMPDIR" not in os.environ and os.access(MEMORY, os.W_OK) and disk_usage(MEMORY).free > ROOM:
    os.environ["TMPDIR"] = os.environ["PYTEST_DEBUG_TEMPROOT"] = tempfile.tempdir = str(MEMORY)

TESTS = Path(__file__).parent
SAMPLE_GAME = TESTS / "sample_game"
LOOPING_GAME = TESTS / "looping_game"
SKIP_IS_FAILURE = os.environ.get("COMPANION_SKIP_IS_FAILURE") == "1"


def pytest_collection(session: pytest.Session) -> None:
    """Share the slowest first work among the workers: pytest stores the rewritten bytecode of each module for whoever
    imports it next, so each worker begins with other modules."""
    worker = getattr(session.config, "workerinput", None)
    if worker is None or [Path(arg).resolve() for arg in session.config.args] != [TESTS]:
        return
    first, count = int(worker["workerid"].removeprefix("gw")), worker["workercount"]
    for path in sorted(TESTS.rglob("test_*.py"))[first::count]:
        with suppress(Exception, pytest.skip.Exception):  # whoever collects it will say so
            import_module(".".join(path.relative_to(TESTS.parent).with_suffix("").parts))


def pytest_collection_finish() -> None:
    """Freeze the collector: modules stay for good and need no scans. Give each worker a port of its own for phones'
    pages, because between two runs of a session another worker could take it."""
    gc.freeze()
    at_play = sys.modules.get("companion.web.at_play")
    if at_play is not None:
        vars(at_play)["PORT"] += int(
            os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")
        )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Order the tests, and end a process whose property test hangs: Hypothesis would take an exception for a failing
    example and try it again.

    Files are mixed, because if all workers reached the tests that wait for boards, terminals and hubs at once, the
    processor would be idle. The first worker gets those that wait most, or the others would wait for it in the end.
    Browser tests stay together, because each worker that has one starts a browser.
    """
    if hasattr(config, "workerinput"):
        items.sort(key=_order)
    for item in items:
        if THOROUGH:
            item.add_marker(pytest.mark.timeout(0))
        elif getattr(getattr(item, "obj", None), "is_hypothesis_test", False):
            item.add_marker(pytest.mark.timeout(method="thread"))


def _order(item: pytest.Item) -> tuple[bool, bool, int]:
    browser = "chromium" in getattr(item, "fixturenames", ())
    return item.get_closest_marker("waits") is None, not browser, crc32(item.location[0].encode())


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Fail a skipped test where everything that tests need is installed; a plain user may skip those that only root
    can run."""
    report = yield
    is_skip = report.skipped and not hasattr(report, "wasxfail")
    if SKIP_IS_FAILURE and is_skip and not _needs_root(report):
        report.outcome = "failed"
        report.longrepr = f"skipped, though nothing may be missing here: {report.longrepr}"
    return report


def _needs_root(report: pytest.TestReport) -> bool:
    """Return whether the test was skipped because it needs root, and this is a plain user."""
    return sys.platform != "win32" and os.geteuid() != 0 and " root" in str(report.longrepr)


@pytest.fixture(scope="module", autouse=True)
def own_games_forgotten() -> Iterator[None]:
    """Forget the games of one's own that a module's tests registered or read in sessions, once they are over: the
    tests of another module list all games."""
    from companion.rules.registry import GAMES

    yield
    vars(GAMES)["learned"].clear()


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chromium]:
    """Return a real browser, shared by all tests of a process."""
    from tests.web.browser import CHROMIUM, Chromium

    if CHROMIUM is None:
        pytest.skip("no Chromium is installed (Debian: apt install chromium)")
    with closing(Chromium(tmp_path_factory.mktemp("profile"))) as started:
        yield started


@pytest.fixture(scope="session")
def sample_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the sample game as pip would install it."""
    from tests.games.foreign import install_source

    return install_source(SAMPLE_GAME, tmp_path_factory.mktemp("site"))


@pytest.fixture(scope="module")
def sample_game(sample_site: Path) -> Iterator[None]:
    """Install the sample game's package for the tests of a module."""
    from tests.games.foreign import installed

    with installed(sample_site):
        yield


@pytest.fixture(scope="session")
def looping_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the game that never returns, as pip would install it."""
    from tests.games.foreign import install_source

    return install_source(LOOPING_GAME, tmp_path_factory.mktemp("site"))


@pytest.fixture(scope="module")
def looping_game(looping_site: Path) -> Iterator[None]:
    """Install the package of the game that never returns for the tests of a module."""
    from tests.games.foreign import installed

    with installed(looping_site):
        yield


@pytest.fixture(scope="module")
def own_games() -> Iterator[None]:
    """Register the example games from files for the tests of a module."""
    from tests.games.own.files import learned

    with learned():
        yield


@pytest.fixture(scope="session")
def data_folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Yield paths of folders that do not exist yet, one for each test: most need none, and creating one takes longer
    than many a test."""
    base = tmp_path_factory.mktemp("data")
    return (base / str(number) for number in count())


@pytest.fixture(autouse=True)
def own_data_folder(data_folders: Iterator[Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep tests away from the sessions of the person who runs them."""
    folder = next(data_folders)
    monkeypatch.setenv("COMPANION_DATA", str(folder))
    return folder


@pytest.fixture
def unknown_cards(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Make SkyFire's cards unpublished."""
    from companion.rules import components, registry

    text = registry.GameInfo.text

    def read(info: registry.GameInfo, name: str) -> str:
        unknown = info.id == "skyfire" and name == components.PACKAGED
        return text(info, "components_v2.toml" if unknown else name)

    monkeypatch.setattr(registry.GameInfo, "text", read)
    for box in (components.packaged, components.example):
        box.cache_clear()
    yield
    monkeypatch.undo()
    for box in (components.packaged, components.example):
        box.cache_clear()
