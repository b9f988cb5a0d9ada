"""What a model shows first if nothing else was chosen: `render` and `thumbs` of clips, sides and materials
whose usual first picture would be empty or next to empty; and that choices of the user are kept.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import tests.wow  # noqa: F401
from tests import m2_files
from tests.m2_files import CLASSIC, keys
from tests.ogre_files import NEWEST, NORMALS, assigned, declared_geometry, mesh_bytes, submesh
from tests.ogre_skeletons import NO_TURN, bone, clip, skeleton_bytes, track
from tests.ogre_skeletons import keys as bone_keys
from tests.synthetic import model_bytes
from viewer.app.loop import present
from viewer.binary import Struct
from viewer.commands.cli import main
from viewer.families.ogre import mesh_layout as mesh
from viewer.render.frame import frame_of
from viewer.session.state import State
from viewer.storage.documents import open_document

CLEAR = ("--size", "64x48", "--background", "transparent")


class Shown:
    """Draws files, and keeps what was said."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder, self._capsys, self.said = folder, capsys, ""

    def __call__(self, path: Path, *words: str, verb: str = "render") -> float:
        """The share of the picture that is covered."""
        output = self.folder / f"{verb}.png"
        output.unlink(missing_ok=True)
        assert main([verb, str(path), "-o", str(output), *CLEAR, *words]) == 0
        self.said = self._capsys.readouterr().err
        with Image.open(output) as picture:
            return float((np.asarray(picture.convert("RGBA"))[..., 3] > 8).mean())


@pytest.fixture
def shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Shown:
    return Shown(tmp_path, capsys)


def put(folder: Path, name: str, content: bytes | str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def ogre(folder: Path, *clips: tuple[str, float]) -> Path:
    """A square of two bones. In each clip the bones move this far to both sides."""
    made = []
    for name, far in clips:
        moved = (
            track(handle, bone_keys((0.0, NO_TURN, (way, 0, 0)), (1.0, NO_TURN, (way, 0, 0))))
            for handle, way in enumerate((far, -far))
        )
        made.append(clip(name, 1.0, *moved))
    put(folder, "bones.skeleton", skeleton_bytes(bone("left", 0), bone("right", 1), *made))
    link = (mesh.SKELETON_LINK, Struct(file="bones.skeleton"))
    part = submesh(declared_geometry(), assigned(), material="")
    return put(folder, "square.mesh", mesh_bytes(NEWEST, (mesh.SUBMESH, part), link))


def test_a_clip_whose_parts_are_too_far_apart_gives_way_to_the_rest_pose(
    tmp_path: Path, shown: Shown
) -> None:
    path = ogre(tmp_path, ("001", 1e6))
    assert shown(path, verb="thumbs") > 0.1
    assert shown.said.count("\n") == 1
    assert "nothing is visible at any time of 001: the rest pose is shown" in shown.said


def test_a_clip_gives_way_to_the_next_one_that_shows_something(tmp_path: Path, shown: Shown) -> None:
    assert shown(ogre(tmp_path, ("001", 1e6), ("002", 0.0)), verb="thumbs") > 0.1
    assert "001: 002 is shown" in shown.said


@pytest.mark.parametrize("far", [0.0, 10.0])
def test_a_clip_whose_parts_move_ten_sizes_apart_stays(tmp_path: Path, shown: Shown, far: float) -> None:
    shown(ogre(tmp_path, ("001", far)), verb="thumbs")
    assert shown.said == ""


def invisible_stand(folder: Path) -> Path:
    """A triangle that has no size in Stand, and its own size in Walk."""
    bones = m2_files.bones(CLASSIC)
    bones[0] = {"parent": -1, "scale": keys(CLASSIC, [([0, 1000], [(0, 0, 0)] * 2), ([0], [(1, 1, 1)])])}
    for each in bones[1:]:
        each["parent"] = 0
    changes: dict[str, Any] = {"bones": bones, "particles": [], "ribbons": []}
    return put(folder, "Missile.m2", m2_files.model(**changes))


@pytest.mark.parametrize("verb", ["render", "thumbs"])
def test_an_invisible_stand_gives_way(tmp_path: Path, shown: Shown, verb: str) -> None:
    assert shown(invisible_stand(tmp_path), verb=verb) > 0.02
    assert "nothing is visible at any time of Stand: Walk is shown" in shown.said


@pytest.mark.parametrize("words", [("--animation", "Stand"), ("--time", "0.5")])
def test_a_chosen_clip_or_time_is_kept(tmp_path: Path, shown: Shown, words: tuple[str, ...]) -> None:
    shown(invisible_stand(tmp_path), *words)
    assert "Walk is shown" not in shown.said and "Nothing is visible at any time of Stand" in shown.said


def later_burst(folder: Path) -> Path:
    """A model of an emitter alone that begins to emit after 0.4 of the 1 s of its clip."""
    values = {
        "lifespan": keys(CLASSIC, [([0], [0.4])]),
        "speed": keys(CLASSIC, [([0], [3.0])]),
        "vertical_range": keys(CLASSIC, [([0], [3.0])]),
        "rate": keys(CLASSIC, [([0, 400, 401, 700, 701], [0.0, 0.0, 200.0, 200.0, 0.0])]),
        "scales": (1.0, 1.0, 1.0),
        "colors": (0xFFFFFFFF,) * 3,
        "twinkle_share": 1.0,
        "twinkle_scale": (1.0, 1.0),
    }
    emitter = {"type": 2, "bone": 1, "blend": 4, **values}
    data = m2_files.model(vertices=m2_files.vertices()[:0], views=[], particles=[emitter], ribbons=[])
    return put(folder, "Burst.m2", data)


@pytest.mark.parametrize("verb", ["render", "thumbs"])
def test_a_model_of_effects_alone_is_shown_when_the_picture_is_fullest(
    tmp_path: Path, shown: Shown, verb: str
) -> None:
    path = later_burst(tmp_path)
    assert shown(path, verb=verb) > 0.05
    assert "drawn at 0." in shown.said
    at = float(shown.said.partition("drawn at ")[2].split()[0])
    counts = []
    for time in (*np.linspace(0, 1, 40, endpoint=False), at):
        output = tmp_path / "x.npz"
        assert main(["bake", str(path), "--time", f"{time:.4f}", "-o", str(output)]) == 0
        counts.append(len(np.load(output)["emitter_0"]))
    assert counts[-1] >= 0.9 * max(counts) > 0


def test_a_chosen_time_of_effects_is_kept(tmp_path: Path, shown: Shown) -> None:
    shown(later_burst(tmp_path), "--time", "0.1")
    assert "drawn at" not in shown.said


def wall(folder: Path) -> Path:
    """A wall that is seen from behind, and before it a small square that faces the usual camera."""
    back = np.array(((0, 0, 0), (8, 0, 0), (0, 3, 0), (8, 3, 0)), np.float32)
    small = np.array(((0, 0, 0.1), (0.5, 0, 0.1), (0, 0.5, 0.1), (0.5, 0.5, 0.1)), np.float32)
    parts = []
    for points, order in ((back, (0, 2, 1, 1, 2, 3)), (small, (0, 1, 2, 1, 3, 2))):
        columns = {"position": points, "normal": NORMALS, "uv0": points[:, :2]}
        own = declared_geometry(columns)
        parts.append((mesh.SUBMESH, submesh(own, indices=np.array(order, "<u2"), material="wall")))
    put(folder, "wall.material", "material wall { technique { pass {\ndiffuse 0.2 0.6 0.2 1\n} } }")
    return put(folder, "wall.mesh", mesh_bytes(NEWEST, *parts))


@pytest.mark.parametrize("verb", ["render", "thumbs"])
def test_a_sheet_is_seen_from_the_side_that_shows_most(tmp_path: Path, shown: Shown, verb: str) -> None:
    assert shown(wall(tmp_path), verb=verb) > 0.1
    assert shown.said.count("from another side") == 1


@pytest.mark.parametrize("words", [("--view", "iso"), ("--yaw", "35"), ("--pitch", "20")])
def test_a_chosen_side_is_kept(tmp_path: Path, shown: Shown, words: tuple[str, ...]) -> None:
    assert shown(wall(tmp_path), *words) < 0.05
    assert "another side" not in shown.said


MATERIAL = (
    '<material><technique name="Techniques/Own.xml"/>'
    '<parameter name="MatDiffColor" value="0 0 0 1"/>{}</material>'
)
TECHNIQUE = '<technique vs="Own" ps="Own"><pass name="alpha" depthwrite="false" blend="{}"/></technique>'


def urho(folder: Path, blend: str, parameters: str = "") -> Path:
    """A post whose material is black and has this blend and these parameters."""
    put(folder, "Data/Techniques/Own.xml", TECHNIQUE.format(blend))
    put(folder, "Data/Materials/Post.xml", MATERIAL.format(parameters))
    put(folder, "Data/Models/Post.txt", "Materials/Post.xml")
    return put(folder, "Data/Models/Post.mdl", model_bytes(morphs=[]))


def parameter(name: str, value: str) -> str:
    return f'<parameter name="{name}" value="{value}"/>'


@pytest.mark.parametrize(
    ("parameters", "color"),
    [
        (parameter("WaterTint", "0.42 0.6 0.55"), (0.42, 0.6, 0.55)),
        (parameter("RimColor", "1 0 0 1") + parameter("Tint", "0 1 0"), (0, 1, 0)),
        (parameter("MatSpecColor", "1 1 1 9") + parameter("Speed", "1 1 1"), (0, 0, 0)),
        (parameter("ColorScale", "0.5"), (0, 0, 0)),
        (parameter("Tint", "a b c"), (0, 0, 0)),
    ],
)
def test_a_black_material_that_is_added_has_its_tint(
    tmp_path: Path, parameters: str, color: tuple[float, ...]
) -> None:
    document = open_document(str(urho(tmp_path, "addalpha", parameters)))
    assert document.model is not None
    assert document.model.materials[0].diffuse == pytest.approx((*color, 1.0))


def test_a_black_material_that_replaces_stays_black(tmp_path: Path) -> None:
    document = open_document(str(urho(tmp_path, "replace", parameter("WaterTint", "1 1 1"))))
    assert document.model is not None and document.model.materials[0].diffuse == (0.0, 0.0, 0.0, 1.0)


def test_the_picture_says_why_nothing_is_seen_of_what_adds_black(tmp_path: Path, shown: Shown) -> None:
    shown(urho(tmp_path, "add"))
    assert "everything is black and added to the picture" in shown.said


@pytest.mark.parametrize(("blend", "light"), [("multiply", True), ("replace", False)])
def test_the_window_shows_what_only_multiplies_on_a_light_ground(
    tmp_path: Path, blend: str, light: bool
) -> None:

    state = State()
    state.documents.add(open_document(urho(tmp_path, blend)))
    state.show(0)
    present(state, (64, 48))
    frame = frame_of(state.live_view, 0.0, (64, 48), np.zeros((2, 3)))
    assert (frame.options.light_theme, state.options.light_theme) == (light, False)


def test_what_only_multiplies_is_shown_on_a_light_ground(tmp_path: Path, shown: Shown) -> None:
    path, output = urho(tmp_path, "multiply"), tmp_path / "x.png"
    assert main(["render", str(path), "-o", str(output), "--size", "64x48"]) == 0
    with Image.open(output) as picture:
        pixels = np.asarray(picture.convert("L"))
    assert pixels[0].mean() > 180 and pixels.min() < 40
    assert main(["render", str(path), "-o", str(output), "--size", "64x48", "--background", "navy"]) == 0
    with Image.open(output) as picture:
        assert tuple(np.asarray(picture.convert("RGB"))[0, 0]) == (0, 0, 128)
