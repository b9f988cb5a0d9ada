"""`--character`, `--item` and the looks that the commands print."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import tests.wow  # noqa: F401
from tests.character_files import RACE, write_character
from tests.creature_files import write_creature
from viewer import api
from viewer.commands.cli import main
from viewer.commands.options.apply_options import prepare, prepare_window, state_of
from viewer.commands.options.given_options import Options
from viewer.families.wow.looks.look import WowLook
from viewer.scene.characters import CharacterLook
from viewer.storage.documents import open_document

FIRST = {"race": RACE, "sex": 0, "skin": 0, "face": 1, "hair": 0, "hair_color": 1, "facial_hair": 0}


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(write_character(tmp_path_factory.mktemp("game")))


def looks_of(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    assert main(["info", *arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)["looks"]


def test_info_prints_the_first_look(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = looks_of(capsys, path)
    assert found["character"] == FIRST and found["items"] == {}
    assert found["geosets"][:3] == [0, 2, 101] and found["name"] == "The Made male"
    assert found["layers"][0] | {"found": ""} == {
        "part": "skin",
        "name": "Character\\Made\\Male\\Skin0.blp",
        "found": "",
        "row": "CharSections 1",
    }


def test_info_prints_the_rows_of_textures(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["info", path, "--item", "shirt=101"]) == 0
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    first = lines.index("look of The Made male")
    assert lines[first + 1 : first + 3] == [
        "skin 0, face 1, hair 0, hair color 1, facial hair 0",
        "shirt 101",
    ]
    assert "AU Shirt_AU_U.blp ItemDisplayInfo 101 (shirt) not found" in lines


def test_a_creature_has_no_looks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    creature = str(write_creature(tmp_path))
    assert looks_of(capsys, creature) is None
    assert main(["info", creature, "--character", "random"]) == 2
    assert "the model is not a character" in capsys.readouterr().err


def test_numbers_choose_a_look(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = looks_of(capsys, path, "--character", "skin=1,hair=1", "--item", "feet=103")
    assert found["character"] == FIRST | {"skin": 1, "face": 0, "hair": 1}
    assert found["items"] == {"feet": 103}


def test_a_skin_without_faces_takes_face_0(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = looks_of(capsys, path, "--character", "skin=3,face=0")
    assert (found["character"]["skin"], found["character"]["face"]) == (3, 0)
    assert main(["info", path, "--character", "skin=3,face=1"]) == 2
    assert "has no face 1; its numbers are none" in capsys.readouterr().err


def test_a_random_look_depends_on_the_seed(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    looks = [looks_of(capsys, path, "--character", "random", "--seed", str(seed)) for seed in (3, 3, 4, 5, 6)]
    assert looks[0] == looks[1] and any(each != looks[0] for each in looks)


def test_what_info_prints_is_a_look(path: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wanted = looks_of(capsys, path, "--character", "skin=1,face=0,hair=1", "--item", "shirt=101")
    for name, content in (("look", wanted), ("info", {"file": "x", "looks": wanted})):
        file = tmp_path / f"{name}.json"
        file.write_text(json.dumps(content))
        assert looks_of(capsys, path, "--character", str(file)) == wanted


def test_a_file_has_the_composed_body_and_the_hidden_layers(
    path: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    npc = looks_of(capsys, path, "--display", "50")
    assert npc["baked"] == "Baked.blp" and npc["layers"][0]["row"] == "CreatureDisplayInfoExtra 900"
    file = tmp_path / "look.json"
    file.write_text(json.dumps(npc))
    assert looks_of(capsys, path, "--character", str(file)) == npc
    file.write_text(json.dumps(npc | {"baked": "", "hidden": ["FL:x"]}))
    found = looks_of(capsys, path, "--character", str(file))
    assert found["hidden"] == ["FL:x"] and found["layers"][0]["part"] == "skin"


@pytest.mark.parametrize("name", ["..\\..\\Skin0.blp", "a\0b", "x" * 5000])
def test_a_composed_body_that_is_no_file_is_composed(
    path: str, tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "look.json"
    file.write_text(json.dumps({"character": FIRST, "baked": name}))
    assert looks_of(capsys, path, "--character", str(file))["layers"][0]["part"] == "skin"


def test_a_file_with_an_unknown_slot_is_refused(
    path: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "look.json"
    file.write_text(json.dumps({"character": FIRST, "items": {"tail": 1}}))
    assert main(["info", path, "--character", str(file)]) == 1
    assert "the slot 'tail' does not exist" in capsys.readouterr().err


@pytest.mark.parametrize(
    "text",
    [
        *("[]", "{", "", "null", '{"looks": null}', '{"character": {"race": []}}', "[" * 9999),
        *('{"character": {"race": 5}}', '{"character": {"race": 5, "sex": 2}}'),
        *('{"character": {"race": 5, "sex": 0}, "baked": "\\ud800"}', "\xff"),
    ],
)
def test_a_file_without_a_look_is_refused(
    path: str, tmp_path: Path, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "look.json"
    file.write_text(text)
    assert main(["info", path, "--character", str(file)]) == 1
    assert "is no look of a character" in capsys.readouterr().err


def test_a_look_of_another_race_is_refused(
    path: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "look.json"
    file.write_text(json.dumps({"character": FIRST | {"race": 1}}))
    assert main(["info", path, "--character", str(file)]) == 2
    assert "the look is one of race 1, male; the model has race 5, male" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["--character", "face=7"], "the character has no face 7; its numbers are 0, 1"),
        (["--character", "nose=1"], "the keys are skin, face, hair, hair-color, facial-hair"),
        (["--character", "skin"], "is not random, a .json file or KEY=N"),
        (["--character", "skin=x"], "'x' is not a whole number"),
        (["--item", "tail=1"], "'tail=1' is not SLOT=ID; the slots are head"),
        (["--item", "head"], "is not SLOT=ID"),
    ],
)
def test_wrong_values_are_usage(
    path: str, options: list[str], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["info", path, *options]) == 2
    assert why in capsys.readouterr().err


def test_an_item_replaces_one_of_a_display(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = looks_of(capsys, path, "--display", "50", "--item", "shirt=0", "--item", "hands=104")
    assert found["items"] == {"hands": 104} and found["character"]["skin"] == 1


def test_options_dress_the_model(path: str) -> None:
    state = prepare([path], Options(character={"skin": 1}, item=(("shirt", 101),)))
    look = WowLook(RACE, 0, 1, items=(("shirt", 101),))
    assert state.document is not None and state.document.worn == look == state.view.display
    assert state.model is not None
    hidden = {number for number, each in enumerate(state.model.geometries) if not each.shown}
    assert state.view.hidden == hidden


def test_the_window_dresses_the_model_itself(path: str) -> None:
    state = state_of([open_document(path)], Options())
    prepare_window(state, Options(character={"skin": 1}), (64, 64))
    assert isinstance(state.view.display, CharacterLook) and state.view.display.skin == 1
    assert state.document is not None and state.document.worn != state.view.display


def test_python_takes_numbers_and_items(path: str, tmp_path: Path) -> None:
    api.export(path, output=tmp_path / "a.gltf", character={"skin": 1}, item={"shirt": 101})
    assert "images" in json.loads((tmp_path / "a.gltf").read_text())


def test_info_prints_all_displays_of_a_character_in_one_row(
    path: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["info", path, "--display", "51"]) == 0
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    first = lines.index("displays 3")
    assert lines[first + 2 : first + 5] == ["#0 none 1 50", "#1 none 1 51 shown", "#2 none 1 52 incomplete"]
