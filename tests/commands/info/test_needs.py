"""What `info` says of the files that a model needs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests import m2_files
from tests.ogre_files import NEWEST, rich_mesh
from tests.packages import png
from tests.synthetic import model_bytes
from viewer.commands.cli import main

KEYS = (
    *("kind", "name", "items", "required", "state", "found", "by", "how", "help", "searched"),
    *("offered", "why", "rule", "effect"),
)


def told(capsys: pytest.CaptureFixture[str], *words: object) -> dict[str, Any]:
    """The JSON of a file."""
    main(["info", *map(str, words), "--json"])
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def write_model(folder: Path, material: bytes) -> Path:
    """A model with a material of one picture."""
    (folder / "Post.txt").write_text("M.xml")
    (folder / "M.xml").write_bytes(material)
    (folder / "Post.mdl").write_bytes(model_bytes())
    return folder / "Post.mdl"


TEXTURED = b'<material><texture unit="diffuse" name="A.png"/></material>'


def test_a_need_has_every_key(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.png").write_bytes(png())
    material, texture = told(capsys, write_model(tmp_path, TEXTURED))["needs"]
    assert tuple(texture) == KEYS
    assert (material["state"], material["how"], material["rule"]) == ("found", "list", None)
    assert (texture["items"], texture["how"], texture["help"]) == (["texture 0"], "case", "lenient")
    assert (texture["state"], texture["rule"]) == ("found", "name/case")


@pytest.mark.parametrize("verified", [False, True])
def test_only_verify_decodes_pictures(
    tmp_path: Path, verified: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "A.png").write_bytes(png()[:40])
    words = ("--verify",) if verified else ()
    need = told(capsys, write_model(tmp_path, TEXTURED), *words)["needs"][1]
    assert need["state"] == ("unreadable" if verified else "found")
    assert need["why"].startswith("broken PNG picture") == verified


def test_a_missing_view_is_required_and_the_only_other_one_is_offered(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "Made.m2").write_bytes(m2_files.model(m2_files.WRATH, textures=[]))
    (tmp_path / "Other00.skin").write_bytes(m2_files.skin())
    need = told(capsys, tmp_path / "Made.m2")["needs"][0]
    assert (need["kind"], need["name"], need["required"]) == (".skin file", "Made00.skin", True)
    assert (need["state"], need["offered"]) == ("missing", ["Other00.skin"])


def test_a_pointer_in_place_of_keys_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "Made.m2").write_bytes(m2_files.model(m2_files.WRATH, textures=[]))
    pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 12345\n"
    (tmp_path / "Made0060-00.anim").write_bytes(pointer)
    needs = {each["kind"]: each for each in told(capsys, tmp_path / "Made.m2")["needs"]}
    assert (needs["animation"]["state"], needs["animation"]["items"]) == ("pointer", ["animation 3"])
    main(["info", str(tmp_path / "Made.m2")])
    assert "animation Made0060-00.anim cannot be read: it is a Git LFS pointer" in capsys.readouterr().out


def test_an_error_of_another_file_names_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write_model(tmp_path, b"<material><texture")
    (error,) = told(capsys, path)["errors"]
    assert Path(error["file"]).name == "M.xml"
    main(["info", str(path)])
    (line,) = (each for each in capsys.readouterr().out.splitlines() if each.startswith("error: "))
    assert str(tmp_path / "M.xml") in line
    (tmp_path / "Post.mdl").write_bytes(model_bytes()[:-40])
    assert Path(told(capsys, path)["errors"][0]["file"]).name == "Post.mdl"


def test_info_and_check_use_the_same_word(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.mesh").write_bytes(rich_mesh(NEWEST))
    main(["info", str(tmp_path / "a.mesh")])
    assert "\nerror: skeleton bones.skeleton is missing; " in capsys.readouterr().out
    main(["check", str(tmp_path / "a.mesh")])
    assert "error file/missing: skeleton bones.skeleton is missing; " in capsys.readouterr().out
