"""Writes a gallery: `OUT.html`, and the pictures and facts in the folder `OUT_files`.

The file name of a picture is its hash. An earlier gallery therefore stays complete until the new page is
written, and an interrupted run leaves no new page. Other files in the folder are not touched.
"""

from __future__ import annotations

import hashlib
import html
import os
import re
import urllib.parse

from viewer.library.gallery.page_data import NameNumbers, language, row, script
from viewer.paths import PACKAGE
from viewer.scene.files import FileEntry
from viewer.storage.listing import list_folder
from viewer.storage.reading import read_file
from viewer.storage.writing import replaced, target_of, written

SOURCE = PACKAGE / "library/gallery"
SCRIPTS = (
    "facts.js",
    "query.js",
    "query_terms.js",
    "wall.js",
    "details.js",
    "help.js",
    "settings.js",
    "gallery.js",
)
"""The scripts of the page in the order in which they are joined."""
FOLDER, FACTS = "_files", "entries.js"
PICTURE = re.compile(r"[0-9a-f]{20}\.png")
"""Matches the file name of a picture."""
PLACEHOLDER = re.compile(r"@(\w+)@")
"""Matches a placeholder in the page, such as `@title@`."""


class GalleryWriter:
    """Writes a gallery to `output`, a path that ends with `.html`.

    Entries may be added in any order; `finish` writes the page. Raises OSError if a file cannot be written.
    """

    def __init__(self, output: str, title: str) -> None:
        self._output, self._title = output, title
        self._folder = f"{os.path.splitext(output)[0]}{FOLDER}"
        self._entries: list[tuple[FileEntry, str]] = []
        self._pictures: set[str] = set()
        target_of(output)
        if not os.path.isdir(self._folder):
            os.mkdir(self._folder)

    def add(self, entry: FileEntry, picture: bytes | None) -> None:
        """Add a file with its picture, the bytes of a PNG or None."""
        name = hashlib.sha256(picture).hexdigest()[:20] if picture else ""
        path = os.path.join(self._folder, f"{name}.png")
        if picture and name not in self._pictures and not os.path.isfile(path):
            with written(path, sync=False) as file:
                file.write(picture)
        self._pictures.add(name)
        self._entries.append((entry, name))

    def finish(self) -> None:
        """Write the facts and the page, and remove pictures of an earlier gallery.

        The same entries make the same bytes, in whatever order they were added.
        """
        names = NameNumbers()
        ordered = sorted(self._entries, key=lambda each: (each[0].name, each[0].path))
        rows = [row(entry, picture, names) for entry, picture in ordered]
        base = os.path.basename(self._folder)
        more = {"folder": quoted(base), "language": language()}
        _write(os.path.join(self._folder, FACTS), script(rows, names, more))
        _write(self._output, page(self._title, quoted(base)))
        for each in list_folder(self._folder):
            if PICTURE.fullmatch(each.name) and each.name.removesuffix(".png") not in self._pictures:
                os.unlink(each.path)


def is_gallery_folder(path: str) -> bool:
    """Whether a folder has the pictures and facts of a gallery."""
    return path.endswith(FOLDER) and os.path.isfile(os.path.join(path, FACTS))


def quoted(name: str) -> str:
    """Convert a file name to a URL; bytes that are not UTF-8 are kept."""
    return urllib.parse.quote(os.fsencode(name))


def page(title: str, folder: str) -> str:
    """Return the HTML of the page; `folder` is the URL of its folder."""
    code = "\n".join(_source(name) for name in SCRIPTS)
    texts = {
        "title": html.escape(title),
        "files": html.escape(folder),
        "style": _source("page.css"),
        "script": f'"use strict";\n(() => {{\n{code}\n}})();',
    }
    return PLACEHOLDER.sub(lambda found: texts[found[1]], _source("page.html"))


def _source(name: str) -> str:
    return read_file(SOURCE / name).decode()


def _write(path: str, text: str) -> None:
    with replaced(path) as file:
        file.write(text.encode("utf-8", "replace"))
