"""`rigscope formats`."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from viewer.commands.cli import main
from viewer.commands.formats import WIDTH
from viewer.family.registry import pages


def test_every_page_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["formats"]) == 0
    listed = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert listed == [page.name for page in pages()]


def test_a_page_has_fields_types_conditions_meanings_and_the_source(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["formats", "mdl"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert any(line.startswith("Source: Urho3D `Model.cpp`") for line in lines)
    radius = next(line for line in lines if " radius " in line)
    assert radius.split() == [
        "radius",
        "f32",
        "[if",
        "collision",
        "&",
        "1]",
        "radius",
        "of",
        "the",
        "sphere",
        "around",
        "the",
        "bone's",
        "origin,",
    ]
    assert any("u32 n, n × bone" in line for line in lines)


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.name)
def test_no_line_is_much_wider_than_a_terminal(page: object, capsys: pytest.CaptureFixture[str]) -> None:
    main(["formats", page.name])  # type: ignore[attr-defined]
    assert max(map(len, capsys.readouterr().out.splitlines())) <= WIDTH + 20


def test_json_has_the_fields_of_each_record(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["formats", "ani", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    fields = {each["name"]: each for each in facts["records"][0]["fields"]}
    assert fields["version"]["condition"] == "magic == 'UAN2'"
    assert (fields["length"]["meaning"], fields["length"]["unit"]) == (
        "duration, which may exceed the time of the last key",
        "seconds",
    )


def test_json_of_all_pages(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["formats", "--json"]) == 0
    assert [page["name"] for page in json.loads(capsys.readouterr().out)] == [page.name for page in pages()]


@pytest.mark.usefixtures("wow")
def test_markdown_has_a_table_for_each_record(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["formats", "blp", "--markdown"]) == 0
    text = capsys.readouterr().out
    assert text.count("| offset | field | type | condition | meaning | unit |") == 2
    assert "| 0x0C | width | u32 |  |  | pixels |" in text


def test_a_misspelt_name_lists_the_near_ones(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["formats", "urho3d-modle"]) == 2
    assert capsys.readouterr().err.startswith("rigscope: no format 'urho3d-modle'; near: urho3d-model,")


@pytest.mark.parametrize("arguments", [["mdl", "ani"], ["mdl", "--json", "--markdown"]])
def test_more_than_one_name_or_form_is_bad_usage(arguments: list[str]) -> None:
    assert main(["formats", *arguments]) == 2


def test_nothing_of_the_graphics_is_imported() -> None:
    script = (
        "import sys; from viewer.commands.cli import main; main(['formats', 'm2']); "
        "print(sorted({'moderngl', 'pyglet', 'imgui_bundle', 'PIL'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
