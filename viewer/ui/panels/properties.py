"""The properties of what is selected, or of the document where nothing is."""

from __future__ import annotations

from imgui_bundle import imgui

from viewer.requests import Post
from viewer.scene.document import Document, Item
from viewer.scene.spots import KINDS
from viewer.state import State
from viewer.ui.properties.bone import BonePage
from viewer.ui.properties.effects import EffectPage
from viewer.ui.properties.geometry import VertexPage, geometry_page
from viewer.ui.properties.named import reference_page
from viewer.ui.properties.other import DocumentPage, animation_page, bytes_page, morph_page
from viewer.ui.properties.paint import TexturePage, material_page
from viewer.ui.properties.parts import camera_page, geoset_page, spot_page
from viewer.ui.widgets import nothing


class Properties:
    """One page for each kind of item. What pages keep is of one document, and goes with it."""

    def __init__(self) -> None:
        self._of: Document | None = None
        self._begin(None)

    def _begin(self, document: Document | None) -> None:
        self._of = document
        self._bone = BonePage()
        self._vertex = VertexPage()
        self._texture = TexturePage()
        self._effect = EffectPage()
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
                self._page(state, item)
                imgui.pop_id()
        imgui.end_child()

    def _page(self, state: State, item: Item) -> None:
        match item[0]:
            case "bone":
                self._bone(state, item)
            case "geometry" | "lod":
                geometry_page(state, item, state.seen)
            case "vertex":
                self._vertex(state, item)
            case "material":
                material_page(state, item, state.seen.gallery)
            case "texture":
                self._texture(state, item, state.seen.gallery)
            case "morph":
                morph_page(state, item)
            case "geoset":
                geoset_page(state, item)
            case "model":
                reference_page(state, item)
            case "camera":
                camera_page(state, item)
            case "emitter" | "ribbon" | "particle":
                self._effect(state, item)
            case str(kind) if kind in KINDS:
                spot_page(state, item)
            case "animation":
                animation_page(state, item)
            case _:
                bytes_page(state, item)
