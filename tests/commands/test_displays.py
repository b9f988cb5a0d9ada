"""`--display` and the displays that the commands print."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.creature_files import creature_tables, write_creature
from viewer import api
from viewer.commands.cli import main
from viewer.commands.comparison import opened
from viewer.commands.options.apply_options import prepare, prepare_window, state_of
from viewer.commands.options.given_options import Options
from viewer.storage.documents import open_document


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(write_creature(tmp_path))


def test_info_lists_the_distinct_displays(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["info", path]) == 0
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    first = lines.index("displays 4")
    assert lines[first + 2 : first + 6] == [
        "#0 MadeBlack 1.5 to 2 20 21 shown",
        "#1 MadeGone 1 30 incomplete",
        "#2 MadeWhite, MadeEyes 1 40",
        "#3 MadeBlack 1 128 50",
    ]


def test_info_has_an_object_for_each_display(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["info", path, "--json", "--display", "#2"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert [each["id"] for each in found["displays"]] == [20, 21, 30, 40, 50]
    assert found["displays"][3] == {
        "id": 40,
        "number": 2,
        "textures": ["MadeWhite", "MadeEyes", ""],
        "scale": 1.0,
        "alpha": 255,
        "geosets": [],
        "colors": 0,
        "extra": 0,
        "complete": True,
        "chosen": True,
    }
    assert found["textures"][0]["by"] == "game" and found["textures"][0]["type"] == 11


def test_a_character_has_thousands_of_displays_and_few_lines(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [(number, 7, 0, number, 1.0, 255) for number in range(1, 2001)]
    assert main(["info", str(write_creature(tmp_path, creature_tables(rows)))]) == 0
    out = capsys.readouterr().out
    assert "displays 1\n" in out and "1 2 3 4 5 6 7 8 and 1992 more" in out


@pytest.mark.parametrize("verb", ["info", "render", "export", "bake"])
def test_an_unknown_display_is_a_name_that_does_not_exist(
    path: str, verb: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    outputs = {"render": "a.png", "export": "a.glb", "bake": "a.npz"}
    output = ["-o", str(tmp_path / outputs[verb])] if verb in outputs else []
    assert main([verb, path, "--display", "7", *output]) == 2
    assert "the model has no display 7; its displays are 20, 30, 40, 50" in capsys.readouterr().err


def test_export_writes_the_chosen_display_and_its_size(path: str, tmp_path: Path) -> None:
    for choice, scale, texture in (("20", 2.0, "MadeBlack.blp"), ("40", None, "MadeWhite.blp")):
        output = tmp_path / f"{choice}.gltf"
        assert main(["export", path, "--display", choice, "-o", str(output)]) == 0
        found = json.loads(output.read_text())
        assert found["nodes"][0].get("scale", [None])[0] == scale
        assert [each["name"] for each in found["images"]] == [texture]


def test_options_dress_the_model_before_other_parts_are_chosen(path: str) -> None:
    state = prepare([path], Options(display="40"))
    assert state.document is not None and state.document.displays.worn_id == 40
    assert state.view.display == 40


def test_the_window_dresses_the_model_itself(path: str) -> None:
    state = state_of([open_document(path)], Options())
    prepare_window(state, Options(display="40"), (64, 64))
    assert state.document is not None
    assert (state.document.displays.worn_id, state.view.display) == (20, 40)


def test_a_comparison_dresses_the_models_that_have_the_display(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, other = write_creature(tmp_path / "a"), write_creature(tmp_path / "b", {})
    states = [state for state, _ in opened([str(one), str(other)], Options(display="40"))]
    worn = [each.document.displays.worn_id for each in states if each.document]
    assert worn == [40, None]
    assert "no table of the game has displays of this model" in capsys.readouterr().err


def test_python_takes_a_number(path: str, tmp_path: Path) -> None:
    api.export(path, output=tmp_path / "a.gltf", display=40)
    assert json.loads((tmp_path / "a.gltf").read_text())["images"][0]["name"] == "MadeWhite.blp"


@pytest.mark.parametrize("verb", ["info", "check"])
def test_commands_take_the_path_of_a_display(
    path: str, verb: str, capsys: pytest.CaptureFixture[str]
) -> None:
    main([verb, f"{path}::40"])
    found = capsys.readouterr()
    assert "MadeWhite.blp" in found.out and found.err == ""


@pytest.mark.usefixtures("worker_processes")
def test_displays_of_one_model_are_written_side_by_side(path: str, tmp_path: Path) -> None:
    output = tmp_path / "out"
    assert main(["export", f"{path}::20", f"{path}::40", "-o", f"{output}/"]) == 0
    written = sorted(each.name for each in output.rglob("*.glb"))
    assert written == ["Made 20.glb", "Made 40.glb"]
