"""Files that the benchmarks open, made with the traits of real ones."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from tests import m2_files
from tests.benchmarks.measure import ROOT
from tests.ogre_files import NEWEST, declared_geometry, mesh_bytes, submesh
from tests.ogre_shapes import animated, grid
from tests.synthetic import VERTEX, bone, model_bytes, model_record
from viewer.binary import Struct
from viewer.families.ogre.mesh_layout import SKELETON_LINK, SUBMESH
from viewer.families.urho3d.elements import ELEMENT, NORMAL, POSITION, TEXCOORD, VEC2, VEC3
from viewer.families.urho3d.model_layout import AABB, LOD, MODEL
from viewer.families.wow.m2.layout.writer import WrittenTrack
from viewer.families.wow.mpq.writer import MpqFile, mpq_bytes
from viewer.family.registry import suffixes
from viewer.scene.document import Document
from viewer.storage.documents import open_document
from viewer.storage.image import save_png

LARGE, LARGE_BONES = 100_000_000, 60
SEQUENCES, BONES, KEYS = 150, 200, 12
SAMPLES = ("urho3d/Models/Beacon.mdl", "ogre/models/Linglong.mesh", "m2/Creature/Puff/Puff.m2")
CLIENT = (
    *("dbc", "speech", "fonts", "interface", "misc", "sound", "wmo", "terrain", "texture", "model", "patch"),
    *(f"patch-{letter}" for letter in "23456789A"),
)
"""The archives of a client, each with `CLIENT_FILES`."""
CLIENT_FILES = 20_000
OLD = time.time() - 1e7
SIMPLE_PASS = " technique { pass { ambient 1 1 1 1\n  texture_unit { texture none.png } } }\n"
COMPONENT = (
    '<component type="StaticModel"><attribute name="Model" value="Model;Models/{model}.mdl" />'
    '<attribute name="Material" value="Material;Materials/{model}.xml" />'
    '<attribute name="Cast Shadows" value="true" /></component>\n'
)


def large_model(folder: str) -> Path:
    """Two thirds vertices of 32 bytes, on a rough ground; one third 32-bit indices."""
    elements = np.array([(VEC3, POSITION, 0, 0), (VEC3, NORMAL, 0, 0), (VEC2, TEXCOORD, 0, 0)], ELEMENT)
    dtype = np.dtype([("position", "<f4", 3), ("normal", "<f4", 3), ("uv0", "<f4", 2)])
    vertices = np.zeros(LARGE * 2 // 3 // dtype.itemsize, dtype)
    along, across = np.arange(len(vertices)) % 1024, np.arange(len(vertices)) // 1024
    vertices["position"] = np.stack((along, along * 7919 % 31, across), axis=-1)
    vertices["normal"] = 0, 1, 0
    indices = (np.arange(LARGE // 3 // 12 * 3) % len(vertices)).astype("<u4")
    lods = np.zeros(1, LOD)
    lods["count"] = len(indices)
    record = Struct(
        magic="UMD2",
        vertex_buffers=[
            Struct(
                vertex_count=len(vertices), elements=elements, morph_start=0, morph_count=0, vertices=vertices
            )
        ],
        index_buffers=[Struct(index_count=len(indices), index_size=4, indices=indices)],
        geometries=[Struct(bone_map=[], lods=lods)],
        morphs=[],
    )
    path = Path(folder) / "large.mdl"
    path.write_bytes(MODEL.pack(record))
    return path


def skinned_model(folder: str) -> Path:
    """Five sixths vertices of 52 bytes, which up to four of 60 bones move, one sixth 32-bit indices."""
    count = LARGE * 5 // 6 // VERTEX.itemsize
    random = np.random.default_rng(1)
    vertices = np.zeros(count, VERTEX)
    corners = np.array(((0, 0, 0), (0.01, 0, 0), (0, 0.01, 0)))
    vertices["position"] = random.random((count // 3 + 1, 3)).repeat(3, axis=0)[:count] * 0.99
    vertices["position"] += corners[np.arange(count) % 3]
    vertices["normal"] = 0, 0, 1
    weights = random.random((count, 4)) + np.array((2, 0, 0, 0))
    vertices["weights"] = weights / weights.sum(axis=1, keepdims=True)
    joints = np.arange(count)[:, None] * LARGE_BONES // count + np.arange(4)
    vertices["joints"] = joints % LARGE_BONES
    box = np.zeros((), AABB)
    box["max"] = 1
    bones = [bone(f"bone {number}", max(number - 1, 0), 0, 0) for number in range(LARGE_BONES)]
    for each in bones:
        each.collision, each.box = 2, box
    indices = np.arange(LARGE // 6 // 12 * 3, dtype="<u4") % count
    record = model_record(bones=bones, morphs=[], bounds=box)
    record.geometries[0].bone_map = np.arange(LARGE_BONES, dtype="<u4")
    record.geometries[0].lods = record.geometries[0].lods[:1]
    record.geometries[0].lods["count"] = len(indices)
    buffer, numbers = record.vertex_buffers[0], record.index_buffers[0]
    buffer.vertices, buffer.vertex_count, buffer.morph_count = vertices, count, 0
    numbers.indices, numbers.index_count, numbers.index_size = indices, len(indices), 4
    path = Path(folder) / "skinned.mdl"
    path.write_bytes(MODEL.pack(record))
    return path


def many_sequences(folder: Path) -> Path:
    """An M2 of chains of ten bones; every bone has keys of three channels in every sequence."""
    random, times = np.random.default_rng(1), np.arange(KEYS) * 90

    def curve(*values: Any) -> WrittenTrack:
        return WrittenTrack([times] * SEQUENCES, list(*values))

    bones = [
        {
            "key_bone": -1,
            "parent": number - 1 if number % 10 else -1,
            "flags": 8 if number % 25 == 24 else 0,
            "pivot": (number, 0, 0),
            "translation": curve(random.random((SEQUENCES, KEYS, 3))),
            "rotation": curve(random.integers(30000, 35000, (SEQUENCES, KEYS, 4))),
            "scale": curve(np.ones((SEQUENCES, KEYS, 3))),
        }
        for number in range(BONES)
    ]
    sequences = [{"id": number, "flags": 0x20, "duration": 1000} for number in range(SEQUENCES)]
    path = folder / "large.m2"
    path.write_bytes(m2_files.model(m2_files.WRATH, sequences=sequences, bones=bones))
    path.with_name("large00.skin").write_bytes(m2_files.skin())
    return path


@contextmanager
def file_tree(count: int = 2000) -> Iterator[Path]:
    """A folder with `count` files that open, most of them models, no two models alike.

    Each set has 25 models, and the samples with their materials and textures, as links where possible.
    """
    with tempfile.TemporaryDirectory(prefix="rigscope-tree-") as name:
        samples = [open_document(ROOT / "assets" / each) for each in SAMPLES]
        made, number = 0, 0
        while made < count:
            place = Path(name) / f"Set{number:03}"
            for family in ("urho3d", "ogre", "m2"):
                shutil.copytree(ROOT / "assets" / family, place / family, copy_function=_link)
            made += sum(path.suffix in suffixes() for path in place.rglob("*"))
            for _ in range(min(25, count - made)):
                _vary(samples[number % 3], place / SAMPLES[number % 3], number)
                number, made = number + 1, made + 1
        yield Path(name)


def _link(source: str, target: str) -> None:
    try:
        os.link(source, target)
    except OSError:
        shutil.copy(source, target)


def _vary(sample: Document, path: Path, number: int) -> None:
    """Write a model beside its sample that differs from it in the lowest bit of one number of a vertex."""
    assert sample.model is not None
    buffer, data = sample.model.vertex_buffers[0], bytearray(sample.data)
    data[sample.data.index(buffer.data[: buffer.stride].tobytes()) + number * buffer.stride] ^= 1
    path.with_stem(f"{path.stem}_{number:04}").write_bytes(data)
    lists = path.with_suffix(".txt")
    if lists.exists():  # the materials of an Urho3D model
        _link(str(lists), str(lists.with_stem(f"{path.stem}_{number:04}")))


def project(root: Path, folders: int, files: int) -> Path:
    """Write a mesh whose script and picture are in other folders of a large project."""
    (root / ".git").mkdir()
    for number in range(folders):
        folder = root / f"part{number % 50}" / f"folder{number}"
        folder.mkdir(parents=True)
        for file in range(files):
            (folder / f"{number}_{file}.txt").touch()
    mesh, script = root / "part7/models/Hero.mesh", root / "part40/scripts/a.material"
    for path in (mesh, script):
        path.parent.mkdir()
    mesh.write_bytes(mesh_bytes(NEWEST, (SUBMESH, submesh(declared_geometry()))))
    script.write_text("material stone { technique { pass { texture_unit {\ntexture Skin.png\n} } } }")
    save_png(root / "part12/Skin.png", np.full((2, 2, 4), 255, np.uint8))
    return mesh


def large_project(root: Path, folders: int, scripts: int, scenes: int) -> dict[Path, list[Path]]:
    """Write a project of ten files in each folder. The first `scripts` folders have a script of 30 materials;
    `scenes` scenes of 50 kB draw 2,000 models. Return 20 meshes and 20 models of Urho3D that are there, each
    with the files that it uses.
    """
    (root / ".git").mkdir(parents=True)
    used: dict[Path, list[Path]] = {}
    for number in range(folders):
        folder = root / f"part{number % 40}/folder{number}"
        folder.mkdir(parents=True)
        for file in range(9 if number < scripts else 10):
            (folder / f"{number}_{file}.txt").touch()
        if number < scripts:
            materials = (f"material M{number}_{each} {{\n{SIMPLE_PASS}}}\n" for each in range(30))
            (folder / f"{number}.material").write_text("".join(materials))
    for number in range(20):
        far = (number * 37 + 500) % scripts
        mesh = root / f"part{number}/folder{number}/{number}.mesh"
        mesh.write_bytes(mesh_bytes(NEWEST, (SUBMESH, grid(20, f"M{far}_5"))))
        used[mesh] = [root / f"part{far % 40}/folder{far}/{far}.material"]
    for folder in ("Models", "Materials", "Scenes"):
        (root / "Data" / folder).mkdir(parents=True)
    for number in range(scenes):
        drawn = (number if each == 9 else scenes + (number * 200 + each) % 2000 for each in range(230))
        text = "".join(COMPONENT.format(model=model) for model in drawn)
        (root / f"Data/Scenes/{number}.xml").write_text(f"<scene>{text}</scene>")
    for number in range(0, scenes, scenes // 20):
        model, material = root / f"Data/Models/{number}.mdl", root / f"Data/Materials/{number}.xml"
        model.write_bytes(model_bytes(bones=[], morphs=[]))
        material.write_text('<material><technique name="Techniques/Diff.xml"/></material>')
        used[model] = [material, root / f"Data/Scenes/{number}.xml"]
    age(root)
    return used


def with_used_files(root: Path, folder: Path, used: dict[Path, list[Path]]) -> dict[Path, Path]:
    """Copy each model with the files that it uses to a project of its own, and return its copy."""
    copies = {}
    for number, (model, files) in enumerate(used.items()):
        (folder / f"{number}/.git").mkdir(parents=True)
        for file in (model, *files):
            copy = folder / f"{number}" / file.relative_to(root)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, copy)
        copies[model] = folder / f"{number}" / model.relative_to(root)
    age(folder)
    return copies


def small_meshes(root: Path, count: int) -> list[Path]:
    """Write a project of meshes with two submeshes, 40 kB in the median, their materials in a script beside
    them. One in six has a skeleton.
    """
    (root / ".git").mkdir()
    skeleton = animated(bones=20, clips=2, keys=400)
    paths = []
    for number in range(count):
        stem = root / f"set{number // 20}" / f"thing{number}"
        stem.parent.mkdir(exist_ok=True)
        links = []
        if number % 6 == 0:
            stem.with_suffix(".skeleton").write_bytes(skeleton)
            links = [(SKELETON_LINK, Struct(file=f"{stem.name}.skeleton"))]
        names = [f"{stem.name}/{part}" for part in range(2)]
        script = "".join(f"material {name} {{ technique {{ pass {{ }} }} }}\n" for name in names)
        stem.with_suffix(".material").write_text(script)
        parts = [(SUBMESH, grid(12 + number % 29, name)) for name in names]
        paths.append(stem.with_suffix(".mesh"))
        paths[-1].write_bytes(mesh_bytes(NEWEST, *parts, *links))
    age(root)
    return paths


def client(folder: Path) -> str:
    """Write the archives of a client and return its folder."""
    (folder / "Data").mkdir(parents=True)
    for number, archive in enumerate(CLIENT):
        names = [client_name(number, each).replace("/", "\\") for each in range(CLIENT_FILES)]
        files = [MpqFile(name, b"x", 0) for name in names]
        (folder / f"Data/{archive}.MPQ").write_bytes(mpq_bytes(files))
    age(folder)
    return str(folder)


def client_name(archive: int, number: int) -> str:
    """The name of a file of an archive."""
    return f"World/Sub{archive}/Folder{number // 100}/File_{number}.blp"


def age(folder: Path) -> None:
    """Make a folder and all in it old: what the program knows of files that changed just now is not kept."""
    for path in (*folder.rglob("*"), folder):
        os.utime(path, (OLD, OLD))
