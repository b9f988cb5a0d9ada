"""Parsed scripts: kept while their file does not change."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from viewer.errors import FormatError
from viewer.families.ogre.materials.library import read_script
from viewer.families.ogre.materials.script import ParsedScript
from viewer.scene.reading_context import DEFAULT
from viewer.storage.search import lone


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "m.material"
    write(path, "material A {}", 100)
    return path


def write(path: Path, text: str, age: float) -> None:
    """A script that was changed so many seconds ago."""
    path.write_text(text)
    os.utime(path, (time.time() - age,) * 2)


def parsed(path: Path, limit: int = 1000) -> ParsedScript:
    return read_script(lone(str(path), DEFAULT), limit)


def test_a_script_is_parsed_once_while_its_file_does_not_change(script: Path) -> None:
    first = parsed(script)
    assert parsed(script) is first
    write(script, "material B {}", 50)
    assert [block.name for block in parsed(script).blocks] == ["B"]


def test_a_script_that_changed_just_now_is_parsed_every_time(script: Path) -> None:
    write(script, "material A {}", 0)
    assert parsed(script) is not parsed(script)


def test_a_known_script_over_the_limit_is_refused_as_before(script: Path) -> None:
    parsed(script)
    with pytest.raises(FormatError, match="13 bytes are more than the limit of 5"):
        parsed(script, 5)
