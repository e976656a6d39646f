"""A real headless browser, controlled by the DevTools protocol over a pipe, without a library."""

from __future__ import annotations

import base64
import fcntl
import json
import os
import queue
import shutil
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

CHROMIUM = (
    shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
)
TIMEOUT_S = 30.0
LOADING = "still loading"
_IS_LOADED = "document.readyState === 'complete'"
NAVIGATED = "Inspected target navigated or closed"
_FLAGS = (
    "--headless",
    "--no-sandbox",  # tests may run as root
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",  # this and the two below: a quarter of its start
    "--disable-extensions",
    "--disable-features=MediaRouter,OptimizationHints,Translate",
    "--no-first-run",
    "--remote-debugging-pipe",
)

HEARD = "window.hasHeard === true"
"""Whether the page has heard from its table: before that it asks to tap again in a moment."""

# A finger or a mouse gives the focus to what it clicks, but a script's click does not.
_EACH_PAGE = """
// While a page is still loading, the script that takes taps may not be there to hear it.
document.addEventListener("heard", () => { window.hasHeard ||= document.readyState === "complete"; });
const click = HTMLElement.prototype.click;
HTMLElement.prototype.click = function () { this.focus({ preventScroll: true }); click.call(this); };
"""


class Navigated(Exception):
    """The page was loaded anew while a script ran in it."""


class Chromium:
    """A browser's process. Starting one takes longer than a test, so all tests of a process share one; each page has a
    profile of its own."""

    def __init__(self, folder: Path, inside: Sequence[str] = ()) -> None:
        """`folder` is for its profile; `inside` is a command that runs another one, in a network of its own."""
        theirs_in, ours_out = os.pipe()
        ours_in, theirs_out = os.pipe()
        # The browser's ends have to be its descriptors 3 and 4, whatever numbers they have here.
        ends = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in (theirs_in, theirs_out)]
        os.close(theirs_in)
        os.close(theirs_out)
        assert CHROMIUM is not None
        self._process = subprocess.Popen(
            [*inside, CHROMIUM, *_FLAGS, f"--user-data-dir={folder}", "about:blank"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            close_fds=False,
            preexec_fn=lambda: (
                [os.dup2(end, number) for number, end in enumerate(ends, start=3)] and None
            ),
        )
        for end in ends:
            os.close(end)
        self._out = os.fdopen(ours_out, "wb", buffering=0)
        self._in = os.fdopen(ours_in, "rb")
        self._answers: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        self._number = 0
        self._pages: dict[str, Browser] = {}
        self._reader = threading.Thread(target=self._read, name="browser")
        self._reader.start()

    @contextmanager
    def page(self) -> Iterator[Browser]:
        """A page with a profile of its own; at the end, fail if a script of any page in it has thrown."""
        profile = self.call("Target.createBrowserContext")["browserContextId"]
        target = self.call("Target.createTarget", url="about:blank", browserContextId=profile)[
            "targetId"
        ]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = self._pages[session] = Browser(self, session, frame=target)
        for domain in ("Page", "Runtime", "Log", "Network"):
            page.call(f"{domain}.enable")
        page.call("Page.addScriptToEvaluateOnNewDocument", source=_EACH_PAGE)
        try:
            yield page
        finally:
            self.call("Target.disposeBrowserContext", browserContextId=profile)
            del self._pages[session]
        assert page.thrown == []

    def _read(self) -> None:
        rest = b""
        while more := os.read(self._in.fileno(), 65536):
            *messages, rest = (rest + more).split(b"\0")
            for message in map(json.loads, messages):
                if "method" not in message:
                    self._answers.put(message)
                elif (page := self._pages.get(message.get("sessionId"))) is not None:
                    page.take(message["method"], message["params"])

    def call(self, method: str, session: str | None = None, **params: Any) -> dict[str, Any]:
        """Call a method, of a page or of the browser, and return the result."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": params}
        if session is not None:
            message["sessionId"] = session
        self._out.write(json.dumps(message).encode() + b"\0")
        while True:
            answer = self._answers.get(timeout=TIMEOUT_S)
            if answer["id"] == self._number:
                if answer.get("error", {}).get("message") == NAVIGATED:
                    raise Navigated
                assert "error" not in answer, answer
                result: dict[str, Any] = answer["result"]
                return result

    def close(self) -> None:
        """End the browser."""
        try:
            self.call("Browser.close")
            self._process.wait(TIMEOUT_S)
        finally:
            self._process.kill()
            self._process.wait()
            self._out.close()
            self._reader.join()
            self._in.close()


class Browser:
    """A page of a browser, with its log and requests."""

    def __init__(self, chromium: Chromium, session: str, frame: str) -> None:
        """`frame` is the page's own, without those inside it."""
        self._chromium, self._session, self._frame = chromium, session, frame
        self._at_rest = threading.Event()
        self._at_rest.set()
        self.errors: list[str] = []
        """What the console or the browser's own log called an error, exceptions included."""
        self.thrown: list[str] = []
        """What scripts threw and nobody caught."""
        self.requested: list[str] = []
        """Every address that was asked for."""

    def take(self, method: str, told: dict[str, Any]) -> None:
        """Store the browser's events about the page."""
        match method:
            case "Page.frameRequestedNavigation" if told["frameId"] == self._frame:
                if told["disposition"] == "currentTab":
                    self._at_rest.clear()
            case "Page.frameStartedLoading" if told["frameId"] == self._frame:
                self._at_rest.clear()
            case "Page.frameStoppedLoading" if told["frameId"] == self._frame:
                self._at_rest.set()
            case "Runtime.exceptionThrown":
                self.thrown.append(json.dumps(told))
                self.errors.append(self.thrown[-1])
            case "Runtime.consoleAPICalled" if told["type"] in ("error", "assert", "warning"):
                self.errors.append(json.dumps(told["args"]))
            case "Log.entryAdded" if told["entry"]["level"] in ("error", "warning"):
                self.errors.append(f"{told['entry']['text']} {told['entry'].get('url', '')}")
            case "Network.requestWillBeSent":
                self.requested.append(told["request"]["url"])

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        """Call a method of the page and return the result."""
        return self._chromium.call(method, self._session, **params)

    def size(self, wide: int, high: int) -> None:
        """Emulate a touch screen of that size, in CSS pixels."""
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=wide,
            height=high,
            deviceScaleFactor=1,
            mobile=True,
        )

    def light(self, on: bool) -> None:
        """Prefer a light or a dark color scheme."""
        feature = {"name": "prefers-color-scheme", "value": "light" if on else "dark"}
        self.call("Emulation.setEmulatedMedia", features=[feature])

    def open(self, address: str) -> None:
        """Go to an address and wait until the scripts of its page have run."""
        self.call("Page.navigate", url=address)
        self.wait_for("true")

    def leave(self) -> None:
        """Go to an empty page, and forget what was an error until then.

        A page whose server has ended goes on asking for it, and each time is an error.
        """
        self.open("about:blank")
        self.errors.clear()

    def js(self, expression: str) -> Any:
        """Return the value of an expression on the page.

        After a click on a link, or on the button of a form, it waits for the page that these lead to: until that one is
        there, the old page still answers.
        """
        assert self._at_rest.wait(TIMEOUT_S), f"the page goes on loading; errors: {self.errors}"
        answer = self.call(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        return answer["result"].get("value")

    def wait_for(self, expression: str, wanted: Callable[[Any], bool] = bool) -> Any:
        """Return the value of an expression once it is as expected.

        A page that is still loading is not asked: what it shows already takes no click and no key before its scripts
        have run, and a slow computer takes a while between the two.
        """
        deadline = time.monotonic() + TIMEOUT_S
        while True:
            value = None
            with suppress(Navigated):  # the new page is asked next
                value = self.js(f"{_IS_LOADED} ? ({expression}) : {LOADING!r}")
                if value != LOADING and wanted(value):
                    return value
            assert time.monotonic() < deadline, (
                f"waited for {expression}; it is {value!r}; errors: {self.errors}"
            )
            threading.Event().wait(0.02)

    def tap(self, element: str) -> None:
        """Press and release the mouse in the middle of an element, given as an expression."""
        middle = self.js(f"""(() => {{
          const each = {element};
          each.scrollIntoView({{ block: "center", behavior: "instant" }});
          const box = each.getBoundingClientRect();
          return [box.left + box.width / 2, box.top + box.height / 2];
        }})()""")
        for kind in ("mousePressed", "mouseReleased"):
            self.call(
                "Input.dispatchMouseEvent",
                type=kind,
                x=middle[0],
                y=middle[1],
                button="left",
                clickCount=1,
            )

    def picture(self, path: Path) -> None:
        """Save a screenshot of the page."""
        path.write_bytes(
            base64.b64decode(
                self.call("Page.captureScreenshot", captureBeyondViewport=True)["data"]
            )
        )
