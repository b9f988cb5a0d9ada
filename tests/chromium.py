"""A headless Chromium, driven by Playwright: real clicks and keys."""

from __future__ import annotations

import shutil
from typing import Any

from playwright.sync_api import ConsoleMessage, sync_playwright

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
SWITCHES = (
    "--no-sandbox",  # the tests may run as root
    "--disable-gpu",
    "--disable-dev-shm-usage",
)


def program() -> str | None:
    """The path of the browser; None if there is none."""
    return next(filter(None, map(shutil.which, PROGRAMS)), None)


class Chromium:
    """A browser process; `switches` are added to its command line."""

    def __init__(self, *switches: str) -> None:
        self._playwright = sync_playwright().start()
        self._browser = self._playwright.chromium.launch(
            executable_path=program(), args=[*SWITCHES, *switches]
        )

    def open(self, url: str, width: int = 1280, height: int = 800) -> Page:
        """A new page that has loaded."""
        page = Page(self._browser.new_page(viewport={"width": width, "height": height}))
        page.load(url)
        return page

    def close(self) -> None:
        """End the browser and all processes that it started."""
        self._browser.close()
        self._playwright.stop()


class Page:
    """A page of the browser. `failures`: exceptions and errors; `requests`: the addresses asked for."""

    def __init__(self, page: Any) -> None:
        self._page = page
        self.requests: list[str] = []
        self.failures: list[str] = []
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("pageerror", lambda error: self.failures.append(str(error)))
        page.on("console", self._note)

    def _note(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.failures.append(message.text)

    def load(self, url: str) -> None:
        """Go to an address, and wait until everything is loaded."""
        self._page.goto(url)

    def run(self, code: str) -> Any:
        """The value of an expression; a promise is awaited."""
        return self._page.evaluate(code)

    def settle(self) -> None:
        """Wait until two frames were drawn."""
        self.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")

    def until(self, code: str) -> None:
        """Wait until an expression is true."""
        self._page.wait_for_function(code)

    def resize(self, width: int, height: int) -> None:
        """Give the page this size in CSS pixels."""
        self._page.set_viewport_size({"width": width, "height": height})

    def prefer(self, scheme: str) -> None:
        """Let the person prefer the `light` or the `dark` theme."""
        self._page.emulate_media(color_scheme=scheme)

    def click(self, selector: str) -> None:
        """Click the middle of an element."""
        self._page.click(selector)
        self.settle()

    def wheel(self, x: float, y: float, distance: float) -> None:
        """Turn the wheel by `distance` pixels."""
        self._page.mouse.move(x, y)
        self._page.mouse.wheel(0, distance)
        self.settle()

    def key(self, name: str) -> None:
        """Press and release a key, a letter or a name such as `Enter`."""
        self._page.keyboard.press(name)
        self.settle()

    def type(self, text: str) -> None:
        """Type a text where the focus is."""
        self._page.keyboard.type(text)
        self.settle()

    def close(self) -> None:
        """Close the page."""
        self._page.close()
