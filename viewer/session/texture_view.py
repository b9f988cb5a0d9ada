"""What the Texture panel shows: the texture, its channels, mip level and layouts, and the visible part."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct, field

from viewer.scene.items import Item, MaterialItem, TextureItem
from viewer.scene.mesh.uv_layout import TextureUse, texture_uses, used_textures
from viewer.scene.model import Model
from viewer.view.item_geometries import geometries_of

Layouts = Literal["none", "selected", "all"]
LAYOUTS: tuple[Layouts, ...] = ("none", "selected", "all")
MIDDLE = (0.5, 0.5)
Region = tuple[float, float, float, float]


class TextureView(Struct):
    """The view of the textures of one document.

    `number` is the number of the shown texture (None: the first texture that a geometry uses). `layouts`
    chooses the geometries whose layouts are drawn; of all geometries, those in `left_out` are not drawn.
    `zoom` is the size in points of a pixel of the first mip level; with None, the whole texture fits.
    `middle` are the texture coordinates in the middle. `region` is marked on the texture and on the model:
    left, top, right and bottom in texture coordinates (None: nothing is marked). See `marked_region`.
    """

    number: int | None = None
    channels: str = "RGB"
    level: int = 0
    layouts: Layouts = "all"
    left_out: set[int] = field(default_factory=set)
    zoom: float | None = None
    middle: tuple[float, float] = MIDDLE
    region: Region | None = None

    def show(self, number: int) -> None:
        """Show another texture as a whole."""
        if number != self.number:
            self.number, self.level, self.left_out, self.region = number, 0, set(), None
            self.fit()

    def marked_region(self, picked: Item | None) -> Region | None:
        """Return the marked region if the selected item `picked` is the shown texture; otherwise None."""
        return self.region if self.number is not None and picked == TextureItem(self.number) else None

    def fit(self) -> None:
        """Show the whole texture."""
        self.zoom, self.middle = None, MIDDLE

    def shown(self, model: Model) -> int | None:
        """Return the number of the shown texture; None if the model has neither textures nor geometries."""
        if self.number is not None and self.number < len(model.textures):
            return self.number
        return next(iter(used_textures(model)), 0 if model.textures else None)


def texture_of(item: Item | None, model: Model, shown: int | None) -> int | None:
    """Return the texture that the panel shows after an item is selected; None if the item has no texture.

    For a geometry or a material, the result is `shown` if the item uses this texture, otherwise the first
    texture of the item.
    """
    match item:
        case TextureItem(number):
            return number if number < len(model.textures) else None
        case MaterialItem(number) if number < len(model.materials):
            units = tuple(model.materials[number].units.values())
        case _:
            own = geometries_of(model, item)
            every = used_textures(model) if own else ()
            units = tuple(
                each for each in every if any(use.geometry in own for use in texture_uses(model, each))
            )
    return shown if shown in units else next(iter(units), None)


def shown_uses(view: TextureView, model: Model, number: int, item: Item | None) -> tuple[TextureUse, ...]:
    """Return the uses of a texture whose layouts are drawn while `item` is selected."""
    uses = texture_uses(model, number)
    if view.layouts == "none":
        return ()
    if view.layouts == "selected":
        own = geometries_of(model, item)
        return tuple(use for use in uses if use.geometry in own)
    return tuple(use for use in uses if use.geometry not in view.left_out)
