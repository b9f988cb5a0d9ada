"""What the verbs print is one line for each line."""

from __future__ import annotations

import pytest

from viewer.commands.output import collected_messages, notice, print_lines, say


def test_no_text_leaves_its_line(capsys: pytest.CaptureFixture[str]) -> None:
    print_lines(["a\nb", "c"])
    say("no file \x1b[2J")
    told = capsys.readouterr()
    assert told.out.splitlines() == [r"a\nb", "c"]
    assert told.err == "no file \\x1b[2J\n"


def test_messages_of_many_files_name_their_file(capsys: pytest.CaptureFixture[str]) -> None:
    notice("no bone 'x'")
    assert capsys.readouterr().err == "rigscope: no bone 'x'\n"
    with collected_messages() as messages:
        notice("no bone 'x'")
        notice("a.png: an earlier file is replaced")
        say("a.mdl: is cut")
    about = [each.about("a.mdl") for each in messages]
    assert about[0] == "rigscope: a.mdl: no bone 'x'" and about[2] == "a.mdl: is cut"
    assert about[1] == "rigscope: a.mdl: a.png: an earlier file is replaced"
    assert capsys.readouterr().err == ""
