"""The commands on WoW models: baked by the GPU as worked out by hand, geosets, cameras, facts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tests.wow  # noqa: F401
from tests import m2_files
from tests.m2_files import CLASSIC, WRATH
from viewer.commands.cli import main
from viewer.families.wow.m2.layout.fields import VersionTraits
from viewer.storage.documents import open_document


@pytest.fixture(params=[CLASSIC, WRATH], ids=lambda each: str(each.version))
def made(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    return write(tmp_path, request.param)


def write(folder: Path, generation: VersionTraits = CLASSIC, **changes: Any) -> Path:
    path = folder / "Made.m2"
    path.write_bytes(m2_files.model(generation, **changes))
    (folder / "Made00.skin").write_bytes(m2_files.skin())
    return path


def info(path: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    main(["info", str(path), "--json"])
    return json.loads(capsys.readouterr().out)


def test_bake_moves_vertices_around_pivots(made: Path, tmp_path: Path) -> None:
    output = tmp_path / "x.npz"
    assert main(["bake", str(made), "--animation", "Walk", "-o", str(output)]) == 0
    arrays = np.load(output)
    # bone 2 turns a quarter around (1, 0, 0), and all of it is moved by (2, 0, 0)
    assert arrays["positions_1"][:3] == pytest.approx(np.array([(3, 0, 0), (3, 1, 0), (2, 0, 0)]), abs=1e-4)
    assert arrays["positions_0"][3:] == pytest.approx(np.array([(2, 0, 0), (2, 1, 0), (2, 0, 1)]), abs=1e-4)
    assert arrays["bones"][0].tolist() == [[1, 0, 0, 2], [0, 1, 0, 0], [0, 0, 1, 0]]
    assert arrays["bones"].shape == (4, 3, 4)


def test_with_nothing_said_the_first_sequence_plays(made: Path, tmp_path: Path) -> None:
    output = tmp_path / "x.npz"
    assert main(["bake", str(made), "--time", "0.5", "-o", str(output)]) == 0
    assert np.load(output)["bones"][0][2, 3] == pytest.approx(0.5)
    assert main(["bake", str(made), "--time", "0.5", "--animation", "none", "-o", str(output)]) == 0
    assert np.load(output)["bones"][0][2, 3] == 0


def test_info_has_what_only_such_models_have(made: Path, capsys: pytest.CaptureFixture[str]) -> None:
    facts = info(made, capsys)
    assert facts["complete"] and facts["unexplained_bytes"] == 0
    assert [(each["name"], each["id"]) for each in facts["animations"]][:2] == [("Stand", 0), ("Walk", 4)]
    assert facts["bones"][2]["pivot"] == [1, 0, 0]
    assert facts["attachments"] == [{"id": 1, "name": "HandRight", "bone": 2, "position": [1, 0, 0]}]
    assert [(each["type"], each["bone"], each["position"]) for each in facts["lights"]] == [
        ("point", -1, [0, 0, 3])
    ]
    assert facts["event_points"] == [{"name": "$CSD 7", "bone": 0, "position": [0, 0, 0]}]
    assert facts["collision"] is None
    assert [(each["geoset"], each["shown"]) for each in facts["geometries"]] == [(0, True), (702, True)]
    assert facts["emitters"][0]["type"] == "plane"
    assert facts["emitters"][0]["parameters"]["speed"] == [3, 3]
    assert facts["emitters"][0]["flags"] == ["unlit", "model space"]
    assert len(facts["ribbons"]) == 1
    assert facts["cameras"][0]["name"] == "portrait" and not facts["cameras"][0]["moves"]
    assert facts["animations"][0]["events"] == [{"time": 0.25, "name": "$CSD 7"}]


def test_a_geoset_is_shown_in_place_of_its_variants(tmp_path: Path) -> None:
    view = m2_files.view()
    view["submeshes"][0]["id"] = 701
    path = write(tmp_path, views=[view])
    model = open_document(path).model
    assert model is not None and [each.shown for each in model.geometries] == [False, True]
    from viewer.commands.options.apply_options import prepare
    from viewer.commands.options.given_options import Options

    assert prepare([str(path)], Options()).view.hidden == {0}
    assert prepare([str(path)], Options(geoset=(701,))).view.hidden == {1}


def test_a_geoset_or_camera_that_does_not_exist_is_status_2(
    made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = str(tmp_path / "x.png")
    assert main(["render", str(made), "--geoset", "9", "-o", output]) == 2
    assert "the model has no geoset 9; its geosets are 0, 702" in capsys.readouterr().err
    assert main(["render", str(made), "--camera", "1", "-o", output]) == 2
    assert "the model has no camera 1; it has 1 camera, counted from 0" in capsys.readouterr().err


def test_the_picture_of_a_stored_camera_has_its_target_in_the_middle(made: Path, tmp_path: Path) -> None:
    from PIL import Image

    output = tmp_path / "x.png"
    words = [
        "--camera",
        "0",
        "--shading",
        "silhouette",
        "--size",
        "64x48",
        "--background",
        "black",
        "--no-grid",
    ]
    assert main(["render", str(made), *words, "-o", str(output)]) == 0
    with Image.open(output) as picture:
        lit = np.argwhere(np.array(picture.convert("L")) > 128)
    # it looks along -X from (5, 0, 1) at (0, 0, 1): the triangle below lies in the lower half, Y to the right
    assert len(lit) and lit[:, 0].min() >= 23
    assert lit[:, 1].min() >= 31


def test_the_tree_names_who_points_where(made: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tree", str(made), "--depth", "1"]) == 0
    text = capsys.readouterr().out
    assert "bones" in text and "unknown" not in text


def test_resource_folders_are_of_one_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    skin = tmp_path / "game/creature/MadeSkin.blp"
    skin.parent.mkdir(parents=True)
    skin.write_bytes(b"")
    (tmp_path / "copied").mkdir()
    path = write(tmp_path / "copied", textures=[{"type": 11}])
    main(["info", str(path), "--json", "--resources", str(tmp_path / "game")])
    assert json.loads(capsys.readouterr().out)["textures"][0]["found"] == str(skin)
    assert info(path, capsys)["textures"][0]["found"] is None


def test_a_resource_folder_that_does_not_exist_is_bad_usage(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["info", str(write(tmp_path)), "--resources", str(tmp_path / "gone")]) == 2
    assert "gone: no such folder or file" in capsys.readouterr().err
