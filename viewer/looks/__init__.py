"""Opens files as the game shows them: a creature wears the first display of the game's tables whose files
exist.
"""

from __future__ import annotations

from pathlib import Path

from viewer.arrays import damaged_numbers
from viewer.formats import open_document as open_plain
from viewer.formats.m2.probe import MODEL
from viewer.scene.characters import CharacterLook
from viewer.scene.document import Document
from viewer.scene.looks import split_display
from viewer.storage.listing import listed_once
from viewer.storage.package_path import is_file

__all__ = ["open_document", "wearing"]


def open_document(path: str | Path) -> Document:
    """Open a file in one of the readable formats; `PACKAGE::name` opens a file inside a package. A model of
    World of Warcraft wears its first complete display if the game's tables are found; `MODEL.m2::706` opens
    the model in its display 706.

    The document of a broken file has the readable part, and the errors in `report`. FormatError if the file
    cannot be read or its format is unknown or unsupported. ResourceError if a package does not contain the
    file, or the model has no such display.
    """
    in_display = split_display(str(path))
    if in_display is not None and is_file(in_display[0]):
        return wearing(open_document(in_display[0]), in_display[1])
    document = open_plain(path)
    if document.format != MODEL or document.model is None:
        return document
    from viewer.looks.dressing import with_displays  # imported late, because only these models have displays

    with damaged_numbers(), listed_once():
        return with_displays(document)


def wearing(document: Document, choice: str | CharacterLook) -> Document:
    """Return a document whose model wears another of its displays, or another look of its race and sex. The
    `choice` of a display is as for `Displays.choose`.

    ResourceError if the model has no such display, or is no character of the look's race and sex.
    """
    if isinstance(choice, CharacterLook):
        if document.worn == choice:
            return document
    elif document.displays.choose(choice) == document.displays.worn and (
        document.displays.worn is not None or document.character is None
    ):
        return document
    # imported late, because only models of games have displays
    from viewer.looks.dressing import in_display, in_look

    with damaged_numbers(), listed_once():
        return (
            in_look(document, choice) if isinstance(choice, CharacterLook) else in_display(document, choice)
        )
