"""Files of a model by number: beside it, by the manifest beside it, and by the user's lists of names."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests import m2_files
from tests.m2_files import chunk, model_file, numbers, skeleton_file
from tests.opened import lost
from tests.packages import png
from viewer.commands.cli import main
from viewer.errors import Report
from viewer.families.wow.m2 import model_files
from viewer.families.wow.m2.layout.tables import chunks_of
from viewer.families.wow.m2.model_files import KEY_FILE, NO_NUMBERS, ModelFiles, file_numbers
from viewer.scene.document import Document
from viewer.scene.reading_context import ReadingContext, reading_context
from viewer.storage.documents import open_document

VIEW, KEYS, SKELETON, PICTURE = 7, 31, 99, 1234
NAMES = {
    VIEW: "creature/made/body00.skin",
    KEYS: "creature/made/talk.anim",
    SKELETON: "creature/made/shared.skel",
    PICTURE: "textures/made/fur.blp",
}
"""The names of the files in the game, by their numbers."""
DATA = {VIEW: m2_files.skin(), KEYS: bytes(64), SKELETON: skeleton_file(), PICTURE: png()}


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """A model that gives its view, its bones, the keys of EmoteTalk and its texture by number."""
    path = tmp_path / "models/Renamed.m2"
    path.parent.mkdir()
    keys = np.array([(60, 0, KEYS)], KEY_FILE).tobytes()
    numbered = (
        ("SFID", numbers(VIEW)),
        ("SKID", numbers(SKELETON)),
        ("AFID", keys),
        ("TXID", numbers(PICTURE)),
    )
    path.write_bytes(model_file(*(chunk(tag, data) for tag, data in numbered)))
    return path


def put(folder: Path, names: dict[int, str]) -> None:
    """Write the files below a folder, under these names."""
    for number, name in names.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(DATA[number])


def numbered() -> dict[int, str]:
    """The files by their numbers alone."""
    return {number: f"{number}{os.path.splitext(name)[1]}" for number, name in NAMES.items()}


def listfile(folder: Path, text: str | bytes | None = None) -> ReadingContext:
    """A context with a list of names, and with a resource folder that has the files of the game."""
    if text is None:
        text = "".join(f"{number};{name}\n" for number, name in NAMES.items())
    (folder / "names.csv").write_bytes(text.encode() if isinstance(text, str) else text)
    return reading_context(
        listfile=[str(folder / "names.csv")], resources=[str(folder / "game")], search="near"
    )


def paths(document: Document) -> dict[int, str | None]:
    """The paths of the view, the keys, the bones and the texture; None for a missing one."""
    assert document.model is not None
    found = {os.path.splitext(each.path)[1]: each.path for each in document.attached}
    talks = [each for each in document.animations if each.name == "EmoteTalk"]
    (texture,) = document.model.textures
    return {
        VIEW: found.get(".skin"),
        KEYS: next((each.source for each in talks if each.missing_file is None), None),
        SKELETON: found.get(".skel"),
        PICTURE: texture.path,
    }


def said(document: Document) -> list[str]:
    """The warnings, without that about the version of the model."""
    return [text for text in document.report.warnings if not text.startswith("version ")]


def below(folder: Path, names: dict[int, str]) -> dict[int, str | None]:
    return {number: str(folder / name) for number, name in names.items()}


def test_files_lie_beside_the_model_under_their_numbers(model: Path) -> None:
    put(model.parent, numbered())
    document = open_document(model)
    assert paths(document) == below(model.parent, numbered()) and lost(document) == []


def test_a_part_that_was_found_is_not_offered_for_a_missing_one(tmp_path: Path) -> None:
    """The file with number 5001 ends like the file of view 1."""
    (tmp_path / "Renamed.m2").write_bytes(model_file(chunk("SFID", numbers(5001, 6002)), view_count=2))
    (tmp_path / "5001.skin").write_bytes(m2_files.skin())
    needed = {each.name: each for each in open_document(tmp_path / "Renamed.m2").report.needed}
    assert needed["Renamed00.skin"].found and not needed["Renamed01.skin"].found
    assert needed["Renamed01.skin"].offered == ()


def test_without_its_files_a_model_names_what_is_missing(model: Path) -> None:
    document = open_document(model)
    assert paths(document) == dict.fromkeys(NAMES)
    assert {"Renamed.skel", "Renamed00.skin"} <= set(lost(document))
    (view,) = [each for each in document.report.needed if each.name == "Renamed00.skin"]
    assert str(model.parent / "7.skin") in view.searched


def test_the_usual_name_comes_before_the_number(model: Path) -> None:
    put(model.parent, numbered())
    put(model.parent, {VIEW: "Renamed00.skin", SKELETON: "Renamed.skel", KEYS: "Renamed0060-00.anim"})
    found = paths(open_document(model))
    assert found[VIEW] == str(model.parent / "Renamed00.skin")
    assert found[SKELETON] == str(model.parent / "Renamed.skel")
    assert found[KEYS] == str(model.parent / "Renamed0060-00.anim")


def test_a_list_gives_the_names_of_numbers(model: Path, tmp_path: Path) -> None:
    put(tmp_path / "game", NAMES)
    document = open_document(model, listfile(tmp_path))
    assert paths(document) == below(tmp_path / "game", NAMES) and lost(document) == []
    assert document.model is not None and document.model.textures[0].name == NAMES[PICTURE]
    assert paths(open_document(model)) == dict.fromkeys(NAMES), "the list is that of one context"


def test_files_with_listed_names_lie_beside_the_model(model: Path, tmp_path: Path) -> None:
    beside = {number: os.path.basename(name) for number, name in NAMES.items()}
    put(model.parent, beside)
    assert paths(open_document(model, listfile(tmp_path))) == below(model.parent, beside)


@pytest.mark.parametrize(
    "text",
    [
        "\ufeff" + "\r\n".join(f"{number};{name}" for number, name in NAMES.items()),
        "\n".join(f"{number};{name.upper()};more" for number, name in reversed(NAMES.items())),
        "# names\n77;7;other.skin\n17;wrong.skin\n" + "\n".join(f"{n}; {name} " for n, name in NAMES.items()),
        "\n".join(f"{number};{name}" for number, name in NAMES.items()).encode() + b"\n8;\xff\xfe\xc3\0\n",
    ],
    ids=[
        "a mark of UTF-8, crlf, no last line feed",
        "another order and case, more columns",
        "other lines",
        "bytes",
    ],
)
def test_lists_are_written_in_several_ways(model: Path, tmp_path: Path, text: str | bytes) -> None:
    put(tmp_path / "game", NAMES)
    assert paths(open_document(model, listfile(tmp_path, text))) == below(tmp_path / "game", NAMES)


@pytest.mark.parametrize("block", [1, 7, 64])
def test_a_long_list_is_read_once_for_all_numbers(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: int
) -> None:
    monkeypatch.setattr(model_files, "BLOCK", block)
    made: list[bytes] = []
    begin = model_files.NameList.__init__

    def counted(self: model_files.NameList, data: bytes) -> None:
        made.append(data)
        begin(self, data)

    monkeypatch.setattr(model_files.NameList, "__init__", counted)
    put(tmp_path / "game", NAMES)
    lines = [
        *(f"{number};other{number}.skin" for number in range(7)),
        *(f"{n};{x}" for n, x in NAMES.items()),
    ]
    text = "\n".join([*lines[::-1], *(f"{number};later.skin" for number in NAMES), "99999999999;no"])
    context = listfile(tmp_path, text)
    os.utime(tmp_path / "names.csv", (1_600_000_000, 1_600_000_000))
    assert paths(open_document(model, context)) == below(tmp_path / "game", NAMES)
    assert len(made) == 1


LISTS = (b"", b"\n", b"8;other.skin\n", b"7", b"7;", b";\n;\n", bytes(100), b"7;\0\n")


@pytest.mark.parametrize("text", LISTS, ids=range(len(LISTS)))
def test_a_list_without_the_number_costs_nothing(model: Path, tmp_path: Path, text: bytes) -> None:
    put(model.parent, numbered())
    document = open_document(model, listfile(tmp_path, text))
    assert paths(document) == below(model.parent, numbered()) and said(document) == []


def test_names_that_leave_the_folder_are_not_read(model: Path, tmp_path: Path) -> None:
    put(tmp_path, {VIEW: "secret.skin", SKELETON: "secret.skel"})
    text = f"{VIEW};../secret.skin\n{SKELETON};{tmp_path}/secret.skel\n"
    found = paths(open_document(model, listfile(tmp_path, text)))
    assert (found[VIEW], found[SKELETON]) == (None, None)


def test_a_changed_list_is_read_again(model: Path, tmp_path: Path) -> None:
    put(tmp_path / "game", NAMES)
    context = listfile(tmp_path, "1;a\n")
    os.utime(tmp_path / "names.csv", (1_600_000_000, 1_600_000_000))
    assert paths(open_document(model, context)) == dict.fromkeys(NAMES)
    assert paths(open_document(model, listfile(tmp_path))) == below(tmp_path / "game", NAMES)


@pytest.mark.parametrize("name", ["777.bone", "Made_01.bone", "FACE.bone"])
def test_files_of_faces_are_extracted_with_their_model(tmp_path: Path, name: str, capsys: Any) -> None:
    place = tmp_path / "game/Creature"
    place.mkdir(parents=True)
    (place / "Made.m2").write_bytes(model_file(chunk("BFID", numbers(5, 777))))
    (place / name).write_bytes(b"face")
    (tmp_path / "names.csv").write_text("777;creature/face.bone\n")
    words = ["--listfile", str(tmp_path / "names.csv"), "--with-parts", "-o", str(tmp_path / "out")]
    main(["extract", str(place / "Made.m2"), *words])
    assert [each.name for each in (tmp_path / "out").rglob("*.bone")] == [name]
    main(["info", str(place / "Made.m2")])
    assert "chunk BFID) are not read" in capsys.readouterr().out


def unreadable_list(folder: Path, kind: str) -> Path:
    path = folder / "names.csv"
    match kind:
        case "folder":
            path.mkdir()
        case "link":
            path.symlink_to(path)
        case "pipe":
            os.mkfifo(path)
    return path


@pytest.mark.skipif(os.name == "nt", reason="has no pipes in folders")
@pytest.mark.parametrize("kind", ["missing", "folder", "link", "pipe"])
def test_a_list_that_cannot_be_read_is_one_line(model: Path, tmp_path: Path, kind: str) -> None:
    put(model.parent, numbered())
    path = unreadable_list(tmp_path, kind)
    document = open_document(model, reading_context(listfile=[str(path)]))
    assert paths(document) == below(model.parent, numbered())
    (line,) = said(document)
    assert line.startswith(f"{path} gives no names of files: cannot be read: ")


def manifest(model: Path, value: Any) -> None:
    """Write a manifest beside the model: JSON, or bytes."""
    data = value if isinstance(value, bytes) else json.dumps(value).encode()
    model.with_name(f"{model.stem}.manifest.json").write_bytes(data)


def exported(names: dict[int, str]) -> dict[str, object]:
    """A manifest as wow.export writes it."""

    def file(number: int) -> dict[str, object]:
        return {"fileDataID": number, "file": names[number]}

    return {
        "fileDataID": 1,
        "skins": [file(VIEW)],
        "skeletons": [file(SKELETON)],
        "anims": [{"animID": 60, "subAnimID": 0, **file(KEYS)}],
        "textures": [file(PICTURE)],
    }


@pytest.mark.parametrize("joint", ["/", "\\"])
def test_a_manifest_beside_the_model_gives_names(model: Path, joint: str) -> None:
    put(model.parent, NAMES)
    manifest(model, exported({number: name.replace("/", joint) for number, name in NAMES.items()}))
    assert paths(open_document(model)) == below(model.parent, NAMES)


def test_a_manifest_comes_before_a_list(model: Path, tmp_path: Path) -> None:
    put(tmp_path / "game", NAMES)
    own = {number: f"own/{os.path.basename(name)}" for number, name in NAMES.items()}
    put(model.parent, own)
    manifest(model, exported(own))
    assert paths(open_document(model, listfile(tmp_path))) == below(model.parent, own)


@pytest.mark.parametrize(
    "data",
    [b"", b"{", b"\xff\xfe\x00", b'{"a":' * 5000, b"[" * 100_000, b"1" * 10_000, b'{"a": NaN,}'],
    ids=["empty", "cut", "no text", "objects", "lists", "a number", "a comma"],
)
def test_a_manifest_that_is_no_json_is_one_line(model: Path, data: bytes) -> None:
    put(model.parent, numbered())
    manifest(model, data)
    document = open_document(model)
    assert paths(document) == below(model.parent, numbered())
    assert said(document) == ["Renamed.manifest.json gives no names of files: it is no JSON"]


def nested(value: object, depth: int) -> object:
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(
    "value",
    [
        None,
        7,
        "7",
        [],
        {"fileDataID": VIEW},
        {"fileDataID": VIEW, "file": 5},
        {"fileDataID": "7", "file": "other.skin"},
        {"fileDataID": None, "file": None},
        {"fileDataID": VIEW, "file": ""},
        {"fileDataID": VIEW, "file": "../secret.skin"},
        {"fileDataID": VIEW, "file": "\ud800\0.skin"},
        {"fileDataID": 1 << 80, "file": "other.skin"},
        nested({"fileDataID": VIEW, "file": "other.skin"}, 500),
    ],
)
def test_a_manifest_without_the_file_costs_nothing(model: Path, value: object) -> None:
    put(model.parent, numbered())
    put(model.parent, {VIEW: "other.skin"})
    put(model.parent.parent, {VIEW: "secret.skin"})
    manifest(model, value)
    document = open_document(model)
    assert paths(document) == below(model.parent, numbered()) and said(document) == []


def test_the_numbers_of_sequences_may_be_in_the_skeleton(tmp_path: Path) -> None:
    path = tmp_path / "Made.m2"
    path.write_bytes(model_file(chunk("SKID", numbers(SKELETON)), chunk("TXID", numbers(PICTURE))))
    keys = chunk("AFID", np.array([(60, 0, KEYS)], KEY_FILE).tobytes())
    put(tmp_path, numbered())
    (tmp_path / "99.skel").write_bytes(skeleton_file() + keys)
    assert paths(open_document(path))[KEYS] == str(tmp_path / "31.anim")


@pytest.mark.parametrize("size", range(0, 17, 3))
def test_chunks_that_end_inside_a_number_give_the_whole_ones(size: int) -> None:
    for tag in ("SFID", "AFID", "SKID"):
        data = chunk("MD21", bytes(8)) + chunk(tag, numbers(1, 2, 3, 4)[:size])
        found = file_numbers(data, chunks_of(data, Report()))
        assert len(found.views) == (size // 4 if tag == "SFID" else 0)
        assert len(found.keys) == (size // 8 if tag == "AFID" else 0)
        assert found.skeleton == (1 if tag == "SKID" and size >= 4 else 0)


def test_a_file_without_a_number_is_searched_by_its_name_alone(tmp_path: Path) -> None:
    (tmp_path / "0.skin").write_bytes(b"")
    files = ModelFiles(tmp_path / "Made.m2", listfile(tmp_path, "0;0.skin\n"), Report(), NO_NUMBERS)
    assert files.part("Made00.skin", 0).searched == (str(tmp_path / "Made00.skin"),)


def test_the_command_line_takes_lists(
    model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    put(tmp_path / "game", NAMES)
    listfile(tmp_path)
    words = ["info", str(model), "--json", "--resources", str(tmp_path / "game")]
    assert main([*words, "--listfile", str(tmp_path / "names.csv")]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [each["found"] for each in found["textures"]] == [str(tmp_path / "game" / NAMES[PICTURE])]
    main(words)
    assert json.loads(capsys.readouterr().out)["textures"][0]["found"] is None
