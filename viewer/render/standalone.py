"""A renderer with its own OpenGL context, without a window.

A worker process keeps it from file to file, because the context and its programs take long to make.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from viewer.gpu.headless import context
from viewer.render.renderer import Renderer


class _ProcessRenderer:
    """State of this process: whether it keeps a renderer, and the kept renderer."""

    wanted = False
    renderer: Renderer | None = None
    stack = ExitStack()


def keep_renderer() -> None:
    """Keep the renderer after `standalone_renderer` ends, for a process that draws many files."""
    _ProcessRenderer.wanted = True


@contextmanager
def standalone_renderer() -> Iterator[Renderer]:
    """Yield a renderer whose OpenGL context is current. Raises GraphicsError if there is no usable OpenGL.

    The renderer is released at the end, unless the process keeps it and no error occurred.
    """
    if not _ProcessRenderer.wanted:
        with context() as ctx:
            renderer = Renderer(ctx)
            try:
                yield renderer
            finally:
                renderer.release()
        return
    if _ProcessRenderer.renderer is None:
        _ProcessRenderer.renderer = Renderer(_ProcessRenderer.stack.enter_context(context()))
    try:
        with _ProcessRenderer.renderer.ctx:
            yield _ProcessRenderer.renderer
    except BaseException:
        release_renderer()
        keep_renderer()
        raise


def release_renderer() -> None:
    """Release the kept renderer; from now on each renderer is released after its use."""
    renderer, _ProcessRenderer.renderer, _ProcessRenderer.wanted = _ProcessRenderer.renderer, None, False
    if renderer is not None:
        with renderer.ctx:
            renderer.release()
    _ProcessRenderer.stack.close()
