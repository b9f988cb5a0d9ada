"""The About dialog: version, graphics driver, system, and the libraries with their licences."""

from __future__ import annotations

from imgui_bundle import imgui

from viewer.session.about import LICENCE, About
from viewer.session.requests import Post
from viewer.session.state import State
from viewer.ui.kit.dialogs import default_button, settings_window
from viewer.ui.kit.theme import ACCENT
from viewer.ui.kit.widgets import colored, copy_text, faint, wrapped

TITLES = 6
"""Width in letter heights of the column of titles."""
COLUMNS = ("Library", "Version", "Licence")
TABLE = int(imgui.TableFlags_.row_bg | imgui.TableFlags_.sizing_stretch_prop)


def about_dialog(state: State, post: Post) -> None:
    """Draw the dialog while `state.interface.about` is set."""
    about = state.interface.about
    if about is not None and not settings_window("About###about", lambda: _inside(state, about)):
        state.interface.about = None


def _inside(state: State, about: About) -> None:
    colored(f"Rigscope {about.version}", ACCENT)
    wrapped("A viewer for the animated models of Urho3D, OGRE and World of Warcraft.")
    faint(f"{LICENCE} licence, © 2026 Rigscope contributors")
    imgui.separator()
    for title, text in about.machine:
        faint(title)
        imgui.same_line(imgui.get_font_size() * TITLES)
        wrapped(text)
    if default_button("Copy"):
        copy_text(about.text)
    imgui.same_line()
    if imgui.button("Close"):
        state.interface.about = None
    if about.plugins:
        imgui.separator()
        faint("Plugins")
        for each in about.plugins:
            wrapped(each)
    if about.libraries:
        imgui.separator()
        _libraries(about)


def _libraries(about: About) -> None:
    """Draw the table of libraries."""
    if not imgui.begin_table("libraries", len(COLUMNS), TABLE):
        return
    for title in COLUMNS:
        imgui.table_setup_column(title)
    imgui.table_headers_row()
    for each in about.libraries:
        for text in (each.name, each.version, each.licence or "unknown"):
            imgui.table_next_column()
            wrapped(text)
    imgui.end_table()
