"""The facts of a file for the index."""

from __future__ import annotations

import os
import pickle
from pathlib import Path

import pytest

from tests import m2_files, ogre_files
from tests.packages import write_package
from tests.synthetic import animation_bytes, model_bytes, model_record
from viewer.budget import BUDGET
from viewer.errors import ViewerError
from viewer.library.index.facts import document_facts, text, texts, unread_facts
from viewer.scene.files import FileEntry, FileFacts
from viewer.storage.documents import open_document


def file_facts(path: str) -> FileFacts:
    """The facts of a file, opened or not."""
    try:
        return document_facts(open_document(path))
    except (ViewerError, OSError) as error:
        return unread_facts(error)


@pytest.fixture
def post(tmp_path: Path) -> FileFacts:
    (tmp_path / "Post.mdl").write_bytes(model_bytes())
    return file_facts(str(tmp_path / "Post.mdl"))


def test_a_model_tells_its_counts_and_names(post: FileFacts) -> None:
    assert (post.format, post.version, post.kind) == ("Urho3D model", "UMD2", "model")
    assert (post.bones, post.geometries, post.triangles, post.vertices) == (2, 1, 32, 20)
    assert (post.bone_names, post.morphs) == (("base", "tip"), 1)


def test_an_animation_tells_its_clip_and_length(tmp_path: Path) -> None:
    (tmp_path / "Bend.ani").write_bytes(animation_bytes("Bend", 1.5))
    facts = file_facts(str(tmp_path / "Bend.ani"))
    assert (facts.clips, facts.clip_names, facts.length) == (1, ("Bend",), 1.5)


def test_facts_can_be_sent_to_another_process(post: FileFacts) -> None:
    assert pickle.loads(pickle.dumps(post)) == post


def test_bounds_are_six_finite_numbers_or_none(tmp_path: Path, post: FileFacts) -> None:
    assert post.bounds is not None and len(post.bounds) == 6
    path = tmp_path / "Odd.mdl"
    bounds = model_record().bounds
    bounds["min"] = float("nan")
    path.write_bytes(model_bytes(bounds=bounds))
    assert file_facts(str(path)).bounds is None


@pytest.mark.parametrize(
    ("name", "data", "kind"),
    [
        ("Bend.ani", animation_bytes(), "animation"),
        ("Wolf.m2", m2_files.model(), "model"),
        ("square.mesh", ogre_files.mesh_bytes(ogre_files.NEWEST), "model"),
    ],
)
def test_each_format_has_a_kind(tmp_path: Path, name: str, data: bytes, kind: str) -> None:
    (tmp_path / name).write_bytes(data)
    assert file_facts(str(tmp_path / name)).kind == kind


def test_a_file_inside_a_package_and_the_package_have_facts(tmp_path: Path) -> None:
    package = write_package(tmp_path)
    assert file_facts(str(package)).kind == "package"
    assert file_facts(f"{package}::Models/Post.mdl").bones == 2


def test_missing_files_are_named_with_their_kind(tmp_path: Path) -> None:
    (tmp_path / "square.mesh").write_bytes(ogre_files.rich_mesh(ogre_files.NEWEST, link="gone.skeleton"))
    assert ("skeleton", "gone.skeleton") in file_facts(str(tmp_path / "square.mesh")).missing


def test_a_cut_file_has_what_was_read_and_the_errors(tmp_path: Path) -> None:
    (tmp_path / "Cut.mdl").write_bytes(model_bytes()[:-20])
    facts = file_facts(str(tmp_path / "Cut.mdl"))
    assert facts.errors and facts.vertices == 20
    assert not any(str(tmp_path) in error for error in facts.errors)


@pytest.mark.parametrize("name", ["gone.mdl", "fifo.mdl", "empty.mdl", "text.mdl", "gone.pak::a.mdl"])
def test_a_file_that_cannot_be_read_has_only_errors(tmp_path: Path, name: str) -> None:
    os.mkfifo(tmp_path / "fifo.mdl")
    (tmp_path / "empty.mdl").write_bytes(b"")
    (tmp_path / "text.mdl").write_text("hello")
    facts = file_facts(str(tmp_path / name))
    assert facts.errors and facts == FileFacts(errors=facts.errors)


def test_names_are_bounded_and_can_be_stored() -> None:
    assert texts(["a", "", "b", "a"]) == ("a", "b")
    assert len(text("x" * 1000)) == BUDGET.kept_letters
    assert text("a\udcffb") == "a?b"


def test_an_entry_has_a_title_without_folders() -> None:
    assert FileEntry("/a/b/c.mdl", "b/c.mdl", 1, 2).title == "c.mdl"
