"""Which files a document depends on."""

from __future__ import annotations

from pathlib import Path

from tests.named_models import alone, emitter, put, shard
from viewer.storage.dependencies import depends_on, inputs_of
from viewer.storage.documents import open_document


def test_models_of_particles_and_their_pictures_are_followed(tmp_path: Path) -> None:
    skinned = shard(textures=[{"type": 0, "name": "skin.blp"}])
    path = put(tmp_path, alone=alone(emitter(geometry_model="Shard.mdx")), Shard=skinned)
    found = depends_on(open_document(path))
    assert {str(path), str(tmp_path / "Shard.m2"), str(tmp_path / "skin.blp")} <= found


def test_where_a_model_of_particles_is_missing_its_places_are_followed(tmp_path: Path) -> None:
    path = put(tmp_path, alone=alone(emitter(recursion_model="Gone.mdx")))
    assert str(tmp_path / "Gone.m2") in depends_on(open_document(path))


def test_inputs_are_the_files_that_exist(tmp_path: Path) -> None:
    path = put(tmp_path, alone=alone(emitter(recursion_model="Gone.mdx")))
    document = open_document(path)
    found = inputs_of([document])
    assert str(path) in found and str(tmp_path / "Gone.m2") not in found
    assert found < depends_on(document) and inputs_of([]) == set()
