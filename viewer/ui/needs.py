"""The needs of the open documents, as the panels show them."""

from __future__ import annotations

from viewer.lru import kept_with
from viewer.scene.document import Document
from viewer.scene.needs import Need, needs_of
from viewer.session.state import State
from viewer.ui.kit.widgets import Memo


@kept_with
def _memo(document: Document) -> Memo:
    return Memo()


def shown_needs(state: State, document: Document) -> tuple[Need, ...]:
    """The needs of an open document, with the files that the user chose for its textures and the images that
    could not be decoded.
    """
    chosen, errors = tuple(state.documents.view_of(document).textures), document.unreadable_images
    counts = (each.report.count for each in (document, *document.attached))
    key = (chosen, len(errors), len(document.animations), *counts)
    needs: tuple[Need, ...] = _memo(document).get(key, lambda: needs_of(document, chosen, errors))
    return needs
