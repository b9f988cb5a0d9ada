"""The program that the tests of the command line use: this checkout's, or the one that RIGSCOPE names.

    RIGSCOPE=/folder/of/the/bundle/rigscope python3 dev.py test tests/commands

Then the function `main` of the command line starts that program. Tests that change the inside of the program
are skipped, because they cannot reach it.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

import pytest

OTHER = os.environ.get("RIGSCOPE", "")
"""The path of another program; empty for that of the checkout."""
PROGRAM = [OTHER] if OTHER else [sys.executable, "-m", "viewer"]
"""The words that start the program in a process of its own."""
SHELL = shlex.join(PROGRAM)
"""The same for a shell."""
PROGRESS = re.compile(r"rigscope: (file|frame) \d+ of \d+, \d+ %")
"""A line that a slow machine adds to a log."""


def other_main(words: Sequence[str]) -> int:
    """Run the other program as `main` of the command line: its output goes to `sys.stdout`, `sys.stderr`."""
    done = subprocess.run([OTHER, *words], stdin=subprocess.DEVNULL, capture_output=True, check=False)
    sys.stdout.write(done.stdout.decode("utf-8", "surrogateescape"))
    said = done.stderr.decode("utf-8", "surrogateescape")
    sys.stderr.write("".join(line for line in said.splitlines(keepends=True) if not PROGRESS.match(line)))
    return done.returncode


def changes(patch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Make `patch` skip a test that changes more than the environment, if the other program runs."""

    def setattr(*arguments: Any, **options: Any) -> None:
        pytest.skip("changes the inside of the program")

    if OTHER:
        patch.setattr = setattr  # type: ignore[method-assign]
    return patch
