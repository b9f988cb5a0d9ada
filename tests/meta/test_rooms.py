"""The house rules: which part of the program may import which. A rule is a row of ROOMS."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2] / "viewer"
FREE = {
    "errors",
    "arrays",
    "paths",
    "dataclass",
    "numpy",
}  # every room may import these, itself, the stdlib and `viewer.__version__`
GRAPHICS = {
    "moderngl",
    "pyglet",
    "imgui_bundle",
    "PIL",
    "imageio_ffmpeg",
}  # slow to import, or not possible without a display

WORKSHOP = {"binary", "scene", "storage", "formats", "animation", "gpu", "render"}
ROOMS: dict[str, set[str]] = {
    "__init__": {"formats"},
    "__main__": {"commands"},
    "errors": set(),
    "arrays": set(),
    "paths": set(),
    "dataclass": set(),
    "binary": set(),
    "scene": {"binary"},  # a document says which span each item comes from
    "storage": {"scene", "PIL"},  # a decoded picture is a scene.material.Image
    "formats": {"binary", "scene", "storage", "lz4"},
    "animation": {"scene"},
    "gpu": {"scene", "moderngl"},
    "render": {"gpu", "animation", "scene", "moderngl", "pyrr"},
    "session": {"scene", "animation", "platformdirs"},
    "export": {
        "session",
        "render",
        "gpu",
        "animation",
        "scene",
        "storage",
        "moderngl",
        "PIL",
        "imageio_ffmpeg",
    },
    "actions": {"session", "scene", "animation"},
    "ui": {"session", "actions", "animation", "scene", "binary", "imgui_bundle"},
    "app": {*WORKSHOP, "session", "actions", "ui", "export", "moderngl", "imgui_bundle", "PIL", "watchdog"},
    "window": {"session", "actions", "scene", "ui", "app", "render", "moderngl", "imgui_bundle", "pyglet"},
    "commands": {*WORKSHOP, "session", "actions", "export", "app", "window", "moderngl", "PIL"},
}

MODULES = sorted(PACKAGE.rglob("*.py"))


def room_of(module: Path) -> str:
    """The room of a file: its folder under viewer/, or its own name."""
    return module.relative_to(PACKAGE).with_suffix("").parts[0]


def imports(source: str, package: tuple[str, ...]) -> Iterator[tuple[int, str]]:
    """Line and dotted name of everything imported, wherever in the file. `package` is the module's own."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            base = ".".join([*above, *filter(None, [node.module])])
            yield from ((node.lineno, f"{base}.{alias.name}") for alias in node.names)


def reached(name: str) -> str | None:
    """The room or third-party package that an imported name is in; None for what is free to all."""
    top, _, rest = name.partition(".")
    if top == "viewer":
        room = rest.partition(".")[0] or "__init__"
        return None if room == "__version__" else room if room in ROOMS else "__init__"
    return None if top in sys.stdlib_module_names else top


def trespasses(room: str, source: str, package: tuple[str, ...]) -> list[str]:
    """What a module imports and may not, as `line: name`."""
    allowed = ROOMS[room] | FREE | {room, None}
    return [f"{line}: {name}" for line, name in imports(source, package) if reached(name) not in allowed]


def test_every_room_has_a_rule() -> None:
    assert {room_of(module) for module in MODULES} <= set(ROOMS)


@pytest.mark.parametrize("module", MODULES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_imports_obey_the_rules(module: Path) -> None:
    package = ("viewer", *module.relative_to(PACKAGE).parent.parts)
    assert trespasses(room_of(module), module.read_text(encoding="utf-8"), package) == []


@pytest.mark.parametrize(
    ("room", "source"),
    [
        ("scene", "import viewer.gpu.shader"),
        ("scene", "from viewer import gpu"),
        ("scene", "from .. import gpu"),
        ("scene", "from ..gpu.shader import compose"),
        ("scene", "def f():\n    import moderngl"),
        ("scene", "if TYPE_CHECKING:\n    from viewer.render import Renderer"),
        ("scene", "from viewer import open_document"),
        ("formats", "from PIL import Image"),
        ("app", "import pyglet.window"),
        ("ui", "from viewer.app import App"),
    ],
)
def test_a_trespass_is_seen(room: str, source: str) -> None:
    assert trespasses(room, source, ("viewer", room))


@pytest.mark.parametrize(
    ("room", "source"),
    [
        ("formats", "from ..scene.model import Model\nfrom . import layout\nimport lz4.block"),
        (
            "scene",
            "from viewer import __version__\nfrom viewer.errors import Report\nimport numpy as np, os.path",
        ),
    ],
)
def test_what_is_allowed_passes(room: str, source: str) -> None:
    assert trespasses(room, source, ("viewer", room)) == []


def loaded_by(statement: str) -> set[str]:
    """The top-level modules that a fresh interpreter has after this statement."""
    code = f"{statement}; import sys; print(*{{name.partition('.')[0] for name in sys.modules}})"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=PACKAGE.parent, check=True
    )
    return set(done.stdout.split())


def test_reading_files_needs_no_graphics() -> None:
    assert loaded_by("import viewer.formats").isdisjoint(GRAPHICS)


def test_the_command_line_needs_no_graphics_to_start() -> None:
    assert loaded_by("import viewer.commands.cli").isdisjoint(GRAPHICS)


def test_pictures_need_no_window() -> None:
    assert loaded_by("import viewer.commands.picture").isdisjoint({"imgui_bundle", "pyglet"})


def test_the_package_starts_bare() -> None:
    assert loaded_by("import viewer").isdisjoint({"viewer.formats", "numpy"})
