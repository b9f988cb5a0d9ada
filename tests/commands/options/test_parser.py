"""Options may stand anywhere, never swallow a file, and complain in one clear line."""

from __future__ import annotations

import pytest

from viewer.commands.options.option_types import finite_number
from viewer.commands.options.parser import Option, UsageError, describe, parse
from viewer.commands.options.table import PICTURE, POSE, SEVERITIES
from viewer.scene.finding import Severity

OPTIONS = (
    Option("--grid", "the ground", negated=True),
    Option("--morph", "a morph", "NAME", repeat=True),
    Option("--yaw", "an angle", "DEGREES", finite_number),
    Option("--output", "a file", "FILE", short="-o"),
    Option("--config", "a file, or none", "FILE", negated=True),
    Option("--light", "a light", "NAME", old=(("--file-lights", "file"),)),
)


@pytest.mark.parametrize(
    ("line", "values", "words"),
    [
        ("a.mdl --grid b.mdl", {"grid": True}, ["a.mdl", "b.mdl"]),
        ("--no-grid a.mdl", {"grid": False}, ["a.mdl"]),
        ("--morph A=1 a.mdl --morph B=2", {"morph": ("A=1", "B=2")}, ["a.mdl"]),
        ("--yaw -30 a.mdl", {"yaw": -30.0}, ["a.mdl"]),
        ("--yaw=-30", {"yaw": -30.0}, []),
        ("a.mdl -o b.png", {"output": "b.png"}, ["a.mdl"]),
        ("--config a.toml b.mdl", {"config": "a.toml"}, ["b.mdl"]),
        ("--no-config b.mdl", {"config": False}, ["b.mdl"]),
        ("-- --grid -o", {}, ["--grid", "-o"]),
        ("--morph=A=1", {"morph": ("A=1",)}, []),
        ("--yaw 1 --yaw 2", {"yaw": 2.0}, []),
        ("--file-lights a.mdl", {"light": "file"}, ["a.mdl"]),
        ("--light sun --file-lights", {"light": "sun"}, []),
        ("--file-lights --light sun", {"light": "sun"}, []),
    ],
)
def test_parse(line: str, values: dict[str, object], words: list[str]) -> None:
    assert parse(OPTIONS, line.split()) == (values, words)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("--gird", "no option '--gird'; near: --grid"),
        ("--grid=1", "--grid takes no value"),
        ("--no-config=a.toml", "--no-config takes no value"),
        ("--yaw", "--yaw needs DEGREES"),
        ("--yaw north", "--yaw DEGREES: 'north' is not a number"),
        ("--yaw nan", "--yaw DEGREES: 'nan' is not finite"),
        ("-x", "no option '-x'"),
    ],
)
def test_complaints(line: str, why: str) -> None:
    with pytest.raises(UsageError, match=why.replace("?", r"\?")):
        parse(OPTIONS, line.split())


@pytest.mark.parametrize("option", [*POSE, *PICTURE], ids=lambda option: option.name)
def test_every_option_is_in_the_help_and_no_line_is_too_long(option: Option) -> None:
    text = describe("options", [option])
    assert option.flag[2:] in text
    assert max(map(len, text.splitlines())) <= 100


def test_the_severities_are_those_of_findings() -> None:
    assert list(SEVERITIES) == [each.word for each in sorted(Severity, reverse=True)]
