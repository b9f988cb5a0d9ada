"""The house rules: which room of the program may import which, and that nothing imports in a circle.

A rule is a row of ROOMS. Imports count wherever they are, in functions and for types alone too, and so do
modules that are named in strings.
"""

from __future__ import annotations

import subprocess
import sys
from graphlib import CycleError, TopologicalSorter
from importlib import import_module
from pathlib import Path

import pytest

from tests.meta.modules import PACKAGE, module_of, modules, package_of, references, strings

FREE = {
    "errors",
    "arrays",
    "budget",
    "paths",
    "lru",
    "msgspec",
    "numpy",
}  # every room may import these, itself, the stdlib and `viewer.__version__`
GRAPHICS = {
    "moderngl",
    "pyglet",
    "imgui_bundle",
    "PIL",
    "av",
}  # slow to import, or not possible without a display

READERS = {"binary", "family", "storage"}
ENGINE = {"scene", "animation", "view", "gpu", "render"}
WINDOW = {"scene", "view", "session", "actions", "ui"}
ROOMS: dict[str, set[str]] = {
    "__init__": {"storage"},
    "__main__": {"commands"},
    "errors": set(),
    "arrays": set(),
    "budget": set(),
    "paths": {"platformdirs"},
    "lru": set(),
    "binary": set(),
    "scene": {"binary"},  # a document says which span each item comes from
    "family": {"binary", "scene", "families"},  # the registry alone reads the list of families
    "storage": {"binary", "family", "scene", "PIL"},  # an image is a scene.material.Image
    "families": {"binary", "scene", "storage", "animation", "family", "check", "lz4"},
    "plugin": {"binary", "scene", "family", "storage", "check"},
    "animation": {"binary", "scene"},
    "gpu": {"scene", "moderngl"},
    "view": {"scene", "animation", "pyrr"},
    "render": {"gpu", "view", "animation", "scene", "moderngl"},
    "check": {"binary", "family", "scene", "storage", "animation"},
    "compare": {"binary", "family", "scene", "storage", "animation"},
    "edit": {"binary", "family", "scene", "storage"},
    "session": {"family", "scene", "storage", "animation", "view", "filelock"},
    "export": {*ENGINE, "storage", "moderngl", "PIL", "av"},
    "library": {
        *ENGINE,
        *READERS,
        "check",
        "session",
        "export",
        "moderngl",
        "PIL",
        "pebble",
        "filelock",
        "distributed",
    },
    "actions": {"session", "view", "scene", "animation"},
    "ui": {"session", "actions", "view", "animation", "scene", "binary", "imgui_bundle"},
    "app": {
        *ENGINE,
        *READERS,
        *WINDOW,
        "check",
        "compare",
        "export",
        "library",
        "moderngl",
        "imgui_bundle",
        "PIL",
        "watchdog",
        "jeepney",
    },
    "window": {*WINDOW, "app", "moderngl", "imgui_bundle", "pyglet"},
    "commands": {
        *ENGINE,
        *READERS,
        *WINDOW,
        "check",
        "compare",
        "edit",
        "export",
        "library",
        "app",
        "window",
        "moderngl",
        "PIL",
        "rich",
    },
    "api": {"commands", "family", "scene", "storage", "compare", "library", "session"},
}
FAMILIES = "viewer.families"
RUNS_BATCHES = "viewer.library.workers.batches.run_batch"
"""Verbs and window work on many files through `viewer.library.batch`; only `viewer.library` calls this."""
LISTS_FAMILIES = "viewer.family.registry"
"""The only module outside `viewer.families` that may import its list; it imports no family by name."""
CHECK_FOR_FAMILIES = {"viewer.check.rule", "viewer.check.check_context"}
"""All that families see of `check`."""
MODULES = list(modules().values())


def room_of(module: Path) -> str:
    """The room of a file: its folder under viewer/, or its own name."""
    return module.relative_to(PACKAGE).with_suffix("").parts[0]


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
    return [
        f"{each.line}: {each.name}"
        for each in references(source, package)
        if reached(each.name) not in allowed
    ]


def test_every_room_has_a_rule() -> None:
    assert {room_of(module) for module in MODULES} <= set(ROOMS)


@pytest.mark.parametrize("room", ROOMS)
def test_imports_obey_the_rules(room: str) -> None:
    found = {
        str(module.relative_to(PACKAGE)): trespasses(room, module.read_text("utf-8"), package_of(module))
        for module in MODULES
        if room_of(module) == room
    }
    assert {module: wrong for module, wrong in found.items() if wrong} == {}


def family_in(name: str) -> str | None:
    """The family that a dotted name is in; None for other names and for the list of families."""
    parts = name.split(".")
    return (
        parts[2] if name.startswith(f"{FAMILIES}.") and (PACKAGE / "families" / parts[2]).is_dir() else None
    )


def named_families(name: str, source: str, package: tuple[str, ...]) -> list[str]:
    """What a module names of families that are not its own, and of the list of families; `line: name`."""
    own = family_in(name)
    found = []
    for each in references(source, package):
        lists = each.name.startswith(FAMILIES) and family_in(each.name) is None
        if family_in(each.name) not in (None, own) or (lists and name not in (LISTS_FAMILIES, FAMILIES)):
            found.append(f"{each.line}: {each.name}")
    return found


def test_no_module_names_a_family_of_another() -> None:
    """The core names no family, and no family another: imports, late imports and strings."""
    found = {
        name: named_families(name, path.read_text("utf-8"), package_of(path))
        for name, path in modules().items()
        if name != FAMILIES
    }
    assert {name: wrong for name, wrong in found.items() if wrong} == {}


@pytest.mark.usefixtures("wow")
def test_the_list_of_families_names_nothing_but_their_packages() -> None:
    path = modules()[FAMILIES]
    named = {each.name for each in references(path.read_text("utf-8"), package_of(path))}
    assert {name for name in named if name.startswith("viewer")} == {
        f"{FAMILIES}.{each.name}" for each in path.parent.iterdir() if (each / "family.py").is_file()
    }


def test_families_see_only_rules_and_their_context_of_check() -> None:
    named = {
        module_of(each.name)
        for name, path in modules().items()
        if family_in(name)
        for each in references(path.read_text("utf-8"), package_of(path))
    }
    assert {each for each in named if each and each.startswith("viewer.check")} == CHECK_FOR_FAMILIES


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("viewer.storage.image", "from viewer.families.wow.blp.load import decode_blp"),
        ("viewer.storage.image", "def f():\n    import viewer.families.ogre"),
        ("viewer.app.loop", 'later("viewer.families.wow.m2.load:load_model")'),
        ("viewer.families.ogre.load", "from viewer.families.wow import blp"),
        ("viewer.families.ogre.load", "from ..wow import blp"),
        ("viewer.session.state", "from viewer.families import BUILT_IN"),
    ],
)
def test_a_named_family_is_seen(module: str, source: str) -> None:
    assert named_families(module, source, tuple(module.split(".")[:-1]))


def runs_batches(source: str, package: tuple[str, ...]) -> bool:
    """Whether a module runs a task on many files itself."""
    return any(each.name == RUNS_BATCHES for each in references(source, package))


def test_verbs_and_window_run_batches_through_one_door() -> None:
    found = [path for path in MODULES if runs_batches(path.read_text("utf-8"), package_of(path))]
    assert found and {room_of(path) for path in found} == {"library"}


def test_a_batch_of_its_own_is_seen() -> None:
    assert runs_batches("from viewer.library.workers.batches import LocalRunner, run_batch", ())
    assert not runs_batches("from viewer.library.batch.models import write_models", ())


def test_only_what_is_under_or_over_every_room_lies_at_the_top() -> None:
    assert len(list(PACKAGE.glob("*.py"))) <= 9


def graph() -> dict[str, set[str]]:
    """For each module the modules that it names."""
    found = {}
    for name, path in modules().items():
        named = references(path.read_text(encoding="utf-8"), package_of(path))
        others = {module_of(each.name) for each in named if each.name != "viewer.__version__"}
        found[name] = {other for other in others if other not in (name, None)}
    return found


def circle(named: dict[str, set[str]]) -> list[str]:
    """A circle of modules that name each other, from a module to itself; empty where there is none."""
    try:
        TopologicalSorter(named).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_no_modules_import_each_other_in_a_circle() -> None:
    assert circle(graph()) == []


def test_a_circle_is_seen() -> None:
    assert circle({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}})
    assert circle({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == []


def is_there(name: str) -> bool:
    """Whether there is such a module, or such a thing in a module."""
    found = module_of(name)
    rest = name[len(found or "") + 1 :]
    return found not in (None, "viewer") and (not rest or hasattr(import_module(str(found)), rest))


@pytest.mark.usefixtures("wow")
def test_what_a_string_names_is_there() -> None:
    named = [(module, each) for module in MODULES for each in strings(module.read_text("utf-8"))]
    assert len(named) > 20
    assert [pair for pair in named if not is_there(pair[1].name)] == []


def test_a_name_of_nothing_is_seen() -> None:
    assert is_there("viewer.scene.model.Model") and is_there("viewer.scene")
    assert not is_there("viewer.scene.model.Gone") and not is_there("viewer.gone")


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
        ("families", "from PIL import Image"),
        ("app", "import pyglet.window"),
        ("ui", "from viewer.app import App"),
        ("session", 'DRAW = "viewer.ui.outline.tree:outline"'),
        ("scene", "found = import_module(f'viewer.families.{name}')"),
    ],
)
def test_a_trespass_is_seen(room: str, source: str) -> None:
    assert trespasses(room, source, ("viewer", room))


@pytest.mark.parametrize(
    ("room", "source"),
    [
        ("families", "from ..scene.model import Model\nfrom . import layout\nimport lz4.block"),
        (
            "scene",
            "from viewer import __version__\nfrom viewer.errors import Report\nimport numpy as np, os.path",
        ),
        ("session", '"""viewer.ui.outline.tree"""\nsay("viewer.ui draws it")'),
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
    assert loaded_by("import viewer.storage.documents").isdisjoint(GRAPHICS)


def test_the_command_line_needs_no_graphics_to_start() -> None:
    assert loaded_by("import viewer.commands.cli").isdisjoint(GRAPHICS)


def test_pictures_need_no_window() -> None:
    assert loaded_by("import viewer.commands.render").isdisjoint({"imgui_bundle", "pyglet"})


def test_the_package_starts_bare() -> None:
    assert loaded_by("import viewer").isdisjoint({"viewer.family", "numpy"})
