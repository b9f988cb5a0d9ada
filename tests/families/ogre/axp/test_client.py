"""The folder of a client of 天龙八部 as one place, and models that find their files in sibling archives."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.fuzzing import ogre_sample_files as ogre
from tests.fuzzing.axp_sample_files import small_axp
from viewer.commands.cli import main
from viewer.scene.needs import needs_of
from viewer.scene.package import Package
from viewer.scene.reading_context import DEFAULT, ReadingContext, reading_context
from viewer.storage.documents import open_document
from viewer.storage.package_path import open_package, read_path
from viewer.storage.place import Place, layout_of

MESH, PICTURE = ogre.square().values()
SCRIPT = next(iter(ogre.scripts().values()))
Files = dict[str, bytes]


def client(folder: Path, archives: dict[str, Files], listing: str = "") -> Path:
    """Write archives below `folder`/Data and the configuration, and return `folder`. A name that ends with
    `/` is a folder.
    """
    for name, files in archives.items():
        path = folder / "Data" / f"{name.rstrip('/')}.axp"
        if name.endswith("/"):
            for inner, data in files.items():
                (path / inner).parent.mkdir(parents=True, exist_ok=True)
                (path / inner).write_bytes(data)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(small_axp(files))
    if listing:
        (folder / "Bin").mkdir()
        lines = (
            f"{'File' if each.endswith('/') else 'AxpFile'}System=../Data/{each.rstrip('/')}.axp\r\n"
            for each in listing.split()
        )
        (folder / "Bin/FairyResources.cfg").write_bytes("[General]\r\n{}".format("".join(lines)).encode())
    return folder


MODELS: dict[str, Files] = {
    "Model": {"Monster/square.mesh": MESH},
    "Material": {"scripts/all.material": SCRIPT, "texture/Picture.png": PICTURE},
}


def textures(path: object, capsys: pytest.CaptureFixture[str], *more: str) -> set[str]:
    """Where the pictures of a model were found."""
    main(["info", str(path), "--json", *more])
    return {str(each["found"]) for each in json.loads(capsys.readouterr().out)["textures"]}


def loaded(folder: Path, context: ReadingContext = DEFAULT) -> list[str]:
    """The loaded archives of a game in their order."""
    layout = layout_of(str(folder), context)
    assert layout is not None
    return [each.name for each in layout.sources if each.loaded]


@pytest.mark.parametrize("inner", ["", "Data"])
def test_a_mesh_finds_its_material_and_picture_in_sibling_archives(
    tmp_path: Path, inner: str, capsys: pytest.CaptureFixture[str]
) -> None:
    game = client(tmp_path, MODELS) / inner
    assert textures(f"{game}::monster/SQUARE.mesh", capsys) == {f"{game}::texture/Picture.png"}


def test_a_mesh_in_an_archive_finds_the_archives_beside_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    client(tmp_path, MODELS)
    found = textures(tmp_path / "Data/Model.axp::Monster/square.mesh", capsys)
    assert found == {f"{tmp_path}/Data::texture/Picture.png"}


def test_a_mesh_in_a_folder_with_the_name_of_an_archive_finds_the_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    client(tmp_path, {"Model1/": MODELS["Model"], "Material": MODELS["Material"]})
    found = textures(tmp_path / "Data/Model1.axp/Monster/square.mesh", capsys)
    assert found == {f"{tmp_path}/Data::texture/Picture.png"}


def test_a_mesh_in_a_lone_archive_finds_the_files_in_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine.axp").write_bytes(small_axp(MODELS["Model"] | MODELS["Material"]))
    found = textures(tmp_path / "mine.axp::Monster/square.mesh", capsys)
    assert found == {f"{tmp_path}/mine.axp::texture/Picture.png"}


def test_a_picture_in_the_folder_of_the_mesh_comes_first(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = {"Model": MODELS["Model"] | {"Monster/Picture.png": PICTURE}, "Material": MODELS["Material"]}
    client(tmp_path, own)
    assert textures(f"{tmp_path}::Monster/square.mesh", capsys) == {f"{tmp_path}::Monster/Picture.png"}


def test_a_material_without_a_script_has_the_picture_of_its_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    client(tmp_path, {"Model": MODELS["Model"], "Material": {"texture/jpg_Stone.dds": PICTURE}})
    assert textures(f"{tmp_path}::Monster/square.mesh", capsys) == {f"{tmp_path}::texture/jpg_Stone.dds"}
    (need,) = needs_of(open_document(f"{tmp_path}::Monster/square.mesh"))
    assert need.text == "material stone is missing; Rigscope draws jpg_Stone.dds (guessed)"


@pytest.mark.parametrize("given", ["", "Data/Material.axp", "Bin/FairyResources.cfg"])
def test_a_loose_mesh_takes_the_files_of_a_given_client(
    tmp_path: Path, given: str, capsys: pytest.CaptureFixture[str]
) -> None:
    game = client(tmp_path / "game", MODELS, "Model Material")
    (tmp_path / "square.mesh").write_bytes(MESH)
    found = textures(tmp_path / "square.mesh", capsys, "--resources", str(game / given))
    assert [each.endswith("::texture/Picture.png") for each in found] == [True]


def test_the_configuration_gives_the_archives_and_their_order(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    archives = {name: {"a.txt": name.encode()} for name in ("All", "Update", "Mine", "Effect", "model1/")}
    game = client(tmp_path, archives, "Mine Update/ All Model1/ Config/")
    assert main(["list", str(game), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    states = {Path(each["path"]).name: each["why"] for each in found["sources"]}
    assert [name for name, why in states.items() if why is None] == [
        *("Mine.axp", "Update.axp", "All.axp", "model1.axp")
    ]
    assert states["Effect.axp"] == "FairyResources.cfg does not list it"
    assert states["Config.axp"] == "FairyResources.cfg lists it, but it does not exist"
    (entry,) = found["entries"]
    assert (entry["archive"], entry["hides"]) == ("model1.axp", ["All.axp", "Update.axp", "Mine.axp"])
    assert read_path(f"{game}::A.txt", DEFAULT)[1] == b"model1/"


def test_without_a_configuration_the_update_and_numbers_come_last(tmp_path: Path) -> None:
    client(tmp_path, {name: {} for name in ("Update", "Model1", "Model", "Sound", "Zebra", "Update1")})
    assert loaded(tmp_path) == [
        *("Model.axp", "Sound.axp", "Zebra.axp", "Update.axp", "Model1.axp", "Update1.axp")
    ]


def test_the_users_order_decides(tmp_path: Path) -> None:
    client(tmp_path, {"All": {}, "Model": {}, "Mine": {}}, "All Model")
    (tmp_path / "order.txt").write_text("Data\\mine.axp\nALL.axp\n")
    given = reading_context(archive_order=str(tmp_path / "order.txt"))
    assert loaded(tmp_path, given) == ["Mine.axp", "All.axp"]


def test_a_configuration_makes_a_folder_with_any_archive_a_game(tmp_path: Path) -> None:
    assert layout_of(str(client(tmp_path, {"Mine": {}}))) is None
    client(tmp_path, {}, "Mine")
    assert loaded(tmp_path) == ["Mine.axp"] == loaded(tmp_path / "Data")


def test_archives_whose_names_differ_in_case_are_one(tmp_path: Path) -> None:
    client(tmp_path, {"Model": {}, "MODEL": {}})
    assert loaded(tmp_path) == ["MODEL.axp"]


def test_an_archive_that_cannot_be_read_costs_no_other(tmp_path: Path) -> None:
    game = client(tmp_path, {"Model": {"a.txt": b"a"}})
    (game / "Data/All.axp").write_text("version https://git-lfs.github.com/spec/v1\nsize 9\n")
    document = open_document(game)
    assert isinstance(document.content, Package) and document.content.names == ["a.txt"]
    assert document.report.notes == ["All.axp is not loaded: the archive cannot be read"]
    assert isinstance(open_package(str(game), DEFAULT), Place) and document.format == "game 天龙八部 (TLBB)"


def test_models_of_a_game_are_found_by_a_query(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    client(tmp_path / "game", MODELS)
    assert main(["find", str(tmp_path / "game"), "vertices>1"]) == 0
    assert capsys.readouterr().out.strip() == f"{tmp_path}/game::Monster/square.mesh"


def test_the_real_configuration_lists_the_archives_that_are_missing(corpus: Path) -> None:
    layout = layout_of(str(next((corpus / "archives/axp").iterdir())))
    assert layout is not None and [each.name for each in layout.sources if each.loaded] == ["Update.axp"]
    assert len(layout.sources) == 12
