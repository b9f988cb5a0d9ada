"""A file as text that stays the same as long as its content does."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests import m2_files
from tests.compared_files import opened
from tests.ogre_files import rich_mesh
from tests.ogre_skeletons import rich_skeleton
from tests.packages import post_files
from tests.shader_files import shader_bytes
from tests.synthetic import animation_bytes, model_bytes
from viewer.compare.diff.description import description
from viewer.families.ogre.versions import MeshVersion
from viewer.families.urho3d.package.writer import package_bytes
from viewer.storage.documents import open_document

FILES = {
    "Post.mdl": model_bytes(),
    "Bend.ani": animation_bytes(),
    "square.mesh": rich_mesh(MeshVersion.V1_100),
    "bones.skeleton": rich_skeleton(),
    "Made.m2": m2_files.model(),
    "Data.pak": package_bytes(post_files()),
    "Basic_12345678.vs3": shader_bytes(),
}


@pytest.mark.parametrize("name", FILES)
def test_every_kind_of_file_has_a_text_without_its_place(name: str, tmp_path: Path) -> None:
    text = list(description(opened(tmp_path, FILES[name], name)))
    assert len(text) > 3 and not any(str(tmp_path) in line or name in line for line in text)


def test_companions_change_nothing(tmp_path: Path) -> None:
    for name, data in post_files():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(data)
    (tmp_path / "alone").mkdir()
    shutil.copy(tmp_path / "Models/Post.mdl", tmp_path / "alone/abc_Post.mdl")
    texts = [
        list(description(open_document(str(tmp_path / name))))
        for name in ("Models/Post.mdl", "alone/abc_Post.mdl")
    ]
    assert texts[0] == texts[1]


@pytest.mark.parametrize(
    ("name", "companion", "data"),
    [
        ("square.mesh", "bones.skeleton", rich_skeleton()),
        ("Made.m2", "Made00.skin", m2_files.skin()),
    ],
)
def test_linked_files_change_nothing(name: str, companion: str, data: bytes, tmp_path: Path) -> None:
    own = m2_files.model(m2_files.WRATH) if name.endswith(".m2") else FILES[name]
    alone = opened(tmp_path, own, name)
    together = opened(tmp_path, own, name)
    Path(together.path).with_name(companion).write_bytes(data)
    assert list(description(alone)) == list(description(open_document(together.path)))


def test_a_change_changes_few_lines(tmp_path: Path) -> None:
    one, other = (
        list(description(opened(tmp_path, animation_bytes("Bend", length), "Bend.ani"))) for length in (1, 2)
    )
    assert [pair for pair in zip(one, other, strict=True) if pair[0] != pair[1]][1:] == [
        ("animation Bend: 1 s", "animation Bend: 2 s")
    ]


def test_a_broken_file_tells_its_error(tmp_path: Path) -> None:
    text = list(description(opened(tmp_path, model_bytes()[:300], "Post.mdl")))
    assert any(line.startswith("error: ") for line in text)


def test_materials_that_the_file_names_are_told(tmp_path: Path) -> None:
    text = list(description(opened(tmp_path, FILES["square.mesh"], "square.mesh")))
    assert any(": material " in line for line in text)
    assert not any("material" in line for line in description(opened(tmp_path, model_bytes(), "Post.mdl")))
