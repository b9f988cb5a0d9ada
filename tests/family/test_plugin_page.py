"""The page of the manual about plugins: its files, written to a folder and installed, are a plugin."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.plugins import installed, record_of
from viewer import plugin
from viewer.commands.cli import main
from viewer.family.installed import GROUP
from viewer.scene.items import IndexItem, VertexItem
from viewer.storage.documents import open_document

BLOCK = re.compile(r"```(?:python|toml)\n# (\S+)\n(.*?)```", re.DOTALL)


@pytest.fixture
def site(tmp_path: Path) -> Iterator[None]:
    """The plugin of the page, installed as pip does it with `-e`: its folder, and the record of it."""
    folder, page = tmp_path / "slate", (ROOT / "assets/manual/plugins.md").read_text(encoding="utf-8")
    for name, text in BLOCK.findall(page):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "rigscope_slate/__init__.py").touch()
    project = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    record_of(tmp_path / "site", project["name"], project["version"], project["entry-points"][GROUP])
    with installed(tmp_path / "site", folder):
        yield


@pytest.fixture
def stone(site: None, tmp_path: Path) -> Path:
    """A slate model with its picture, written by the script of the page."""
    command = [sys.executable, str(tmp_path / "slate/samples.py")]
    folders = os.pathsep.join((str(tmp_path / "slate"), str(ROOT)))
    subprocess.run(command, cwd=tmp_path, env=os.environ | {"PYTHONPATH": folders}, check=True)
    return tmp_path / "stone.slate"


def test_its_author_is_content(site: None, stone: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["families", "--check", "Slate", str(stone)]) == 0
    out = capsys.readouterr().out
    assert "0 of 124 bytes unexplained" in out and "written again: the same bytes" in out
    assert "damaged 100 times: 100 times" in out and "fails" not in out
    assert "checked by 1 rule of the family: 1 finding" in out


def test_its_files_open_with_every_byte_and_picture(site: None, stone: Path) -> None:
    document = open_document(stone)
    assert document.model is not None and not document.report.errors and not document.report.warnings
    assert document.model.textures[0].path == str(stone.with_name("stone.png"))
    for item in (VertexItem(0, 2), IndexItem(0, 1)):
        span = document.origin.span(item)
        assert span is not None and document.origin.item(span.offset) == item


def test_its_rule_and_its_page_are_used(site: None, stone: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(stone), "--json", "--select", "slate"]) == 0
    (found,) = json.loads(capsys.readouterr().out)["findings"]
    assert (found["rule"], found["text"]) == ("slate/normal-length", "1 normal of another length than 1")
    assert main(["help", "slate/normal-length"]) == 0
    assert "too bright or too dark" in capsys.readouterr().out
    assert main(["formats", "slate"]) == 0
    assert "metres, +Y is up" in capsys.readouterr().out


def test_a_cut_file_keeps_what_is_there(site: None, stone: Path) -> None:
    stone.write_bytes(stone.read_bytes()[:60])
    document = open_document(stone)
    assert document.report.errors[0].path == "slate/vertices" and document.model is not None
    assert document.model.vertex_buffers[0].count == 1


def test_the_facade_has_what_it_lists() -> None:
    assert [*dir(plugin)] == plugin.__all__ and len({*plugin.__all__}) == len(plugin.__all__)
    for name in plugin.__all__:
        assert getattr(plugin, name) is not None
    source = Path(plugin.__file__).read_text(encoding="utf-8")
    imported = re.findall(r"^    from (\S+) import (\w+) as \2$", source, re.MULTILINE)
    assert imported == [(module, name) for module, names in plugin.MODULES.items() for name in names]
    with pytest.raises(AttributeError, match="Nothing"):
        plugin.__getattr__("Nothing")
