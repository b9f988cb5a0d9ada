"""Actions that open files and save pictures."""

from __future__ import annotations

from msgspec.structs import replace

from viewer.actions.action import (
    Action,
    Operation,
    has_document,
    has_model,
    has_picture,
    holds,
    otherwise,
    posts,
    toggles,
)
from viewer.actions.file_list import can_add, chosen_files
from viewer.scene.choices import CLIPS, SELECTED
from viewer.session.layouts import FILES as FILES_PANEL
from viewer.session.pending_files import GONE
from viewer.session.requests import (
    AddResourceFolder,
    AddToView,
    CancelLoading,
    CloseDocument,
    Open,
    OpenFolder,
    OpenNeighbour,
    Post,
    Quit,
    Reload,
    ReopenTab,
    SaveAs,
    Screenshot,
    StopExport,
    Watch,
)
from viewer.session.state import State

RECENT, RESOURCES = ("File", "Open recent"), ("File", "Resource folders")
"""The submenus that list files and folders too."""
STEPS = ("File", "Models in the folder")
IMAGES = ("File", "Other images")


@otherwise("No file was opened yet")
def has_recent(state: State) -> bool:
    """Whether recent files, folders or packages are listed."""
    return bool(state.interface.preferences.recent or state.interface.preferences.recent_folders)


@otherwise("No file is open, or the file is no longer there")
def can_reload(state: State) -> bool:
    """Whether the file in view is there, so that it can be read again."""
    return state.document is not None and state.pending_files.change(state.document.path) != GONE


def clear_recent(state: State, post: Post) -> None:
    """Empty the lists of recent files, folders and packages."""
    state.interface.preferences.recent, state.interface.preferences.recent_folders = [], []


@otherwise("No model is in view, and no file is selected")
def can_export(state: State) -> bool:
    """Whether the document is a model, or selected files have the focus."""
    return has_model(state) or bool(_focused_files(state))


def _focused_files(state: State) -> tuple[str, ...]:
    """The selected files if the wall covers the model in view, or the list of files has the focus and not
    only the file in view is selected.
    """
    if state.files.wall:
        return chosen_files(state)
    files = chosen_files(state) if state.interface.focused == FILES_PANEL else ()
    return () if state.document is not None and files == (state.document.path,) else files


def toggle_export(state: State, post: Post) -> None:
    """Open or close the export dialog. It proposes the selected clips if several are selected.

    The dialog exports the selected files if the user looks at these, see `_focused_files`.
    """
    interface, several = state.interface, len(state.playback.selected) > 1
    interface.exports = not interface.exports
    state.files.exported = _focused_files(state)
    if several or interface.exporter.clips == SELECTED:
        interface.exporter = replace(interface.exporter, clips=SELECTED if several else CLIPS[0])


@otherwise("Nothing is exported")
def is_exporting(state: State) -> bool:
    """Whether a model is being exported."""
    return state.exporting is not None


def remove_added(state: State, post: Post) -> None:
    """Show the model in view without the models that were joined to it."""
    state.view.added = ()


@otherwise("No other file is open")
def has_tabs(state: State) -> bool:
    """Whether several files are open."""
    return len(state.documents.opened) > 1


def turn_tab(by: int) -> Operation:
    """Return the operation that shows the next (1) or previous (-1) tab.

    After the last tab comes the first.
    """

    def run(state: State, post: Post) -> None:
        """Show the tab."""
        state.show((state.documents.current + by) % len(state.documents.opened))

    return run


def open_neighbour(by: int) -> Operation:
    """Return the operation that opens the next (1) or previous (-1) file of the folder.

    The camera stays if the preference Keep view between files is on.
    """

    def run(state: State, post: Post) -> None:
        """Request the neighbour file."""
        post(OpenNeighbour(by, keep_camera=state.interface.preferences.same_view))

    return run


def _preference(name: str, title: str, menu: tuple[str, ...] = ("File",)) -> Action:
    """Make the action that toggles a preference."""
    path = f"interface.preferences.{name}"
    return Action(name, title, (), menu, toggles(path), checked=holds(path))


FILES = (
    Action("open", "Open…", ("Ctrl+O",), ("File",), posts(Open()), words="load import file"),
    Action(
        "add_to_view",
        "Add to the view…",
        (),
        ("File",),
        posts(AddToView()),
        can_add,
        words="join together parts armor head skeleton",
    ),
    Action(
        "remove_added",
        "Remove added files",
        (),
        ("File",),
        remove_added,
        otherwise("No file was added to the view")(holds("view.added")),
    ),
    Action(
        "open_folder",
        "Open folder…",
        ("Ctrl+Shift+O",),
        ("File",),
        posts(OpenFolder()),
        words="directory browse",
    ),
    Action("clear_recent", "Clear recent", (), RECENT, clear_recent, has_recent, words="history"),
    Action(
        "add_resource_folder",
        "Search for missing files in a folder…",
        (),
        RESOURCES,
        posts(AddResourceFolder()),
        words="textures path missing",
    ),
    Action("previous_file", "Previous model in folder", ("Left",), STEPS, open_neighbour(-1), has_document),
    Action("next_file", "Next model in folder", ("Right",), STEPS, open_neighbour(1), has_document),
    Action(
        "previous_file_same_view",
        "Previous model, same view",
        ("Alt+Left",),
        STEPS,
        posts(OpenNeighbour(-1, keep_camera=True)),
        has_document,
    ),
    Action(
        "next_file_same_view",
        "Next model, same view",
        ("Alt+Right",),
        STEPS,
        posts(OpenNeighbour(1, keep_camera=True)),
        has_document,
    ),
    _preference("same_view", "Keep view between files", STEPS),
    Action(
        "cancel_loading",
        "Stop loading",
        ("Ctrl+Shift+.",),
        ("File",),
        posts(CancelLoading()),
        otherwise("No file is loading")(holds("pending_files.loading")),
    ),
    Action("reload", "Reload", ("F5",), ("File",), posts(Reload()), can_reload, words="refresh reread"),
    Action("reload_all", "Reload all", ("Shift+F5",), ("File",), posts(Reload(everything=True)), has_tabs),
    Action(
        "watch",
        "Reload when a file changes",
        (),
        ("File",),
        posts(Watch()),
        has_document,
        holds("pending_files.watching"),
        words="automatic refresh live",
    ),
    _preference("check_files", "Check files after opening"),
    Action("close", "Close", ("Ctrl+W",), ("File",), posts(CloseDocument()), has_document, words="tab"),
    Action(
        "reopen_tab",
        "Reopen closed tab",
        ("Ctrl+Shift+T",),
        ("File", "Tabs"),
        posts(ReopenTab()),
        otherwise("No tab was closed")(holds("documents.closed")),
        words="undo close",
    ),
    Action("next_tab", "Next tab", ("Ctrl+Tab",), ("File", "Tabs"), turn_tab(1), has_tabs),
    Action("previous_tab", "Previous tab", ("Ctrl+Shift+Tab",), ("File", "Tabs"), turn_tab(-1), has_tabs),
    Action(
        "view_screenshot",
        "Save image",
        ("F12",),
        ("File",),
        posts(Screenshot()),
        has_picture,
        words="screenshot capture picture photo png jpg",
    ),
    Action(
        "screenshot_as",
        "Save image as…",
        (),
        IMAGES,
        posts(SaveAs(Screenshot())),
        has_picture,
        words="screenshot capture picture photo png jpg",
    ),
    Action(
        "screenshot",
        "Save image of the window",
        ("Ctrl+F12",),
        IMAGES,
        posts(Screenshot(content="window")),
        has_document,
        words="screenshot capture panels",
    ),
    Action(
        "clean_screenshot",
        "Save image of the model only",
        (),
        IMAGES,
        posts(Screenshot(content="model")),
        has_picture,
        words="screenshot transparent background png",
    ),
    Action(
        "export",
        "Export…",
        ("Ctrl+E",),
        ("File",),
        toggle_export,
        can_export,
        lambda state: state.interface.exports,
        words="convert gltf glb obj ply save blender",
    ),
    Action("stop_export", "Stop export", (), ("File",), posts(StopExport()), is_exporting),
    Action("quit", "Quit", ("Ctrl+Q",), ("File",), posts(Quit()), words="exit"),
)
