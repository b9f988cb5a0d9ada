"""Imports the program in another thread while the window opens.

The system's libraries load the driver without Python's lock, for up to a fifth of the time until the first
picture.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module

from viewer.app.tasks import Tasks

PROGRAM = ("viewer.app.loop",)
"""The modules that the first picture needs, with all that they import."""


@contextmanager
def importing_meanwhile(modules: tuple[str, ...] = PROGRAM) -> Iterator[None]:
    """Import modules in another thread, which ends before the `with` does.

    A module that cannot be imported raises its error again where it is used.
    """
    task = Tasks().submit("imports", lambda task: _import(modules))
    try:
        yield
    finally:
        task.wait()


def _import(modules: tuple[str, ...]) -> None:
    for name in modules:
        with suppress(Exception):
            import_module(name)
