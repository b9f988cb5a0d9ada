"""Someone at the keyboard and the mouse of the real window."""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.forked import ForkedProgram
from tests.trace import VARIABLE

PATIENCE = 90.0
"""Seconds after which something that was waited for never comes. Busy machines take long; no test waits for
nothing that long."""
POLL = 0.01
LAST_LINES = 1 << 17
"""Bytes at the end of the trace that have its last line; a line has some thousands."""
CORNER = (1279, 799)
Facts = dict[str, Any]


class Person:
    """Someone at a keyboard and a mouse, who waits until the window shows what it should.

    The window has the `options` of the command line; `settings.json` and the trace are in the folder. A
    `script` of Python is run in place of the program.
    """

    def __init__(self, display: str, folder: Path, *options: object, script: str = "") -> None:
        self._trace = folder / f"trace-{len(list(folder.glob('trace-*.jsonl')))}.jsonl"
        self._trace.touch()
        self._read, self._facts = 0, Facts()
        self.display = display
        self._environment = os.environ | {
            "DISPLAY": display,
            VARIABLE: str(self._trace),
            "RIGSCOPE_SETTINGS": str(folder / "settings.json"),
            "RIGSCOPE_CACHE": str(folder / "cache"),
            "DBUS_SESSION_BUS_ADDRESS": "",  # no dialog of the desktop opens
        }
        self.tool("mousemove", *CORNER)  # wherever a test moves it first, it moves
        errors = self._trace.with_suffix(".errors")
        self.program = ForkedProgram([*map(str, options)], self._environment, errors, script)

    def tool(self, *words: object) -> None:
        """Run xdotool. The server has carried it out when this returns, but the window hears of it later."""
        self.told(*words)

    def told(self, *words: object) -> str:
        """What xdotool prints."""
        done = self._xdotool(*words)
        done.check_returncode()
        return done.stdout

    def _xdotool(self, *words: object) -> subprocess.CompletedProcess[str]:
        command = ["xdotool", *map(str, words)]
        return subprocess.run(
            command, env=self._environment, check=False, timeout=PATIENCE, capture_output=True, text=True
        )

    @property
    def facts(self) -> Facts:
        """The last complete line of the trace. Only a changed file is read again, and only its end."""
        size = self._trace.stat().st_size
        if size != self._read:
            with open(self._trace, "rb") as file:
                file.seek(max(size - LAST_LINES, 0))
                lines = file.read(LAST_LINES).split(b"\n")[:-1]
            self._read, self._facts = size, dict(json.loads(lines[-1])) if lines else {}
        return self._facts

    def waits(self, what: str, true: Callable[[Facts], Any]) -> Facts:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            facts = self.facts
            if facts.get("closed") or self.program.ended:
                pytest.fail(f"the window was gone before: {what}\n{self.program.errors}")
            if facts and true(facts):
                return facts
            time.sleep(POLL)
        pytest.fail(f"{what}: never came; the last was {self.facts}")

    def focus(self, name: str = "Post.mdl") -> None:
        """Give the window the keyboard; its title contains `name`."""
        end = time.monotonic() + PATIENCE
        while self._xdotool(
            "search", "--name", name, "windowfocus"
        ).returncode:  # `--sync` would look twice a second
            assert time.monotonic() < end and not self.program.ended, f"no window is called {name}"
            time.sleep(POLL)

    def key(self, *chords: str) -> None:
        self.tool("key", *chords)

    def end(self) -> None:
        self.program.kill()

    def leaves(self) -> None:
        """Close the window by its key; the program ends without an error."""
        self.key("ctrl+q")
        assert self.program.wait(PATIENCE) == 0, self.program.errors

    def point(self, x: float, y: float) -> None:
        """Move the pointer, and wait until the window has drawn a frame with it there.

        It takes events in their order: when it tells the pointer, all that was sent before has been done.
        """
        place = [round(x), round(y)]
        self.tool("mousemove", *place)
        self.waits(f"the pointer is at {place}", lambda f: f["pointer"] == place)

    def press(self, button: int = 1) -> None:
        """Hold a button of the mouse."""
        self.tool("mousedown", button)
        self.waits("the button is held", lambda f: f["held"])

    def release(self, button: int = 1) -> None:
        """Release a button of the mouse."""
        self.tool("mouseup", button)
        self.waits("the button is released", lambda f: not f["held"])

    def click(self, x: float, y: float, button: int = 1) -> None:
        """The pointer comes first, as it does with people."""
        self.point(x, y)
        self.press(button)
        self.release(button)

    def drag(self, x: float, y: float, to: float) -> None:
        """Drag something sideways."""
        self.point(x, y)
        self.press()
        self.point(x + (to - x) / 2, y)
        self.point(to, y)
        self.release()
