"""A window opens where it was left."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.person import Person
from tests.synthetic import write_pair

ROOT = Path(__file__).resolve().parents[2]
OPENING = """
import ctypes.util, sys
from viewer.window import create_window
searched, search = [], ctypes.util.find_library
ctypes.util.find_library = lambda name: (searched.append(name), search(name))[1]
given = dict(each.split("=") for each in sys.argv[1:])
create_window.LIBRARIES, create_window.TOOLKIT_LIBRARIES = (
    known | given for known in (create_window.LIBRARIES, create_window.TOOLKIT_LIBRARIES)
)
_, window, ctx, _ = create_window.open_pyglet((300, 200))
print(ctx.version_code >= 330, ctx.screen.size, *sorted(set(searched)))
window.close()
"""
Start = Callable[..., Person]
Geometry = dict[str, int]


def geometry(person: Person) -> Geometry:
    """The rectangle of the window on the screen."""
    told = person.told("search", "--name", "Post.mdl", "getwindowgeometry", "--shell")
    found = dict(line.split("=") for line in told.splitlines() if "=" in line)
    return {name.lower(): int(found[name]) for name in ("X", "Y", "WIDTH", "HEIGHT")}


def settings(folder: Path) -> dict[str, Any]:
    return dict(json.loads((folder / "settings.json").read_text()))


def opened(start: Start, tmp_path: Path, *options: object) -> Person:
    person = start(write_pair(tmp_path), "--samples", 0, *options)
    person.waits("the model shows", lambda f: f.get("documents"))
    person.focus()
    return person


def test_a_window_opens_where_it_was_left(start: Start, tmp_path: Path) -> None:
    first = opened(start, tmp_path)
    assert geometry(first) == {"x": 0, "y": 0, "width": 1280, "height": 720}
    first.tool("search", "--name", "Post.mdl", "windowsize", 700, 500, "windowmove", 200, 90)
    first.waits("it is smaller", lambda f: sum(f["picture"][::2]) < 700)
    first.leaves()
    assert settings(tmp_path)["window"] == {"x": 200, "y": 90, "width": 700, "height": 500, "maximized": 0}
    second = opened(start, tmp_path)
    assert geometry(second) == {"x": 200, "y": 90, "width": 700, "height": 500}
    second.leaves()
    assert settings(tmp_path)["window"]["x"] == 200
    third = opened(start, tmp_path, "--size", "640x480")
    assert geometry(third) == {"x": 200, "y": 90, "width": 640, "height": 480}
    third.leaves()
    assert settings(tmp_path)["window"]["width"] == 700, "a size for once is not kept"


def test_a_window_of_a_larger_screen_opens_on_this_one(start: Start, tmp_path: Path) -> None:
    window = {"x": 3000, "y": 1500, "width": 1000, "height": 3000, "maximized": 0}
    (tmp_path / "settings.json").write_text(json.dumps({"version": 1, "window": window}))
    person = opened(start, tmp_path)
    assert geometry(person) == {"x": 280, "y": 0, "width": 1000, "height": 800}


MAXIMIZED = ["_NET_WM_STATE_MAXIMIZED_HORZ", "_NET_WM_STATE_MAXIMIZED_VERT"]
STATE = """
import sys
from ctypes import POINTER, byref, c_int, c_ubyte, c_ulong, cast
from pyglet.libs.x11 import xlib

window, act, names = int(sys.argv[1]), sys.argv[2], sys.argv[3:]
display = xlib.XOpenDisplay(None)
state, *atoms = (xlib.XInternAtom(display, name.encode(), False) for name in ("_NET_WM_STATE", *names))
if act == "set":
    data = cast((xlib.Atom * len(atoms))(*atoms), POINTER(c_ubyte))
    xlib.XChangeProperty(display, window, state, 4, 32, xlib.PropModeReplace, data, len(atoms))
kind, width, count, rest, data = xlib.Atom(), c_int(), c_ulong(), c_ulong(), POINTER(c_ubyte)()
told = (byref(kind), byref(width), byref(count), byref(rest), byref(data))
xlib.XGetWindowProperty(display, window, state, 0, 99, False, 4, *told)
held = cast(data, POINTER(xlib.Atom))[: count.value] if data else []
print(all(atom in held for atom in atoms))
xlib.XSync(display, False)
"""


def test_a_maximised_window_opens_maximised(start: Start, tmp_path: Path, display: str) -> None:
    def maximised(person: Person, act: str = "get") -> bool:
        """Whether the window has the state; `set` gives it, in place of a window manager."""
        window = person.told("search", "--name", "Post.mdl").strip()
        command = [sys.executable, "-c", STATE, window, act, *MAXIMIZED]
        environment = os.environ | {"DISPLAY": display}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        return done.stdout.strip() == "True"

    first = opened(start, tmp_path)
    first.waits("the window settles", lambda f: f.get("time", 0) > 0.5)
    assert not maximised(first) and maximised(first, "set")
    first.tool("search", "--name", "Post.mdl", "windowsize", 1280, 800)
    first.waits(
        "it is larger", lambda f: f["panels"]["timeline"] and sum(f["panels"]["timeline"][1::2]) > 790
    )
    first.leaves()
    assert settings(tmp_path)["window"] == {"x": 0, "y": 0, "width": 1280, "height": 720, "maximized": 1}
    second = opened(start, tmp_path)
    assert maximised(second)
    second.leaves()
    assert settings(tmp_path)["window"]["maximized"] == 1


def test_two_windows_do_not_fight(start: Start, tmp_path: Path) -> None:
    first = opened(start, tmp_path)
    (tmp_path / "Second.mdl").write_bytes((tmp_path / "Post.mdl").read_bytes())
    second = start(tmp_path / "Second.mdl", "--samples", 0)
    second.waits("the second shows", lambda f: f.get("documents"))
    second.tool("search", "--sync", "--name", "Second.mdl", "windowmove", 300, 40)
    second.focus("Second.mdl")
    second.leaves()
    first.focus()
    first.leaves()
    assert settings(tmp_path)["window"]["x"] == 300, "the window that nobody moved changed nothing"


def test_a_wayland_session_without_xwayland_is_named(tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "DISPLAY"}
    command = [sys.executable, "-m", "viewer", str(write_pair(tmp_path))]
    done = subprocess.run(
        command,
        cwd=ROOT,
        env=environment | {"WAYLAND_DISPLAY": "wayland-0", "RIGSCOPE_CACHE": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 3 and "this Wayland session has no XWayland" in done.stderr


def test_a_driver_without_opengl_3_3_is_named(display: str) -> None:
    environment = os.environ | {"DISPLAY": display, "MESA_GL_VERSION_OVERRIDE": "2.1"}
    command = [sys.executable, "-c", OPENING]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60)
    assert "the graphics driver has an older version than OpenGL 3.3" in done.stderr


@pytest.mark.parametrize(
    ("libraries", "searched"),
    [
        ((), ""),
        (("libgl=libNone.so", "libx11=libNone.so"), " EGL GL"),
        (("Xrandr=libNone.so", "X11=libNone.so"), " X11 Xrandr"),
    ],
)
def test_a_context_whatever_the_libraries_are_called(
    display: str, libraries: tuple[str, ...], searched: str
) -> None:
    environment, command = os.environ | {"DISPLAY": display}, [sys.executable, "-c", OPENING, *libraries]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == (f"True (300, 200){searched}\n", "")
