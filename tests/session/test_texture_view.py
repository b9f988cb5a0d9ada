"""What the Texture panel shows."""

from __future__ import annotations

from msgspec.structs import replace

from tests.quads import quad
from viewer.scene.items import BoneItem, GeometryItem, MaterialItem, TextureItem
from viewer.scene.material import Material, Texture
from viewer.scene.mesh.uv_layout import NONE
from viewer.scene.model import Model
from viewer.session.texture_view import TextureView, shown_uses, texture_of

TEXTURES = (Texture("skin"), Texture("bumps"), Texture("unused"))


def model() -> Model:
    """Two geometries of one material with two textures, and one without a material."""
    made = quad(Material("m", units={"normal": 1, "diffuse": 0}), TEXTURES)
    (one,) = made.geometries
    return replace(made, geometries=(one, replace(one, name="two"), replace(one, name="bare", material=None)))


def test_the_first_shown_texture_is_a_used_colour() -> None:
    assert TextureView().shown(model()) == 0
    assert TextureView(2).shown(model()) == 2
    assert TextureView(9).shown(model()) == 0, "the file was read again with fewer textures"


def test_geometries_without_textures_have_a_layout_of_their_own() -> None:
    bare = quad()
    assert TextureView().shown(bare) == NONE
    assert [use.geometry for use in shown_uses(TextureView(), bare, NONE, None)] == [0]
    assert TextureView().shown(Model("empty")) is None


def test_another_texture_is_shown_as_a_whole() -> None:
    view = TextureView(0, level=2, left_out={1}, zoom=3.0)
    view.show(0)
    assert view.zoom == 3.0
    view.show(1)
    assert (view.number, view.level, view.zoom, view.left_out) == (1, 0, None, set())


def test_a_selected_item_leads_to_its_texture() -> None:
    assert texture_of(TextureItem(2), model(), 0) == 2
    assert texture_of(MaterialItem(0), model(), 2) == 1, "the first of its units"
    assert texture_of(GeometryItem(1), model(), 2) == 0, "the colour"
    assert texture_of(GeometryItem(2), model(), 0) == NONE
    assert texture_of(BoneItem(0), model(), 0) is None
    assert texture_of(TextureItem(3), model(), 0) is None


def test_a_shown_texture_of_the_selected_item_stays() -> None:
    assert texture_of(GeometryItem(0), model(), 1) == 1
    assert texture_of(MaterialItem(0), model(), 0) == 0


def test_layouts_are_those_of_all_the_selected_or_no_geometries() -> None:
    def drawn(view: TextureView) -> list[int]:
        return [use.geometry for use in shown_uses(view, model(), 0, GeometryItem(1))]

    assert drawn(TextureView()) == [0, 1]
    assert drawn(TextureView(left_out={0})) == [1]
    assert drawn(TextureView(layouts="selected")) == [1]
    assert drawn(TextureView(layouts="none")) == []
