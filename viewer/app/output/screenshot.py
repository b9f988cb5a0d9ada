"""Saves screenshots."""

from __future__ import annotations

from collections.abc import Callable

from viewer.app.output.save_paths import Destination
from viewer.arrays import Array
from viewer.errors import GraphicsError
from viewer.export.picture.saving import save
from viewer.session.requests import Screenshot
from viewer.session.state import State
from viewer.storage.dependencies import inputs_of


def save_all(state: State, requests: list[Screenshot], picture: Callable[[Screenshot], Array]) -> None:
    """Save a picture at the path of each request, show a message for each, and empty the list."""
    for request in requests:
        target = Destination(state, request)
        try:
            save(picture(request), target.path, inputs_of(state.documents.opened), view=True)
        except (OSError, ValueError, GraphicsError) as error:
            target.fail(error)
        else:
            target.done()
    requests.clear()
