"""A headless Chromium, driven through its DevTools protocol over two pipes: real clicks and keys.

Source: https://chromedevtools.github.io/devtools-protocol/; a message is JSON that ends with a zero byte. The
browser reads from descriptor 3 and writes to descriptor 4.
"""

from __future__ import annotations

import base64
import fcntl
import json
import os
import select
import shutil
import signal
import time
from pathlib import Path
from typing import Any

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
SWITCHES = (
    "--headless=new",
    "--no-sandbox",  # the tests may run as root
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-sync",
    "--disable-features=Translate,MediaRouter,OptimizationHints",
    "--hide-scrollbars",
    "--mute-audio",
    "--no-first-run",
    "--remote-debugging-pipe",
)
KEYS = {
    "Enter": (13, "\r"),
    "Escape": (27, ""),
    "Tab": (9, ""),
    "Backspace": (8, ""),
    "End": (35, ""),
    "Home": (36, ""),
    "ArrowLeft": (37, ""),
    "ArrowUp": (38, ""),
    "ArrowRight": (39, ""),
    "ArrowDown": (40, ""),
    "PageUp": (33, ""),
    "PageDown": (34, ""),
}
"""The code and the text of the keys that are not letters."""
PATIENCE = 30.0


def program() -> str | None:
    """The path of the browser; None if there is none."""
    return next(filter(None, map(shutil.which, PROGRAMS)), None)


class Chromium:
    """A browser process with one connection; `folder` holds its profile, `switches` are added."""

    def __init__(self, folder: Path, *switches: str) -> None:
        path = program()
        assert path is not None
        theirs_in, self._out = os.pipe()
        self._in, theirs_out = os.pipe()
        high = [fcntl.fcntl(each, fcntl.F_DUPFD_CLOEXEC, 10) for each in (theirs_in, theirs_out)]
        actions = [(os.POSIX_SPAWN_DUP2, handle, number) for number, handle in zip((3, 4), high, strict=True)]
        quiet = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_RDWR, 0) for number in (0, 1, 2)]
        command = [path, *SWITCHES, *switches, f"--user-data-dir={folder}", "about:blank"]
        self._process = os.posix_spawn(
            path, command, os.environ | {"HOME": str(folder)}, file_actions=[*quiet, *actions], setpgroup=0
        )
        for handle in (theirs_in, theirs_out, *high):
            os.close(handle)
        self._left, self._number = b"", 0
        self.events: list[dict[str, Any]] = []

    def call(self, method: str, session: str = "", **values: Any) -> dict[str, Any]:
        """The result of a method; events that come before it are kept in `events`."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": values}
        data = json.dumps(message | ({"sessionId": session} if session else {})).encode() + b"\0"
        while data:
            data = data[os.write(self._out, data) :]
        while True:
            reply = self._receive(time.monotonic() + PATIENCE)
            if reply.get("id") == self._number:
                assert "error" not in reply, f"{method}: {reply['error']}"
                return dict(reply["result"])

    def wait(self, method: str, session: str) -> dict[str, Any]:
        """The next event of a method, which is taken out of `events`."""
        end = time.monotonic() + PATIENCE
        while True:
            for event in self.events:
                if event["method"] == method and event.get("sessionId", "") == session:
                    self.events.remove(event)
                    return dict(event["params"])
            self._receive(end)

    def _receive(self, end: float) -> dict[str, Any]:
        """The next message; an event is kept as well."""
        while b"\0" not in self._left:
            ready, _, _ = select.select([self._in], [], [], max(end - time.monotonic(), 0))
            assert ready, "Chromium does not answer"
            data = os.read(self._in, 1 << 20)
            assert data, "Chromium has ended"
            self._left += data
        text, _, self._left = self._left.partition(b"\0")
        message = dict(json.loads(text))
        if "method" in message:
            self.events.append(message)
        return message

    def open(self, url: str, width: int = 1280, height: int = 800) -> Page:
        """A new page that has loaded."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = Page(self, target, session)
        page.resize(width, height)
        page.load(url)
        return page

    def close(self) -> None:
        """End the browser and all processes that it started."""
        os.close(self._out)
        os.close(self._in)
        os.killpg(self._process, signal.SIGKILL)
        os.waitpid(self._process, 0)


class Page:
    """A page of the browser. `failures`: exceptions and errors; `requests`: the addresses asked for."""

    def __init__(self, browser: Chromium, target: str, session: str) -> None:
        self._browser, self._target, self._session = browser, target, session
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **values: Any) -> dict[str, Any]:
        """The result of a method of this page."""
        return self._browser.call(method, self._session, **values)

    def load(self, url: str) -> None:
        """Go to an address, and wait until everything is loaded."""
        self.call("Page.navigate", url=url)
        self._browser.wait("Page.loadEventFired", self._session)

    def run(self, code: str) -> Any:
        """The value of an expression; a promise is awaited."""
        found = self.call("Runtime.evaluate", expression=code, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")

    def settle(self) -> None:
        """Wait until two frames were drawn."""
        self.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")

    def until(self, code: str) -> Any:
        """Wait until an expression is true."""
        end = time.monotonic() + PATIENCE
        while not (value := self.run(code)):
            assert time.monotonic() < end, f"never true: {code}"
            time.sleep(0.02)
        return value

    def resize(self, width: int, height: int, scale: float = 1.0, touch: bool = False) -> None:
        """Give the page this size in CSS pixels, of `scale` pixels of the screen each."""
        size = {"width": width, "height": height}
        self.call("Emulation.setDeviceMetricsOverride", **size, deviceScaleFactor=scale, mobile=touch)

    def prefer(self, scheme: str) -> None:
        """Let the person prefer the `light` or the `dark` theme."""
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def place(self, selector: str) -> tuple[float, float]:
        """The middle of an element."""
        box = f"document.querySelector({json.dumps(selector)}).getBoundingClientRect()"
        x, y = self.run(f"(b => [b.x + b.width / 2, b.y + b.height / 2])({box})")
        return x, y

    def click(self, selector: str, count: int = 1) -> None:
        """Move the pointer to the middle of an element, and press and release the button there."""
        x, y = self.place(selector)
        self._mouse("mouseMoved", x, y)
        for kind in ("mousePressed", "mouseReleased"):
            self._mouse(kind, x, y, button="left", clickCount=count)
        self.settle()

    def _mouse(self, kind: str, x: float, y: float, **values: Any) -> None:
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **values)

    def wheel(self, x: float, y: float, distance: float) -> None:
        """Turn the wheel by so many pixels."""
        self._mouse("mouseWheel", x, y, deltaX=0, deltaY=distance)
        self.settle()

    def key(self, name: str) -> None:
        """Press and release a key: a letter, or one of `KEYS`."""
        code, text = KEYS.get(name, (ord(name[0].upper()), name))
        values = {"key": name, "windowsVirtualKeyCode": code}
        self.call("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", text=text, **values)
        self.call("Input.dispatchKeyEvent", type="keyUp", **values)
        self.settle()

    def type(self, text: str) -> None:
        """Type a text where the focus is."""
        for letter in text:
            self.call("Input.dispatchKeyEvent", type="keyDown", text=letter, key=letter)
            self.call("Input.dispatchKeyEvent", type="keyUp", key=letter)
        self.settle()

    def picture(self, path: Path | None = None) -> bytes:
        """The page as a PNG, also written to `path`."""
        data = base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"])
        if path is not None:
            path.write_bytes(data)
        return data

    def _events(self, method: str) -> list[dict[str, Any]]:
        return [
            each["params"]
            for each in self._browser.events
            if each["method"] == method and each.get("sessionId") == self._session
        ]

    @property
    def requests(self) -> list[str]:
        """The addresses that were asked for so far."""
        return [each["request"]["url"] for each in self._events("Network.requestWillBeSent")]

    @property
    def failures(self) -> list[str]:
        """The exceptions and the error messages so far."""
        thrown = [str(each["exceptionDetails"]) for each in self._events("Runtime.exceptionThrown")]
        logged = [each["entry"] for each in self._events("Log.entryAdded")]
        return thrown + [each["text"] for each in logged if each["level"] == "error"]

    def close(self) -> None:
        """Close the page, and forget its events."""
        self._browser.call("Target.closeTarget", targetId=self._target)
        self._browser.events = [
            each for each in self._browser.events if each.get("sessionId") != self._session
        ]
