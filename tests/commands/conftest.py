"""One renderer for the commands of a module."""

from __future__ import annotations

import pytest

from viewer.render.standalone import keep_renderer


@pytest.fixture(autouse=True, scope="module")
def kept_renderer(no_kept_renderer: None) -> None:
    """Commands draw with one renderer, as those of a worker process do; to set one up takes 0.1 s."""
    keep_renderer()
