"""README is short, and says what dev.py does; see `tests/meta/test_manual.py` for its links."""

from __future__ import annotations

import re

from tests.conftest import ROOT

README = ROOT / "README.md"
LONGEST = 200
"""The limit of lines: it is read in three minutes."""


def test_it_is_read_in_three_minutes() -> None:
    assert len(README.read_text(encoding="utf-8").splitlines()) <= LONGEST


def test_commands_named_are_those_of_dev_py() -> None:
    named = set(re.findall(r"dev\.py (\w+)", README.read_text(encoding="utf-8")))
    offered = set(re.findall(r"dev\.py (\w+)", (ROOT / "dev.py").read_text(encoding="utf-8")))
    assert {"run", "test", "check", "manual"} <= named <= offered
