"""The registry: what the families give together, and what is imported for it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from assets.generate.blp import raw_blp
from tests import m2_files, ogre_files
from tests.opened import opened_file
from tests.synthetic import model_bytes, write_pair
from viewer.errors import FormatError
from viewer.families import BUILT_IN, BuiltIn
from viewer.family import registry
from viewer.family.later import later
from viewer.family.registry import formats, suffixes
from viewer.storage.documents import open_document

ROOT = Path(__file__).resolve().parents[2]


def loaded_by(code: str, *given: str) -> set[str]:
    """The modules of families that a fresh interpreter has after this code."""
    tail = "\nimport sys; print(*[each for each in sys.modules if each.startswith('viewer.families.')])"
    done = subprocess.run(
        [sys.executable, "-c", code + tail, *given], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return {name.removeprefix("viewer.families.") for name in done.stdout.split()}


@pytest.mark.parametrize("row", BUILT_IN, ids=lambda row: row.name)
def test_the_list_of_built_in_families_is_what_they_are(row: BuiltIn) -> None:
    family = registry.family_of(row)
    assert family.name == row.name
    kinds = {suffix: each.kind.name for each in family.formats for suffix in each.suffixes}
    assert list(row.kinds.items()) == list(kinds.items()), "in the order of the formats"
    assert {magic for each in family.formats for magic in each.magics} == set(row.magics)
    dressed = {
        suffix
        for each in family.formats
        if each.kind.role == "model" and each.looks
        for suffix in each.suffixes
    }
    assert dressed == set(row.displays)
    assert bool(row.places) == bool(family.places)
    assert bool(row.look_keys) == bool(row.item_slots) == bool(row.displays)


def test_formats_have_names_of_their_own() -> None:
    names = [each.name for each in formats()]
    assert len(set(names)) == len(names) > 10
    assert [each.name for each in formats()] == names


def test_suffixes_are_listed_once() -> None:
    assert {".mdl", ".mesh", ".m2", ".blp"} <= set(suffixes())
    assert len(set(suffixes())) == len(suffixes())
    assert suffixes("package") == (".pak", ".axp", ".mpq", ".w3m", ".w3x", ".w3n", ".sc2map", ".sc2mod")


@pytest.mark.parametrize(
    ("name", "kind"),
    [("a/B.MDL", "model"), (".skin", "part"), ("x.blp", "picture"), ("x.txt", ""), ("mdl", "")],
)
def test_the_suffix_tells_the_kind(name: str, kind: str) -> None:
    found = registry.kind_of(name)
    assert (found.name if found else "") == kind
    assert registry.has_role(name, "model") is (kind == "model")


def test_questions_about_suffixes_import_no_family() -> None:
    code = "from viewer.family.registry import *; suffixes(); kinds_by_suffix(); has_role('x.m2', 'model')"
    assert loaded_by(f"{code}; look_keys(); item_slots(); clients(); displayed()") == set()
    assert loaded_by("import viewer.family.family, viewer.family.registry, viewer.storage.documents") == set()


def test_a_file_imports_nothing_of_families_but_its_own(tmp_path: Path) -> None:
    code = "import sys; from viewer.storage.documents import open_document; open_document(sys.argv[1])"
    assert {name.split(".")[0] for name in loaded_by(code, str(write_pair(tmp_path)))} == {"urho3d"}


def test_formats_are_listed_and_probed_without_any_reader() -> None:
    code = (
        "from viewer.family.registry import formats; [each.probe(b'any bytes', '.mdl') for each in formats()]"
    )
    loaded = loaded_by(code)
    assert {"urho3d.family", "ogre.family", "wow.family"} <= loaded
    assert [
        name for name in loaded if name.endswith((".load", ".shader", ".script", ".skel", ".anim", ".rules"))
    ] == []


def test_a_later_function_is_the_one_that_is_named() -> None:
    load = later("viewer.families.urho3d.load:load_model")
    assert load(opened_file(Path("/nowhere/at/all/post.mdl"), model_bytes())).format == "Urho3D model"
    with pytest.raises(AttributeError):
        later("viewer.families.urho3d.load:load_modle")(None)


DECODED = """
import sys
from viewer.storage.documents import open_document
document = open_document(sys.argv[1])
print(document.model.textures[0].decode().levels[0].shape)
"""


def test_a_mesh_of_ogre_shows_a_blp(tmp_path: Path) -> None:
    (tmp_path / "box.mesh").write_bytes(ogre_files.simple())
    (tmp_path / "box.material").write_text(
        "material stone { technique { pass { texture_unit { texture skin.blp } } } }"
    )
    (tmp_path / "skin.blp").write_bytes(raw_blp(np.full((2, 4, 4), 255, np.uint8)))
    command = [sys.executable, "-c", DECODED, str(tmp_path / "box.mesh")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "(2, 4, 4)"


@pytest.mark.parametrize(
    ("data", "why"),
    [(b"", "is empty"), (b"ODD!" + bytes(80), "the format is unknown: the file begins with 4F 44 44 21")],
)
def test_what_is_not_recognised_is_told_by_its_beginning(tmp_path: Path, data: bytes, why: str) -> None:
    (tmp_path / "x.mdl").write_bytes(data)
    with pytest.raises(FormatError, match=why):
        open_document(tmp_path / "x.mdl")


@pytest.mark.parametrize("suffix", [".mesh", ".skeleton", ".mdl", ".txt"])
def test_what_the_bytes_say_counts_for_more_than_a_name(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"model{suffix}"
    path.write_bytes(m2_files.model())
    assert open_document(path).format == "WoW M2 model"
