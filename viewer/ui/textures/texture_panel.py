"""The Texture panel: a texture with the layouts of the geometries that use it."""

from __future__ import annotations

from collections.abc import Iterable
from math import floor

from imgui_bundle import ImVec2, imgui

from viewer.scene.choices import CHANNELS
from viewer.scene.items import GeometryItem, Item
from viewer.scene.material import Image, Texture
from viewer.scene.mesh.surface_points import SurfacePoint, surface_values
from viewer.scene.mesh.uv_layout import NONE, WITHOUT, TextureUse, moved, texture_at, texture_uses
from viewer.scene.model import Model
from viewer.scene.names import short_name
from viewer.scene.parts import geometry_name
from viewer.session.requests import Post, SaveTexture
from viewer.session.state import State
from viewer.session.texture_view import LAYOUTS, Layouts, TextureView, shown_uses, texture_of
from viewer.ui.kit.texts import label_text
from viewer.ui.kit.theme import WARNING
from viewer.ui.kit.widgets import Memo, colored, faint, hint, mono, nothing, toggle
from viewer.ui.textures.canvas import (
    Canvas,
    Uv,
    clicked,
    draw_edge,
    draw_mark,
    draw_region,
    draw_texel,
    fit_box,
    texel_at,
    texture_canvas,
)
from viewer.view.item_geometries import geometries_of
from viewer.view.texture_shot import TextureShot, UvLayer, geometry_color, uv_layers
from viewer.view.view_info import PanelPictures

EMPTY = (1024, 1024)
"""The size in texels that is assumed for a texture without an image."""
LEAST = 64.0
"""The least height of the picture in points."""
SAVE = "\uf0c7"
LEVEL_WIDTH = 12.0
"""The width in font sizes of the list of mip levels, on the page of a picture."""
TITLES: dict[Layouts, str] = {
    "none": "No layout",
    "selected": "Layout of the selected geometry",
    "all": "Layouts of all geometries",
}


class TexturePanel:
    """The panel. It shows the texture of an item when the item is selected."""

    def __init__(self) -> None:
        self._uses, self._layers, self._points = Memo(), Memo(), Memo()
        self._followed: tuple[int, Item | None] = (0, None)
        self._fits_layouts = False

    def __call__(self, state: State, post: Post) -> None:
        """Draw the tools, the picture and the lines about the texel under the pointer."""
        model, gallery = state.model, state.view_info.gallery
        view = state.view.texture_view
        if model is not None:
            self._follow(state, model, view)
        number = None if model is None else view.shown(model)
        if model is None or number is None:
            nothing("This file has no textures and no geometries.")
            return
        image = gallery.image(number) if gallery is not None else None
        self._tools(state, post, model, number, image)
        if gallery is not None:
            self._picture(state, model, gallery, number, image)

    def _tools(self, state: State, post: Post, model: Model, number: int, image: Image | None) -> None:
        """Draw the controls that choose the texture, and its channels, mip level and layouts."""
        view = state.view.texture_view
        _choose_texture(model, view, number)
        imgui.same_line()
        _save(post, view, number)
        _channels(view)
        _zoom(view)
        imgui.same_line(0, 2)
        self._fits_layouts = bool(imgui.button("Layouts"))
        hint("Show all of the drawn layouts")
        imgui.same_line()
        _levels(view, image)
        self._choose_layouts(state, model, view, number)

    def _follow(self, state: State, model: Model, view: TextureView) -> None:
        """Show the texture of the selected item if the selection has changed."""
        selected = id(state.document), state.focus
        if selected != self._followed:
            self._followed = selected
            number = texture_of(state.focus, model, view.shown(model))
            if number is not None:
                view.show(number)

    def _picture(
        self, state: State, model: Model, gallery: PanelPictures, number: int, image: Image | None
    ) -> None:
        """Draw the texture with its layouts, the marks, and what is under the pointer."""
        view, texture = state.view.texture_view, texture_at(model, number)
        room, density = imgui.get_content_region_avail(), imgui.get_io().display_framebuffer_scale.x or 1.0
        below = 2 * imgui.get_text_line_height_with_spacing()
        size = ImVec2(max(room.x, LEAST), max(room.y - below, LEAST))
        texels = EMPTY if image is None else image.size
        layers = self._shown_layers(state, model, number)
        box = gallery.bounds(layers) if self._fits_layouts else None
        if box is not None:
            fit_box(view, box, size, texels)
        canvas = texture_canvas(view, texels, size, density)
        low, high = canvas.corners
        pixels = max(round(size.x * density), 1), max(round(size.y * density), 1)
        shot = TextureShot(
            number,
            view.level,
            view.channels,
            pixels,
            low,
            high,
            layers,
            texture.address,
            state.options.light_theme,
        )
        picture = gallery.view("panel", shot)
        end = ImVec2(canvas.low.x + size.x, canvas.low.y + size.y)
        imgui.get_window_draw_list().add_image(
            imgui.ImTextureRef(picture.glo), canvas.low, end, ImVec2(0, 1), ImVec2(1, 0)
        )
        draw_edge(canvas)
        region = view.marked_region(state.view.selection.picked)
        if region is not None:
            draw_region(canvas, region)
        self._marks(state, model, canvas, number)
        at = canvas.uv(imgui.get_io().mouse_pos) if imgui.is_item_hovered() else None
        points = () if at is None else self._surface_points(state, model, gallery, number, at)
        if points:
            state.view.selection.mark(points)
        if points and clicked():
            state.view.selection.pick(GeometryItem(points[0].geometry))
        _texel_lines(view, texture, image, canvas, at)

    def _marks(self, state: State, model: Model, canvas: Canvas, number: int) -> None:
        """Mark the point of the texture that the model shows under the pointer in the 3D view."""
        point = state.view.selection.under
        if point is None:
            return
        for layer in self._every_layer(state, model, number):
            if layer.use.geometry != point.geometry:
                continue
            found = surface_values(model, point, f"uv{layer.use.uv_set}")
            if found is not None:
                u, v = moved(found[None, :2], layer.moves)[0].tolist()
                for uv in dict.fromkeys(((u, v), _folded((u, v), texture_at(model, number).address))):
                    draw_mark(canvas, uv)

    def _surface_points(
        self, state: State, model: Model, gallery: PanelPictures, number: int, at: Uv
    ) -> tuple[SurfacePoint, ...]:
        """The points of the visible mesh that show the texture coordinates `at`."""
        layers = tuple(
            layer
            for layer in self._every_layer(state, model, number)
            if layer.use.geometry not in state.view.hidden
        )
        repeats = texture_at(model, number).address == ("wrap", "wrap")
        found: tuple[tuple[SurfacePoint, ...]] = self._points.get(
            (layers, at), lambda: (gallery.points(layers, at, repeats),)
        )
        return found[0]

    def _shown_layers(self, state: State, model: Model, number: int) -> tuple[UvLayer, ...]:
        uses = shown_uses(state.view.texture_view, model, number, state.focus)
        return tuple(each for each in self._every_layer(state, model, number) if each.use in uses)

    def _every_layer(self, state: State, model: Model, number: int) -> tuple[UvLayer, ...]:
        """Return a UV layer for each use of a texture, at the present time of animated materials."""
        uses = self._texture_uses(state, model, number)
        moves = any(
            each.motion is not None or each.uv_motion is not None
            for each in (model.materials[use.material] for use in uses if use.material is not None)
        )
        time = state.playback.clip_time() if moves else None
        chosen = frozenset(geometries_of(model, state.focus))
        key = state.document, number, state.view.lod, chosen, time
        found: tuple[tuple[UvLayer, ...]] = self._layers.get(
            key,
            lambda: (uv_layers(model, uses, state.view.lod or 0, state.playback.clip_time(), chosen),),
        )
        return found[0]

    def _texture_uses(self, state: State, model: Model, number: int) -> tuple[TextureUse, ...]:
        found: tuple[tuple[TextureUse, ...]] = self._uses.get(
            (state.document, number), lambda: (texture_uses(model, number),)
        )
        return found[0]

    def _choose_layouts(self, state: State, model: Model, view: TextureView, number: int) -> None:
        """Draw the control that chooses which geometries show their UV layouts."""
        uses = self._texture_uses(state, model, number)
        geometries = tuple(dict.fromkeys(use.geometry for use in uses))
        imgui.set_next_item_width(-1)
        shown = len(set(geometries) - view.left_out)
        some = view.layouts == "all" and shown < len(geometries)
        title = f"Layouts of {shown} of {len(geometries)} geometries" if some else TITLES[view.layouts]
        if imgui.begin_combo("##layouts", title, int(imgui.ComboFlags_.height_large)):
            for layouts in LAYOUTS:
                if imgui.selectable(TITLES[layouts], view.layouts == layouts)[0]:
                    view.layouts, view.left_out = layouts, set()
            imgui.separator()
            for geometry in geometries:
                _choose_geometry(view, model, geometry)
            imgui.end_combo()
        if not geometries:
            hint("No geometry has texture coordinates for this texture")


class PicturePage(TexturePanel):
    """The page of a picture file: the panel without a choice of textures and layouts."""

    def _tools(self, state: State, post: Post, model: Model, number: int, image: Image | None) -> None:
        view = state.view.texture_view
        _channels(view)
        imgui.same_line()
        _zoom(view)
        imgui.same_line()
        imgui.begin_group()
        _levels(view, image, LEVEL_WIDTH * imgui.get_font_size())
        imgui.end_group()
        imgui.same_line()
        _save(post, view, number)

    def _texture_uses(self, state: State, model: Model, number: int) -> tuple[TextureUse, ...]:
        return ()


def _choose_geometry(view: TextureView, model: Model, geometry: int) -> None:
    """Draw the box that shows or hides the layout of a geometry, in the colour of the layout."""
    red, green, blue, _ = geometry_color(geometry)
    imgui.push_style_color(imgui.Col_.check_mark, (red, green, blue, 1.0))
    on = view.layouts == "all" and geometry not in view.left_out
    if imgui.checkbox(f"{label_text(geometry_name(model, geometry))}##{geometry}", on)[0]:
        if view.layouts != "all":
            view.layouts = "all"
            view.left_out = set(range(len(model.geometries))) - {geometry}
        else:
            view.left_out ^= {geometry}
    imgui.pop_style_color()


def _choose_texture(model: Model, view: TextureView, number: int) -> None:
    """Draw the list of textures, and leave room for a button to its right."""
    side = imgui.get_frame_height()
    imgui.set_next_item_width(-side - imgui.get_style().item_spacing.x)
    if imgui.begin_combo("##texture", _texture_title(model, number)):
        for other in (*range(len(model.textures)), *((NONE,) if texture_uses(model, NONE) else ())):
            if imgui.selectable(f"{_texture_title(model, other)}##{other}", other == number)[0]:
                view.show(other)
        imgui.end_combo()


def _save(post: Post, view: TextureView, number: int) -> None:
    """Draw the button that saves the texture."""
    side = imgui.get_frame_height()
    if imgui.button(SAVE, ImVec2(side, side)):
        imgui.open_popup("save")
    hint("Save as PNG…")
    if imgui.begin_popup("save"):
        for title, layout in (("Save texture…", False), ("Save texture with its layouts…", True)):
            if imgui.menu_item_simple(title):
                post(SaveTexture(number, view.level, view.channels, layout))
        imgui.end_popup()


def _texture_title(model: Model, number: int) -> str:
    if number == NONE:
        return "No texture"
    return label_text(f"{number}   {short_name(model.textures[number].name)}")


def _channels(view: TextureView) -> None:
    """Draw the buttons of the channels."""
    for number, channels in enumerate(CHANNELS):
        if number:
            imgui.same_line(0, 2)
        if toggle(channels, channels == view.channels):
            view.channels = channels
        if channels == "RGBA":
            hint("Colours with their alpha over a checker pattern")


def _zoom(view: TextureView) -> None:
    """Draw the buttons that zoom."""
    if imgui.button("Fit"):
        view.fit()
    imgui.same_line(0, 2)
    if imgui.button("1:1"):
        view.zoom = 1 / (imgui.get_io().display_framebuffer_scale.x or 1.0)
    hint("A pixel of the screen for each pixel of the texture")


def _levels(view: TextureView, image: Image | None, width: float = -1.0) -> None:
    """Draw the choice of the mip level, if there are several, with a width in points (-1: the whole row)."""
    if image is None or len(image.levels) < 2:
        imgui.new_line()
        return
    names = [f"Level {n}   {each.shape[1]} × {each.shape[0]}" for n, each in enumerate(image.levels)]
    imgui.set_next_item_width(width)
    view.level = imgui.combo("##level", min(view.level, len(names) - 1), names)[1]


def _texel_lines(
    view: TextureView, texture: Texture, image: Image | None, canvas: Canvas, at: Uv | None
) -> None:
    """Draw two lines: the texel under the pointer with its value, and its texture coordinates."""
    if image is None:
        reason = "No image to show." if texture.path is None else "The image could not be read."
        colored("The geometries have no texture." if texture is WITHOUT else reason, WARNING)
    else:
        level = image.levels[min(view.level, len(image.levels) - 1)]
        size = level.shape[1], level.shape[0]
        texel = None if at is None else texel_at(_folded(at, texture.address), size)
        with mono():
            if texel is None:
                faint(f"{size[0]} × {size[1]}   {image.encoding}")
            else:
                values = level[texel[1], texel[0]].tolist()
                code = "".join(f"{each:02X}" for each in values)
                imgui.text_unformatted(f"{texel[0]} {texel[1]}   {' '.join(map(str, values))}   #{code}")
        if texel is not None and at is not None and texel_at(at, size) is not None:
            draw_texel(canvas, texel, size)
    zoom = canvas.scale * (imgui.get_io().display_framebuffer_scale.x or 1.0)
    with mono():
        uv = "" if at is None else f"UV {at[0]:.4f} {at[1]:.4f}   "
        faint(f"{uv}{zoom:.0%}")


def _folded(uv: Uv, address: Iterable[str]) -> Uv:
    """Wrap texture coordinates to 0..1 along the axes on which the texture repeats."""
    u, v = (at - floor(at) if mode == "wrap" else at for at, mode in zip(uv, address, strict=True))
    return u, v
