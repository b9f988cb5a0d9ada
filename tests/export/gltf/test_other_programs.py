"""Other programs agree about exported files: the Khronos validator, three.js, Blender.

They are used where they are named: NODE_MODULES is a folder with the packages `gltf-validator` and `three`,
BLENDER_PYTHON an interpreter with the package `bpy`. EXPORT_MODELS may name a folder of more models.
"""

from __future__ import annotations

import base64
import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from msgspec.structs import replace

from tests import chromium
from tests.character_files import picture, write_character
from tests.conftest import SHARED
from tests.export.gltf.test_model import SAMPLES, SHARES, shown
from tests.families.wow.looks.test_attachments import ATTACHMENTS, rows, write_item
from tests.families.wow.looks.test_characters import LOOK
from tests.gltf_files import GltfFile
from tests.synthetic import write_pair
from viewer.animation.pose import Layer, pose
from viewer.export.gltf.export import export_gltf
from viewer.export.gltf.model import ExportSource
from viewer.export.gltf.options import ExportOptions
from viewer.scene.animation import Animation
from viewer.scene.document import Document
from viewer.storage.documents import open_document, open_joined, wearing
from viewer.storage.documents import open_document as open_with_looks

HERE = Path(__file__).parent
NEAR = 1e-4
"""The largest distance from the viewer's vertices as a share of the extent."""
CLIPS = 3
REAL = SHARED / "corpus" / "character" / "Character" / "Goblin" / "Male" / "GoblinMale.M2"
SUFFIXES = (".mdl", ".mesh", ".m2")
EMBEDDED = (
    "--allow-file-access-from-files",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
)


class Exported(NamedTuple):
    """A model and its file, with its clips or at rest."""

    document: Document
    path: Path
    at_rest: bool

    @property
    def moments(self) -> list[Layer | None]:
        """The rest pose, or five moments of three clips with names of their own."""
        if self.at_rest:
            return [None]
        named: dict[str, Animation] = {}
        for each in self.document.animations:
            if each.duration > 0:
                named.setdefault(each.name, each)
        clips = list(named.values())
        chosen = clips if len(clips) <= CLIPS else [clips[0], clips[len(clips) // 2], clips[-1]]
        return [Layer(each, each.duration * share) for each in chosen for share in SHARES]

    def points(self, layer: Layer | None) -> Any:
        """[V, 3]: the viewer's vertices."""
        return np.concatenate([np.zeros((0, 3)), *shown(self.document, (layer,) if layer else ())])

    def joints(self, layer: Layer | None) -> Any:
        """[B, 3]: where the viewer's bones begin."""
        model = self.document.model
        assert model is not None
        if model.skeleton is None:
            return np.zeros((0, 3))
        world = pose(model.skeleton, (layer,) if layer else ()).world[:, :, 3]
        return world @ model.to_world[:3, :3].T + model.to_world[:3, 3]

    @property
    def extent(self) -> float:
        points = self.points(None)
        return float(np.linalg.norm(np.ptp(points, axis=0))) or 1.0


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[Exported]:
    """All samples, a character with the models of its items, two joined models, and the models of the folder
    that is named, each as one file.
    """
    more = os.environ.get("EXPORT_MODELS")
    found = [path for path in Path(more).rglob("*") if path.suffix.lower() in SUFFIXES] if more else []
    out, made = tmp_path_factory.mktemp("exported"), []
    opened = (open_document(path) for path in [*SAMPLES, *sorted(found)])
    characters = dressed_characters(tmp_path_factory.mktemp("game"))
    joined = open_joined((*map(str, SAMPLES[-1:]), str(write_pair(out))), open_document)
    for number, document in enumerate([*opened, *characters, *joined]):
        if document.model is None or not document.model.geometries or document.unread:
            continue
        for clips in (document.animations, ()):
            made.append(Exported(document, out / f"{number}_{len(made)}.glb", not clips))
            source = ExportSource(document.model, clips)
            export_gltf(source, ExportOptions(), str(made[-1].path))
    return made


def dressed_characters(root: Path) -> Iterator[Document]:
    """A made character and, where it is at hand, a real one, each with clothes and the models of items."""
    for item in ("Head/Helm_MaM", "Weapon/Axe"):
        write_item(root, item)
    picture(root / "Item" / "ObjectComponents" / "Head" / "Helm.blp", (9, 9, 9, 255))
    made = open_with_looks(write_character(root, rows((107, "Axe.mdx", "", "Helm")), attachments=ATTACHMENTS))
    yield wearing(made, replace(LOOK, items=(("head", 105), ("shirt", 101), ("main-hand", 107))))
    if REAL.is_file():
        real = open_with_looks(REAL)
        assert real.character is not None
        look = real.character.look
        for slot, id in (("head", 15340), ("shirt", 65801), ("legs", 62573), ("hands", 69182)):
            look = look.wearing(slot, id)
        yield replace(wearing(real, look), animations=real.animations[:CLIPS])


def test_a_dressed_character_has_the_models_of_its_items(tmp_path: Path) -> None:
    document = next(dressed_characters(tmp_path))
    assert document.model is not None
    export_gltf(ExportSource(document.model, document.animations), ExportOptions(), str(tmp_path / "out.glb"))
    file = GltfFile(tmp_path / "out.glb").json
    assert {"Root of Helm_MaM", "Root of Axe"} <= {each.get("name") for each in file["nodes"]}
    assert [each.owner for each in document.model.geometries if each.owner] == ["Helm_MaM", "Axe"]
    assert len(file["meshes"][0]["primitives"]) == len(document.model.geometries)


@pytest.fixture(scope="module")
def modules() -> Path:
    """The folder with the packages of Node."""
    found = os.environ.get("NODE_MODULES")
    if not found or shutil.which("node") is None:
        pytest.skip("needs node and NODE_MODULES")
    return Path(found)


def test_the_validator_finds_nothing(files: list[Exported], modules: Path) -> None:
    command = ["node", HERE / "validate.mjs", modules, *(each.path for each in files)]
    assert subprocess.run(command, check=True, capture_output=True, text=True).stdout == ""


@pytest.fixture(scope="module")
def page(modules: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A page that shows models by three.js."""
    if chromium.program() is None:
        pytest.skip("needs Chromium")
    folder = tmp_path_factory.mktemp("three")
    text = (HERE / "three.html").read_text("utf-8").replace("MODULES", modules.resolve().as_uri())
    (folder / "page.html").write_text(text, "utf-8")
    browser = chromium.Chromium(*EMBEDDED)
    opened = browser.open((folder / "page.html").as_uri(), 480, 480)
    opened.until("window.ready")
    yield opened
    browser.close()


def test_three_js_agrees(files: list[Exported], page: Any) -> None:
    wrong = {}
    for each in files:
        data = json.dumps(base64.b64encode(each.path.read_bytes()).decode())
        for layer in each.moments[:: len(SHARES) - 1]:
            clip, time = _named(layer)
            found = page.run(f"show({data}, {json.dumps(clip)}, {time})")
            missed = _missed(np.array(found).reshape(-1, 3), each.points(layer)) / each.extent
            if not missed < NEAR:
                wrong[each.document.path, clip, time] = missed
    assert not wrong and not page.failures


@pytest.fixture(scope="module")
def blender(files: list[Exported], tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What Blender makes of the files, see `blender_script`."""
    python = os.environ.get("BLENDER_PYTHON")
    if not python:
        pytest.skip("needs BLENDER_PYTHON")
    folder = tmp_path_factory.mktemp("blender")
    still = {each.document.path: str(each.path) for each in files if each.at_rest}
    jobs = [
        [str(each.path), [_named(layer) for layer in each.moments], still[each.document.path]]
        for each in files
    ]
    (folder / "jobs.json").write_text(json.dumps(jobs))
    script = HERE.parents[1] / "blender_script.py"
    command = [python, script, folder / "jobs.json", folder / "out.npz"]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL)
    return np.load(folder / "out.npz")


def test_vertices_and_joints_are_at_the_same_places_in_blender(files: list[Exported], blender: Any) -> None:
    wrong = {}
    for job, each in enumerate(files):
        found = [
            (
                _missed(blender[f"{job}_{number}"], each.points(layer)) / each.extent,
                _missed(blender[f"{job}_{number}_joints"], each.joints(layer)) / each.extent,
            )
            for number, layer in enumerate(each.moments)
        ]
        vertices, joints = np.max(found, axis=0)
        print(f"{each.document.path}: {vertices:.1e} vertices, {joints:.1e} joints, {len(found)} moments")
        if not max(vertices, joints) < NEAR:
            wrong[each.path.name, each.document.path] = vertices, joints
    assert not wrong


def test_bones_morphs_and_clips_have_their_names_in_blender(files: list[Exported], blender: Any) -> None:
    for job, each in enumerate(files):
        model, clips = each.document.model, blender[f"{job}_clips"].tolist()
        assert model is not None
        assert {layer.animation.name for layer in each.moments if layer} <= set(clips)
        bones = list(model.skeleton.names) if model.skeleton else []
        assert _plain(blender[f"{job}_bones"]) >= _plain(bones), each.document.path
        assert _plain(blender[f"{job}_morphs"]) >= _plain(morph.name for morph in model.morphs)


def test_clips_have_their_lengths_in_blender(files: list[Exported], blender: Any) -> None:
    for job, each in enumerate(files):
        lengths = dict(zip(blender[f"{job}_clips"].tolist(), blender[f"{job}_lengths"], strict=True))
        for clip in {layer.animation.name: layer.animation for layer in each.moments if layer}.values():
            assert lengths[clip.name] == pytest.approx(clip.duration, abs=1e-4), each.document.path


def _plain(names: Iterable[str]) -> set[str]:
    """Names as far as Blender keeps them: at most 63 bytes, and a number behind one that is taken."""
    return {re.sub(r"\.\d{3}$", "", name.encode()[:60].decode("utf-8", "ignore")) for name in names}


def _named(layer: Layer | None) -> tuple[str | None, float]:
    return (layer.animation.name, layer.time) if layer else (None, 0.0)


def _missed(points: Any, wanted: Any) -> float:
    """The largest distance of a vertex; Blender joins and leaves out some, so that the nearest counts."""
    if len(points) == len(wanted) and np.abs(points - wanted).max(initial=0.0) < 1e-3:
        return float(np.abs(points - wanted).max(initial=0.0))
    if not len(points) or not len(wanted):
        return 0.0 if len(points) == len(wanted) else np.inf
    return max(_farthest(points, wanted), _farthest(wanted, points))


def _farthest(points: Any, others: Any) -> float:
    """The largest distance from one of the points to the nearest of the others."""
    return max(
        float(np.sqrt(((part[:, None] - others) ** 2).sum(axis=2).min(axis=1)).max())
        for part in np.array_split(points, max(len(points) // 256, 1))
    )
