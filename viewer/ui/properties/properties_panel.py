"""The Properties panel: the page of the selected item, or of the document if nothing is selected."""

from __future__ import annotations

from imgui_bundle import imgui

from viewer.scene import items
from viewer.session.requests import Post
from viewer.session.state import State
from viewer.ui.item_menu import give_file, item_menu, missing_name
from viewer.ui.kit.lazy import LazyParts
from viewer.ui.kit.widgets import Memo, nothing
from viewer.ui.properties.displays import DisplayList
from viewer.ui.properties.document import DocumentPage

EFFECT, MARKER_PAGE = (
    "viewer.ui.properties.effects:EffectPage",
    "viewer.ui.properties.attachments:marker_page",
)
GEOMETRY = "viewer.ui.properties.geometry:geometry_page"
PAGES: dict[type[items.Item], str] = {
    items.AttachmentItem: MARKER_PAGE,
    items.EventItem: MARKER_PAGE,
    items.LightItem: MARKER_PAGE,
    items.BoneItem: "viewer.ui.properties.bone:BonePage",
    items.GeometryItem: GEOMETRY,
    items.LodItem: GEOMETRY,
    items.VertexItem: "viewer.ui.properties.vertex:VertexPage",
    items.MaterialItem: "viewer.ui.properties.materials:material_page",
    items.TextureItem: "viewer.ui.properties.materials:texture_page",
    items.MorphItem: "viewer.ui.properties.other_items:morph_page",
    items.GeosetItem: "viewer.ui.properties.attachments:geoset_page",
    items.ModelItem: "viewer.ui.properties.other_items:reference_page",
    items.CameraItem: "viewer.ui.properties.attachments:camera_page",
    items.EmitterItem: EFFECT,
    items.RibbonItem: EFFECT,
    items.ParticleItem: EFFECT,
    items.AnimationItem: "viewer.ui.properties.other_items:animation_page",
}
"""The drawing code by item type: functions `(state, item) -> None`, or classes of callable objects."""
BACKGROUND = int(imgui.PopupFlags_.mouse_button_right | imgui.PopupFlags_.no_open_over_items)
"""The window flags for a right click on an empty area. A right click on a value opens the menu of that
value.
"""
BYTES = "viewer.ui.properties.other_items:bytes_page"


class PropertiesPanel:
    """The panel, with a page for each kind of item. The pages are dropped when their document is closed."""

    def __init__(self) -> None:
        self._pages = Memo()
        self._displays = DisplayList()

    def __call__(self, state: State, post: Post) -> None:
        """Draw the page."""
        document, item = state.document, state.focus
        if document is None:
            nothing("No file is open.")
            return
        drawn, page = self._pages.get(document, lambda: (LazyParts(), DocumentPage(document, self._displays)))
        if imgui.begin_child("page"):
            if item is None or isinstance(item, items.ByteItem):
                page(state, post)
                state.pending_files.unsettled |= page.counting
            else:
                imgui.push_id(str(item))
                drawn(PAGES.get(type(item), BYTES))(state, item)
                _missing(state, post, item)
                imgui.pop_id()
                if imgui.begin_popup_context_window("item", BACKGROUND):
                    item_menu(state, post, item)
                    imgui.end_popup()
        imgui.end_child()


def _missing(state: State, post: Post, item: items.Item) -> None:
    """Draw buttons to choose the missing file of an item, if the item has one."""
    name = missing_name(state, item)
    if name:
        imgui.spacing()
        give_file(post, name, item.number if isinstance(item, items.TextureItem) else None)
