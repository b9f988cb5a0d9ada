"""The folder of a World of Warcraft client as one place with many archives."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.fuzzing import m2_sample_files as m2
from viewer.app.checking import is_unverified
from viewer.check.checking import check
from viewer.commands.cli import main
from viewer.errors import ResourceError
from viewer.families.wow.mpq import files as mpq_files
from viewer.families.wow.mpq.client import client_layout
from viewer.families.wow.mpq.layout import DELETED
from viewer.families.wow.mpq.writer import MpqFile, mpq_bytes
from viewer.library.file_sources import source_files
from viewer.scene.package import Package
from viewer.scene.reading_context import DEFAULT, reading_context
from viewer.session.preferences import Preferences
from viewer.session.reading import ReadingChoices
from viewer.storage.documents import open_document
from viewer.storage.package_path import open_package, read_path
from viewer.storage.place import Place, layout_of

SKIN = "Creature\\Bear\\Skin.blp"


def client(folder: Path, archives: dict[str, list[tuple[str, bytes] | MpqFile]]) -> Path:
    """Write archives below `folder`/Data, and return `folder`."""
    for name, files in archives.items():
        path = folder / "Data" / f"{name}.MPQ"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(mpq_bytes(files))
    return folder


@pytest.fixture
def patched(tmp_path: Path) -> Path:
    """A client 3.3.5 in which four patches have a skin each of one creature."""
    names = ("common-2", "patch", "patch-3", "patch-10", "enUS/patch-enUS-3")
    return client(tmp_path / "WoW", {name: [(SKIN, name.encode())] for name in names})


def listing(game: Path, capsys: pytest.CaptureFixture[str], *more: str) -> dict[str, object]:
    assert main(["list", str(game), "--json", *more]) == 0
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


def test_the_last_patch_hides_the_others_and_one_is_not_loaded(
    patched: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = listing(patched, capsys)
    (entry,) = found["entries"]  # type: ignore[misc]
    assert entry["name"] == "Creature/Bear/Skin.blp" and entry["archive"] == "patch-3.MPQ"
    assert entry["hides"] == ["enUS/patch-enUS-3.MPQ", "patch.MPQ", "common-2.MPQ"]
    sources = {os.path.basename(each["path"]): each for each in found["sources"]}  # type: ignore[attr-defined]
    assert sources["patch-10.MPQ"]["loaded"] is False and sources["patch-10.MPQ"]["order"] is None
    assert "only patches with one character after patch-" in sources["patch-10.MPQ"]["why"]
    assert sources["patch-3.MPQ"]["order"] > sources["patch-enUS-3.MPQ"]["order"]
    assert read_path(f"{patched}::creature\\bear\\skin.BLP", DEFAULT)[1] == b"patch-3"
    assert read_path(f"{patched / 'Data'}::{SKIN}", DEFAULT)[1] == b"patch-3"


def test_the_text_of_info_lists_the_sources(patched: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["info", str(patched)])
    text = capsys.readouterr().out
    assert "World of Warcraft 3.3.5, enUS" in text and "not loaded: the client 3.3.5 loads only" in text
    assert text.index("common-2.MPQ") < text.index("patch.MPQ") < text.index("patch-3.MPQ")


def test_info_of_a_file_names_its_archive_and_those_that_it_hides(
    patched: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (patched / "Data/common-2.MPQ").write_bytes(mpq_bytes([(SKIN, b"")]))
    (patched / "Data/patch-3.MPQ").write_bytes(mpq_bytes([(SKIN, next(iter(m2.textures().values())))]))
    path = f"{patched}::{SKIN}"
    assert main(["info", path]) == 0
    hidden = ["enUS/patch-enUS-3.MPQ", "patch.MPQ", "common-2.MPQ"]
    assert f"  from patch-3.MPQ, hides the file in {', '.join(hidden)}\n" in capsys.readouterr().out
    assert main(["info", path, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["archive"], found["hides"]) == ("patch-3.MPQ", hidden)
    main(["info", str(patched)])
    assert "0 bytes" not in capsys.readouterr().out


def test_an_order_of_its_own_decides(
    patched: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    order = tmp_path / "order.txt"
    order.write_text("patch-3.mpq\nData\\PATCH-10.MPQ\n")
    found = listing(patched, capsys, "--archive-order", str(order))
    (entry,) = found["entries"]  # type: ignore[misc]
    assert (entry["archive"], entry["hides"]) == ("patch-10.MPQ", ["patch-3.MPQ"])
    left = {each["why"] for each in found["sources"] if not each["loaded"]}  # type: ignore[attr-defined]
    assert left == {"order.txt does not list it"}
    assert main(["list", str(patched), "--archive-order", str(tmp_path / "none")]) == 2


@pytest.mark.parametrize(
    ("names", "version"),
    [
        (("dbc", "model", "patch"), "1.12"),
        (("common", "expansion", "enUS/locale-enUS"), "2.4.3"),
        (("common", "expansion", "lichking", "deDE/locale-deDE"), "3.3.5, deDE"),
    ],
)
def test_the_version_follows_from_the_archives(tmp_path: Path, names: tuple[str, ...], version: str) -> None:
    layout = layout_of(str(client(tmp_path, {name: [] for name in names})))
    assert layout is not None and version in layout.game
    layout = layout_of(str(tmp_path), reading_context(client="2.4.3"))
    assert layout is not None and "2.4.3" in layout.game


def test_the_command_line_overrides_the_settings(patched: Path, tmp_path: Path) -> None:
    (tmp_path / "order.txt").write_text("patch.mpq\npatch-10.mpq\n")
    preferences = Preferences(client="2.4.3", archive_order=str(tmp_path / "order.txt"))
    choices = ReadingChoices()
    layout = layout_of(str(patched), choices.context(preferences))
    assert layout is not None and "2.4.3" in layout.game
    assert [each.name for each in layout.sources if each.loaded] == ["patch.MPQ", "patch-10.MPQ"]
    (tmp_path / "other.txt").write_text("patch-3.mpq\n")
    choices.given = {"client": "3.3.5", "archive_order": str(tmp_path / "other.txt")}
    layout = layout_of(str(patched), choices.context(preferences))
    assert layout is not None and "3.3.5" in layout.game
    assert [each.name for each in layout.sources if each.loaded] == ["patch-3.MPQ"]


def test_the_order_of_the_first_client(tmp_path: Path) -> None:
    client(tmp_path, {name: [] for name in ("patch-2", "patch-A", "patch", "model", "dbc", "base", "enUS/x")})
    layout = client_layout(str(tmp_path), DEFAULT)
    assert layout is not None
    loaded = [each.name for each in layout.sources if each.loaded]
    assert loaded == ["dbc.MPQ", "model.MPQ", "patch.MPQ", "patch-2.MPQ", "patch-A.MPQ"]
    layout = client_layout(str(tmp_path), reading_context(client="1.12"))
    assert layout is not None
    left = {each.name: each.why for each in layout.sources if not each.loaded}
    assert left["base.MPQ"] == "the client 1.12 loads no archive of this name"
    assert "no folders of languages" in left["enUS/x.MPQ"]


def test_the_configuration_chooses_the_language(tmp_path: Path) -> None:
    names = ("lichking", "deDE/locale-deDE", "enUS/locale-enUS")
    client(tmp_path, {name: [("x.txt", name.encode())] for name in names})
    assert read_path(f"{tmp_path}::x.txt", DEFAULT)[1] == b"lichking"
    (tmp_path / "WTF").mkdir()
    (tmp_path / "WTF/Config.wtf").write_text('SET readTOS "1"\nSET locale "enUS"\n')
    layout = layout_of(str(tmp_path))
    assert layout is not None and layout.game.endswith("enUS")
    assert "belongs to the language deDE" in next(e.why for e in layout.sources if e.name.startswith("deDE"))


def test_a_deletion_marker_hides_the_file_of_an_earlier_archive(tmp_path: Path) -> None:
    gone = MpqFile("b.txt", b"", flags=DELETED)
    client(tmp_path, {"model": [("a.txt", b"a"), ("b.txt", b"b")], "patch": [gone]})
    place = open_package(str(tmp_path), DEFAULT)
    assert isinstance(place, Place)
    assert list(place.names(deep=True)) == ["a.txt"] and place.find("b.txt") is None
    with pytest.raises(ResourceError):
        read_path(f"{tmp_path}::b.txt", DEFAULT)


def test_the_sources_of_a_file_are_asked_without_a_list_of_all_files(patched: Path, tmp_path: Path) -> None:
    place = open_package(str(patched), DEFAULT)
    assert isinstance(place, Place)
    names = [each.name for each in place.having("creature/bear/SKIN.blp")]
    assert names == ["patch-3.MPQ", "enUS/patch-enUS-3.MPQ", "patch.MPQ", "common-2.MPQ"]
    assert place.having("none.blp") == () and "_known" not in vars(place)


def test_a_deletion_marker_ends_the_sources_of_a_file(tmp_path: Path) -> None:
    files: dict[str, list[tuple[str, bytes] | MpqFile]] = {"model": [("a.txt", b"a")]}
    client(tmp_path, files | {"patch": [MpqFile("a.txt", b"", DELETED)], "patch-2": [("a.txt", b"b")]})
    place = open_package(str(tmp_path), DEFAULT)
    assert isinstance(place, Place)
    assert [each.name for each in place.having("a.txt")] == ["patch-2.MPQ"]


def test_deletion_markers_of_several_archives_hide_a_file(tmp_path: Path) -> None:
    gone: list[tuple[str, bytes] | MpqFile] = [MpqFile("a.txt", b"", DELETED)]
    old: list[tuple[str, bytes] | MpqFile] = [("a.txt", b"old")]
    client(
        tmp_path,
        {"model": old, "texture": old, "patch": gone, "patch-2": gone, "patch-3": [("a.txt", b"new")]},
    )
    place = open_package(str(tmp_path), DEFAULT)
    assert isinstance(place, Place)
    assert list(place.names(deep=True)) == ["a.txt"] and place.hidden("a.txt") == ()
    assert place.read("a.txt") == b"new"


def test_opening_a_client_reads_no_list_of_names(patched: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[bytes] = []
    monkeypatch.setattr(mpq_files, "listed_names", lambda data: read.append(data) or [])
    place = open_package(str(patched), DEFAULT)
    assert isinstance(place, Place) and place.find("none.blp") is None and not read


def test_listed_archives_are_forgotten_until_a_file_is_read(patched: Path) -> None:
    place = open_package(str(patched), DEFAULT)
    assert isinstance(place, Place) and len(list(place.names(deep=True))) == 1
    sources = [place.source(number) for number in range(len(place.loaded))]
    assert not any("files" in vars(source) for source in sources)
    assert place.read(SKIN) == b"patch-3"
    assert [source for source in sources if "files" in vars(source)] == sources[:1]


def test_an_archive_that_cannot_be_read_costs_no_other(tmp_path: Path) -> None:
    client(tmp_path, {"model": [("a.txt", b"a")]})
    (tmp_path / "Data/patch.MPQ").write_text("version https://git-lfs.github.com/spec/v1")
    document = open_document(tmp_path)
    assert isinstance(document.content, Package) and document.content.names == ["a.txt"]
    assert document.report.notes == ["patch.MPQ is not loaded: the archive cannot be read"]


def test_ignored_patches_are_told_from_other_archives(tmp_path: Path) -> None:
    client(tmp_path, {"common-2": [("a.txt", b"a")], "patch-10": [("a.txt", b"b")], "mine": []})
    content = open_document(tmp_path).content
    assert isinstance(content, Package)
    assert [each.name for each in content.ignored_patches] == ["patch-10.MPQ"]
    assert [each.name for each in content.sources if not each.loaded] == ["mine.MPQ", "patch-10.MPQ"]


def test_two_archives_whose_names_differ_in_case_are_one(tmp_path: Path) -> None:
    client(tmp_path, {"model": [("a.txt", b"a")], "MODEL": [("a.txt", b"b")]})
    layout = layout_of(str(tmp_path))
    assert layout is not None and [each.loaded for each in layout.sources] == [True, False]
    assert layout.sources[1].why == "its name differs from MODEL.MPQ only in case"


def test_an_archive_that_is_a_folder_is_a_source(tmp_path: Path) -> None:
    client(tmp_path, {"model": [("Creature\\a.txt", b"a")]})
    (tmp_path / "Data/patch-A.MPQ/Creature").mkdir(parents=True)
    (tmp_path / "Data/patch-A.MPQ/Creature/A.txt").write_bytes(b"loose")
    assert read_path(f"{tmp_path}::creature/a.txt", DEFAULT)[1] == b"loose"


def test_a_changed_archive_is_read_again(tmp_path: Path) -> None:
    client(tmp_path, {"model": [("a.txt", b"a")]})
    assert read_path(f"{tmp_path}::a.txt", DEFAULT)[1] == b"a"
    client(tmp_path, {"model": [("a.txt", b"changed")]})
    assert read_path(f"{tmp_path}::a.txt", DEFAULT)[1] == b"changed"
    client(tmp_path, {"patch": [("a.txt", b"patched")]})
    assert read_path(f"{tmp_path}::a.txt", DEFAULT)[1] == b"patched"


def test_other_folders_are_no_games(tmp_path: Path) -> None:
    (tmp_path / "Data").mkdir()
    (tmp_path / "Data/mine.mpq").write_bytes(mpq_bytes([]))
    assert layout_of(str(tmp_path)) is None and layout_of(str(tmp_path / "Data")) is None


def test_the_files_of_a_game_are_listed_for_batches(patched: Path) -> None:
    (found,) = source_files([str(patched)], (".blp",), lambda failed: None, DEFAULT)
    assert found.path == f"{patched}::Creature/Bear/Skin.blp" and found.root == str(patched)
    assert found.size == len(b"patch-3") and found.modified > 0


def test_a_model_of_a_game_takes_its_texture_from_the_last_archive(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name, model = next(iter(m2.models().items()))
    files = [(f"Creature\\Bear\\{texture}", data) for texture, data in m2.textures().items()]
    client(tmp_path, {"model": [(f"Creature\\Bear\\{name}", model), *files], "patch": [*files]})
    main(["info", f"{tmp_path}::Creature\\Bear\\{name}", "--json"])
    found = [each["found"] for each in json.loads(capsys.readouterr().out)["textures"] if each["name"]]
    assert found and all(str(each).startswith(f"{tmp_path}::Creature/Bear/") for each in found)


def test_a_game_is_extracted(patched: Path, tmp_path: Path) -> None:
    assert main(["extract", str(patched), "creature/*", "-o", str(tmp_path / "out")]) == 0
    assert (tmp_path / "out/Creature/Bear/Skin.blp").read_bytes() == b"patch-3"


def test_a_loose_model_takes_its_texture_from_a_client_that_the_user_names(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name, model = next(iter(m2.models().items()))
    files = [(f"Creature\\Bear\\{texture}", data) for texture, data in m2.textures().items()]
    game = client(tmp_path / "WoW", {"model": [*files]})
    (tmp_path / "loose").mkdir()
    (tmp_path / "loose" / name).write_bytes(model)
    main(["info", str(tmp_path / "loose" / name), "--json", "--resources", str(game)])
    found = [each["found"] for each in json.loads(capsys.readouterr().out)["textures"] if each["name"]]
    assert f"{game}::Creature/Bear/Skin.blp" in found


def test_the_check_of_a_game_reads_none_of_its_files(patched: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    document = open_document(patched)
    monkeypatch.setattr(Place, "read", lambda *args: pytest.fail("a file is read"))
    assert {each.rule for each in check(document)} <= {"file/oddity"}
    assert not is_unverified(document)
