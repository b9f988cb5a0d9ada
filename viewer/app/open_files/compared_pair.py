"""Compares two files as soon as both are open."""

from __future__ import annotations

from collections.abc import Iterable

from viewer.scene.choices import CompareMode
from viewer.scene.names import file_name, path_key
from viewer.session.state import State


class ComparedPair:
    """The two files that the user chose to compare.

    No comparison starts while one of the two files is missing, because another open model would be compared
    in its place. If a file could not be opened or is no model, no comparison starts.
    """

    def __init__(self, state: State) -> None:
        self._state = state
        self._paths: tuple[str, str] | None = None

    def begin(self, one: str, other: str) -> None:
        """Choose the two files; they replace an earlier pair that is not open yet."""
        self._paths = one, other

    def step(self, loading: Iterable[str]) -> None:
        """Start the comparison if neither file is one of `loading`, the paths of the files being loaded."""
        if self._paths is None or {*map(path_key, self._paths)} & {*map(path_key, loading)}:
            return
        one, other = map(self._state.documents.at, self._paths)
        self._paths = None
        if one is None or other is None:
            return
        lone = next((each for each in (one, other) if each.model is None), None)
        if lone is not None:
            self._state.say(f"{file_name(lone.path)} is no model, so it is not compared", "warning")
            return
        self._state.show(self._state.documents.opened.index(other))
        self._state.compare(CompareMode.SIDE, one)
