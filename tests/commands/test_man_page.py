"""The man page names every verb and option, and formatters show it without warnings."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from viewer.commands.cli import main
from viewer.commands.man_page import escaped
from viewer.commands.options.table import LISTS
from viewer.commands.usage import VERBS, WINDOW

CHECKS = [["mandoc", "-Tlint", "-W", "warning"], ["groff", "-man", "-ww", "-z"]]


@pytest.fixture
def page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    assert main(["help", "--man"]) == 0
    path = tmp_path / "rigscope.1"
    path.write_text(capsys.readouterr().out, encoding="ascii")
    return path


@pytest.mark.parametrize("command", CHECKS, ids=lambda command: command[0])
def test_there_is_no_warning(command: list[str], page: Path) -> None:
    if shutil.which(command[0]) is None:
        pytest.skip(f"needs {command[0]}")
    done = subprocess.run([*command, page], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_every_verb_and_option_is_in_it(page: Path) -> None:
    lines = page.read_text().splitlines()
    for verb in VERBS:
        assert f".SS rigscope {escaped(verb.form)}" in lines
    for option in (*LISTS, *(option for verb in (WINDOW, *VERBS) for option in verb.options)):
        assert f".B {escaped(option.spelled)}" in lines


def test_no_line_is_a_request_by_chance(page: Path) -> None:
    known = {".TH", ".SH", ".SS", ".PP", ".TP", ".B", ".br", ".nf", ".fi"}
    assert set(re.findall(r"(?m)^[.'][^ \n]*", page.read_text())) == known
