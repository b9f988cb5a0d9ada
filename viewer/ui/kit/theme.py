"""The theme: a dark and a light palette, the spacing and the fonts."""

from __future__ import annotations

from enum import Enum, auto
from pathlib import Path
from typing import ClassVar

import imgui_bundle
from imgui_bundle import ImVec2, ImVec4, imgui
from msgspec import Struct

from viewer.arrays import Rgb

TEXT_SIZE = 15.0
SPACE = 6.0
ROUND = 3.0
GRAB = 0.55
"""Opacity of a slider's grip and of a progress bar. It is low, because a text is drawn over both."""


class ThemeColors(Enum):
    """The colours by meaning. A palette defines their values."""

    __hash__ = (
        object.__hash__
        # this hash is fast enough for a hundred look-ups in a frame; the hash of Enum is slow Python code
    )

    ACCENT = auto()
    GROUND = auto()
    RAISED = auto()
    LINE = auto()
    TEXT = auto()
    FAINT = auto()
    WARNING = auto()
    ERROR = auto()


Color = ThemeColors | Rgb

ACCENT, GROUND, RAISED, LINE, TEXT, FAINT, WARNING, ERROR = ThemeColors

PALETTES: dict[str, dict[ThemeColors, Rgb]] = {
    "dark": {
        ACCENT: (0.36, 0.66, 0.98),
        GROUND: (0.094, 0.102, 0.118),
        RAISED: (0.145, 0.157, 0.180),
        LINE: (0.205, 0.220, 0.250),
        TEXT: (0.870, 0.885, 0.910),
        FAINT: (0.560, 0.590, 0.640),
        WARNING: (0.960, 0.760, 0.340),
        ERROR: (0.980, 0.430, 0.400),
    },
    "light": {
        ACCENT: (0.030, 0.360, 0.760),
        GROUND: (0.970, 0.974, 0.980),
        RAISED: (0.905, 0.914, 0.930),
        LINE: (0.795, 0.812, 0.840),
        TEXT: (0.100, 0.115, 0.140),
        FAINT: (0.345, 0.370, 0.415),
        WARNING: (0.520, 0.310, 0.000),
        ERROR: (0.740, 0.090, 0.080),
    },
}
"""The sRGB colours (0..1) of each theme by its name."""

FONTS = "fonts"
ICONS = "Font_Awesome_6_Free-Solid-900.otf"


class Fonts(Struct, frozen=True):
    """The text font, which has the icons too, and the fixed-width font for numbers."""

    text: imgui.ImFont
    mono: imgui.ImFont


class _Current:
    """The current palette and fonts, and a cache of ImGui's colour vectors."""

    palette = PALETTES["dark"]
    vectors: ClassVar[dict[tuple[Color, float], ImVec4]] = {}
    fonts: Fonts | None = None


def rgb(color: Color) -> Rgb:
    """The sRGB values (0..1) of a colour in the current palette."""
    return _Current.palette[color] if isinstance(color, ThemeColors) else color


def rgba(color: Color, alpha: float = 1.0) -> ImVec4:
    """A colour for ImGui. The vector is shared, so it must not be modified."""
    key = (color, alpha)
    found = _Current.vectors.get(key)
    if found is None:
        found = _Current.vectors[key] = ImVec4(*rgb(color), alpha)
    return found


def color32(color: Color, alpha: float = 1.0) -> int:
    """A colour for a draw list."""
    return imgui.get_color_u32(rgba(color, alpha))


def bundle_assets() -> Path:
    """The folder of the fonts that come with imgui_bundle."""
    return Path(str(imgui_bundle.__file__)).parent / "assets"


def load_fonts() -> Fonts:
    """Add the two fonts to the atlas of the current context."""
    folder = bundle_assets() / FONTS
    text = _add(folder / "Roboto" / "Roboto-Regular.ttf", TEXT_SIZE)
    _add(folder / ICONS, TEXT_SIZE - 3, text)
    return Fonts(text, _add(folder / "Inconsolata-Medium.ttf", TEXT_SIZE))


def add_cjk(fonts: Fonts) -> None:
    """Add the characters of the system's CJK font to both fonts, if there is one."""
    from viewer.session.system_fonts import cjk_font  # imported late, because the first frame has no CJK text

    file = cjk_font()
    if file is not None:
        _add(Path(file), TEXT_SIZE, fonts.text)
        _add(Path(file), TEXT_SIZE, fonts.mono)


def use_fonts(fonts: Fonts) -> None:
    """Use `fonts` in the current context."""
    _Current.fonts = fonts


def mono_font() -> imgui.ImFont:
    """The fixed-width font of the current context."""
    assert _Current.fonts is not None, "a host is in use while panels are drawn"
    return _Current.fonts.mono


def _add(path: Path, size: float, into: imgui.ImFont | None = None) -> imgui.ImFont:
    """Add a font file to the atlas of the current context: as a new font, or merged `into` an existing
    font.
    """
    config = imgui.ImFontConfig()
    if into is not None:
        config.merge_mode, config.dst_font = True, into
    config.pixel_snap_h = True
    return imgui.get_io().fonts.add_font_from_file_ttf(str(path), size, config)


def apply(name: str, scale: float) -> None:
    """Apply one of the `PALETTES` to the current context. One theme point becomes `scale` points."""
    _Current.palette = PALETTES[name]
    _Current.vectors.clear()
    style = imgui.get_style()
    _reset(style)
    for word, length in _lengths().items():
        setattr(style, word, length)
    style.window_menu_button_position = imgui.Dir.none
    style.docking_node_has_close_button = False
    style.scale_all_sizes(scale)
    style.font_size_base = TEXT_SIZE
    style.font_scale_dpi = scale
    (imgui.style_colors_light if name == "light" else imgui.style_colors_dark)()
    for word, color in _colors().items():
        style.set_color_(getattr(imgui.Col_, word), color)


def window_color(name: str) -> tuple[float, float, float, float]:
    """The opaque colour of windows in one of the `PALETTES`, sRGB. The program's window is cleared to this
    colour, so that its view and its docked panels need no background of their own: software renderers take
    longer to fill them than to draw all their texts.
    """
    return (*PALETTES[name][GROUND], 1.0)


def _reset(style: imgui.Style) -> None:
    """Reset all lengths to ImGui's unscaled defaults.

    ImGui multiplies the thickness of focus outlines, close buttons and links by the product of all scalings.
    This product is private in Python.
    """
    fresh = imgui.Style()
    style._main_scale = fresh._main_scale
    for word in dir(fresh):
        if not word.startswith("_") and isinstance(value := getattr(fresh, word), float | ImVec2):
            setattr(style, word, value)


def _lengths() -> dict[str, float | tuple[float, float]]:
    near = SPACE / 2
    return {
        "window_padding": (SPACE + 2, SPACE),
        "frame_padding": (SPACE, near),
        "item_spacing": (SPACE, near + 1),
        "item_inner_spacing": (near + 1, near),
        "cell_padding": (near + 1, 1.0),
        "indent_spacing": 9.0,
        "scrollbar_size": 11.0,
        "grab_min_size": 9.0,
        "window_border_size": 0.0,
        "child_border_size": 0.0,
        "popup_border_size": 1.0,
        "frame_border_size": 0.0,
        "window_rounding": 0.0,
        "child_rounding": ROUND,
        "popup_rounding": ROUND,
        "frame_rounding": ROUND,
        "grab_rounding": ROUND,
        "scrollbar_rounding": ROUND,
        "tab_rounding": ROUND,
        "tab_bar_overline_size": 1.0,
        "tab_close_button_min_width_selected": 0.0,
        "tab_close_button_min_width_unselected": 0.0,
        "docking_separator_size": 1.0,
        "separator_text_border_size": 1.0,
    }


def _colors() -> dict[str, ImVec4]:
    clear = rgba(GROUND, 0.0)
    return {
        "text": rgba(TEXT),
        "text_disabled": rgba(FAINT),
        "text_link": rgba(ACCENT),
        "window_bg": rgba(GROUND),
        "child_bg": clear,
        "popup_bg": rgba(RAISED, 0.98),
        "menu_bar_bg": rgba(GROUND),
        "border": rgba(LINE),
        "separator": rgba(LINE),
        "frame_bg": rgba(RAISED),
        "frame_bg_hovered": rgba(LINE),
        "frame_bg_active": rgba(LINE),
        "button": rgba(RAISED),
        "button_hovered": rgba(LINE),
        "button_active": rgba(ACCENT, 0.55),
        "header": rgba(ACCENT, 0.24),
        "header_hovered": rgba(TEXT, 0.08),
        "header_active": rgba(ACCENT, 0.35),
        "check_mark": rgba(ACCENT),
        "checkbox_selected_bg": rgba(RAISED),
        "slider_grab": rgba(ACCENT, GRAB),
        "slider_grab_active": rgba(ACCENT, GRAB),
        "plot_histogram": rgba(ACCENT, GRAB),
        "tab": clear,
        "tab_hovered": rgba(LINE),
        "tab_selected": rgba(RAISED),
        "tab_selected_overline": rgba(ACCENT),
        "tab_dimmed": clear,
        "tab_dimmed_selected": rgba(RAISED),
        "tab_dimmed_selected_overline": rgba(ACCENT, 0.5),
        "scrollbar_bg": clear,
        "scrollbar_grab": rgba(LINE),
        "text_selected_bg": rgba(ACCENT, 0.35),
        "nav_cursor": rgba(ACCENT),
        "table_row_bg_alt": rgba(TEXT, 0.02),
        "table_header_bg": rgba(RAISED),
        "table_border_light": rgba(LINE),
        "table_border_strong": rgba(LINE),
        "title_bg": rgba(GROUND),
        "title_bg_active": rgba(GROUND),
        "title_bg_collapsed": rgba(GROUND),
        "docking_preview": rgba(ACCENT, 0.4),
        "docking_empty_bg": rgba(GROUND),
        "separator_hovered": rgba(ACCENT, 0.6),
        "separator_active": rgba(ACCENT),
        "scrollbar_grab_hovered": rgba(FAINT),
        "scrollbar_grab_active": rgba(FAINT),
        "resize_grip": clear,
        "resize_grip_hovered": rgba(ACCENT, 0.6),
        "resize_grip_active": rgba(ACCENT),
        "plot_lines": rgba(ACCENT),
        "drag_drop_target": rgba(ACCENT),
        "modal_window_dim_bg": rgba(GROUND, 0.5),
    }
