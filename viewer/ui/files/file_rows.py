"""The rows of the file list and the wall, plain or in folders, cached until they change."""

from __future__ import annotations

from functools import cached_property

from viewer.arrays import Array
from viewer.scene.files import MODEL
from viewer.session.file_list import FileList
from viewer.session.file_table import FileTable
from viewer.session.state import State
from viewer.ui.files.folder_tree import FolderNode, folder_tree
from viewer.ui.kit.tree_rows import Branch, Path, flat
from viewer.ui.kit.widgets import Memo

PREVIEWS = 4
"""The number of pictures on a folder's tile."""
SOUGHT = 200
"""The pictures of a folder's tile are chosen from this number of files at the start of the folder."""


class ListedFolder(FolderNode[FileTable]):
    """A folder of the file table."""

    @cached_property
    def previews(self) -> tuple[str, ...]:
        """The paths of up to PREVIEWS files with pictures, models first."""
        table = self.source
        pictured = filter(table.is_pictured, self.numbers[:SOUGHT])
        found = sorted(pictured, key=lambda row: table.kind(row) is not MODEL)
        return tuple(map(table.path, found[:PREVIEWS]))


Node = ListedFolder | int
"""A folder, or the index of a file's row in the table."""


class FileRows:
    """The files that match the query, sorted, as a tree for the list and as tiles for the wall."""

    def __init__(self) -> None:
        self._tree, self._nodes, self._path = Memo(lasting=True), Memo(), Memo()
        self._entered: str | None = None

    def entered(self, files: FileList, pressed: bool) -> bool:
        """Whether Enter opens the file at the cursor now. `pressed` is whether Enter was pressed in this
        frame.

        Enter waits for the answer to the query until the query changes. It opens nothing if the query is
        invalid.
        """
        query = files.query.strip()
        waiting = pressed or self._entered == query
        self._entered = query if waiting and not files.answered else None
        return waiting and files.answered and not files.result.error

    def tree(self, state: State, table: FileTable, rows: Array) -> Branch[Node]:
        """Return the rows: in folder view as a tree of folders, otherwise as a list.

        Open folders stay open.
        """
        folded = state.interface.preferences.files_folded
        descending = state.interface.preferences.files_descending
        opened = state.files.opened

        def make() -> Branch[Node]:
            """Build the tree or list."""
            numbers = rows.tolist()
            if not folded:
                return flat(numbers)
            tree = folder_tree(ListedFolder(table, "", numbers, descending), bool(state.files.query.strip()))
            _open_again(tree, opened)
            return tree

        tree: Branch[Node] = self._tree.get((state.files.revision, folded), make)
        return tree

    def nodes(self, state: State, table: FileTable, rows: Array) -> list[Node]:
        """Return the tiles of the wall: all rows, or in folder view the contents of the current folder.

        A chain of folders with only one entry each is one tile.
        """
        preferences, folder = state.interface.preferences, state.files.folder

        def make() -> list[Node]:
            """Build the list."""
            numbers = rows.tolist()
            if not preferences.files_folded:
                return numbers
            inside = [row for row in numbers if table.names[row].startswith(folder)] if folder else numbers
            below = ListedFolder(table, folder, inside, preferences.files_descending).divide()
            return [node if isinstance(node, int) else node.end_of_chain() for node in below]

        key = (state.files.revision, preferences.files_folded, folder)
        nodes: list[Node] = self._nodes.get(key, make)
        return nodes

    def parent(self, state: State, table: FileTable, rows: Array) -> str:
        """Return the path of the folder above the current folder of the wall. The path ends with `/`, or is
        empty at the top.

        A folder whose only entry is another folder is skipped, because a chain of such folders is one tile.
        """
        folder = state.files.folder
        names = [table.names[row] for row in rows.tolist()]
        others = [name for name in names if not name.startswith(folder)]
        above = folder[:-1].rpartition("/")[0]
        while above and not any(name.startswith(f"{above}/") for name in others):
            above = above.rpartition("/")[0]
        return f"{above}/" if above else ""

    def path_of(self, state: State, table: FileTable, tree: Branch[Node]) -> Path:
        """Return the path of the cursor in the tree.

        If the cursor is in a closed folder, return the path of that folder. The path is empty if the tree
        does not contain the cursor.
        """
        cursor = state.files.cursor
        row = table.row(cursor)
        name = cursor if row is None else table.names[row]

        def find() -> Path:
            """Search the cursor level by level."""
            branch, path = tree, list[int]()
            while name:
                number = _number_of(branch, name, row)
                if number < 0:
                    return ()
                path.append(number)
                node = branch.nodes[number]
                if isinstance(node, int) or node.path == name or number not in branch.opened:
                    return tuple(path)
                branch = branch.opened[number]
            return ()

        found: Path = self._path.get((cursor, id(tree), tree.version), find)
        return found


def _number_of(branch: Branch[Node], name: str, row: int | None) -> int:
    """The index of the node for table row `row`, or of the folder that contains `name`; -1 if there is no
    such node.
    """
    for number, node in enumerate(branch.nodes):
        if node == row or (not isinstance(node, int) and name.startswith(node.path)):
            return number
    return -1


def _open_again(tree: Branch[Node], opened: set[str]) -> None:
    """Open the folders whose paths are in `opened`."""
    for number, node in enumerate(tree.nodes):
        if not isinstance(node, int) and node.path in opened:
            _open_again(tree.open(number), opened)


def node_key(table: FileTable, node: Node) -> str:
    """Return the key that identifies a node in the selection and for the cursor: the path of a file, or the
    path of a folder below the listed folder.
    """
    return table.path(node) if isinstance(node, int) else node.path
