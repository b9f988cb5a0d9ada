"""The hook for pre-commit: what it runs exists, and it is given the files that can be checked."""

from __future__ import annotations

import re

from tests.conftest import ROOT
from viewer.commands.check import ROLES
from viewer.commands.usage import VERBS
from viewer.family.registry import suffixes

HOOK = (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
OTHERS = {".asc"}
"""Endings that files of other programs have more often; `files` of a repository may add them."""


def field(name: str) -> str:
    """A value of the only hook."""
    (value,) = re.findall(rf"^(?:- |  ){name}: ([^#\n]*?) *(?:#.*)?$", HOOK, re.MULTILINE)
    return str(value)


def test_the_hook_gets_the_files_that_can_be_checked() -> None:
    pattern = re.compile(field("files"))
    for suffix in set(suffixes(*ROLES)) - OTHERS:
        assert pattern.search(f"a b/Jack{suffix}") and pattern.search(f"JACK{suffix.upper()}")
    for name in ("a.asc", "a.mdl.txt", "mdl", "a.animation", "a.vs5"):
        assert not pattern.search(name)


def test_the_hook_runs_the_check_of_each_file_by_itself() -> None:
    program, verb, *options = field("entry").split()
    assert (program, verb) == ("rigscope", "check")
    known = {flag for each in VERBS if each.name == verb for option in each.options for flag in option.flags}
    assert set(options) <= known and "--separate" in options
    assert field("id") == "rigscope-check" and field("language") == "python"
    assert field("require_serial") == "true"
