"""What the verbs print is one line for each line."""

from __future__ import annotations

import pytest

from viewer.commands.output import print_lines, say


def test_no_text_leaves_its_line(capsys: pytest.CaptureFixture[str]) -> None:
    print_lines(["a\nb", "c"])
    say("no file \x1b[2J")
    told = capsys.readouterr()
    assert told.out.splitlines() == [r"a\nb", "c"]
    assert told.err == "no file \\x1b[2J\n"
