"""The Manual panel: the pages, a search, and links to the menus and panels that the pages describe."""

from __future__ import annotations

import webbrowser
from functools import lru_cache
from itertools import islice

from imgui_bundle import imgui, rich_md
from msgspec import Struct

from viewer.actions.bindings import active, changed
from viewer.errors import ResourceError
from viewer.scene.text_filter import EVERYTHING, TextFilter
from viewer.session import manual
from viewer.session.layouts import MANUAL
from viewer.session.requests import Post
from viewer.session.state import State
from viewer.session.system_fonts import cjk_font
from viewer.ui.kit.texts import label_text
from viewer.ui.kit.theme import FONTS, ICONS, bundle_assets
from viewer.ui.kit.widgets import faint, filter_box, found_line, hint, nothing
from viewer.ui.manual.pictures import PagePictures
from viewer.ui.manual.show_me import SCHEME, linked, show, with_keys

BACK, FORWARD = "\uf060", "\uf061"
INDENT = 1.4
"""The indentation of lists in font sizes. A number of two digits fits into it."""
COPY = int(imgui.Key.mod_ctrl) | int(imgui.Key.c)
LAYOUT_FRAMES = 3
"""The number of frames in which the positions on a new page change: its pictures appear in the second
frame.
"""
MOST_RESULTS = 100
"""The largest number of listed results of a search."""


class Visit(Struct):
    """A page or section that was read.

    `scroll` is the scroll position in points, None for the beginning of the section.
    """

    link: str
    scroll: float | None = None


class ManualPanel:
    """Shows the section `state.interface.manual`, and keeps a list of the sections read before."""

    def __init__(self) -> None:
        self._visits: list[Visit] = []
        self._at = -1
        self._fresh = 0
        self._search = EVERYTHING
        self._chosen = 0
        self._clicked = ""
        self._pictures = PagePictures()
        rich_md.set_assets_folder(str(bundle_assets()))
        options = rich_md.MarkdownOptions()
        options.font_options.merge_fonts = [f"{FONTS}/{ICONS}", *filter(None, [str(cjk_font() or "")])]
        options.callbacks.on_open_link = self._click
        options.callbacks.on_image = self._pictures.get
        self._markdown = rich_md.create_context(options)

    def __call__(self, state: State, post: Post) -> None:
        """Draw the panel."""
        try:
            manual.pages()
        except ResourceError as error:
            nothing(str(error))
            return
        wanted = state.interface.manual
        if not self._visits or wanted != self._visits[self._at].link:
            self._visit(wanted)
        self._head(state)
        self._find(state)
        if self._search:
            self._results(state)
        else:
            self._page(state)

    def _visit(self, link: str) -> None:
        """Go to a section. The forward list becomes empty."""
        self._visits[self._at + 1 :] = [Visit(link)]
        self._at = len(self._visits) - 1
        self._fresh, self._search = LAYOUT_FRAMES, EVERYTHING

    def _head(self, state: State) -> None:
        """Draw the buttons for back and forward, and the list of pages."""
        for icon, step, text in ((BACK, -1, "Back"), (FORWARD, 1, "Forward")):
            imgui.begin_disabled(not 0 <= self._at + step < len(self._visits))
            if imgui.button(icon):
                self._at += step
                self._fresh, self._search = LAYOUT_FRAMES, EVERYTHING
                state.interface.manual = self._visits[self._at].link
            imgui.end_disabled()
            hint(text)
            imgui.same_line()
        page = self._visits[self._at].link.partition("#")[0]
        imgui.set_next_item_width(-1)
        titles = {each.name: each.title for each in manual.pages()}
        if imgui.begin_combo("##pages", titles.get(page, ""), int(imgui.ComboFlags_.height_largest)):
            for name, title in titles.items():
                if imgui.selectable(f"{label_text(title)}###{name}", name == page)[0]:
                    state.interface.manual = name
            imgui.end_combo()

    def _find(self, state: State) -> None:
        """Draw the search field."""
        before = self._search
        find = state.interface.find_requested(MANUAL)
        self._search = filter_box("search", before, find, "Search the manual")
        self._chosen = self._chosen if self._search is before else 0

    def _results(self, state: State) -> None:
        """Draw the sections that have the searched words. Enter or a click opens a section."""
        found = found_sections(self._search)
        if not found:
            nothing("No page has these words.")
            return
        step = imgui.is_key_pressed(imgui.Key.down_arrow) - imgui.is_key_pressed(imgui.Key.up_arrow)
        self._chosen = max(0, min(self._chosen + step, len(found) - 1))
        entered = imgui.is_key_pressed(imgui.Key.enter) or imgui.is_key_pressed(imgui.Key.keypad_enter)
        picked = found[self._chosen] if entered else None
        titles = {each.name: each.title for each in manual.pages()}
        if imgui.begin_child("results"):
            for number, section in enumerate(found):
                title, chosen = label_text(section.title), number == self._chosen
                if found_line(title, section.link(), chosen, self._search):
                    picked = section
                if step and number == self._chosen:
                    imgui.set_scroll_here_y(0.5)
                if section.level > 1:
                    imgui.same_line()
                    faint(titles[section.page])
        imgui.end_child()
        if picked is not None:
            state.interface.manual = picked.link() if picked.level > 1 else picked.page
            self._search = EVERYTHING

    def _page(self, state: State) -> None:
        """Draw the page, and follow a clicked link."""
        visit = self._visits[self._at]
        name, _, anchor = visit.link.partition("#")
        if imgui.begin_child("page"):
            try:
                preferences = state.interface.preferences
                text = page_text(
                    name, tuple((each, active(preferences)[each]) for each in changed(preferences))
                )
            except ResourceError as error:
                text = ""
                nothing(str(error))
            rich_md.set_current_context(self._markdown)
            imgui.push_style_var(imgui.StyleVar_.indent_spacing, imgui.get_font_size() * INDENT)
            rich_md.render_raw(text)
            self._pictures.end_page()
            imgui.pop_style_var()
            imgui.shortcut(COPY)  # Ctrl+C copies the text and not the model's picture
            self._scroll(visit, anchor)
        imgui.end_child()
        clicked, self._clicked = self._clicked, ""
        if clicked:
            _follow(state, clicked, name)

    def _scroll(self, visit: Visit, anchor: str) -> None:
        """Scroll to the section of a new page as soon as its position is known, and store the position."""
        if not self._fresh:
            visit.scroll = imgui.get_scroll_y()
            return
        self._fresh -= 1
        tops = {each.slug: each.y for each in reversed(rich_md.last_render_headings())}
        imgui.set_scroll_y(tops.get(anchor, 0.0) if visit.scroll is None else visit.scroll)

    def _click(self, link: str) -> None:
        self._clicked = link


def _follow(state: State, link: str, page: str) -> None:
    """Follow a link of `page`.

    It leads to a menu or panel of the program, to a page or section, or to the web.
    """
    if link.startswith(SCHEME):
        show(state, link)
    elif "://" in link:
        webbrowser.open(link)
    else:
        name, _, anchor = link.partition("#")
        target = name.removesuffix(".md") or page
        state.interface.manual = f"{target}#{anchor}" if anchor else target


@lru_cache(maxsize=64)
def page_text(name: str, changed_keys: tuple[tuple[str, tuple[str, ...]], ...] = ()) -> str:
    """The Markdown of a page, with links to the program, and with the changed keys in the tables of keys.

    `changed_keys` are the actions whose keys the user changed, and their keys. ResourceError for an unknown
    page.
    """
    return linked(with_keys(manual.at(name).text, dict(changed_keys)))


@lru_cache(maxsize=64)
def found_sections(wanted: TextFilter) -> tuple[manual.Section, ...]:
    """Return the first sections that contain the words of a filter."""
    return tuple(islice(manual.search(wanted.text), MOST_RESULTS))
