"""The OGRE family: meshes of OGRE and OGRE-Next, skeletons, and the AXP archives of 天龙八部 (TLBB)."""

from __future__ import annotations

from viewer.families.ogre.axp import probe as axp
from viewer.families.ogre.probe import is_mesh, is_next_mesh, is_skeleton
from viewer.families.ogre.versions import BIG, LITTLE, MESH, NEXT_MESH, SKELETON
from viewer.family.archive import ArchiveFormat
from viewer.family.family import Family
from viewer.family.format import EditRules, Format, IndexRange
from viewer.family.later import later
from viewer.scene import files
from viewer.scene.engine import EngineSearch

VERTEX_COUNTS = IndexRange(("mesh/geometry/vertex_count", "mesh/submesh[]/geometry/vertex_count"))
"""The vertices that all submeshes share, or the vertices of one submesh."""
MESH_EDITS = EditRules(
    {
        "materials": ("mesh/submesh[]/material",),
        "textures": ("mesh/submesh[]/texture alias[]/texture",),
        "clips": ("mesh/animations/animation[]/name",),
    },
    {
        "mesh/submesh[]/indices[]": VERTEX_COUNTS,
        "mesh/bone assignments[]/vertex": VERTEX_COUNTS,
        "mesh/submesh[]/bone assignments[]/vertex": VERTEX_COUNTS,
        "mesh/poses/pose[]/offsets[]/vertex": VERTEX_COUNTS,
        "mesh/poses/pose[]/target": IndexRange(("mesh/submesh",), past=1),
        "mesh/names/submesh name[]/submesh": IndexRange(("mesh/submesh",)),
    },
)
NEXT_EDITS = EditRules({"materials": ("mesh/submesh[]/material",)})
HANDLES = IndexRange(values="bone[]/handle")
SKELETON_EDITS = EditRules(
    {"bones": ("bone[]/name",), "clips": ("animation[]/name",)},
    {"parents[]/child": HANDLES, "parents[]/parent": HANDLES, "animation[]/track[]/bone": HANDLES},
)
FORMATS = (
    Format(
        "OGRE mesh",
        (".mesh",),
        is_mesh,
        later("viewer.families.ogre.load:load_mesh"),
        magics=(LITTLE + MESH + b"1", BIG + MESH + b"1"),
        edits=MESH_EDITS,
    ),
    Format(
        "OGRE-Next mesh",
        (".mesh",),
        is_next_mesh,
        later("viewer.families.ogre.load:load_next_mesh"),
        magics=(LITTLE + NEXT_MESH, BIG + NEXT_MESH),
        edits=NEXT_EDITS,
    ),
    Format(
        "OGRE skeleton",
        (".skeleton",),
        is_skeleton,
        later("viewer.families.ogre.load:load_skeleton"),
        files.SKELETON,
        (LITTLE + SKELETON, BIG + SKELETON),
        edits=SKELETON_EDITS,
    ),
    Format(
        "AXP archive",
        (axp.SUFFIX,),
        axp.is_axp,
        later("viewer.families.ogre.axp.load:load_axp"),
        files.PACKAGE,
        (axp.MAGIC,),
        mapped=True,
        gaps=True,
    ),
)
ARCHIVES = ArchiveFormat(
    lambda path, fetch, size: axp.is_axp(bytes(fetch(0, len(axp.MAGIC))), ""),
    later("viewer.families.ogre.axp.files:read_archive"),
    hashed=True,
    by_base_name=True,
)
ENGINE = EngineSearch(
    one_system=True,
    effects={
        "material": "The submesh is drawn with BaseWhite.",
        "texture": (
            "The yellow and black picture of a missing texture is drawn, or white, and the log has an "
            "exception."
        ),
        "skeleton": "The mesh is drawn but does not move, and the log has a message.",
        "linked skeleton": (
            "The skeleton with the link is not loaded: its mesh is drawn but does not move, and the log "
            "has a message."
        ),
        "script": "The materials that inherit from materials of the script are not defined.",
        "": "The missing part is not loaded.",
    },
)
"""Source: OGRE `FileSystemArchive`, `ResourceGroupManager`: only archives on Windows ignore case."""
FAMILY = Family(
    "OGRE",
    FORMATS,
    (ARCHIVES,),
    (
        later("viewer.families.ogre.axp.client:client_layout"),
        later("viewer.families.ogre.program:ogre_layout"),
    ),
    pages=later("viewer.families.ogre.pages:pages"),
    rules=later("viewer.families.ogre.rules:rules"),
    engine=ENGINE,
)
