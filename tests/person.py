"""Someone at the keyboard and the mouse of the real window."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
PATIENCE = 40.0
Facts = dict[str, Any]


class Person:
    """Someone at a keyboard and a mouse, who waits until the window shows what it should.

    The window has the `options` of the command line; `settings.json` and the trace are in the folder. A
    `script` of Python is run in place of the program.
    """

    def __init__(self, display: str, folder: Path, *options: object, script: str = "") -> None:
        self._trace = folder / f"trace-{len(list(folder.glob('trace-*')))}.jsonl"
        self._trace.touch()
        self._environment = os.environ | {
            "DISPLAY": display,
            "RIGSCOPE_TRACE": str(self._trace),
            "RIGSCOPE_SETTINGS": str(folder / "settings.json"),
        }
        start = ["-c", script] if script else ["-m", "viewer"]
        command = [sys.executable, *start, *map(str, options)]
        self.program = subprocess.Popen(
            command, cwd=ROOT, env=self._environment, stderr=subprocess.PIPE, text=True
        )

    def tool(self, *words: object) -> None:
        subprocess.run(
            ["xdotool", *map(str, words)],
            env=self._environment,
            check=True,
            timeout=30,
            stdout=subprocess.DEVNULL,
        )

    def told(self, *words: object) -> str:
        """What xdotool prints."""
        command = ["xdotool", *map(str, words)]
        done = subprocess.run(
            command, env=self._environment, check=True, timeout=30, capture_output=True, text=True
        )
        return done.stdout

    @property
    def facts(self) -> Facts:
        lines = self._trace.read_text().splitlines() if self._trace.exists() else []
        for line in reversed(lines[-2:]):
            try:
                return dict(json.loads(line))
            except ValueError:
                continue  # half-written yet
        return {}

    def waits(self, what: str, true: Callable[[Facts], Any]) -> Facts:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            facts = self.facts
            if facts.get("closed") or self.program.poll() is not None:
                assert self.program.stderr is not None
                pytest.fail(f"the window was gone before: {what}\n{self.program.stderr.read()}")
            if facts and true(facts):
                return facts
            time.sleep(0.02)
        pytest.fail(f"{what}: never came; the last was {self.facts}")

    def focus(self, name: str = "Post.mdl") -> None:
        """Give the window the keyboard; its title contains `name`."""
        self.tool("search", "--sync", "--name", name, "windowfocus")

    def key(self, *chords: str) -> None:
        self.tool("key", *chords)

    def end(self) -> None:
        self.program.kill()
        self.program.wait()
        if self.program.stderr is not None:
            self.program.stderr.close()

    def point(self, x: float, y: float) -> None:
        """The pointer comes first, as it does with people."""
        self.tool("mousemove", round(x), round(y))
        time.sleep(0.1)

    def click(self, x: float, y: float) -> None:
        self.point(x, y)
        self.tool("mousedown", 1)
        time.sleep(0.05)
        self.tool("mouseup", 1)

    def drag(self, x: float, y: float, to: float) -> None:
        self.point(x, y)
        self.tool("mousedown", 1)
        self.point(x + (to - x) / 2, y)
        self.point(to, y)
        self.tool("mouseup", 1)
