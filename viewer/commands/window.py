"""`rigscope` without a verb: the window, which shows before anything heavy is imported."""

from __future__ import annotations

from typing import TYPE_CHECKING

from viewer.commands.options.given_options import Values, options_of
from viewer.window.window import open_window

if TYPE_CHECKING:
    from viewer.session.state import State


def window(paths: list[str], values: Values) -> int:
    """Open the window and stay until it is closed; the exit status."""
    options = options_of(values)

    def start(state: State, size: tuple[int, int]) -> None:
        """Apply the options to the files that are open."""
        from viewer.commands.options.apply_options import (
            prepare_window,
        )  # imported while the window is open already

        prepare_window(state, options, size)

    return open_window(paths, start, values.get("size"), options.watch)
