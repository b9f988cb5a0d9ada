"""What draws is imported when it is first seen."""

from __future__ import annotations

import pytest

from viewer.session.layouts import PANELS
from viewer.ui import workspace
from viewer.ui.compiled import pages
from viewer.ui.kit.lazy import LazyParts
from viewer.ui.kit.overlays import OVERLAYS
from viewer.ui.properties import properties_panel
from viewer.ui.properties.other_items import morph_page
from viewer.ui.textures.texture_panel import TexturePanel
from viewer.ui.view import view_panel

NAMES = {
    *pages.PAGES.values(),
    *properties_panel.PAGES.values(),
    properties_panel.BYTES,
    view_panel.PACKAGE,
    view_panel.WELCOME,
    *map(workspace.code, (*PANELS, *OVERLAYS)),
}


def test_a_function_is_taken_as_it_is() -> None:
    assert LazyParts()("viewer.ui.properties.other_items:morph_page") is morph_page


def test_of_a_class_there_is_one_object() -> None:
    drawn = LazyParts()
    page = drawn("viewer.ui.textures.texture_panel:TexturePanel")
    assert isinstance(page, TexturePanel)
    assert drawn("viewer.ui.textures.texture_panel:TexturePanel") is page


def test_what_was_never_seen_is_not_made() -> None:
    drawn = LazyParts()
    assert drawn.loaded("viewer.ui.textures.texture_panel:TexturePanel") is None
    page = drawn("viewer.ui.textures.texture_panel:TexturePanel")
    assert drawn.loaded("viewer.ui.textures.texture_panel:TexturePanel") is page


@pytest.mark.parametrize("name", sorted(NAMES))
def test_every_name_in_the_tables_is_there(name: str) -> None:
    assert callable(LazyParts()(name))
