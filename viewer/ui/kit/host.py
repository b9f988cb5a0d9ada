"""The ImGui context: creation, input, drawing and release. ImGui's OpenGL backend does the drawing."""

from __future__ import annotations

from collections.abc import Callable

from imgui_bundle import ImVec2, imgui, implot

from viewer.ui.kit import theme
from viewer.ui.kit.input import Input

GLSL = "#version 330"
SHORTEST = 1e-4


class Host:
    """An ImGui context that draws with the current GL context, with a window or (in tests) without a
    window.
    """

    def __init__(self) -> None:
        self._context = imgui.create_context()
        imgui.set_current_context(self._context)
        self._plots = implot.create_context()
        io = imgui.get_io()
        io.set_ini_filename("")
        io.set_log_filename("")
        io.config_flags |= imgui.ConfigFlags_.docking_enable
        io.config_windows_move_from_title_bar_only = True
        io.config_input_text_cursor_blink = False
        io.backend_flags |= imgui.BackendFlags_.has_mouse_cursors
        # Ctrl+Tab is free for the action that goes through the open files
        self._context.config_nav_windowing_key_next = 0
        self._context.config_nav_windowing_key_prev = 0
        self.fonts = theme.load_fonts()
        self._drawn = self._whole = False
        self._style = ("", 0.0)
        self.style("dark", 1.0)
        imgui.backends.opengl3_init(GLSL)
        self.input = Input()

    def clipboard(self, read: Callable[[], str], write: Callable[[str], None]) -> None:
        """Connect the window's clipboard."""
        platform = imgui.get_platform_io()
        platform.platform_get_clipboard_text_fn = lambda context: read()
        platform.platform_set_clipboard_text_fn = lambda context, text: write(text)

    def use(self) -> None:
        """Make this context current for ImGui's functions."""
        imgui.set_current_context(self._context)
        implot.set_current_context(self._plots)
        theme.use_fonts(self.fonts)

    def style(self, name: str, scale: float) -> None:
        """Apply the theme `name`. One theme point becomes `scale` points of the window."""
        if (name, scale) != self._style:
            self._style = (name, scale)
            theme.apply(name, scale)

    def new_frame(self, dt: float, size: tuple[float, float], pixels: tuple[int, int]) -> None:
        """Begin a frame in a window of `size` points and `pixels` pixels.

        `dt` is the time in seconds since the last frame.
        """
        self.use()
        if self._drawn and not self._whole:
            self._whole = True
            theme.add_cjk(self.fonts)  # this comes late, so that it does not delay the first frame
        io = imgui.get_io()
        io.delta_time = max(dt, SHORTEST)
        io.display_size = ImVec2(*size)
        io.display_framebuffer_scale = ImVec2(pixels[0] / max(size[0], 1), pixels[1] / max(size[1], 1))
        self.input.feed()
        imgui.backends.opengl3_new_frame()
        imgui.new_frame()

    def render(self) -> None:
        """End the frame and draw it into the bound framebuffer."""
        imgui.render()
        self.draw()
        self._drawn = True

    def draw(self) -> None:
        """Draw the last finished frame again into the bound framebuffer."""
        imgui.backends.opengl3_render_draw_data(imgui.get_draw_data())

    @property
    def cursor(self) -> str:
        """ImGui's name for the mouse cursor to show, such as `arrow` or `resize_ew`."""
        return str(imgui.MouseCursor_(imgui.get_mouse_cursor()).name)

    def release(self) -> None:
        """Release the GL objects and the context."""
        self.use()
        imgui.backends.opengl3_shutdown()
        implot.destroy_context(self._plots)
        imgui.destroy_context(self._context)
