"""Rules about the looks of characters: files, geosets and keys of the rows in the game's tables."""

from __future__ import annotations

from collections.abc import Iterator

from viewer.check.check_context import CheckContext
from viewer.check.rule import Found, Rule, listed
from viewer.errors import counted
from viewer.families.wow.looks.characters import FACIAL, HAIR, SECTIONS, CharacterTables
from viewer.families.wow.looks.files import GameFiles
from viewer.families.wow.looks.tables import TableLog
from viewer.families.wow.looks.wardrobe import character_tables
from viewer.scene.finding import Severity
from viewer.scene.names import file_name


def _tables(context: CheckContext) -> CharacterTables | None:
    """The tables of a character; None for any other document."""
    return (
        None
        if context.document.character is None
        else character_tables(context.document, TableLog(context.document.context))
    )


def missing_files(context: CheckContext) -> Iterator[Found]:
    """Report missing pictures: rows of CharSections name them for the character's race and sex."""
    tables = context.once(_tables)
    if tables is None:
        return
    files, named = GameFiles(context.document), tables.pictures()
    gone = [file_name(name) for name in named if files.find(name) is None]
    if gone:
        verb = "is" if len(gone) == 1 else "are"
        yield Found(
            f"{counted(len(gone), 'picture')} of {len(named)} in {SECTIONS} {verb} missing: {listed(gone)}"
        )


def missing_geosets(context: CheckContext) -> Iterator[Found]:
    """Report styles of hair and facial hair whose geosets the model lacks."""
    tables, model = context.once(_tables), context.model
    if tables is None or model is None:
        return
    known = {each.geoset for each in model.geometries}
    gone = [
        f"{geoset} ({style})"
        for geoset, style in sorted(tables.style_geosets().items())
        if geoset not in known
    ]
    if gone:
        yield Found(f"{HAIR} and {FACIAL} choose geosets that the model lacks: {listed(gone)}")


def repeated_keys(context: CheckContext) -> Iterator[Found]:
    """Report rows of CharSections with the same section, variation and colour."""
    tables = context.once(_tables)
    rows = tables.repeated() if tables is not None else []
    if rows:
        texts = [" and ".join(map(str, ids)) for ids in rows]
        yield Found(f"rows of {SECTIONS} have the same section, variation and colour: {listed(texts)}")


RULES = (
    Rule(
        "look/missing-file",
        Severity.WARNING,
        "Displays and looks in the game's tables name pictures that are missing",
        missing_files,
        {
            "WoW": (
                "The client leaves these layers out: faces, clothes or hair are missing in some looks. A "
                "creature or item is drawn in plain white or green."
            )
        },
        "Add the pictures to the game's folder, or correct the names in the table.",
        "2 pictures of 249 in CharSections are missing: GoblinMaleSkin00_03.blp, Hair00_02.blp",
    ),
    Rule(
        "look/missing-geoset",
        Severity.NOTE,
        "Styles of a character choose geosets that the model lacks",
        missing_geosets,
        {"WoW": "The client shows nothing for these styles: heads are bald, or faces lack a part."},
        "Correct CharHairGeosets and CharacterFacialHairStyles, or add the geosets to the model.",
        "CharHairGeosets and CharacterFacialHairStyles choose geosets that the model lacks: 20 (hair 19)",
    ),
    Rule(
        "look/repeated-key",
        Severity.NOTE,
        "Rows of CharSections have the same key",
        repeated_keys,
        {"WoW": "The client uses one of the rows: the last one in 3.3.5a."},
        "Remove the rows that are not meant.",
        "rows of CharSections have the same section, variation and colour: 32 and 33",
    ),
)
