"""`rigscope` without a verb: opens the window, then imports slow modules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from viewer.commands.options.given_options import Values, options_of
from viewer.window.window import open_window

if TYPE_CHECKING:
    from viewer.session.state import State


def window(paths: list[str], values: Values) -> int:
    """Open the window and run until it is closed; return the exit status."""
    options = options_of(values)

    def start(state: State, size: tuple[int, int]) -> None:
        """Apply the options to the open files."""
        from viewer.commands.options.apply_options import (
            prepare_window,
        )  # imported late, so that the window opens first

        prepare_window(state, options, size)

    return open_window(
        paths, start, values.get("size"), options.watch, dict(options.reading), options.together
    )
