"""Files dragged over the real window by the messages of X11, and the frame that says what a drop does."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tests.desktop import Desktop
from tests.person import Person
from tests.synthetic import animation_bytes, write_pair
from viewer.window.drag_hover import follow_drags

ROOT = Path(__file__).resolve().parents[2]
Start = Callable[..., Person]


class Dragger:
    """Someone who drags files from another window."""

    def __init__(self, person: Person, display: str) -> None:
        window = person.told("search", "--name", "Post.mdl").split()[0]
        self.program = subprocess.Popen(
            [sys.executable, "-m", "tests.drag_source", window],
            cwd=ROOT,
            env=os.environ | {"DISPLAY": display},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __call__(self, step: str) -> None:
        assert self.program.stdin is not None and self.program.stdout is not None
        self.program.stdin.write(step + "\n")
        self.program.stdin.flush()
        assert self.program.stdout.readline() == "done\n", step


@pytest.fixture
def person(start: Start, tmp_path: Path) -> Person:
    """Someone with the post open, which stands still."""
    made = start(write_pair(tmp_path), "--size", "900x600", "--samples", 0)
    made.waits("the model plays", lambda f: f.get("time", 0) > 0.1)
    made.focus()
    made.key("space")
    made.waits("it rests", lambda f: not f["playing"])
    return made


@pytest.fixture
def drag(person: Person, display: str) -> Iterator[Dragger]:
    made = Dragger(person, display)
    yield made
    made.program.kill()
    made.program.communicate()


def test_files_are_announced_until_they_leave(person: Person, drag: Dragger) -> None:
    for types in (1, 3, 8):
        drag(f"enter {types}")
        drag("position 300 200")
        person.waits(f"the frame is there for {types}", lambda f: f["hovering"])
        drag("leave")
        person.waits("the frame is gone", lambda f: not f["hovering"])


def test_a_drop_opens_the_file_and_ends_the_hover(person: Person, drag: Dragger, tmp_path: Path) -> None:
    path = tmp_path / "Wave.ani"
    path.write_bytes(animation_bytes("Wave", 2.0))
    drag("enter 2")
    drag("position 300 200")
    person.waits("the frame is there", lambda f: f["hovering"])
    drag(f"drop {path}")
    person.waits("the file is open", lambda f: str(path) in f["documents"] and not f["hovering"])


def test_a_pointer_that_moves_tells_that_a_drag_has_ended(person: Person, drag: Dragger) -> None:
    drag("enter 1")
    drag("position 300 200")
    person.waits("the frame is there", lambda f: f["hovering"])
    drag.program.kill()
    person.point(300, 200)
    person.point(320, 220)
    person.waits("the frame is gone", lambda f: not f["hovering"])


def test_messages_out_of_order_do_no_harm(person: Person, drag: Dragger) -> None:
    for step in ("position 300 200", "message XdndDrop", "leave", "message XdndFinished"):
        drag(step)
    drag("enter 1")
    drag("position 300 200")
    person.waits("the window lives, and hears a drag", lambda f: f["hovering"])


def test_other_systems_and_versions_of_pyglet_tell_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    hovers: list[bool] = []
    assert not follow_drags(SimpleNamespace(), hovers.append)
    monkeypatch.setattr(sys, "platform", "win32")
    assert not follow_drags(SimpleNamespace(), hovers.append)
    assert hovers == []


def test_the_frame_surrounds_the_window(ctx: Any, tmp_path: Path) -> None:
    desktop = Desktop(ctx, write_pair(tmp_path))
    desktop.state.view.clock.pause()
    desktop.frames(2)
    before = desktop.pixels()[..., :3].astype(int)
    desktop.state.pending_files.hovering = True
    desktop.frames(2)
    changed = np.abs(desktop.pixels()[..., :3].astype(int) - before).sum(axis=2) > 30
    height, width = changed.shape
    assert changed[height // 2, 6] and changed[height // 2, width - 7] and changed[6, width // 2]
    assert changed[height // 2 - 8 : height // 2 + 8, width // 2 - 30 : width // 2 + 30].any(), "the text"
    desktop.close()
