"""`info`: the JSON has every key always, and the text says the same."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests import m2_files
from tests.damage import TIMES_THE_FILE, peak
from tests.ogre_files import NEWEST, rich_mesh
from tests.synthetic import AABB, animation_bytes, bone, model_bytes, write_pair
from viewer.commands.cli import main
from viewer.commands.info.fact_table import finite, json_pieces
from viewer.commands.info.info import facts
from viewer.commands.info.summary import summary
from viewer.errors import MISSING_PART, FormatError
from viewer.storage.documents import open_document

KEYS = [
    "file",
    "format",
    "version",
    "bytes",
    "unexplained_bytes",
    "removed_bytes",
    "complete",
    "geometries",
    "bones",
    "animations",
    "morphs",
    "materials",
    "textures",
    "called",
    "archive",
    "hides",
    "displays",
    "looks",
    "models",
    "emitters",
    "ribbons",
    "cameras",
    "lights",
    "attachments",
    "event_points",
    "collision",
    "bounds",
    "dimensions",
    "blend_mode",
    "entries",
    "sources",
    "shader",
    "script",
    "table",
    "image",
    "warnings",
    "notes",
    "errors",
    "needs",
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
    level = {"distance": 10.0, "value": 10.0, "indices": 48, "primitive": "triangles"}
    assert geometry["strategy"] == "distance" and geometry["lods"][1] == level
    assert geometry["attributes"][0] == {"semantic": "position", "type": "f32", "components": 3}
    assert geometry["center"] == [0, 0.5, 0]


def test_bones_and_animations(found: dict[str, Any]) -> None:
    assert [bone["parent"] for bone in found["bones"]] == [-1, 0]
    assert np.shape(found["bones"][1]["inverse_bind"]) == (3, 4)
    (animation,) = found["animations"]
    assert (animation["name"], animation["matched"], animation["keyframes"]) == ("Bend", 1, 3)


def test_an_unknown_unit_is_not_converted_to_metres(tmp_path: Path) -> None:
    (tmp_path / "quad.mesh").write_bytes(rich_mesh(NEWEST))
    found = facts(open_document(tmp_path / "quad.mesh"))
    assert found["dimensions"]["unit"] == "units" and found["dimensions"]["metres"] is None
    assert all(not line.endswith(" m") for line in summary(found) if "dimensions" in line)


def test_dimensions_are_those_of_the_drawn_vertices(found: dict[str, Any]) -> None:
    assert found["dimensions"]["unit"] == "metres"
    assert np.allclose(found["dimensions"]["units"], (0.2, 1.0, 0.2))
    assert "  dimensions 0.2 × 1 × 0.2 metres" in list(summary(found))


def test_the_yards_of_a_wow_model_are_printed_in_metres_too(tmp_path: Path) -> None:
    (tmp_path / "Made.m2").write_bytes(m2_files.model())
    found = facts(open_document(tmp_path / "Made.m2"))["dimensions"]
    assert found["unit"] == "yards" and np.allclose(found["metres"], np.multiply(found["units"], 0.9144))
    assert any(" yards, " in line for line in summary(facts(open_document(tmp_path / "Made.m2"))))


def test_models_without_bones_have_no_skin_and_clips_of_vertices_say_so(found: dict[str, Any]) -> None:
    geometry = found["geometries"][0] | {"bone_map": None}
    clip = found["animations"][0] | {"tracks": 0, "matched": 0, "moves_vertices": True}
    text = "\n".join(summary(found | {"geometries": [geometry], "bones": [], "animations": [clip]}))
    assert "vertices only" in text
    assert "all bones" not in text


def test_what_is_not_finite_is_null(tmp_path: Path) -> None:
    bounds = np.zeros((), AABB)
    bounds["min"] = np.inf
    (tmp_path / "Odd.mdl").write_bytes(model_bytes(bounds=bounds, centers=np.full((1, 3), np.nan, "<f4")))
    found = facts(open_document(tmp_path / "Odd.mdl"))
    assert json.loads("".join(json_pieces(found)))


def test_finite_goes_into_arrays_and_lists() -> None:
    assert finite({"a": [np.float32(np.inf), np.array([1.0, np.nan])]}) == {"a": [None, [1.0, None]]}


def test_the_text_names_everything(found: dict[str, Any]) -> None:
    text = "\n".join(summary(found))
    for word in ("Post.mdl", "geometries 1", "bones 2", "tip", "Bend", "1 of 1", "taller", "all explained"):
        assert word in text
    assert max(map(len, text.splitlines())) < 160


def test_the_text_of_a_broken_file_says_where(tmp_path: Path) -> None:
    (tmp_path / "Cut.mdl").write_bytes(model_bytes()[:700])
    text = "\n".join(summary(facts(open_document(tmp_path / "Cut.mdl"))))
    assert "not read completely" in text and "error: " in text and " at 0x" in text


def test_the_messages_are_in_the_order_of_what_a_user_can_do(tmp_path: Path) -> None:
    (tmp_path / "Post.mdl").write_bytes(model_bytes())
    document = open_document(tmp_path / "Post.mdl")
    document.report.note("odd")
    document.report.fail(FormatError("cut off", "bones", 7))
    document.report.warn("the skeleton is missing", MISSING_PART)
    found = facts(document)
    told = [(each["kind"], each["text"]) for each in found["messages"]]
    assert told[0][1].startswith("material Materials/Post.xml is missing"), "needs come first"
    assert told[1] == ("warning", "the skeleton is missing")
    assert told[-2:] == [("error", "cut off (bones at 0x7)"), ("note", "odd")]
    assert list(summary(found))[-2:] == ["error: cut off (bones at 0x7)", "note: odd"]
    assert found["notes"] == ["odd"]


def test_the_real_jack(corpus: Path) -> None:
    found = facts(open_document(corpus / "urho3d/Data/Models/Jack.mdl"))
    assert [geometry["vertices"] for geometry in found["geometries"]] == [2816, 1824]
    assert len(found["bones"]) == 67 and found["unexplained_bytes"] == 0


def test_bones_in_one_long_chain_are_listed_in_linear_space(tmp_path: Path) -> None:
    bones = [bone(f"b{number}", max(number - 1, 0), 0.0, 0.0) for number in range(2000)]
    data = model_bytes(bones=bones)
    (tmp_path / "Chain.mdl").write_bytes(data)
    lines = list(summary(facts(open_document(tmp_path / "Chain.mdl"))))
    assert any("(depth 1999) b1999" in line for line in lines)
    assert sum(map(len, lines)) < 4 * len(data)


def test_a_name_of_any_length_does_not_widen_the_other_rows(tmp_path: Path) -> None:
    bones = [bone("n" * 20_000, 0, 0.0, 0.0), *(bone("b", 0, 0.0, 0.0) for _ in range(500))]
    (tmp_path / "Wide.mdl").write_bytes(model_bytes(bones=bones))
    found = facts(open_document(tmp_path / "Wide.mdl"))
    assert found["bones"][0]["name"] == "n" * 20_000
    assert sum(map(len, summary(found))) < 200_000


def test_names_cannot_control_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = "evil\x1b[2J\n\u202e"
    path = tmp_path / f"Evil{name}.mdl"
    path.write_bytes(model_bytes(bones=[bone(name, 0, 0.0, 0.0), bone("tip", 0, 1.0, 1.0)]))
    for verb in ("info", "tree"):
        main([verb, str(path)])
        told = "".join(capsys.readouterr())
        assert r"evil\x1b[2J\n\u202e" in told
        assert not {"\x1b", "\u202e"} & set(told) and "\n\n\u202e" not in told
    main(["info", str(path), "--json"])
    assert json.loads(capsys.readouterr().out)["bones"][0]["name"] == name
    assert main(["info", str(tmp_path / "no\x1b[2Jfile.mdl")]) != 0
    assert "\x1b" not in capsys.readouterr().err


def test_the_facts_of_a_package_are_made_one_by_one(tmp_path: Path) -> None:
    count = 5_000  # more than are made at once
    entries = b"".join(b"%06d.t\0" % number + struct.pack("<3I", 12, 0, 0) for number in range(count))
    path = tmp_path / "Many.pak"
    data = b"UPAK" + struct.pack("<2I", count, 0) + entries
    path.write_bytes(data)
    document = open_document(path)
    assert peak(lambda: sum(map(len, summary(facts(document))))) < TIMES_THE_FILE * len(data)
    assert peak(lambda: sum(map(len, json_pieces(facts(document))))) < TIMES_THE_FILE * len(data)


def test_a_line_lists_the_first_events_and_counts_the_others(tmp_path: Path) -> None:
    path = write_pair(tmp_path)
    triggers = "".join(f'<trigger time="0.5" value="e{number}"/>' for number in range(1102))
    path.with_name("Post_Bend.xml").write_text(f"<animation>{triggers}</animation>")
    found = facts(open_document(path))
    (line,) = [line for line in summary(found) if "Bend: events" in line]
    assert line.endswith("0.5 s e99, and 1,002 more") and len(found["animations"][0]["events"]) == 1102


def test_a_texture_that_nothing_uses_says_so_and_was_not_searched_in_vain(found: dict[str, Any]) -> None:
    texture = {"name": "old.png", "type": None, "found": None, "searched": ["a/", "b/"], "by": None}
    unused = list(summary(found | {"textures": [texture | {"used": False}]}))
    assert any("not found, not used" in line for line in unused)
    assert not any("searched" in line and "old.png" in line for line in unused)
    used = list(summary(found | {"textures": [texture | {"used": True}]}))
    at = used.index("  old.png: searched")
    assert used[at + 1 : at + 3] == ["    a/", "    b/"], "a list, one path a line"
