"""The folders of Urho3D and OGRE programs as places with many sources, whose files lie open on the disk."""

from __future__ import annotations

import json
import os
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.packages import write_package
from viewer.app.open_files.model_files import open_path
from viewer.commands.cli import main
from viewer.errors import FormatError, ResourceError
from viewer.library.file_sources import source_files
from viewer.scene.package import Package
from viewer.scene.reading_context import DEFAULT
from viewer.storage.documents import open_document
from viewer.storage.package_path import read_path
from viewer.storage.place import is_game, layout_of


def files(folder: Path, *names: str) -> Path:
    """Write files, each with its own name as content."""
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name)
    return folder


def listing(folder: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, tuple[str, list[str]]]:
    """The files of a place, each with its source and the sources that it hides."""
    assert main(["list", str(folder), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["entries"]
    return {each["name"]: (each["archive"], each["hides"]) for each in found}


@pytest.fixture
def urho3d(tmp_path: Path) -> Path:
    """A program with a mod in `Autoload`."""
    return files(tmp_path, "Data/a.txt", "Data/b.txt", "CoreData/b.txt", "Autoload/Mod/a.txt", "notes.txt")


def test_the_roots_of_urho3d_hide_each_other_in_the_engines_order(
    urho3d: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert listing(urho3d, capsys) == {"a.txt": ("Autoload/Mod", ["Data"]), "b.txt": ("Data", ["CoreData"])}
    assert read_path(f"{urho3d}::A.txt", DEFAULT)[1] == b"Autoload/Mod/a.txt"
    with pytest.raises(ResourceError):
        read_path(f"{urho3d}::notes.txt", DEFAULT)
    main(["info", str(urho3d)])
    assert "Urho3D program, 3 sources" in capsys.readouterr().out


def test_the_engine_loads_a_package_instead_of_its_folder(tmp_path: Path) -> None:
    write_package(files(tmp_path, "Data/old.txt", "Autoload/Mod/a.txt"), files=[("a.txt", b"packed")])
    layout = layout_of(str(tmp_path))
    assert layout is not None
    assert [each.name for each in layout.sources if each.loaded] == ["Autoload/Mod", "Data.pak"]
    assert layout.sources[-1].why == "the engine loads Data.pak instead"
    assert read_path(f"{tmp_path}::a.txt", DEFAULT)[1] == b"packed"


def test_a_folder_with_data_alone_is_no_program(tmp_path: Path) -> None:
    assert layout_of(str(files(tmp_path, "Data/a.txt"))) is None
    with pytest.raises(FormatError, match="Is a directory"):
        open_document(tmp_path)


def test_lists_of_a_program_have_all_files_below_its_folder(urho3d: Path) -> None:
    assert not is_game(str(urho3d))
    found = source_files([str(urho3d)], (".txt",), lambda failed: None, DEFAULT)
    assert len([each for each in found if each.path.startswith(f"{urho3d}/")]) == 5
    with pytest.raises(FormatError):
        open_path(str(urho3d), DEFAULT)  # as a folder, which has no file that opens


def test_the_locations_of_an_ogre_program_are_sources(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files(tmp_path, "media/a.material", "media/deep/b.material", "more/a.material")
    with ZipFile(tmp_path / "media/pack.zip", "w") as packed:
        packed.writestr("inner/c.material", "packed")
    (tmp_path / "media/broken.zip").write_text("no zip archive")
    lines = ("FileSystem=../media", "Zip=../media/pack.zip", "Zip=../media/broken.zip", "FileSystem=../more")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/resources.cfg").write_text("\n".join(("[General]", *lines, "FileSystem=../none")))
    found = listing(tmp_path, capsys)
    assert {name: each for name, each in found.items() if name.endswith(".material")} == {
        "a.material": ("more", ["media"]),
        "inner/c.material": ("media/pack.zip", []),
    }
    assert read_path(f"{tmp_path}::inner/c.material", DEFAULT)[1] == b"packed"
    with pytest.raises(ResourceError):
        read_path(f"{tmp_path}::deep/b.material", DEFAULT)
    document = open_document(tmp_path)
    assert isinstance(document.content, Package) and document.format == "OGRE program"
    assert document.report.notes == [
        "media/broken.zip is not loaded: the archive cannot be read",
        "../none is not loaded: resources.cfg lists it, but it does not exist",
    ]


def test_whether_a_folder_is_a_game_is_asked_once_until_it_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files(tmp_path, "Data/a.txt")
    asked: list[str] = []
    monkeypatch.setattr(
        "viewer.family.registry.recognisers", lambda names: [lambda path, context: asked.append(path)]
    )
    assert not is_game(str(tmp_path)) and not is_game(str(tmp_path))
    assert len(asked) == 1
    (tmp_path / "Data/Model.axp").write_bytes(b"")
    os.utime(tmp_path / "Data", ns=(1, 1))  # the clock of the file system may be coarse
    assert not is_game(str(tmp_path)) and len(asked) == 2
