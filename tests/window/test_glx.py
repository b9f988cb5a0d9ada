"""The framebuffer of the window against the one that pyglet would choose."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="X11 alone has GLX")

CHOICE = """
import json, sys
import pyglet
pyglet.options.shadow_window = False
import pyglet.window
from pyglet.display.xlib import XlibCanvas
from viewer.window.glx import BestConfig, DisplayConfig

wanted = json.loads(sys.argv[1])
display = pyglet.display.get_display()
canvas = XlibCanvas(display, display.x_screen)
found = [kind(**wanted).match(canvas) for kind in (BestConfig, pyglet.gl.Config)]
firsts = [match[0] for match in found if match]
told = [[getattr(each, name, None) for name in DisplayConfig.attribute_ids] for each in firsts]
print(json.dumps([told, [len(match) for match in found]]))
"""


def choices(display: str, **wanted: int) -> Any:
    """What our choice and pyglet's first are like, and among how many."""
    done = subprocess.run(
        [sys.executable, "-c", CHOICE, json.dumps(wanted)],
        cwd=Path(__file__).resolve().parents[2],
        env=os.environ | {"DISPLAY": display},
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


@pytest.mark.parametrize("wanted", [{"double_buffer": 1, "depth_size": 0}, {"depth_size": 24, "samples": 4}])
def test_it_is_the_first_of_pyglet_s(display: str, wanted: dict[str, int]) -> None:
    (ours, theirs), counts = choices(display, **wanted)
    assert ours == theirs and len(ours) > 20
    assert counts[0] == 1 < counts[1]


def test_what_does_not_exist_is_not_found(display: str) -> None:
    assert choices(display, depth_size=4096) == [[], [0, 0]]
