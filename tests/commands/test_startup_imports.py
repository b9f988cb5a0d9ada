"""What a process imports before it knows that it has work to do."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.synthetic import write_pair

ROOT = Path(__file__).resolve().parents[2]
HEAVY = {"numpy", "moderngl", "PIL", "pyglet", "imgui_bundle", "pyrr", "lz4", "watchdog"}


def imported(*words: str, whole: bool = False) -> tuple[int, set[str]]:
    """The exit status of a command line in a process of its own, and the modules it imported: the top-level
    ones, or the `whole` names of all.
    """
    command = [sys.executable, "-X", "importtime", "-m", "viewer", *words]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)
    lines = [line for line in done.stderr.splitlines() if line.startswith("import time:")]
    names = {line.rpartition("|")[2].strip() for line in lines}
    return done.returncode, names if whole else {name.partition(".")[0] for name in names}


def test_the_version_costs_no_more_than_python() -> None:
    status, modules = imported("--version")
    assert status == 0 and "viewer" in modules
    assert modules.isdisjoint(HEAVY | {"typing", "msgspec", "contextlib", "re"} - startup_modules())


def startup_modules() -> set[str]:
    """What this Python imports for `-m` whatever the module is: its `site` may bring more."""
    code = "import runpy, sys; print(*{name.partition('.')[0] for name in sys.modules})"
    return set(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.split())


@pytest.mark.parametrize(
    ("line", "status"),
    [
        ("--help", 0),
        ("render --help", 0),
        ("info --help", 0),
        ("info", 2),
        ("info --jsno", 2),
        ("tree --depth x", 2),
        ("list", 2),
        ("extract a.pak", 2),
        ("render a.mdl", 2),
        ("render a.mdl -o a.jpg", 2),
        ("render -o a.png", 2),
        ("render a.mdl -o a.png --size big", 2),
        ("render a.mdl -o a.png --view under", 2),
        ("render a.mdl -o a.png --shading bright", 2),
        ("bake a.mdl -o a.png", 2),
        ("--no-such-option", 2),
    ],
)
def test_help_and_bad_usage_import_nothing_heavy(line: str, status: int) -> None:
    found, modules = imported(*line.split())
    assert found == status and "viewer" in modules
    assert modules.isdisjoint(HEAVY | {"msgspec"})


def test_info_of_a_model_imports_what_the_model_needs() -> None:
    status, modules = imported("info", "--json", "assets/urho3d/Models/Beacon.mdl", whole=True)
    others = ("gpu", "render", "animation", "session", "library", "export", "families.ogre", "families.wow")
    assert status == 0 and "viewer.families.urho3d.model" in modules
    assert not [name for name in modules if name.startswith(tuple(f"viewer.{each}" for each in others))]
    assert modules.isdisjoint(
        HEAVY - {"numpy"} | {"viewer.families.urho3d.compiled", "logging", "subprocess"}
    )
    assert sum(name.startswith("viewer") for name in modules) <= 136, "each module takes 0.4 ms"


def test_a_single_output_imports_nothing_of_batches() -> None:
    names = ("usage", "render", "bake", "export")
    code = f"import sys, {', '.join(f'viewer.commands.{name}' for name in names)}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60)
    modules = set(done.stdout.split())
    assert "viewer.commands.render" in modules
    of_batches = ("viewer.library", "viewer.commands.batches", "viewer.commands.many_models")
    assert not [name for name in modules if name.startswith(of_batches)]


def test_the_window_opens_before_anything_heavy_is_imported() -> None:
    code = "import sys, viewer.commands.usage, viewer.commands.window; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60)
    modules = {name.partition(".")[0] for name in done.stdout.split()}
    assert "viewer" in modules and modules.isdisjoint(HEAVY)


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="needs the list of threads of Linux")
def test_numpy_starts_no_threads() -> None:
    code = (
        "import os; from viewer.commands.cli import main; main(['info', '--jsno']); import numpy; "
        "print(len(os.listdir('/proc/self/task')))"
    )
    environment = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60)
    assert done.stdout.split() == ["1"]


def test_info_judges_no_clips_unless_one_is_named(tmp_path: Path) -> None:
    path = write_pair(tmp_path)
    begin = "import sys; from viewer.commands.cli import main"
    code = f"{begin}; main(['info', {str(path)!r}]); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60)
    late = ("viewer.animation.motion", "viewer.session", "viewer.app")
    modules = done.stdout.splitlines()[-1].split()
    assert "viewer.commands.info.summary" in modules
    assert not [name for name in modules if name.startswith(late)]
