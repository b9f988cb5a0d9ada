"""A model with the files that it uses opens alone."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests import m2_files
from tests.creature_files import creature_tables, write_creature, write_tables
from tests.families.wow.mpq.test_client import client
from tests.ogre_files import rich_mesh
from tests.ogre_skeletons import rich_skeleton
from tests.packages import POST, write_package
from viewer.commands.cli import main
from viewer.families.ogre.versions import MeshVersion
from viewer.storage.documents import open_document
from viewer.storage.image import save_png


def extracted(folder: Path, *arguments: str) -> set[str]:
    """The files that `extract --with-parts` writes."""
    assert main(["extract", *arguments, "-o", str(folder), "--with-parts"]) == 0
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


CREATURE = {
    "Creature/Made/Made.m2",
    "Creature/Made/MadeBlack.blp",
    "Creature/Made/MadeWhite.blp",
    "Creature/Made/MadeEyes.blp",
    "DBFilesClient/CreatureModelData.dbc",
    "DBFilesClient/CreatureDisplayInfo.dbc",
}


def test_a_creature_takes_the_skins_of_all_displays_and_the_tables(tmp_path: Path) -> None:
    path = write_creature(tmp_path / "game")
    (path.parent / "Stranger.blp").write_bytes((path.parent / "MadeBlack.blp").read_bytes())
    assert extracted(tmp_path / "out", str(path)) == CREATURE


def test_what_was_written_opens_as_before(tmp_path: Path) -> None:
    path = write_creature(tmp_path / "game")
    extracted(tmp_path / "out", str(path))
    before, after = open_document(path), open_document(tmp_path / "out/Creature/Made/Made.m2")
    assert after.displays.worn == before.displays.worn
    assert [each.complete for each in after.displays.listed] == [
        each.complete for each in before.displays.listed
    ]


def test_tables_from_elsewhere_come_beside_the_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_creature(tmp_path / "game", {})
    write_tables(tmp_path / "far/away", creature_tables())
    found = extracted(tmp_path / "out", str(path), "--resources", str(tmp_path / "far/away"))
    assert found == CREATURE


def test_a_creature_of_a_game_is_taken_out_of_its_archives(tmp_path: Path) -> None:
    made = write_creature(tmp_path / "made").parent
    skins = [(f"Creature\\Made\\{each.name}", each.read_bytes()) for each in made.iterdir()]
    tables = [(f"DBFilesClient\\{name}", data) for name, data in creature_tables().items()]
    game = client(tmp_path / "WoW", {"common-2": skins, "patch": tables, "patch-3": skins[:1]})
    assert extracted(tmp_path / "out", str(game), "Creature/Made/Made.m2") == CREATURE
    assert extracted(tmp_path / "more", f"{game}::Creature/Made/Made.m2") == CREATURE


def test_views_and_keys_come_with_a_model(tmp_path: Path) -> None:
    path = write_creature(tmp_path / "game", generation=m2_files.WRATH)
    found = extracted(tmp_path / "out", str(path))
    assert "Creature/Made/Made00.skin" in found


def test_a_model_of_a_package_comes_with_its_material(tmp_path: Path) -> None:
    package = write_package(tmp_path)
    found = extracted(tmp_path / "out", str(package), POST)
    assert POST in found
    assert len(found) > 1
    assert open_document(tmp_path / "out" / POST).model.textures[0].path  # type: ignore[union-attr]


def test_files_on_the_disk_keep_their_places_to_each_other(tmp_path: Path) -> None:
    media = tmp_path / "media"
    for name, data in {
        "models/a.mesh": rich_mesh(MeshVersion.V1_100),
        "models/bones.skeleton": rich_skeleton(),
        "materials/a.material": b"material stone { technique { pass { texture_unit {\ntexture s.png\n} } } }",
        "models/other.mesh": b"not used",
    }.items():
        (media / name).parent.mkdir(parents=True, exist_ok=True)
        (media / name).write_bytes(data)
    save_png(media / "materials/s.png", np.zeros((1, 1, 4), np.uint8))
    assert extracted(tmp_path / "out", str(media / "models/a.mesh")) == {
        "models/a.mesh",
        "models/bones.skeleton",
        "materials/a.material",
        "materials/s.png",
    }


def test_existing_files_stay_without_force(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write_creature(tmp_path / "game")
    out = tmp_path / "out"
    extracted(out, str(path))
    (out / "Creature/Made/MadeBlack.blp").write_bytes(b"mine")
    capsys.readouterr()
    arguments = ["extract", str(path), "-o", str(out), "--with-parts"]
    assert main(arguments) == 2
    assert (out / "Creature/Made/MadeBlack.blp").read_bytes() == b"mine"
    assert f"0 of 6 files written to {out}\n" in capsys.readouterr().out
    assert main([*arguments, "--force"]) == 0
    assert (out / "Creature/Made/MadeBlack.blp").read_bytes() != b"mine"


def test_a_package_needs_the_name_of_a_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    package = str(write_package(tmp_path))
    assert main(["extract", package, "-o", str(tmp_path / "out"), "--with-parts"]) == 2
    assert "--with-parts needs the NAME of a model" in capsys.readouterr().err
