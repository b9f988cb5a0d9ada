"""A windowless renderer with its own context; a worker process keeps it from file to file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from viewer.gpu.headless import context
from viewer.render.renderer import Renderer


class _Kept:
    """The renderer of this process, if it keeps one."""

    wanted = False
    renderer: Renderer | None = None
    stack = ExitStack()


def keep_renderer() -> None:
    """Keep the renderer between `standalone_renderer` calls: for processes that draw many files."""
    _Kept.wanted = True


@contextmanager
def standalone_renderer() -> Iterator[Renderer]:
    """A renderer whose context is current inside the `with`. GraphicsError if there is no usable OpenGL.

    It is released at the end, unless the process keeps it and no error occurred.
    """
    if not _Kept.wanted:
        with context() as ctx:
            renderer = Renderer(ctx)
            try:
                yield renderer
            finally:
                renderer.release()
        return
    if _Kept.renderer is None:
        _Kept.renderer = Renderer(_Kept.stack.enter_context(context()))
    try:
        with _Kept.renderer.ctx:
            yield _Kept.renderer
    except BaseException:
        release_renderer()
        keep_renderer()
        raise


def release_renderer() -> None:
    """Release the kept renderer, and keep no further one."""
    renderer, _Kept.renderer, _Kept.wanted = _Kept.renderer, None, False
    if renderer is not None:
        with renderer.ctx:
            renderer.release()
    _Kept.stack.close()
