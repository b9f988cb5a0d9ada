"""`rigscope help`: pages of the manual as text, styled in a terminal."""

from __future__ import annotations

import os
import pty
import subprocess
from pathlib import Path

import pytest

from tests.program import PROGRAM
from viewer.commands.cli import main
from viewer.paths import folder
from viewer.session.manual import pages

ROOT = Path(__file__).resolve().parents[2]


def test_without_a_topic_the_pages_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help"]) == 0
    text = capsys.readouterr().out
    assert all(f"- **{each.name}**: {each.about}" in text for each in pages())


def test_a_page_is_printed_as_it_is_written(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help", "python"]) == 0
    written = (folder("assets") / "manual/python.md").read_text("utf-8")
    assert capsys.readouterr().out.strip() == written.strip()


@pytest.mark.parametrize(
    ("words", "begin"),
    [
        (["extract"], "## extract\n"),
        (["texture/missing"], "### texture/missing\n"),
        (["export#pictures-and-films"], "## Pictures and films\n"),
        (["Give", "a", "texture"], "## Give a texture\n"),
    ],
)
def test_verbs_rules_and_headings_are_topics(
    words: list[str], begin: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["help", *words]) == 0
    assert capsys.readouterr().out.startswith(begin)


def test_a_topic_that_is_a_page_and_a_verb_prints_both(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help", "check"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("# Check\n") and "\n## check\n" in text


def test_an_unknown_topic_is_one_line_with_the_near_ones(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help", "pyton"]) == 2
    out, error = capsys.readouterr()
    assert out == "" and error.count("\n") == 1 and "near: python" in error


@pytest.mark.parametrize(("color", "styled"), [({}, True), ({"NO_COLOR": "1"}, False)])
def test_a_terminal_gets_styles_unless_no_color_is_set(color: dict[str, str], styled: bool) -> None:
    read, write = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "PAGER": "cat", **color}
    environment.pop("PYTEST_CURRENT_TEST", None)
    command = [*PROGRAM, "help", "texture/missing"]
    with subprocess.Popen(command, cwd=ROOT, stdout=write, env=environment):
        os.close(write)
        text = b""
        try:
            while piece := os.read(read, 4096):
                text += piece
        except OSError:  # the other side is closed
            pass
    os.close(read)
    assert b"texture/missing" in text
    assert (b"\x1b[3" in text or b"\x1b[1;3" in text) == styled
