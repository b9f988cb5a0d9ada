"""Fixtures of the whole suite: a GL context that must end empty, the real files, strict numpy."""

from __future__ import annotations

import gc
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from filelock import FileLock
from hypothesis import settings
from msgspec.structs import replace

from tests.damage import SCALE
from viewer.arrays import damaged_numbers
from viewer.binary import cursor, tables
from viewer.budget import BUDGET, Budget
from viewer.family import registry

settings.register_profile("suite", deadline=None)  # how long something takes is the benchmarks' matter
settings.load_profile("suite")

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared"


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--regenerate`: write the golden pictures anew instead of comparing; look at them before committing."""
    parser.addoption("--regenerate", action="store_true", help="write the golden pictures anew")


def pytest_collection_finish() -> None:
    """Exclude modules and collected tests, which stay to the end, from garbage collections.

    A full collection would take up to a second, and it would run at every 70,000 new objects.
    """
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True, scope="session")
def strict_numpy() -> Iterator[None]:
    """Overflow, division by zero and invalid values raise."""
    with np.errstate(divide="raise", over="raise", invalid="raise"):
        yield


@pytest.fixture(autouse=True, scope="session")
def no_plugins() -> None:
    """The tests use no plugin of the person who runs them."""
    registry.use_plugins(False)


@pytest.fixture(scope="session")
def wow() -> None:
    """The family of World of Warcraft: tests that use it are skipped where it is absent."""
    pytest.importorskip("viewer.families.wow", reason="needs viewer/families/wow")


@pytest.fixture
def small_limits(monkeypatch: pytest.MonkeyPatch) -> Budget:
    """The numbers of records that are read whatever the size of the file, divided by `SCALE`."""
    monkeypatch.setattr(cursor, "FREE_RECORDS", cursor.FREE_RECORDS // SCALE)
    records, keys = BUDGET.table_records // SCALE, BUDGET.key_tables // SCALE
    small = replace(BUDGET, table_records=records, key_tables=keys)
    monkeypatch.setattr(tables, "BUDGET", small)
    return small


@pytest.fixture
def any_numbers() -> Iterator[None]:
    """The scope in which the program calculates with a file's numbers, for tests of functions inside it."""
    with damaged_numbers():
        yield


@pytest.fixture(autouse=True, scope="module")
def no_kept_renderer() -> Iterator[None]:
    """What a worker process would keep for its next file ends with the tests of a module."""
    yield
    standalone = sys.modules.get("viewer.render.standalone")
    if standalone is not None:
        standalone.release_renderer()


@pytest.fixture(autouse=True, scope="session")
def own_settings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test, and no program that a test starts, uses the settings or ratings of the person who runs it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RIGSCOPE_SETTINGS", str(tmp_path_factory.mktemp("settings") / "settings.json"))
        patch.setenv("RIGSCOPE_DATA", str(tmp_path_factory.mktemp("data")))
        yield


def add_projects(folder: Path) -> None:
    """Make the folder a collection of projects, which ends a search for files that begins below it."""
    for name in ("project", "another project"):
        (folder / name / ".git").mkdir(parents=True, exist_ok=True)


@pytest.fixture(autouse=True, scope="session")
def separate_projects(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test finds the files of another one or of the machine's temporary folder."""
    base = tmp_path_factory.getbasetemp()
    temporary = base / "temporary"
    for folder in (base, temporary):
        add_projects(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tempfile, "tempdir", str(temporary))
        yield


@pytest.fixture
def tmp_path(tmp_path: Path) -> Path:
    """A folder between two projects, so that a search for files ends there and does not walk all tests'."""
    add_projects(tmp_path)
    own = tmp_path / "own"
    own.mkdir()
    return own


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The folder of real files; the test is skipped where it is not at hand."""
    folder = SHARED / "corpus"
    if not folder.is_dir():
        pytest.skip("needs the corpus of real files")
    return folder


@pytest.fixture(scope="session")
def oracle() -> Path:
    """The folder of the engines' own numbers; the test is skipped where it is not at hand."""
    folder = SHARED / "oracle"
    if not folder.is_dir():
        pytest.skip("needs the engines' numbers")
    return folder


def made_once(factory: pytest.TempPathFactory, name: str, *command: str | Path) -> Path:
    """The folder that a Python program makes, given its path: once for all processes of a run."""
    base = factory.getbasetemp()
    made = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / name
    with FileLock(f"{made}.lock"):
        if not made.is_dir():
            unfinished = made.with_name(f"unfinished {name}")
            words = [sys.executable, *command, unfinished]
            done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stderr
            unfinished.rename(made)
    return made


@pytest.fixture(scope="session")
def rebuilt_assets(wow: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The samples as their generator makes them now."""
    return made_once(tmp_path_factory, "assets", ROOT / "assets/build.py")


@pytest.fixture(scope="session")
def driver() -> Iterator[None]:
    """A context that stays to the end. Mesa sets up its driver for the first of several contexts only."""
    context = create_context()
    yield
    context.release()


@pytest.fixture
def ctx(driver: None) -> Iterator[Any]:
    """A standalone OpenGL 3.3 context on EGL. Nothing may be left in it, and no GL error."""
    context = create_context()
    context.gc_mode = "context_gc"
    # What is older holds no GL object of this context: the collection afterwards need not look at it.
    # It stays frozen, because Python would look at all of it again soon after it is unfrozen.
    gc.collect(1)
    gc.freeze()
    yield context
    gc.collect()
    if left_in(context):
        gc.unfreeze()
        gc.collect()  # something older did die during the test
        gc.freeze()
    assert context.error == "GL_NO_ERROR"
    left = left_in(context)
    context.release()
    assert not left, f"GL objects that were not released: {left}"


def create_context() -> Any:
    """A standalone OpenGL 3.3 context on EGL, which becomes the current one."""
    import moderngl

    from viewer.gpu.headless import EGL, LIBRARIES

    return moderngl.create_context(standalone=True, require=330, **(EGL | LIBRARIES))


def left_in(context: Any) -> list[Any]:
    """The GL objects that nobody released. `context.gc()` itself stumbles over those released by hand."""
    import moderngl

    return [item for item in context.objects if not isinstance(item, moderngl.InvalidObject)]


@pytest.fixture(scope="session")
def display() -> Iterator[str]:
    """The name of a virtual display."""
    if shutil.which("Xvfb") is None:
        pytest.skip("needs Xvfb")
    read, write = os.pipe()
    screen = ["-screen", "0", "1280x800x24"]
    # Without -noreset it begins anew when its last client leaves, and the next may come in between.
    command = ["Xvfb", "-displayfd", str(write), *screen, "-nolisten", "tcp", "-noreset"]
    server = subprocess.Popen(command, pass_fds=[write], stderr=subprocess.DEVNULL)
    os.close(write)
    with os.fdopen(read) as pipe:
        number = pipe.readline().strip()
    yield f":{number}"
    server.terminate()
    server.wait(10)


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """A headless Chromium: one for all tests."""
    from tests import chromium

    if chromium.program() is None:
        pytest.skip("needs Chromium")
    started = chromium.Chromium()
    yield started
    started.close()


def read_json(path: Path) -> Any:
    """A JSON file of the oracle."""
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.fixture
def golden(ctx: Any, tmp_path: Path, request: pytest.FixtureRequest) -> Callable[[str, np.ndarray], None]:
    """Compares [H, W, 3] u8 pixels with `tests/golden/NAME.png`, on llvmpipe only: other drivers round
    otherwise.

    At most one pixel in 500 may differ by more than 12. On failure picture and difference are written.
    """
    from PIL import Image

    if "llvmpipe" not in ctx.info["GL_RENDERER"]:
        pytest.skip("golden pictures are those of llvmpipe")

    def compare(name: str, pixels: np.ndarray) -> None:
        path = ROOT / "tests" / "golden" / f"{name}.png"
        if request.config.getoption("--regenerate"):
            Image.fromarray(pixels).save(path, optimize=True)
            return
        with Image.open(path) as picture:
            expected = np.array(picture.convert("RGB")).astype(int)
        assert expected.shape == pixels.shape
        difference = np.abs(expected - pixels).max(axis=2)
        if (difference > 12).mean() > 1 / 500:
            Image.fromarray(pixels).save(tmp_path / f"{name}.png")
            Image.fromarray(np.minimum(difference * 8, 255).astype(np.uint8)).save(
                tmp_path / f"{name}_difference.png"
            )
            pytest.fail(f"{name} looks different: see {tmp_path}")

    return compare
