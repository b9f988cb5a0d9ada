"""What draws is imported when it is first seen."""

from __future__ import annotations

import pytest

from viewer.interface import PANELS
from viewer.ui import workspace
from viewer.ui.compiled import pages
from viewer.ui.drawn import Drawn
from viewer.ui.panels import properties, view
from viewer.ui.properties.other import morph_page
from viewer.ui.properties.paint import TexturePage

NAMES = {
    *(panel.draw for panel in PANELS),
    *pages.PAGES.values(),
    *properties.PAGES.values(),
    properties.BYTES,
    view.PACKAGE,
    view.WELCOME,
    *(name for _, name in workspace.OVER),
}


def test_a_function_is_taken_as_it_is() -> None:
    assert Drawn()("viewer.ui.properties.other:morph_page") is morph_page


def test_of_a_class_there_is_one_object() -> None:
    drawn = Drawn()
    page = drawn("viewer.ui.properties.paint:TexturePage")
    assert isinstance(page, TexturePage)
    assert drawn("viewer.ui.properties.paint:TexturePage") is page


def test_what_was_never_seen_is_not_made() -> None:
    drawn = Drawn()
    assert drawn.seen("viewer.ui.properties.paint:TexturePage") is None
    page = drawn("viewer.ui.properties.paint:TexturePage")
    assert drawn.seen("viewer.ui.properties.paint:TexturePage") is page


@pytest.mark.parametrize("name", sorted(NAMES))
def test_every_name_in_the_tables_is_there(name: str) -> None:
    assert callable(Drawn()(name))
