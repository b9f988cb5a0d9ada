"""The README says what the program says."""

from __future__ import annotations

import re

import pytest

from tests.conftest import ROOT
from viewer.commands.dispatch import bindings
from viewer.commands.usage import help_text
from viewer.session.preferences import settings_table

README = ROOT / "README.md"
BLOCKS = {"help": help_text, "bindings": bindings, "settings": settings_table}


def block(name: str, text: str) -> str:
    inside = text if text.startswith("|") else f"```text\n{text.strip()}\n```"
    return f"<!-- {name} -->\n{inside}\n<!-- /{name} -->"


@pytest.mark.parametrize("name", sorted(BLOCKS))
def test_a_block_is_what_the_program_prints(name: str, request: pytest.FixtureRequest) -> None:
    said = README.read_text(encoding="utf-8")
    expected = block(name, BLOCKS[name]())
    if request.config.getoption("--regenerate"):
        pattern = re.compile(rf"<!-- {name} -->.*<!-- /{name} -->", re.DOTALL)
        README.write_text(pattern.sub(lambda _: expected, said), encoding="utf-8")
        return
    assert expected in said


def test_the_pictures_exist() -> None:
    pictures = re.findall(r"!\[[^]]*]\(([^)]+)\)", README.read_text(encoding="utf-8"))
    assert pictures
    assert all((ROOT / picture).is_file() for picture in pictures)


def test_commands_named_are_those_of_dev_py() -> None:
    named = set(re.findall(r"dev\.py (\w+)", README.read_text(encoding="utf-8")))
    offered = set(re.findall(r"dev\.py (\w+)", (ROOT / "dev.py").read_text(encoding="utf-8")))
    assert named <= offered
    assert {"run", "test", "check", "bench", "assets"} <= named


def test_every_room_is_listed() -> None:
    listing = README.read_text(encoding="utf-8").split("\nviewer/\n")[1].split("```")[0]
    rooms = {path.parent.name for path in (ROOT / "viewer").glob("*/__init__.py")}
    assert set(re.findall(r"(\w+)/", listing)) == rooms
    free = {path.name for path in (ROOT / "viewer").glob("*.py") if not path.name.startswith("__")}
    assert set(re.findall(r"\w+\.py", listing)) == free
