"""Actions on the listed files: show the list or the wall, sort, open and save the selected files."""

from __future__ import annotations

from viewer.actions.action import Action, equals, holds, otherwise, sets, toggles
from viewer.errors import counted, printable
from viewer.scene.files import MOST_STARS, Mark
from viewer.scene.model import Model
from viewer.session.file_columns import FILE_SORTS
from viewer.session.layouts import FILES
from viewer.session.requests import (
    AddToView,
    CheckFiles,
    CompareFiles,
    CopyText,
    ListFiles,
    MarkFiles,
    Open,
    Post,
    SaveFilePictures,
    ShowFiles,
)
from viewer.session.state import State

MENU = ("View", "Files")
RATING = (*MENU, "Rating")
FOLDED, REVERSED = "interface.preferences.files_folded", "interface.preferences.files_descending"
SORT, TASKS = "interface.preferences.files_sort", "files.shows_batches"


@otherwise("No folder or package is listed")
def lists_files(state: State) -> bool:
    """Whether a folder or package is listed."""
    return bool(state.files.root)


@otherwise("No file or folder is open")
def can_list(state: State) -> bool:
    """Whether files are listed, or the document in view has a folder to list."""
    return lists_files(state) or state.document is not None


@otherwise("No file of the list is selected")
def has_chosen(state: State) -> bool:
    """Whether files of the list are selected."""
    return bool(state.files.selected)


def toggle_wall(state: State, post: Post) -> None:
    """Switch between the wall and the 3D view. If no files are listed, list the document's folder."""
    if not state.files.wall and not lists_files(state):
        post(ListFiles())
    state.files.wall = not state.files.wall


def show_list(state: State, post: Post) -> None:
    """Show the list of files. If no files are listed, list the document's folder."""
    if not lists_files(state):
        post(ListFiles())
    state.interface.bring(FILES)


def open_chosen(state: State, post: Post) -> None:
    """Open the selected files as tabs."""
    state.files.wall = False
    post(Open(chosen_files(state)))


@otherwise("No model is in view")
def can_add(state: State) -> bool:
    """Whether a model is in view, to which others can be joined."""
    return state.document is not None and isinstance(state.document.content, Model)


@otherwise("Needs a model in view and a selected file of the list")
def can_add_chosen(state: State) -> bool:
    """Whether files of the list are selected that can be joined to the model in view."""
    return has_chosen(state) and can_add(state)


def add_chosen(state: State, post: Post) -> None:
    """Join the models of the selected files to the model in view."""
    state.files.wall = False
    post(AddToView(chosen_files(state)))


@otherwise("Two files of the list must be selected")
def are_two_chosen(state: State) -> bool:
    """Whether two files of the list are selected."""
    return len(state.files.selected) == 2


def compare_chosen(state: State, post: Post) -> None:
    """Open the two selected files and compare them side by side."""
    one, other = chosen_files(state)
    state.files.wall = False
    post(CompareFiles(one, other))


def save_pictures(state: State, post: Post) -> None:
    """Save the pictures of the selected files, one by one."""
    post(SaveFilePictures(chosen_files(state)))


def save_sheet(state: State, post: Post) -> None:
    """Save the pictures of the selected files as one picture with their names (a contact sheet)."""
    post(SaveFilePictures(chosen_files(state), sheet=True))


def check_chosen(state: State, post: Post) -> None:
    """Check the selected files, and list those with findings."""
    post(CheckFiles(chosen_files(state)))


def export_chosen(state: State, post: Post) -> None:
    """Open the export dialog for the selected files."""
    state.files.exported = chosen_files(state)
    state.interface.exports = True


def copy_paths(state: State, post: Post) -> None:
    """Copy the paths of the selected files to the clipboard, a line each."""
    post(CopyText("\n".join(map(printable, chosen_files(state)))))


def show_chosen(state: State, post: Post) -> None:
    """Select the files in the file manager of the desktop."""
    post(ShowFiles(chosen_files(state)))


def toggle_favourite(state: State, post: Post) -> None:
    """Make the selected files favourites. If all of them are favourites already, remove them from the
    favourites.
    """
    post(MarkFiles(chosen_files(state), favourite=not are_favourites(state)))


@otherwise("No more files have the words of the query inside")
def finds_more(state: State) -> bool:
    """Whether files have the words of the query in the names inside them, but not in their paths."""
    return state.files.result.more > 0 and state.files.result.query == state.files.query.strip()


def search_inside(state: State, post: Post) -> None:
    """Search the words of the query also in the names of bones, materials, textures and clips."""
    state.files.query = state.files.result.wider


def are_favourites(state: State) -> bool:
    """Whether all selected files are favourites."""
    return has_chosen(state) and all(mark.favourite for mark in _marks(state))


def _marks(state: State) -> list[Mark]:
    table = state.files.table
    return [] if table is None else [table.mark_of(path) for path in state.files.selected]


def _rate(rating: int) -> Action:
    def run(state: State, post: Post) -> None:
        """Give the selected files this rating."""
        post(MarkFiles(chosen_files(state), rating=rating))

    def chosen(state: State) -> bool:
        """Whether all selected files have this rating."""
        return has_chosen(state) and all(mark.rating == rating for mark in _marks(state))

    title = counted(rating, "star") if rating else "No stars"
    words = "rate rating stars"
    return Action(f"rate_{rating}", title, (f"Alt+{rating}",), RATING, run, has_chosen, chosen, words=words)


def chosen_files(state: State) -> tuple[str, ...]:
    """Return the paths of the selected files, in the order of the list."""
    return state.files.selected_paths(state.files.rows(state.interface.preferences))


def _sort(name: str) -> Action:
    """Make the action that sorts by a column."""
    title = f"Sort by {name}"
    return Action(f"sort_files_{name}", title, (), MENU, sets(SORT, name), lists_files, equals(SORT, name))


FILE_LIST = (
    Action(
        "wall",
        "Wall of pictures",
        ("Ctrl+B",),
        MENU,
        toggle_wall,
        can_list,
        holds("files.wall"),
        words="thumbnails gallery grid pictures",
    ),
    Action("list_files", "List of files", (), MENU, show_list, can_list, words="browser explorer"),
    Action("open_files", "Open selected files as tabs", ("Ctrl+Enter",), MENU, open_chosen, has_chosen),
    Action(
        "add_files_to_view",
        "Add selected files to the view",
        (),
        MENU,
        add_chosen,
        can_add_chosen,
        words="join together parts armor head skeleton",
    ),
    Action("compare_files", "Compare two selected files", (), MENU, compare_chosen, are_two_chosen),
    Action(
        "save_file_pictures",
        "Save pictures of selected files…",
        (),
        MENU,
        save_pictures,
        has_chosen,
        words="thumbnails screenshots",
    ),
    Action(
        "save_contact_sheet",
        "Save contact sheet of selected files…",
        (),
        MENU,
        save_sheet,
        has_chosen,
        words="thumbnails overview gallery",
    ),
    Action(
        "export_files",
        "Export selected files…",
        (),
        MENU,
        export_chosen,
        has_chosen,
        words="convert gltf glb obj ply batch",
    ),
    Action(
        "check_files_chosen",
        "Check selected files",
        (),
        MENU,
        check_chosen,
        has_chosen,
        words="problems findings rules validate",
    ),
    Action(
        "copy_file_paths",
        "Copy paths of selected files",
        ("Ctrl+Shift+C",),
        MENU,
        copy_paths,
        has_chosen,
        words="clipboard name",
    ),
    Action(
        "show_in_file_manager",
        "Show in file manager",
        ("Alt+R",),
        MENU,
        show_chosen,
        has_chosen,
        words="reveal explorer finder nautilus folder",
    ),
    *(_rate(rating) for rating in range(MOST_STARS, -1, -1)),
    Action(
        "favourite",
        "Favourite",
        ("Alt+F",),
        RATING,
        toggle_favourite,
        has_chosen,
        are_favourites,
        words="heart mark favorite like",
    ),
    Action(
        "file_tasks",
        "Tasks and messages",
        (),
        ("View",),
        toggles(TASKS),
        checked=holds(TASKS),
        words="log progress jobs errors",
    ),
    Action(
        "search_inside",
        "Search inside files too",
        ("Alt+I",),
        MENU,
        search_inside,
        finds_more,
        words="bones materials textures clips query",
    ),
    Action("fold_files", "Keep subfolders", (), MENU, toggles(FOLDED), lists_files, holds(FOLDED)),
    *map(_sort, FILE_SORTS),
    Action(
        "reverse_files",
        "Reverse order",
        (),
        MENU,
        toggles(REVERSED),
        lists_files,
        holds(REVERSED),
        words="descending ascending",
    ),
)
