"""How large a model is."""

from __future__ import annotations

from pathlib import Path

from tests.synthetic import write_pair
from viewer.formats import open_document
from viewer.scene.model import Model, ModelSize, model_size


def test_the_finest_level_counts(tmp_path: Path) -> None:
    model = open_document(str(write_pair(tmp_path))).model
    assert model is not None
    assert model_size(model) == ModelSize(vertices=20, triangles=32, bones=2)
    assert model_size(Model("")) == ModelSize(0, 0, 0)
