"""The walks of the manual are followed in a copy of the program: block by block, and then they work."""

from __future__ import annotations

import json
import os
import re
import shutil
import struct
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.conftest import ROOT
from tests.meta.test_rooms import trespasses

BLOCK = re.compile(r"```(python|diff)\n# (viewer/\S+)\n(.*?)```", re.DOTALL)
MOST_FILES = 6
WALKS = (
    "Add a family",
    "Add a format",
    "Add an archive",
    "Add a kind of part",
    "Add a panel",
    "Add an action",
    "Add an option of the picture",
    "Add a verb",
    "Add a setting",
    "Add a column of the files",
    "Add an export format",
    "Add a rule",
)
POINTS = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 2.0, 0.0))
WINDOW = """
import sys
from pathlib import Path

import moderngl
from imgui_bundle import imgui

from tests.desktop import Desktop
from viewer.scene.camera import Orbit

ctx = moderngl.create_context(standalone=True, backend="egl", require=330)
desktop = Desktop(ctx, Path(sys.argv[1]))
"""
PANEL = """
desktop.state.interface.bring("camera")
desktop.frames(6)
assert desktop.app._workspace.panel("camera").__name__ == "camera_panel"
window = imgui.internal.find_window_by_id(imgui.internal.im_hash_str("###camera"))
assert window.active and not window.hidden and window.draw_list.vtx_buffer.size() > 0
"""
ACTION = """
assert desktop.state.view.camera.pitch != 0
desktop.press("Shift+5")
assert isinstance(desktop.state.view.camera, Orbit) and desktop.state.view.camera.pitch == 0
"""
COLUMN = """
import os
import sys
import time

import moderngl

os.environ["RIGSCOPE_CACHE"] = sys.argv[2]

from tests.desktop import state_without_multisampling, unrasterized
from viewer.actions import ACTIONS_BY_NAME
from viewer.app.loop import App
from viewer.app.viewport import DrawSurface
from viewer.gpu.target import RenderTarget
from viewer.session.file_columns import BY_NAME

ctx = moderngl.create_context(standalone=True, backend="egl", require=330)
target = RenderTarget(ctx, (640, 480))
surface = DrawSurface(target.framebuffer, target.size, target.size)
app = App(ctx, state_without_multisampling(), surface, [sys.argv[1]], workers=1)
files, preferences = app.state.files, app.state.interface.preferences
ACTIONS_BY_NAME["sort_files_vertices"].run(app.state, print)
preferences.files_descending = True
app.state.interface.bring("files")
end = time.monotonic() + 60
with unrasterized(ctx):
    while files.table is None or not (files.table.count("vertices") > 0).any():
        assert time.monotonic() < end
        app.frame(0.02)
    app.frame(0.02)
rows = files.rows(preferences)
counts = files.table.count("vertices")[rows].tolist()
assert counts == sorted(counts, reverse=True) and counts[0] > 100
assert BY_NAME["vertices"].text(files.table, int(rows[0])) == f"{counts[0]:,}"
app.close()
"""


PART = """
import numpy as np
from msgspec.structs import replace

from tests.labels import drawn_labels
from viewer.commands.info.info import facts
from viewer.commands.info.summary import summary
from viewer.compare.diff.comparing import compare
from viewer.library.index.facts import document_facts
from viewer.scene.items import ShapeItem
from viewer.scene.model import Shape
from viewer.scene.parts import PartOwner
from viewer.ui.outline.tree import outline

document = desktop.state.document
shapes = tuple(Shape(0, np.full((count, 3), count, np.float32)) for count in (3, 5))
one, other = (
    replace(document, path=f"{len(some)}.mdl", content=replace(document.content, shapes=some))
    for some in (shapes, shapes[:1])
)
described = facts(one)
assert described["shapes"] == [{"buffer": 0, "vertices": 3}, {"buffer": 0, "vertices": 5}]
assert "shapes 2" in list(summary(described))
assert document_facts(one).kind == "model"
one.data += b"."
found = [each for each in compare(one, other).found if each.items == (ShapeItem(1),)]
assert [(each.change.value, each.name) for each in found] == [("removed", "shape 1")]
desktop.state.put(one)
desktop.state.view.selection.pick(ShapeItem(1))
desktop.state.interface.bring("properties")
desktop.frames(6)
assert desktop.state.view.selection.picked == ShapeItem(1)
assert {"shape 1", "Vertices", "vertex buffer 0"} <= drawn_labels(desktop).keys()
sections = {node.label: node.below for node in outline(PartOwner.shown(one)).tree.nodes}
assert [node.label for node in sections["Shapes"]] == ["shape 0", "shape 1"]
desktop.state.view.selection.pick(ShapeItem(2))
desktop.frames(2)
assert desktop.state.view.selection.picked is None
"""


SETTING = """
import sys
from pathlib import Path

from viewer.session import settings
from viewer.session.setting_rows import rows_by_name

path = Path(sys.argv[1])
assert settings.read(path).tips
path.write_text('{"version": 1, "tips": false}')
assert not settings.read(path).tips
path.write_text('{"version": 1, "tips": 3}')
assert "tips" in settings.read_stored(path).remarks[0]
assert rows_by_name()["tips"].control == "switch"
"""


OPTION = """
sys.path.insert(0, "assets/manual")
import facts
import pytest

from viewer import api
from viewer.actions import ACTIONS_BY_NAME
from viewer.app.output.view_command import view_command
from viewer.commands.completion.candidates import candidates
from viewer.session import settings
from viewer.ui.view.buttons import ICONS

source = Path(api.__file__).read_text("utf-8")
wireframe = "    wireframe: bool\\n"
assert facts.typed(source) == source.replace(wireframe, wireframe + "    paper: bool\\n") != source
white = api.show(sys.argv[1], size=(32, 32), paper=True).pixels[0, 0]
assert white.tolist() == [255, 255, 255, 255]
with pytest.raises(api.ViewerError, match="paper: 'yes' is not True or False"):
    api.show(sys.argv[1], paper="yes")
assert "--paper" in [each.text for each in candidates(["render", "--pap"], 1).words]
assert ACTIONS_BY_NAME["paper"].menu == ("View",) and ICONS["paper"]
assert "--paper" not in view_command(desktop.state, (8, 8))[0]
desktop.frames(2)
desktop.press("Shift+W")
assert desktop.state.options.paper and desktop.state.view.history.past[-1].name == "show paper"
assert "--paper" in view_command(desktop.state, (8, 8))[0].split()
desktop.frames(2)
assert desktop.state.interface.preferences.paper
path = Path(sys.argv[2])
path.write_text('{"version": 1, "paper": true}')
assert settings.read(path).paper and not settings.Preferences().paper
path.write_text('{"version": 1, "paper": 3}')
assert "paper cannot be 3" in settings.read_stored(path).remarks[0]
"""


class Block(NamedTuple):
    """A block of the page: the whole text of a new file, or a change of one."""

    kind: str
    path: str
    text: str


def walk(title: str) -> list[Block]:
    """The blocks of a walk in their order."""
    page = (ROOT / "assets/manual/contributing.md").read_text(encoding="utf-8")
    section = page.partition(f"\n## {title}\n")[2].partition("\n## ")[0]
    return [Block(*found) for found in BLOCK.findall(section)]


def follow(blocks: list[Block], root: Path) -> None:
    """Do in a copy of the program what the blocks say."""
    for block in blocks:
        place = root / block.path
        unlink(place, root)
        if block.kind == "python":
            assert not place.exists(), f"{block.path} is there already"
            place.parent.mkdir(exist_ok=True)
            place.write_text(block.text, encoding="utf-8")
        else:
            before = "".join(line[1:] for line in block.text.splitlines(True) if line[0] in " -")
            after = "".join(line[1:] for line in block.text.splitlines(True) if line[0] in " +")
            text = place.read_text(encoding="utf-8")
            assert text.count(before) == 1, f"{block.path} does not have this once:\n{before}"
            place.write_text(text.replace(before, after), encoding="utf-8")


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A folder with the program, whose folders and files are links until a walk changes something in them."""
    for name in ("viewer", "shaders", "assets"):
        (tmp_path / name).symlink_to(ROOT / name)
    return tmp_path


def unlink(place: Path, root: Path) -> None:
    """Replace the links on the way to a file by folders of links, and the link of the file by its text."""
    for folder in [*reversed(place.relative_to(root).parents)][1:]:
        link = root / folder
        if link.is_symlink():
            original = link.resolve()
            link.unlink()
            for inner in (Path(), Path("__pycache__")):  # new bytecode replaces a link, and not what it names
                (link / inner).mkdir()
                for each in (original / inner).iterdir() if (original / inner).exists() else ():
                    if each.name != "__pycache__":
                        (link / inner / each.name).symlink_to(each)
    if place.is_symlink():
        text = place.read_bytes()
        place.unlink()
        place.write_bytes(text)


@pytest.fixture
def points(tmp_path: Path) -> Path:
    """A file of the format that the manual adds."""
    path = tmp_path / "three.pts3"
    path.write_bytes(b"PTS3" + struct.pack("<I9f", 3, *(value for point in POINTS for value in point)))
    return path


def run(root: Path, *arguments: str, status: int = 0) -> subprocess.CompletedProcess[str]:
    """Python in the copy; AssertionError with what it complains about if it does not end with `status`."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join((str(root), str(ROOT)))}
    command = [sys.executable, *arguments]
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True)
    assert done.returncode == status, done.stderr
    return done


def sample(root: Path) -> str:
    return str(root / "assets/urho3d/Models/Beacon.mdl")


@pytest.mark.parametrize("title", WALKS)
def test_a_walk_is_short_and_keeps_to_its_rooms(title: str, tmp_path: Path) -> None:
    blocks = walk(title)
    touched = {block.path for block in blocks}
    assert 0 < len(touched) <= MOST_FILES
    for path in touched:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / path).exists():
            shutil.copy(ROOT / path, tmp_path / path)
    follow(blocks, tmp_path)
    for path in touched:
        parts = Path(path).parts
        assert trespasses(parts[1], (tmp_path / path).read_text(encoding="utf-8"), parts[:-1]) == []


def test_the_family_of_the_guide_opens(copy: Path, points: Path) -> None:
    follow(walk("Add a family"), copy)
    facts = json.loads(run(copy, "-m", "viewer", "info", str(points), "--json").stdout)
    assert (facts["format"], facts["complete"], facts["unexplained_bytes"]) == ("Points", True, 0)
    assert [each["vertices"] for each in facts["geometries"]] == [len(POINTS)]
    points.write_bytes(points.read_bytes()[:-8])
    cut = run(copy, "-m", "viewer", "info", str(points), status=1)
    assert "points/points" in cut.stderr


def test_the_format_of_the_guide_opens(copy: Path, tmp_path: Path) -> None:
    follow(walk("Add a format"), copy)
    path = tmp_path / "hill.hts"
    path.write_bytes(b"HTS1" + struct.pack("<2I6f", 3, 2, 0, 1, 0, 0, 2, 0))
    facts = json.loads(run(copy, "-m", "viewer", "info", str(path), "--json").stdout)
    assert (facts["format"], facts["complete"], facts["unexplained_bytes"]) == ("OGRE heights", True, 0)
    assert [each["vertices"] for each in facts["geometries"]] == [6]
    run(copy, "-m", "viewer", "render", str(path), "-o", str(tmp_path / "hill.png"))
    path.write_bytes(path.read_bytes()[:-8])
    assert "heights/heights" in run(copy, "-m", "viewer", "info", str(path), status=1).stderr


def test_the_archive_of_the_guide_opens(copy: Path, tmp_path: Path) -> None:
    follow(walk("Add an archive"), copy)
    path, model = tmp_path / "models.bag", Path(sample(ROOT)).read_bytes()
    path.write_bytes(b"BAG1" + struct.pack("<I56s2I", 1, b"in/post.mdl", 72, len(model)) + model)
    facts = json.loads(run(copy, "-m", "viewer", "info", str(path), "--json").stdout)
    assert (facts["format"], facts["complete"], facts["unexplained_bytes"]) == ("Bag", True, 0)
    assert "in/post.mdl" in run(copy, "-m", "viewer", "list", str(path)).stdout
    packed = run(copy, "-m", "viewer", "info", f"{path}::in/post.mdl").stdout
    assert "Urho3D model" in packed
    path.write_bytes(path.read_bytes()[:-8])
    assert "entries[0]" in run(copy, "-m", "viewer", "list", str(path), status=1).stderr


def test_the_kind_of_part_of_the_guide_is_listed_described_and_compared(copy: Path) -> None:
    follow(walk("Add a kind of part"), copy)
    run(copy, "-c", WINDOW + PART, sample(copy))


def test_the_panel_of_the_guide_is_drawn(copy: Path) -> None:
    follow(walk("Add a panel"), copy)
    run(copy, "-c", WINDOW + PANEL, sample(copy))


def test_the_action_of_the_guide_runs(copy: Path) -> None:
    follow(walk("Add an action"), copy)
    assert "level" in run(copy, "-m", "viewer", "--list-bindings").stdout
    run(copy, "-c", WINDOW + ACTION, sample(copy))


def test_the_option_of_the_guide_is_everywhere(copy: Path, tmp_path: Path) -> None:
    follow(walk("Add an option of the picture"), copy)
    written = run(copy, "-m", "viewer", "render", "--help").stdout
    assert "--paper" in written and "draw the picture on white paper" in written
    assert "--wireframe" in written.partition("--paper")[0]
    run(copy, "-m", "viewer", "render", sample(copy), "-o", "a.png", "--paper=1", status=2)
    run(copy, "-c", WINDOW + OPTION, sample(copy), str(tmp_path / "settings.json"))


def test_the_verb_of_the_guide_runs_and_is_listed(copy: Path) -> None:
    follow(walk("Add a verb"), copy)
    names = run(copy, "-m", "viewer", "bones", sample(copy)).stdout.splitlines()
    assert len(names) > 10 and "Root" in names[0]
    assert "rigscope bones FILE..." in run(copy, "-m", "viewer", "--help").stdout


def test_the_setting_of_the_guide_is_read_and_checked(copy: Path, tmp_path: Path) -> None:
    follow(walk("Add a setting"), copy)
    run(copy, "-c", SETTING, str(tmp_path / "settings.json"))


def test_the_column_of_the_guide_is_listed_and_sorts(copy: Path, tmp_path: Path) -> None:
    follow(walk("Add a column of the files"), copy)
    run(copy, "-c", COLUMN, str(Path(sample(copy)).parent), str(tmp_path / "cache"))


def test_the_export_format_of_the_guide_is_written(copy: Path, tmp_path: Path) -> None:
    follow(walk("Add an export format"), copy)
    out = tmp_path / "out.xyz"
    run(copy, "-m", "viewer", "export", sample(copy), "-o", str(out))
    rows = [[float(word) for word in line.split()] for line in out.read_text().splitlines()]
    assert len(rows) > 100 and {len(row) for row in rows} == {3}


def test_the_rule_of_the_guide_reports(copy: Path) -> None:
    follow(walk("Add a rule"), copy)
    found = run(copy, "-m", "viewer", "check", sample(copy), "--select", "weights/many-bones").stdout
    assert "bones move" in found
    assert (
        "Every bone costs time"
        in run(copy, "-m", "viewer", "check", "--explain", "weights/many-bones").stdout
    )
