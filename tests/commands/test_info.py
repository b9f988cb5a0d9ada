"""`info`: the JSON has every key always, and the text says the same."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.synthetic import AABB, animation_bytes, model_bytes, write_pair
from viewer.commands.info import facts, finite
from viewer.commands.summary import summary
from viewer.errors import MISSING_PART, FormatError
from viewer.formats import open_document

KEYS = [
    "file",
    "format",
    "version",
    "bytes",
    "unexplained_bytes",
    "complete",
    "geometries",
    "bones",
    "animations",
    "morphs",
    "materials",
    "textures",
    "models",
    "emitters",
    "ribbons",
    "cameras",
    "lights",
    "attachments",
    "event_points",
    "collision",
    "bounds",
    "entries",
    "shader",
    "script",
    "image",
    "warnings",
    "notes",
    "errors",
    "messages",
]


@pytest.fixture
def found(tmp_path: Path) -> dict[str, Any]:
    return facts(open_document(write_pair(tmp_path)))


def test_a_model_has_every_key(found: dict[str, Any]) -> None:
    assert list(found) == KEYS
    assert found["complete"] and found["unexplained_bytes"] == 0


def test_a_lone_animation_has_every_key_too(tmp_path: Path) -> None:
    (tmp_path / "a.ani").write_bytes(animation_bytes())
    found = facts(open_document(tmp_path / "a.ani"))
    assert list(found) == KEYS
    assert found["geometries"] == [] and found["bounds"] is None
    assert found["animations"][0]["matched"] is None


def test_geometry(found: dict[str, Any]) -> None:
    (geometry,) = found["geometries"]
    assert geometry["vertices"] == 20 and geometry["indices"] == 96
    assert geometry["primitive"] == "triangles" and geometry["bone_map"] == [0, 1]
    assert geometry["lods"][1] == {"distance": 10.0, "indices": 48, "primitive": "triangles"}
    assert geometry["attributes"][0] == {"semantic": "position", "type": "f32", "components": 3}
    assert geometry["center"] == [0, 0.5, 0]


def test_bones_and_animations(found: dict[str, Any]) -> None:
    assert [bone["parent"] for bone in found["bones"]] == [-1, 0]
    assert np.shape(found["bones"][1]["inverse_bind"]) == (3, 4)
    (animation,) = found["animations"]
    assert (animation["name"], animation["matched"], animation["keyframes"]) == ("Bend", 1, 3)


def test_models_without_bones_have_no_skin_and_clips_of_vertices_say_so(found: dict[str, Any]) -> None:
    geometry = found["geometries"][0] | {"bone_map": None}
    clip = found["animations"][0] | {"tracks": 0, "matched": 0, "moves_vertices": True}
    text = summary(found | {"geometries": [geometry], "bones": [], "animations": [clip]})
    assert "vertices only" in text
    assert "all bones" not in text


def test_what_is_not_finite_is_null(tmp_path: Path) -> None:
    bounds = np.zeros((), AABB)
    bounds["min"] = np.inf
    (tmp_path / "Odd.mdl").write_bytes(model_bytes(bounds=bounds, centers=np.full((1, 3), np.nan, "<f4")))
    found = facts(open_document(tmp_path / "Odd.mdl"))
    assert json.dumps(found, allow_nan=False)


def test_finite_goes_into_arrays_and_lists() -> None:
    assert finite({"a": [np.float32(np.inf), np.array([1.0, np.nan])]}) == {"a": [None, [1.0, None]]}


def test_the_text_names_everything(found: dict[str, Any]) -> None:
    text = summary(found)
    for word in ("Post.mdl", "geometries 1", "bones 2", "tip", "Bend", "1 of 1", "taller", "all explained"):
        assert word in text
    assert max(map(len, text.splitlines())) < 160


def test_the_text_of_a_broken_file_says_where(tmp_path: Path) -> None:
    (tmp_path / "Cut.mdl").write_bytes(model_bytes()[:700])
    text = summary(facts(open_document(tmp_path / "Cut.mdl")))
    assert "not read completely" in text and "error: " in text and " at 0x" in text


def test_the_messages_are_in_the_order_of_what_a_user_can_do(tmp_path: Path) -> None:
    (tmp_path / "Post.mdl").write_bytes(model_bytes())
    document = open_document(tmp_path / "Post.mdl")
    document.report.note("odd")
    document.report.fail(FormatError("cut off", "bones", 7))
    document.report.warn("the skeleton is missing", MISSING_PART)
    found = facts(document)
    told = [(each["kind"], each["text"]) for each in found["messages"]]
    assert told[0] == ("warning", "the skeleton is missing")
    assert told[-2:] == [("error", "cut off (bones at 0x7)"), ("note", "odd")]
    assert summary(found).endswith("error: cut off (bones at 0x7)\nnote: odd")
    assert found["notes"] == ["odd"]


def test_the_real_jack(corpus: Path) -> None:
    found = facts(open_document(corpus / "urho3d/Data/Models/Jack.mdl"))
    assert [geometry["vertices"] for geometry in found["geometries"]] == [2816, 1824]
    assert len(found["bones"]) == 67 and found["unexplained_bytes"] == 0
