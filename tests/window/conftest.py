"""People at real windows under a virtual display."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.person import Person

Start = Callable[..., Person]


@pytest.fixture
def start(display: str, tmp_path: Path) -> Iterator[Start]:
    """Starts the window with options of the command line; the settings are in `tmp_path`."""
    if shutil.which("xdotool") is None:
        pytest.skip("needs xdotool")
    made: list[Person] = []

    def start_one(*options: object, script: str = "") -> Person:
        made.append(Person(display, tmp_path, *options, script=script))
        return made[-1]

    yield start_one
    for person in made:
        person.end()
