"""The pages of the formats of OGRE and of TLBB."""

from __future__ import annotations

from viewer.families.ogre import mesh_layout, skeleton_layout
from viewer.families.ogre.axp import layout as axp_layout
from viewer.families.ogre.axp import probe as axp_probe
from viewer.families.ogre.next import layout as next_layout
from viewer.family.page import FormatPage, page_of_records

CHUNKS = (
    "Every chunk begins with its id (u16) and its length (u32); the length includes these 6 bytes. Offsets\n"
    "in a chunk count from its start. Readers rely on the order of chunks, because a length may be wrong."
)


def pages() -> tuple[FormatPage, ...]:
    """Return the pages of the family, in the order of its formats."""
    return (
        page_of_records(
            "ogre-mesh", "OGRE mesh", ".mesh", mesh_layout, (mesh_layout.MESH_FILE, ""), note=CHUNKS
        ),
        page_of_records(
            "ogre-next-mesh",
            "OGRE-Next mesh",
            ".mesh",
            next_layout,
            (next_layout.MESH_FILE, ""),
            note=CHUNKS,
        ),
        page_of_records(
            "ogre-skeleton",
            "OGRE skeleton",
            ".skeleton",
            skeleton_layout,
            (skeleton_layout.SKELETON_FILE, ""),
            note=CHUNKS,
        ),
        page_of_records(
            "axp",
            "AXP archive",
            axp_probe.SUFFIX,
            axp_layout,
            (axp_layout.HEADER, "The header."),
            (axp_layout.HASHES, "The hash table, which finds files by their names."),
            (axp_layout.BLOCKS, "The block table: where each file is stored."),
        ),
    )
