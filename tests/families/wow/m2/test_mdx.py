"""Models whose names end with `.mdx`."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from tests import m2_files
from tests.conftest import ROOT
from viewer.commands.cli import main
from viewer.storage.documents import open_document

NEEDS = ROOT.parent / "shared/corpus/needs/mdx-suffix"
WARCRAFT_3 = b"MDLXVERS\4\0\0\0\x20\3\0\0"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A model with its view, and a model of another program."""
    monkeypatch.setenv("RIGSCOPE_CACHE", str(tmp_path / "cache"))
    place = tmp_path / "models"
    place.mkdir()
    (place / "Rabbit.mdx").write_bytes(m2_files.model(m2_files.WRATH))
    (place / "Rabbit00.skin").write_bytes(m2_files.skin())
    (place / "Orc.mdx").write_bytes(WARCRAFT_3)
    return place


def test_it_is_a_model_for_each_verb(folder: Path, capsys: Any) -> None:
    assert main(["find", str(folder), "kind:model"]) == 0
    assert capsys.readouterr().out == f"{folder}/Rabbit.mdx\n"
    assert main(["thumbs", str(folder), "-o", f"{folder}/out/", "--size", "32x32"]) == 0
    assert [each.name for each in folder.glob("out/*")] == ["Rabbit.png"]
    main(["check", str(folder)])
    assert "m2/unused-file" not in capsys.readouterr().out


def test_its_view_names_it(folder: Path) -> None:
    (view,) = folder.glob("*.skin")
    (warning,) = open_document(view).report.warnings
    assert warning.endswith("open Rabbit.mdx, which uses this view")


def test_a_model_of_another_program_is_named_when_the_user_names_it(folder: Path, capsys: Any) -> None:
    assert main(["info", str(folder / "Orc.mdx")]) == 1
    assert "is a Warcraft III model" in capsys.readouterr().err


@pytest.mark.skipif(not NEEDS.is_dir(), reason="the corpus is not here")
def test_the_example_of_the_corpus(tmp_path: Path, capsys: Any) -> None:
    shutil.copytree(NEEDS, tmp_path / "copy")
    (tmp_path / "copy/.git").mkdir()
    assert main(["thumbs", str(tmp_path / "copy"), "-o", f"{tmp_path}/out/"]) == 0
    main(["check", str(tmp_path / "copy")])
    assert "unused" not in capsys.readouterr().out
