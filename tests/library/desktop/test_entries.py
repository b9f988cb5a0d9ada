"""What the desktop is told of the formats."""

from __future__ import annotations

import configparser
import subprocess
from xml.etree import ElementTree

import pytest

from viewer.family.format import Format
from viewer.family.registry import formats
from viewer.library.desktop.entries import (
    desktop_entry,
    exec_words,
    media_type,
    mime_package,
    thumbnailer_entry,
)

SPACE = {"m": "http://www.freedesktop.org/standards/shared-mime-info"}
MAGICS = [(each, magic) for each in formats() for magic in each.magics]


def entry(text: str) -> configparser.SectionProxy:
    parser = configparser.RawConfigParser()
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read_string(text)
    (group,) = parser.sections()
    return parser[group]


@pytest.mark.parametrize(("format", "magic"), MAGICS, ids=lambda value: getattr(value, "name", value))
def test_a_file_that_begins_with_a_magic_is_of_its_format_alone(format: Format, magic: bytes) -> None:
    assert [each.name for each in formats() if each.probe(magic + bytes(60), "")] == [format.name]


def test_every_format_has_a_media_type_of_its_own() -> None:
    types = ElementTree.fromstring(mime_package()).findall("m:mime-type", SPACE)
    assert [each.get("type") for each in types] == [media_type(each) for each in formats()]
    assert len({each.get("type") for each in types}) == len(types)
    assert all(each.findall("m:glob", SPACE) for each in types)


def test_a_magic_is_written_with_the_escapes_of_c() -> None:
    assert r'value="\x00\x10[MeshSerializer_v1"' in mime_package()


@pytest.mark.usefixtures("wow")
def test_models_and_pictures_have_thumbnails_and_scripts_do_not() -> None:
    drawn = entry(thumbnailer_entry(("/usr/bin/rigscope",)))["MimeType"].split(";")
    assert {"model/x-ogre-mesh", "image/x-blp-picture"} <= set(drawn)
    assert "application/x-urho3d-script" not in drawn


def test_the_thumbnailer_gets_one_file_an_output_and_a_size() -> None:
    line = entry(thumbnailer_entry(("/usr/bin/rigscope",)))["Exec"]
    assert line == "/usr/bin/rigscope thumbs %i -o %o --size %sx%s --no-strict"


@pytest.mark.parametrize(
    ("word", "written"),
    [
        ("/usr/bin/rigscope", "/usr/bin/rigscope"),
        ("/my tools/rigscope", '"/my tools/rigscope"'),
        ("/100%/rigscope", "/100%%/rigscope"),
        ('/a"b$c/rigscope', r'"/a\"b\$c/rigscope"'),
        ("/模型/rigscope", "/模型/rigscope"),
    ],
)
def test_a_command_is_quoted_as_the_specification_says(word: str, written: str) -> None:
    assert exec_words((word,)) == written
    shell = ["sh", "-c", f"printf %s {written.replace('%%', '%')}"]
    assert subprocess.run(shell, capture_output=True, check=True).stdout.decode() == word


def test_backslashes_are_doubled_a_second_time_by_the_key_file() -> None:
    assert entry(desktop_entry(("/a\\b",)))["Exec"] == '"/a' + "\\" * 4 + 'b" %F'
