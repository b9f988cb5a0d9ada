"""What only these formats know about editing: which texts and indices they have, and where a text goes."""

from __future__ import annotations

from viewer.family.format import EditRules, IndexRange
from viewer.family.later import later

ROOTS = ("", "MD21/")
"""The beginnings of the paths in a model: a plain file, and the chunk of a chunked one."""
SKELETON_CHUNKS = ("SKB1/", "SKS1/", "SKA1/")
STORED, PLACE = (
    later("viewer.families.wow.m2.texts:stored_text"),
    later("viewer.families.wow.m2.texts:place_text"),
)
NONE = (-1, 0xFFFF, 0xFFFFFFFF)
"""The numbers that stand for no row, by the size of the field."""


def _ranges(roots: tuple[str, ...], **tables: tuple[str, ...]) -> dict[str, IndexRange]:
    """The ranges of the fields that hold numbers of rows of a table, by the name of the table."""
    return {
        f"{root}{path.replace('.', '[]/')}": IndexRange((f"{root}{table}",), others=NONE)
        for root in roots
        for table, paths in tables.items()
        for path in paths
    }


VIEWED = {
    "batches[]/submesh": "submeshes",
    "indices[]": "vertices",
}
VIEW = EditRules(
    indices={path: IndexRange((table,)) for path, table in VIEWED.items()},
    in_place=True,
    stored_text=STORED,
    place_text=PLACE,
)
MODEL = EditRules(
    {"textures": tuple(f"{root}textures[]/name" for root in ROOTS)},
    {
        **_ranges(
            ROOTS,
            bones=(
                "bones.parent",
                *(f"{each}.bone" for each in ("attachments", "events", "lights", "particles", "ribbons")),
            ),
            textures=("texture_lookup[]", "replaceable_lookup[]"),
            sequences=("sequence_lookup[]", "sequences.next_variation"),
            attachments=("attachment_lookup[]",),
            cameras=("camera_lookup[]",),
        ),
        **{
            f"{root}views[].{path}": IndexRange((f"{root}views[].{table}",))
            for root in ROOTS
            for path, table in VIEWED.items()
        },
    },
    in_place=True,
    stored_text=STORED,
    place_text=PLACE,
)
SKELETON = EditRules(
    indices=_ranges(SKELETON_CHUNKS, bones=("bones.parent",), sequences=("sequence_lookup[]",)),
    in_place=True,
    stored_text=STORED,
    place_text=PLACE,
)
TABLE = EditRules(
    stored_text=later("viewer.families.wow.dbc.texts:stored_text"),
    place_text=later("viewer.families.wow.dbc.texts:place_text"),
)
