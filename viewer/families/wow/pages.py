"""The pages of the formats of World of Warcraft."""

from __future__ import annotations

from viewer.families.wow.blp import layout as blp
from viewer.families.wow.dbc import layout as dbc
from viewer.families.wow.m2 import skel
from viewer.families.wow.m2.clips import anim
from viewer.families.wow.m2.layout import records as layout
from viewer.families.wow.m2.layout.header import HEADER_WITH_COMBINERS
from viewer.families.wow.m2.layout.specification import CHUNK, FILE_CHUNKS, sections
from viewer.families.wow.m2.probe import SUFFIXES
from viewer.families.wow.mpq import layout as mpq_layout
from viewer.families.wow.mpq import probe as mpq_probe
from viewer.family.page import FormatPage, page_of_records

TABLES = "Offsets lead from the header to everything else. A reference is a count and an offset."


def pages() -> tuple[FormatPage, ...]:
    """Return the pages of the family, in the order of its formats."""
    return (
        FormatPage(
            "m2",
            "WoW M2 model",
            SUFFIXES,
            "WoW M2 model",
            layout,
            lambda: (*sections(HEADER_WITH_COMBINERS), *sections(CHUNK), FILE_CHUNKS),
            TABLES,
        ),
        FormatPage(
            "m2-view",
            "WoW M2 view",
            (".skin",),
            "WoW M2 view",
            layout,
            lambda: tuple(sections(layout.SKIN)),
            TABLES,
        ),
        FormatPage(
            "m2-skeleton",
            "WoW M2 skeleton",
            (".skel",),
            "WoW M2 skeleton",
            skel,
            lambda: tuple(sections(CHUNK, *skel.CHUNKS.values(), versions=(skel.GENERATION,))),
            TABLES,
        ),
        FormatPage(
            "m2-keys",
            "WoW M2 keys",
            (".anim",),
            "WoW M2 keys",
            anim,
            lambda: tuple(sections(CHUNK)),
            "Key times and key values, to which the tracks of the model refer. The file has no header.\n"
            "Since version 272 the keys are the content of a chunk.",
        ),
        page_of_records(
            "blp",
            "BLP picture",
            ".blp",
            blp,
            (blp.BLP2, "World of Warcraft."),
            (blp.BLP1, "Warcraft III and betas of World of Warcraft."),
        ),
        FormatPage(
            "dbc",
            "WoW table",
            (".dbc",),
            "WoW table",
            dbc,
            dbc.sections,
            "The columns of other tables are unknown: they are shown as numbers, or as texts if all values\n"
            "of a column are offsets of texts.",
        ),
        page_of_records(
            "mpq",
            "MPQ archive",
            " ".join(mpq_probe.SUFFIXES),
            mpq_layout,
            (mpq_layout.HEADER, "The header."),
            (mpq_layout.USER_DATA, "User data before the header."),
            (mpq_layout.HASHES, "The hash table, which finds files by their names."),
            (mpq_layout.BLOCKS, "The block table: how each file is stored."),
        ),
    )
