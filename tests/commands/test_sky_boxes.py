"""Sky boxes: each side of the box shows its face of the cube map."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.ogre_files import NEWEST, declared_geometry, mesh_bytes, submesh
from tests.synthetic import model_record
from viewer.arrays import Array
from viewer.commands.cli import main
from viewer.families.ogre import mesh_layout as mesh
from viewer.families.urho3d.model_layout import MODEL
from viewer.storage.dds import cube_faces

COLORS = {
    "rt": (255, 0, 0),
    "lf": (0, 255, 255),
    "up": (255, 255, 255),
    "dn": (90, 90, 90),
    "fr": (0, 0, 255),
    "bk": (255, 255, 0),
}
"""The colours of the upper halves of the faces, to +X, -X, +Y, -Y, +Z, -Z of left-handed axes. The lower
halves are green.
"""
GREEN = (0, 255, 0)
CORNERS = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float32)
SIDES = np.array(
    (
        0,
        1,
        3,
        0,
        3,
        2,
        4,
        6,
        7,
        4,
        7,
        5,
        0,
        4,
        5,
        0,
        5,
        1,
        2,
        3,
        7,
        2,
        7,
        6,
        0,
        2,
        6,
        0,
        6,
        4,
        1,
        5,
        7,
        1,
        7,
        3,
    ),
    "<u2",
)
SEEN = {"front": "bk", "back": "fr", "right": "lf", "left": "rt", "top": "up", "bottom": "dn"}
"""The face on the side of the box that each view shows. OGRE looks to -Z, where the front of the sky is; a
view from the right is from the right of a model that looks at the viewer.
"""
SCRIPT = (
    "material sky {{ technique {{ pass {{\nlighting off\ncull_hardware none\ntexture_unit {{\n{}\n}} }} }} }}"
)


def face(name: str, size: int = 16) -> Array:
    pixels = np.empty((size, size, 3), np.uint8)
    pixels[: size // 2], pixels[size // 2 :] = COLORS[name], GREEN
    return pixels


def box(folder: Path, unit: str) -> Path:
    """An OGRE box with a material of this texture unit."""
    own = declared_geometry({"position": CORNERS, "normal": CORNERS})
    (folder / "sky.material").write_text(SCRIPT.format(unit))
    path = folder / "sky.mesh"
    path.write_bytes(mesh_bytes(NEWEST, (mesh.SUBMESH, submesh(own, indices=SIDES, material="sky"))))
    return path


def dds(*faces: Array) -> bytes:
    """A DDS of 32 bits a pixel with these faces."""
    height, width = faces[0].shape[:2]
    caps = 0xFE00 if len(faces) > 1 else 0
    head = struct.pack("<4s7I44x", b"DDS ", 124, 0x1007, height, width, width * 4, 0, 1)
    head += struct.pack("<8I", 32, 0x40, 0, 32, 0xFF, 0xFF00, 0xFF0000, 0) + struct.pack(
        "<5I", 0x1008, caps, 0, 0, 0
    )
    return head + b"".join(
        np.dstack((each, np.full(each.shape[:2], 255, np.uint8))).tobytes() for each in faces
    )


def halves(path: Path, view: str) -> list[tuple[int, ...]]:
    """The colours above and below the middle of the picture from a view."""
    output = path.with_suffix(".png")
    assert main(["render", str(path), "-o", str(output), "--size", "64x64", "--view", view, "--ortho"]) == 0
    with Image.open(output) as picture:
        pixels = np.asarray(picture.convert("RGB"))
    return [tuple(pixels[row, 32].tolist()) for row in (26, 38)]


@pytest.mark.parametrize("view", SEEN)
@pytest.mark.parametrize("kind", ["combinedUVW", "separateUV"])
def test_each_side_shows_the_picture_of_its_face(tmp_path: Path, view: str, kind: str) -> None:
    for name in COLORS:
        Image.fromarray(face(name)).save(tmp_path / f"sky_{name}.png")
    found = halves(box(tmp_path, f"cubic_texture sky.png {kind}"), view)
    assert COLORS[SEEN[view]] in found and GREEN in found
    if view not in ("top", "bottom"):
        assert found[1] == GREEN, "the lower half is below"


@pytest.mark.parametrize("view", SEEN)
def test_the_faces_of_a_dds_are_drawn(tmp_path: Path, view: str) -> None:
    (tmp_path / "sky.dds").write_bytes(dds(*map(face, COLORS)))
    assert COLORS[SEEN[view]] in halves(box(tmp_path, "texture sky.dds cubic"), view)


def test_a_plain_picture_is_on_each_face(tmp_path: Path) -> None:
    (tmp_path / "sky.dds").write_bytes(dds(face("rt")))
    path = box(tmp_path, "texture sky.dds cubic")
    assert COLORS["rt"] in halves(path, "left") and COLORS["rt"] in halves(path, "front")


def test_a_missing_face_is_black(tmp_path: Path) -> None:
    for name in ("fr", "rt"):
        Image.fromarray(face(name)).save(tmp_path / f"sky_{name}.png")
    path = box(tmp_path, "cubic_texture sky.png combinedUVW")
    assert halves(path, "right") == [(0, 0, 0)] * 2
    assert COLORS["rt"] in halves(path, "left")


URHO = {"front": "fr", "back": "bk", "right": "rt", "left": "lf"}
"""The same for Urho3D, whose axes are left-handed, as those of cube maps: its models look to +Z."""


@pytest.mark.parametrize("view", URHO)
def test_each_side_shows_its_face_in_left_handed_axes(tmp_path: Path, view: str) -> None:
    for folder in ("Models", "Materials", "Techniques", "Textures"):
        (tmp_path / "Data" / folder).mkdir(parents=True)
    for name in COLORS:
        Image.fromarray(face(name)).save(tmp_path / f"Data/Textures/{name}.png")
    listed = "".join(f'<face name="{name}.png"/>' for name in COLORS)
    (tmp_path / "Data/Textures/sky.xml").write_text(f"<cubemap>{listed}</cubemap>")
    (tmp_path / "Data/Materials/sky.xml").write_text(
        '<material><technique name="Techniques/DiffSkybox.xml"/>'
        '<texture unit="diffuse" name="Textures/sky.xml"/><cull value="none"/></material>'
    )
    (tmp_path / "Data/Models/sky.txt").write_text("Materials/sky.xml")
    record = model_record(morphs=[])
    places = record.vertex_buffers[0].vertices["position"]
    places[:, 1] = (places[:, 1] - 0.5) * 0.2
    path = tmp_path / "Data/Models/sky.mdl"
    path.write_bytes(MODEL.pack(record))
    assert halves(path, view) == [COLORS[URHO[view]], GREEN]


def test_a_dds_is_split_into_its_faces() -> None:
    whole = dds(*map(face, COLORS))
    assert cube_faces(whole) == tuple(dds(face(name)) for name in COLORS)
    assert cube_faces(dds(face("rt"))) == ()
