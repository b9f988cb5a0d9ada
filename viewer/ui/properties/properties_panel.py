"""The properties of what is selected, or of the document where nothing is."""

from __future__ import annotations

from imgui_bundle import imgui

from viewer.scene.document import Document
from viewer.scene.markers import KINDS
from viewer.session.requests import Post
from viewer.session.state import State
from viewer.ui.kit.lazy import LazyParts
from viewer.ui.kit.widgets import nothing
from viewer.ui.properties.document import DocumentPage

EFFECT, SPOT = "viewer.ui.properties.effects:EffectPage", "viewer.ui.properties.attachments:spot_page"
GEOMETRY = "viewer.ui.properties.geometry:geometry_page"
PAGES = {
    **dict.fromkeys(KINDS, SPOT),
    "bone": "viewer.ui.properties.bone:BonePage",
    "geometry": GEOMETRY,
    "lod": GEOMETRY,
    "vertex": "viewer.ui.properties.geometry:VertexPage",
    "material": "viewer.ui.properties.materials:material_page",
    "texture": "viewer.ui.properties.materials:TexturePage",
    "morph": "viewer.ui.properties.other_items:morph_page",
    "geoset": "viewer.ui.properties.attachments:geoset_page",
    "model": "viewer.ui.properties.named_model:reference_page",
    "camera": "viewer.ui.properties.attachments:camera_page",
    "emitter": EFFECT,
    "ribbon": EFFECT,
    "particle": EFFECT,
    "animation": "viewer.ui.properties.other_items:animation_page",
}
"""What draws the page of a kind of item: functions `(state, item) -> None`, or classes of such."""
BYTES = "viewer.ui.properties.other_items:bytes_page"


class PropertiesPanel:
    """One page for each kind of item. What pages keep is of one document, and goes with it."""

    def __init__(self) -> None:
        self._of: Document | None = None
        self._begin(None)

    def _begin(self, document: Document | None) -> None:
        self._of = document
        self._drawn = LazyParts()
        self._document = DocumentPage(document) if document else None

    def __call__(self, state: State, post: Post) -> None:
        """Show the page."""
        document, item = state.document, state.focus
        if document is not self._of:
            self._begin(document)
        if self._document is None:
            nothing("Nothing is open.")
            return
        if imgui.begin_child("page"):
            if item is None or item[0] == "byte":
                self._document()
                state.opening.unsettled |= self._document.counting
            else:
                imgui.push_id(str(item))
                self._drawn(PAGES.get(str(item[0]), BYTES))(state, item)
                imgui.pop_id()
        imgui.end_child()
