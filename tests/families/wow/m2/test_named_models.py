"""The models that emitters name: how they are found, and that a bad one costs nothing but itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.m2_files import LEGION, chunk, model, numbers
from tests.named_models import alone, emitter, put, shard
from tests.packages import write_package
from viewer.animation.effects.approximations import approximations
from viewer.budget import BUDGET
from viewer.families.wow.m2.effects.named_models import file_of
from viewer.scene.document import Document
from viewer.scene.emitter import Emitter, ModelReference
from viewer.scene.model import pictured, pictures_of
from viewer.storage.documents import open_document


def opened(path: Path | str) -> tuple[Document, tuple[Emitter, ...]]:
    document = open_document(path)
    assert document.model is not None
    return document, document.model.emitters


def shape_of(path: Path | str) -> ModelReference:
    found = opened(path)[1][0].shape
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("Rock.mdx", "Rock.m2"),
        ("a\\Rock.MDL", "a\\Rock.m2"),
        ("Rock.M2", "Rock.M2"),
        ("Rock", "Rock.m2"),
        ("Rock.v1", "Rock.v1.m2"),
    ],
)
def test_the_file_of_a_name(name: str, file: str) -> None:
    assert file_of(name) == file


def test_a_shape_is_found_whatever_the_case_and_in_folders_above(tmp_path: Path) -> None:
    (tmp_path / "creature").mkdir()
    (tmp_path / "Spells").mkdir()
    (tmp_path / "Spells" / "SHARD.m2").write_bytes(shard())
    path = tmp_path / "creature" / "alone.m2"
    path.write_bytes(alone(emitter(geometry_model="spells\\shard.mdx")))
    found = shape_of(path)
    assert found.path == str(tmp_path / "Spells" / "SHARD.m2")
    assert found.model is not None and len(found.model.geometries) == 1
    assert found.animation is not None and found.animation.name == "Stand"


def test_emitters_that_name_the_same_model_share_it(tmp_path: Path) -> None:
    path = put(
        tmp_path,
        alone=alone(emitter(geometry_model="Shard.mdx"), emitter(recursion_model="Shard.mdx")),
        Shard=shard(),
    )
    document, (first, second) = opened(path)
    assert first.shape is second.carries and first.carries is None
    assert document.model is not None and document.model.references == (first.shape,)


def test_models_in_a_package_are_found_there(tmp_path: Path) -> None:
    files = [("A/alone.m2", alone(emitter(geometry_model="B\\Shard.mdx"))), ("b/shard.m2", shard())]
    path = write_package(tmp_path, files=files)
    found = shape_of(f"{path}::A/alone.m2")
    assert found.model is not None and found.path == f"{path}::b/shard.m2"


def test_a_missing_one_is_told_with_what_was_searched(tmp_path: Path) -> None:
    path = put(tmp_path, alone=alone(emitter(geometry_model="Gone.mdx")))
    document, (found,) = opened(path)
    assert found.shape is not None and found.shape.missing
    assert str(tmp_path / "Gone.m2") in found.shape.searched
    assert any(text.startswith("model Gone.mdx is missing; ") for text in document.report.warnings)
    lines = approximations(found, None, None)
    assert "each particle is the model Gone.mdx, which is missing; a quad is drawn instead" in lines
    assert document.report.complete


@pytest.mark.parametrize(
    "data", [b"", b"MD20", b"MD20" + bytes(400), b"junk" * 200, b"MD21\xff\xff\xff\xff", b"PTCH" + bytes(64)]
)
def test_a_broken_one_costs_nothing_but_itself(tmp_path: Path, data: bytes) -> None:
    path = put(tmp_path, alone=alone(emitter(geometry_model="Shard.mdx")), Shard=data)
    document, (found,) = opened(path)
    assert document.report.complete and found.shape is not None
    if found.shape.model is None:
        assert found.shape.trouble.startswith("cannot be read: ")
        assert any(text.startswith("model Shard.mdx: ") for text in document.report.warnings)


@pytest.mark.parametrize("cut", [0.3, 0.6, 0.9, 0.99])
def test_one_that_is_cut_is_used_as_far_as_it_goes(tmp_path: Path, cut: float) -> None:
    data = shard()
    path = put(tmp_path, alone=alone(emitter(geometry_model="Shard.mdx")), Shard=data[: int(len(data) * cut)])
    document, _ = opened(path)
    assert any(text.startswith("model Shard.mdx: ") for text in document.report.warnings)


def test_a_model_that_names_itself_is_read_twice_and_no_more(tmp_path: Path) -> None:
    path = put(tmp_path, alone=alone(emitter(geometry_model="alone.mdx", recursion_model="Alone.mdx")))
    _, (found,) = opened(path)
    assert found.carries is not None and found.carries.model is not None
    inner = found.carries.model.emitters[0]
    assert inner.carries is not None and inner.carries.model is None
    assert inner.carries.trouble.startswith("is not read")


def test_models_that_name_each_other_end(tmp_path: Path) -> None:
    path = put(
        tmp_path,
        one=alone(emitter(recursion_model="other.mdx")),
        other=alone(emitter(recursion_model="one.mdx")),
    )
    _, (found,) = opened(path)
    lines = approximations(found, None, None)
    assert "models that the emitters of other.mdx refer to are drawn as quads" in lines


def test_no_more_are_read_than_any_model_needs(tmp_path: Path) -> None:
    many = [emitter(geometry_model=f"Gone{number}.mdx") for number in range(BUDGET.named_models + 3)]
    _, found = opened(put(tmp_path, alone=alone(*many)))
    refused = [each.shape for each in found if each.shape and not each.shape.searched]
    assert len(refused) == 3 and all("names more than 16" in each.trouble for each in refused)


@pytest.mark.parametrize(
    "name", ["..\\..\\etc\\passwd", "C:\\x.mdx", "/etc/passwd", "\x01\x7f", "a" * 100_000]
)
def test_hostile_names_lead_nowhere(tmp_path: Path, name: str) -> None:
    _, (found,) = opened(put(tmp_path, alone=alone(emitter(geometry_model=name))))
    assert found.shape is not None and found.shape.path is None
    assert len(found.shape.name) < 1000 and found.shape.name.isprintable()


def test_a_name_is_cut_to_the_longest_path(tmp_path: Path) -> None:
    _, (found,) = opened(put(tmp_path, alone=alone(emitter(geometry_model="a" * 261))))
    assert found.shape is not None and found.shape.name == "a" * 260


def test_only_the_first_faults_of_a_named_model_are_told(tmp_path: Path) -> None:
    faulty = shard(particles=[emitter(texture=90 + number) for number in range(6)])
    document, _ = opened(put(tmp_path, alone=alone(emitter(geometry_model="Shard.mdx")), Shard=faulty))
    told = [text for text in document.report.warnings if text.startswith("model Shard.mdx: emitter")]
    assert len(told) == 4 and "texture 93" in told[-1]


def test_thousands_of_emitters_that_name_the_same_model_read_it_once(tmp_path: Path) -> None:
    rows: list[Any] = [emitter(geometry_model="Shard.mdx")] * 5000
    document = open_document(put(tmp_path, alone=alone(*rows), Shard=shard()))
    assert document.model is not None and len(document.model.references) == 1


def test_chunked_models_may_give_numbers_of_files(tmp_path: Path) -> None:
    plain = model(LEGION, particles=[{"type": 1}, {"type": 1}], ribbons=[], textures=[{"type": 0}])
    data = chunk("MD21", plain) + chunk("GPID", numbers(0, 77)) + chunk("RPID", numbers(78, 0))
    (tmp_path / "77.m2").write_bytes(shard())
    path = tmp_path / "new.m2"
    path.write_bytes(data)
    document, (first, second) = opened(path)
    assert first.shape is None and first.carries is not None and first.carries.name == "78.m2"
    assert second.shape is not None and second.shape.model is not None
    assert not any("GPID" in text for text in document.report.warnings)


def test_textures_of_named_models_are_counted_behind_its_own(tmp_path: Path) -> None:
    skinned = shard(textures=[{"type": 0, "name": "a.blp"}, {"type": 0, "name": "b.blp"}])
    fields = {"textures": [{"type": 0, "name": "own.blp"}]}
    data = alone(emitter(geometry_model="Shard.mdx"), **fields)
    path = put(tmp_path, alone=data, Shard=skinned)
    found = opened(path)[0].model
    assert found is not None
    assert [each.name for each in pictured(found)] == ["own.blp", "a.blp", "b.blp"]
    assert pictures_of(found, {0: "own", 2: "b"}) == {found.references[0]: {1: "b"}}
    assert pictured(None) == ()
