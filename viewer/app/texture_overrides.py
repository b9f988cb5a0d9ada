"""The images that the user chose for the textures that a model leaves to the program."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from viewer.errors import ViewerError
from viewer.scene.material import Image
from viewer.scene.pixel_budget import ALL_PIXELS, within_budget
from viewer.session.state import State
from viewer.storage.image import read_image
from viewer.storage.search import lone


class TextureOverrides:
    """The chosen images of one model. `own` are its original images, by texture number."""

    def __init__(self, own: Mapping[int, Image]) -> None:
        self._own = own
        self._applied: dict[int, str] = {}

    def changes(self, state: State) -> Iterator[tuple[int, Image | None]]:
        """The textures whose image changes, with the new image; None removes it.

        Unreadable files are reported.
        """
        wanted = state.view.textures
        for number in sorted(wanted.keys() | self._applied.keys()):
            path = wanted.get(number)
            if path != self._applied.get(number):
                yield number, self._own.get(number) if path is None else _read(state, path)
        self._applied = dict(wanted)


def _read(state: State, path: str) -> Image | None:
    try:
        return within_budget(read_image(lone(path)), ALL_PIXELS)
    except (ViewerError, OSError) as error:
        state.say(f"{path}: {error}", "error")
        return None
