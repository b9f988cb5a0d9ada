"""The part of a texture in a panel: zoom, pan, and what is under the pointer."""

from __future__ import annotations

from math import floor

from imgui_bundle import ImVec2, imgui
from msgspec import Struct

from viewer.arrays import Array
from viewer.session.texture_view import TextureView
from viewer.ui.kit.theme import FAINT, color32
from viewer.ui.view.mouse import STILL

FILLED = 0.96
"""The share of the panel's width or height that the whole texture fills."""
ZOOM = 1.25
"""The factor of the zoom for one notch of the wheel."""
LARGEST, SMALLEST = 64.0, 1 / 16
"""The limits of the zoom: the largest size of a texel in pixels, and the smallest size of the whole texture
as a share of the size at which it fits.
"""
FARTHEST = 16.0
"""The largest distance of the view's middle from the texture, in texture coordinates."""
LEFT, MIDDLE = imgui.MouseButton_.left, imgui.MouseButton_.middle
BUTTONS = int(imgui.ButtonFlags_.mouse_button_left | imgui.ButtonFlags_.mouse_button_middle)
MARK = (1.0, 0.82, 0.28)
RADIUS = 6.0
Uv = tuple[float, float]


class Canvas(Struct, frozen=True):
    """A rectangle of the window that shows a texture.

    `low` is the upper left corner of the rectangle and `size` its size, both in points. `texels` is the size
    (width, height) of the texture, `scale` the size of a texel in points. `middle` are the texture
    coordinates in the middle of the rectangle.
    """

    low: ImVec2
    size: ImVec2
    texels: tuple[int, int]
    scale: float
    middle: Uv

    @property
    def corners(self) -> tuple[Uv, Uv]:
        """The texture coordinates of the upper left and the lower right corner."""
        wide, high = (
            length / (texels * self.scale) / 2
            for length, texels in zip((self.size.x, self.size.y), self.texels, strict=True)
        )
        (u, v) = self.middle
        return (u - wide, v - high), (u + wide, v + high)

    def uv(self, point: ImVec2) -> Uv:
        """The texture coordinates at a point of the window."""
        (u, v), (right, bottom) = self.corners
        return (
            u + (point.x - self.low.x) / self.size.x * (right - u),
            v + (point.y - self.low.y) / self.size.y * (bottom - v),
        )

    def point(self, uv: Uv) -> ImVec2:
        """The point of the window at texture coordinates."""
        (u, v), (right, bottom) = self.corners
        return ImVec2(
            self.low.x + (uv[0] - u) / (right - u) * self.size.x,
            self.low.y + (uv[1] - v) / (bottom - v) * self.size.y,
        )


def fitting_scale(size: ImVec2, texels: tuple[float, float]) -> float:
    """Return the size of a texel in points at which the whole texture fits."""
    return max(min(size.x / texels[0], size.y / texels[1]) * FILLED, 1e-6)


def fit_box(view: TextureView, box: Array, size: ImVec2, texels: tuple[int, int]) -> None:
    """Show a box [2, 2] of texture coordinates in a rectangle of `size` points."""
    wide, high = ((box[1] - box[0]) * texels).tolist()
    u, v = box.mean(axis=0).tolist()
    scale = fitting_scale(size, (max(wide, 1e-3), max(high, 1e-3)))
    view.zoom, view.middle = scale, (_kept(u), _kept(v))


def texture_canvas(view: TextureView, texels: tuple[int, int], size: ImVec2, density: float) -> Canvas:
    """Reserve a rectangle of `size` points as a widget, and let the mouse change the view. Return the visible
    part of the texture.

    `texels` is the size of the first mip level; `density` are pixels per point.
    """
    low = imgui.get_cursor_screen_pos()
    imgui.invisible_button("texture", size, BUTTONS)
    imgui.set_item_key_owner(imgui.Key.mouse_wheel_y)
    fit = fitting_scale(size, texels)
    shown = Canvas(low, size, texels, view.zoom or fit, view.middle)
    io = imgui.get_io()
    if imgui.is_item_hovered() and io.mouse_wheel:
        least, most = min(fit * SMALLEST, 1 / density), max(LARGEST / density, fit)
        scale = max(least, min(most, shown.scale * ZOOM**io.mouse_wheel))
        zoom_at(view, shown, shown.uv(io.mouse_pos), scale)
    elif imgui.is_item_active() and (io.mouse_delta.x or io.mouse_delta.y) and _dragged():
        (u, v), wide, high = view.middle, shown.scale * texels[0], shown.scale * texels[1]
        view.zoom = shown.scale
        view.middle = _kept(u - io.mouse_delta.x / wide), _kept(v - io.mouse_delta.y / high)
    return Canvas(low, size, texels, view.zoom or fit, view.middle)


def zoom_at(view: TextureView, shown: Canvas, uv: Uv, scale: float) -> None:
    """Change the size of a texel to `scale` points; the texture coordinates `uv` keep their position."""
    share = 1 - shown.scale / scale
    (u, v) = view.middle
    view.zoom, view.middle = scale, (_kept(u + (uv[0] - u) * share), _kept(v + (uv[1] - v) * share))


def clicked() -> bool:
    """Whether the left button was released over the last widget in this frame, without a movement since the
    press.
    """
    still = imgui.get_io().mouse_drag_max_distance_sqr[0] <= STILL**2
    return bool(imgui.is_item_hovered() and imgui.is_mouse_released(LEFT) and still)


def texel_at(uv: Uv, texels: tuple[int, int]) -> tuple[int, int] | None:
    """Return the column and the row of the texel at texture coordinates; None outside the texture."""
    column, row = floor(uv[0] * texels[0]), floor(uv[1] * texels[1])
    return (column, row) if 0 <= column < texels[0] and 0 <= row < texels[1] else None


def draw_mark(canvas: Canvas, uv: Uv) -> None:
    """Draw a ring at the texture coordinates `uv`, unless they are outside the canvas."""
    at, draw = canvas.point(uv), imgui.get_window_draw_list()
    if not (0 <= at.x - canvas.low.x <= canvas.size.x and 0 <= at.y - canvas.low.y <= canvas.size.y):
        return
    draw.add_circle(at, RADIUS, color32((0.0, 0.0, 0.0), 0.8), 0, 4.5)
    draw.add_circle(at, RADIUS, color32(MARK), 0, 2.2)


def draw_region(canvas: Canvas, region: tuple[float, float, float, float]) -> None:
    """Draw a frame around a region: left, top, right and bottom in texture coordinates."""
    draw, (left, top, right, bottom) = imgui.get_window_draw_list(), region
    low, high = canvas.point((left, top)), canvas.point((right, bottom))
    draw.add_rect(low, high, color32((0.0, 0.0, 0.0), 0.8), thickness=4.0)
    draw.add_rect(low, high, color32(MARK), thickness=2.0)


def draw_texel(canvas: Canvas, texel: tuple[int, int], texels: tuple[int, int]) -> None:
    """Draw a frame around a texel of a mip level with `texels` (width, height)."""
    low, high = (
        canvas.point(((texel[0] + more) / texels[0], (texel[1] + more) / texels[1])) for more in (0, 1)
    )
    if high.x - low.x >= 4.0:
        imgui.get_window_draw_list().add_rect(low, high, color32((0.0, 0.0, 0.0), 0.8), thickness=3.0)
        imgui.get_window_draw_list().add_rect(low, high, color32(MARK), thickness=1.2)


def draw_edge(canvas: Canvas) -> None:
    """Draw a thin frame around the canvas."""
    high = ImVec2(canvas.low.x + canvas.size.x, canvas.low.y + canvas.size.y)
    imgui.get_window_draw_list().add_rect(canvas.low, high, color32(FAINT, 0.4))


def _dragged() -> bool:
    return any(imgui.is_mouse_dragging(button, STILL) for button in (LEFT, MIDDLE))


def _kept(at: float) -> float:
    return max(-FARTHEST, min(FARTHEST + 1, at))
