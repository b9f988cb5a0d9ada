"""What is offered at a place of a command line, and that every option has something to offer."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.creature_files import write_creature
from tests.m2_files import model
from tests.packages import write_package
from tests.synthetic import write_pair
from viewer.commands.cli import main
from viewer.commands.completion.bash import quoted, split
from viewer.commands.completion.candidates import KINDS, candidates
from viewer.commands.options.parser import Option
from viewer.commands.options.table import SEVERITIES
from viewer.commands.usage import VERBS, WINDOW
from viewer.scene.choices import VIEWS

BREAKS = " \t\n\"'><=;|&(:"
OPTIONS = {id(option): option for verb in (WINDOW, *VERBS) for option in verb.options}
NUMBERS = {
    "N",
    "SECONDS",
    "STOPS",
    "DEGREES",
    "FACTOR",
    "WIDTHxHEIGHT",
    "FIRST:LAST",
    "UNITS",
    "0..1",
    "SIZE",
    "STRING",
}
FREE = {*NUMBERS, "ADDRESS", "OLD=NEW"}
"""Values that nothing can be offered for."""


def texts(words: list[str], at: int | None = None) -> set[str]:
    found = candidates(words, len(words) - 1 if at is None else at)
    return {each.text for each in found.words}


@pytest.mark.parametrize("option", OPTIONS.values(), ids=lambda option: option.flag)
def test_every_value_is_completed(option: Option) -> None:
    assert option.completes or not option.metavar or option.metavar in FREE
    assert not isinstance(option.completes, str) or option.completes in KINDS


def test_the_first_word_is_a_verb_or_a_file() -> None:
    found = candidates([""], 0)
    assert found.kind == "files"
    assert {each.text for each in found.words} == {verb.name for verb in VERBS}


def test_options_are_those_of_the_verb() -> None:
    assert "--fail-on" in texts(["check", "a.mdl", "--"]) - texts(["render", "--"])
    assert {"--all", "--version", "--list-formats", "--no-grid", "--watch"} <= texts(["--"])
    assert texts(["check", "--", "--"]) == set()


@pytest.mark.parametrize("words", [["check", "--fail-on", ""], ["check", "a", "--json", "--fail-on", "w"]])
def test_choices(words: list[str]) -> None:
    assert texts(words) == set(SEVERITIES)


def test_a_value_behind_an_equals_sign_is_a_whole_word() -> None:
    assert texts(["render", "--view=f"]) == {f"--view={view}" for view in VIEWS}
    assert candidates(["render", "--camera=x"], 1)[1:] == ("files", len("--camera="))


def test_names_of_a_model_before_or_behind_the_cursor(tmp_path: Path) -> None:
    path = str(write_pair(tmp_path))
    assert texts(["render", path, "--animation", ""]) == {"Bend", "none"}
    assert texts(["render", "--animation", "", path, "-o", "x.png"], 2) == {"Bend", "none"}
    assert texts(["render", "--size", "8x8", path, "--bone", ""]) == {"base", "tip"}
    assert texts([path, "--morph", "t"]) == {"taller="}


def test_ids_of_displays(tmp_path: Path) -> None:
    path = str(write_creature(tmp_path))
    assert texts(["render", path, "--display", ""]) == {"20", "30", "40", "50", "none"}


def test_types_of_textures_then_files(tmp_path: Path) -> None:
    path = str(tmp_path / "a.m2")
    Path(path).write_bytes(model())
    assert texts(["render", path, "--texture", ""]) == {"11="}
    assert candidates(["render", path, "--texture", "11=x"], 3) == ((), "files", 3)


def test_files_in_packages_a_folder_at_a_time(tmp_path: Path) -> None:
    package = str(write_package(tmp_path))
    assert texts(["info", f"{package}::"]) == {
        f"{package}::{each}/" for each in ("Models", "Materials", "Textures")
    }
    assert texts(["info", f"{package}::Models/"]) == {
        f"{package}::Models/Post.mdl",
        f"{package}::Models/Post_Bend.ani",
    }
    assert texts(["extract", package, "Textures/"]) == {"Textures/P.png"}


def test_rules_topics_and_formats() -> None:
    assert "animation/unmatched-track" in texts(["check", "--explain", ""])
    assert {"uv,animation", "uv,animation/unmatched-track"} <= texts(["check", "--select", "uv,"])
    assert "settings" in texts(["help", ""])
    assert "urho3d-model" in texts(["formats", ""])


@pytest.mark.parametrize("content", [b"", b"UMD2", b"\0" * 100])
def test_a_damaged_file_has_no_names_and_no_message(
    content: bytes, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.mdl"
    path.write_bytes(content)
    assert main(["completion", "fish", "--", "4", "render", str(path), "--bone", ""]) == 0
    assert capfd.readouterr() == ("words 0\n", "")


def test_names_that_nobody_can_type_are_left_out(tmp_path: Path) -> None:
    package = write_package(tmp_path, files=[("a\nb", b""), ("c", b"")])
    assert texts(["extract", str(package), ""]) == {"c"}


@pytest.mark.parametrize(
    ("line", "words", "last"),
    [
        ("rigscope ", ["rigscope"], ("", 0, "")),
        ("rigscope ren", ["rigscope"], ("ren", 0, "")),
        ("a b\\ c 'd e' f", ["a", "b c", "d e"], ("f", 0, "")),
        ("a --bone=up", ["a"], ("--bone=up", 7, "")),
        ('a --bone="up p', ["a"], ("--bone=up p", 7, '"')),
        ("a 'x'y", ["a"], ("xy", 0, "")),
        ("a b.pak::c d", ["a", "b.pak::c"], ("d", 0, "")),
        ("a b.pak::c", ["a"], ("b.pak::c", 7, "")),
        ("a b\\:c", ["a"], ("b:c", 0, "")),
        ("a \\", ["a"], ("", 0, "")),
    ],
)
def test_a_line_is_split_as_bash_does(line: str, words: list[str], last: tuple[str, int, str]) -> None:
    assert split(line, BREAKS) == (words, last)


@pytest.mark.parametrize(
    ("text", "quote", "typed"),
    [
        ("Walk Fast", "", "Walk\\ Fast"),
        ("~a$b*", "", "\\~a\\$b\\*"),
        ("行走", "", "行走"),
        ("it's", "'", "it'\\''s"),
        ('a "b" $c', '"', 'a \\"b\\" \\$c'),
    ],
)
def test_a_text_is_quoted_for_bash(text: str, quote: str, typed: str) -> None:
    assert quoted(text, quote) == typed


@pytest.mark.parametrize("words", [[], ["csh"], ["bash", "x"], ["fish", "--", "a"], ["zsh", "--", "9", "a"]])
def test_a_wrong_request_is_a_wrong_command_line(words: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", *words]) == 2
    assert len(capfd.readouterr().err.splitlines()) == 1
