"""The posed mesh as OBJ and PLY."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from viewer.animation.pose import Layer, moves, pose
from viewer.export.gltf.model import ExportSource
from viewer.export.gltf.options import ExportOptions
from viewer.export.posed_mesh import write_mesh
from viewer.paths import folder
from viewer.scene.document import Document
from viewer.scene.mesh.vertices import drawn_vertices, posed
from viewer.storage.documents import open_document


def sample() -> Document:
    return open_document(folder("assets") / "urho3d/Models/Beacon.mdl")


def written(document: Document, path: Path) -> None:
    """Write the first clip's pose at a third of its length."""
    model, clip = document.model, document.animations[0]
    assert model is not None and model.skeleton is not None
    motion = moves(pose(model.skeleton, (Layer(clip, clip.duration / 3),)), {})
    write_mesh(ExportSource(model, motion=motion), ExportOptions(), str(path))


def test_an_obj_has_the_posed_vertices_and_every_triangle(tmp_path: Path) -> None:
    document = sample()
    written(document, tmp_path / "out.obj")
    lines = (tmp_path / "out.obj").read_text().splitlines()
    points = np.array([line.split()[1:] for line in lines if line.startswith("v ")], float)
    model, clip = document.model, document.animations[0]
    assert model is not None and model.skeleton is not None
    motion = moves(pose(model.skeleton, (Layer(clip, clip.duration / 3),)), {})
    wanted = [
        posed(model, each, each.lods[0], drawn_vertices(model, each.lods[0]), motion)
        @ model.to_world[:3, :3].T
        for each in model.geometries
    ]
    assert np.abs(points - np.concatenate(wanted)).max() < 1e-4
    faces = [line.split()[1:] for line in lines if line.startswith("f ")]
    assert len(faces) == sum(each.lods[0].count // 3 for each in model.geometries)
    assert max(int(corner.split("/")[0]) for face in faces for corner in face) == len(points)


def test_faces_look_along_their_normals(tmp_path: Path) -> None:
    written(sample(), tmp_path / "out.obj")
    rows: dict[str, list[list[str]]] = {"v": [], "vn": [], "f": []}
    for kind, *rest in map(str.split, (tmp_path / "out.obj").read_text().splitlines()):
        rows.setdefault(kind, []).append(rest)
    points, normals = np.array(rows["v"], float), np.array(rows["vn"], float)
    corners = np.array([[corner.split("/")[0] for corner in face] for face in rows["f"]], int) - 1
    a, b, c = points[corners].swapaxes(0, 1)
    facing = np.sum(np.cross(b - a, c - a) * normals[corners[:, 0]], axis=1)
    assert (facing > 0).mean() > 0.95


def test_a_ply_has_the_same_vertices(tmp_path: Path) -> None:
    written(sample(), tmp_path / "out.obj")
    written(sample(), tmp_path / "out.ply")
    count = sum(line.startswith("v ") for line in (tmp_path / "out.obj").read_text().splitlines())
    assert f"element vertex {count}\n".encode() in (tmp_path / "out.ply").read_bytes()[:200]
