"""`--together`: several models as one, in pictures, exports and baked arrays."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from tests import m2_files
from tests.gltf_files import GltfFile
from tests.ogre_files import NEWEST, assigned, declared_geometry, mesh_bytes, submesh
from tests.ogre_skeletons import bone as ogre_bone
from tests.ogre_skeletons import clip, keys, parents, skeleton_bytes, two_bones
from tests.ogre_skeletons import track as ogre_track
from tests.synthetic import ELEMENTS, LOD, animation_bytes, bone, model_bytes, post
from viewer.arrays import Array
from viewer.binary import Struct
from viewer.commands.dispatch import run
from viewer.families.ogre import mesh_layout as mesh
from viewer.families.urho3d.elements import ELEMENT

Captured = pytest.CaptureFixture[str]
SMALL = ("--size", "64x48", "--no-grid", "--samples", "0")
BENT = ("--animation", "Bend", "--time", "0.5")
BASE, TIP = bone("base", 0, 0, 0), bone("tip", 0, 0.5, 0.5)


def buffer_at(x: float) -> Struct:
    """The vertices of a post that stands at `x`."""
    vertices, _ = post()
    vertices["position"][:, 0] += x
    elements = np.array(list(ELEMENTS), ELEMENT)
    return Struct(
        vertex_count=len(vertices), elements=elements, morph_start=0, morph_count=0, vertices=vertices
    )


def geometry_of(buffer: int, *bones: int) -> Struct:
    lods = np.zeros(1, LOD)
    lods["count"], lods["vertex_buffer"] = len(post()[1]), buffer
    return Struct(bone_map=np.array(bones, "<u4"), lods=lods)


@pytest.fixture
def whole(tmp_path: Path) -> str:
    """A file of two posts, and a clip for it."""
    buffers, parts = [buffer_at(0.0), buffer_at(0.4)], [geometry_of(0, 0, 1), geometry_of(1, 0, 1)]
    centers = np.zeros((2, 3), "<f4")
    data = model_bytes(vertex_buffers=buffers, geometries=parts, centers=centers, morphs=[])
    (tmp_path / "whole.mdl").write_bytes(data)
    (tmp_path / "Bend.ani").write_bytes(animation_bytes())
    return str(tmp_path / "whole.mdl")


def part(path: Path, x: float = 0.0, *bones: Struct, joints: tuple[int, int] = (0, 1)) -> str:
    """Write a file of the post at `x`; return its path."""
    geometries = [geometry_of(0, *joints)]
    data = model_bytes(
        vertex_buffers=[buffer_at(x)], geometries=geometries, bones=[*(bones or (BASE, TIP))], morphs=[]
    )
    path.write_bytes(data)
    return str(path)


@pytest.fixture
def parts(tmp_path: Path) -> list[str]:
    """A file of each post; the bones of the second are in another order."""
    turned = bone("tip", 1, 0.5, 0.5), bone("base", 1, 0, 0)
    return [part(tmp_path / "left.mdl"), part(tmp_path / "right.mdl", 0.4, *turned, joints=(1, 0))]


def drawn(folder: Path, *words: str) -> Array:
    """The pixels of a picture that is drawn of these files."""
    assert run(["render", *words, "-o", str(folder / "out.png"), *SMALL]) == 0
    with Image.open(folder / "out.png") as picture:
        return np.asarray(picture).copy()


@pytest.mark.parametrize("pose", [(), BENT], ids=["rest", "bent"])
def test_parts_look_as_the_file_that_has_both(
    whole: str, parts: list[str], tmp_path: Path, pose: tuple[str, ...], capsys: Captured
) -> None:
    clip = str(tmp_path / "Bend.ani")
    both = drawn(tmp_path, whole, clip, *pose)
    assert (drawn(tmp_path, *parts, clip, "--together", *pose) == both).all()
    assert (drawn(tmp_path, parts[0], clip, *pose) != both).any()
    assert "partner" not in capsys.readouterr().err


def test_an_export_has_one_skin_and_joints_by_name(
    whole: str, parts: list[str], tmp_path: Path, capsys: Captured
) -> None:
    clip = str(tmp_path / "Bend.ani")
    for name, files in (("whole.glb", [whole]), ("parts.glb", [*parts, "--together"])):
        assert run(["export", *files, clip, "-o", str(tmp_path / name)]) == 0
    one, two = GltfFile(tmp_path / "whole.glb"), GltfFile(tmp_path / "parts.glb")
    assert len(two.json["skins"]) == 1
    named = [
        [file.json["nodes"][joint]["name"] for joint in file.json["skins"][0]["joints"]]
        for file in (one, two)
    ]
    assert named[0][:2] == named[1][:2] == ["base", "tip"]
    assert [len(file.json["animations"]) for file in (one, two)] == [1, 1]
    for time in (0.0, 0.5):
        posed = [file.positions("Bend", time) for file in (one, two)]
        assert np.allclose(
            np.sort(np.concatenate(posed[0]), 0), np.sort(np.concatenate(posed[1]), 0), atol=1e-6
        )


@pytest.mark.parametrize("name", ["out.obj", "out.ply", "out.gltf"])
def test_each_format_has_the_parts(whole: str, parts: list[str], tmp_path: Path, name: str) -> None:
    sizes = []
    for folder, files in (("a", [whole]), ("b", [*parts, "--together"])):
        (tmp_path / folder).mkdir()
        words = ["export", *files, "-o", str(tmp_path / folder / name), "--no-materials"]
        assert run(words) == 0
        text = (tmp_path / folder / name).read_bytes()
        sizes.append(
            (text.count(b"\nv "), text.count(b"\nf "), text.partition(b"end_header")[0].count(b"element"))
        )
    assert sizes[0] == sizes[1]


def test_baked_arrays_are_those_of_the_file_that_has_both(
    whole: str, parts: list[str], tmp_path: Path
) -> None:
    baked = []
    for files in ([whole], [*parts, "--together"]):
        words = ["bake", *files, str(tmp_path / "Bend.ani"), *BENT, "-o", str(tmp_path / "out.npz")]
        assert run(words) == 0
        baked.append(dict(np.load(tmp_path / "out.npz")))
    assert baked[0].keys() == baked[1].keys() and "positions_1" in baked[0]
    assert all(np.allclose(baked[0][name], baked[1][name], atol=1e-6) for name in baked[0])


def test_a_bone_without_a_partner_is_added_and_told(
    parts: list[str], tmp_path: Path, capsys: Captured
) -> None:
    hat = part(tmp_path / "hat.mdl", 0.2, bone("tip", 0, 0.5, 0.5), bone("feather", 0, 0.7, 0.2))
    assert run(["export", *parts, hat, "--together", "-o", str(tmp_path / "out.glb")]) == 0
    err = capsys.readouterr().err
    assert err.count("without a partner") == 1 and f"{hat}: 1 of 2 bones without a partner: feather\n" in err
    nodes = GltfFile(tmp_path / "out.glb").json["nodes"]
    names = [each.get("name") for each in nodes]
    assert names.count("tip") == 1
    assert names.index("feather") in nodes[names.index("tip")]["children"]


def test_a_mesh_keeps_its_own_bind_pose(parts: list[str], tmp_path: Path) -> None:
    """The bones of the second mesh are bound 1 higher: its vertices stay 1 lower, as in Urho3D, where each
    mesh has its own offset matrices on the bones of the first."""
    high = part(tmp_path / "high.mdl", 0.4, bone("base", 0, 1, 0), bone("tip", 0, 1.5, 0.5))
    assert run(["bake", parts[0], high, "--together", "-o", str(tmp_path / "out.npz")]) == 0
    baked = np.load(tmp_path / "out.npz")
    lower = baked["positions_1"][:, 1] - baked["positions_0"][:, 1]
    assert np.allclose(lower, -1)


def ogre_part(path: Path, link: str = "bones.skeleton") -> str:
    chunks = (mesh.SUBMESH, submesh(declared_geometry(), assigned())), (mesh.SKELETON_LINK, Struct(file=link))
    path.write_bytes(mesh_bytes(NEWEST, *chunks))
    return str(path)


def test_ogre_meshes_of_one_skeleton_move_in_one_pose(tmp_path: Path, capsys: Captured) -> None:
    bend = clip(
        "bend", 1.0, ogre_track(1, keys((0.0, (0, 0, 0, 1), (0, 0, 0)), (1.0, (0, 0, 0, 1), (2, 0, 0))))
    )
    (tmp_path / "bones.skeleton").write_bytes(skeleton_bytes(*two_bones(), bend))
    files = [ogre_part(tmp_path / "body.mesh"), ogre_part(tmp_path / "coat.mesh")]
    words = ["--animation", "bend", "--time", "0.5", "-o", str(tmp_path / "out.npz")]
    assert run(["bake", *files, "--together", *words]) == 0
    together = np.load(tmp_path / "out.npz")
    assert run(["bake", files[1], *words]) == 0
    alone = np.load(tmp_path / "out.npz")
    assert np.allclose(together["positions_1"], alone["positions_0"]) and len(together["bones"]) == 2
    assert run(["export", *files, "--together", "-o", str(tmp_path / "out.glb")]) == 0
    assert len(GltfFile(tmp_path / "out.glb").json["animations"]) == 1, "the clip of both is one"
    assert "partner" not in capsys.readouterr().err


def test_ogre_meshes_of_different_skeletons_keep_their_poses(tmp_path: Path) -> None:
    """A clip of this name moves the bones of both: the common one once, the feather of the second too."""

    def moved(bone: int, x: float) -> tuple[Any, Struct]:
        return ogre_track(bone, keys((0.0, (0, 0, 0, 1), (0, 0, 0)), (1.0, (0, 0, 0, 1), (x, 0, 0))))

    both = clip("bend", 1.0, moved(0, 0.0), moved(1, 2.0))
    (tmp_path / "bones.skeleton").write_bytes(skeleton_bytes(*two_bones(), clip("bend", 1.0, moved(0, 3.0))))
    feather = [ogre_bone("feather", 1, (0, 1, 0)), ogre_bone("root", 0), parents((1, 0))]
    (tmp_path / "hat.skeleton").write_bytes(skeleton_bytes(*feather, both))
    body, hat = ogre_part(tmp_path / "body.mesh"), ogre_part(tmp_path / "hat.mesh", "hat.skeleton")
    words = ["--animation", "bend", "--time", "1", "--no-loop", "-o", str(tmp_path / "out.npz")]
    assert run(["bake", body, "--together", *words]) == 0
    alone = np.load(tmp_path / "out.npz")["positions_0"]
    assert run(["bake", body, hat, "--together", *words]) == 0
    joined = dict(np.load(tmp_path / "out.npz"))
    assert np.allclose(joined["positions_0"], alone) and len(joined["bones"]) == 3
    offsets = joined["positions_1"][:, 0] - joined["positions_0"][:, 0]
    assert offsets.min() >= 0 and offsets.max() == pytest.approx(2), "root moves by 3, the feather by 2 more"


def test_models_of_different_engines_are_refused(parts: list[str], tmp_path: Path, capsys: Captured) -> None:
    (tmp_path / "bones.skeleton").write_bytes(skeleton_bytes(*two_bones()))
    other = ogre_part(tmp_path / "body.mesh")
    assert run(["render", parts[0], other, "--together", "-o", str(tmp_path / "out.png")]) == 2
    assert f"{other} cannot be joined to left.mdl: " in capsys.readouterr().err
    assert not (tmp_path / "out.png").exists()


@pytest.mark.usefixtures("wow")
def test_m2_files_of_one_skeleton_are_joined(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.m2").write_bytes(m2_files.model())
    files = [str(tmp_path / f"{name}.m2") for name in ("a", "b")]
    baked = []
    for words in (files[:1], [*files, "--together"]):
        assert run(["bake", *words, "--time", "0.4", "-o", str(tmp_path / "out.npz")]) == 0
        baked.append(dict(np.load(tmp_path / "out.npz")))
    one, two = baked
    count = sum(name.startswith("positions") for name in one)
    for number in range(2 * count):
        other = one[f"positions_{number % count}"]
        assert np.array_equal(two[f"positions_{number}"], other, equal_nan=True)
    assert len(two["bones"]) == len(one["bones"])


def test_a_file_named_twice_is_joined_once(parts: list[str], tmp_path: Path) -> None:
    assert (
        run(["bake", parts[0], parts[1], parts[1], parts[0], "--together", "-o", str(tmp_path / "o.npz")])
        == 0
    )
    assert "positions_1" in np.load(tmp_path / "o.npz") and "positions_2" not in np.load(tmp_path / "o.npz")


@pytest.mark.parametrize("kept", [0, 900], ids=["nothing", "a part"])
def test_a_broken_file_is_named_and_the_rest_is_drawn(
    parts: list[str], tmp_path: Path, capsys: Captured, kept: int
) -> None:
    alone = drawn(tmp_path, parts[0])
    data = Path(parts[1]).read_bytes()[:kept]
    Path(parts[1]).write_bytes(data)
    assert run(["render", *parts, "--together", "-o", str(tmp_path / "out.png"), *SMALL]) == 1
    assert parts[1] in capsys.readouterr().err
    with Image.open(tmp_path / "out.png") as picture:
        assert kept or (np.asarray(picture) == alone).all()


def test_several_models_still_need_to_be_told_apart(
    parts: list[str], tmp_path: Path, capsys: Captured
) -> None:
    assert run(["render", *parts, "-o", str(tmp_path / "out.png")]) == 2
    assert "--together" in capsys.readouterr().err
    assert run(["render", *parts, "--together", "-o", str(tmp_path / "{name}.png")]) == 2
    assert "-o has to name one file" in capsys.readouterr().err
    assert run(["render", *parts, "--together", "--compare", "side", "-o", str(tmp_path / "out.png")]) == 2
    assert "exclude each other" in capsys.readouterr().err
