"""A renderer without a window is released, or kept for the next file."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from viewer.render.standalone import keep_renderer, release_renderer, standalone_renderer


@pytest.fixture(autouse=True)
def none_kept() -> Iterator[None]:
    release_renderer()
    yield
    release_renderer()


def test_each_use_has_its_own() -> None:
    with standalone_renderer() as first:
        assert first.ctx.error == "GL_NO_ERROR"
    with standalone_renderer() as second:
        assert second is not first


def test_it_is_kept_until_an_error() -> None:
    keep_renderer()
    with standalone_renderer() as first:
        pass
    with standalone_renderer() as second:
        assert second is first
    with pytest.raises(ZeroDivisionError), standalone_renderer():
        raise ZeroDivisionError
    with standalone_renderer() as third:
        assert third is not first and third.ctx.error == "GL_NO_ERROR"
