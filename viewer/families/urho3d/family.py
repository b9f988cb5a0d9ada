"""The Urho3D family: models, animations, compiled shaders, compiled scripts and packages."""

from __future__ import annotations

from viewer.families.urho3d.package.probe import IDS, is_package, package_start
from viewer.families.urho3d.probe import (
    ANIMATION_IDS,
    MODEL_IDS,
    SCRIPT,
    SHADER,
    is_animation,
    is_model,
    is_script,
    is_shader,
)
from viewer.family.archive import ArchiveFormat
from viewer.family.family import Family
from viewer.family.format import EditRules, Format, IndexRange
from viewer.family.later import later
from viewer.scene import files
from viewer.scene.engine import EngineSearch

SHADERS = (".vs3", ".ps3", ".vs4", ".ps4", ".vs2", ".ps2")

MODEL_EDITS = EditRules(
    {"bones": ("bones[]/name",)},
    {
        "bones[]/parent": IndexRange(("bones",), past=1),
        "geometries[]/bone_map/bone_map[]": IndexRange(("bones",)),
        "geometries[]/lods/lods[]/vertex_buffer": IndexRange(("vertex_buffers",)),
        "geometries[]/lods/lods[]/index_buffer": IndexRange(("index_buffers",)),
        "morphs[]/targets[]/vertex_buffer": IndexRange(("vertex_buffers",)),
        "index_buffers[]/indices[]": IndexRange(("vertex_buffers[]/vertex_count",)),
    },
)
CLIP_EDITS = EditRules({"bones": ("tracks[]/name",), "clips": ("name",)})
FORMATS = (
    Format(
        "Urho3D model",
        (".mdl",),
        is_model,
        later("viewer.families.urho3d.load:load_model"),
        magics=MODEL_IDS,
        clips=later("viewer.families.urho3d.named_clips:named_clips"),
        edits=MODEL_EDITS,
    ),
    Format(
        "Urho3D animation",
        (".ani",),
        is_animation,
        later("viewer.families.urho3d.load:load_animation"),
        files.ANIMATION,
        ANIMATION_IDS,
        edits=CLIP_EDITS,
    ),
    Format(
        "Urho3D shader",
        SHADERS,
        is_shader,
        later("viewer.families.urho3d.compiled.shader:load_shader"),
        files.SHADER,
        (SHADER,),
        gaps=True,
    ),
    Format(
        "Urho3D script",
        (".asc",),
        is_script,
        later("viewer.families.urho3d.compiled.script:load_script"),
        files.SCRIPT,
        (SCRIPT,),
    ),
    Format(
        "Urho3D package",
        (".pak",),
        is_package,
        later("viewer.families.urho3d.package.load:load_package"),
        files.PACKAGE,
        IDS,
        gaps=True,
    ),
)
"""The formats. Readers are imported with the first file that they open, because the import takes longer than
reading most models.
"""
PACKAGES = ArchiveFormat(
    lambda path, fetch, size: package_start(fetch, size) is not None,
    later("viewer.families.urho3d.package.source:open_package"),
)
ENGINE = EngineSearch(
    one_system=True,
    effects={
        "material": "The geometry is drawn with the default material.",
        "texture": ("The texture unit stays empty, white or black by the shader, and the log has an error."),
    },
)
"""Source: Urho3D `ResourceCache`, `FileSystem`: names are looked up as they are, in folders and packages."""
FAMILY = Family(
    "Urho3D",
    FORMATS,
    (PACKAGES,),
    (later("viewer.families.urho3d.program:urho3d_layout"),),
    pages=later("viewer.families.urho3d.pages:pages"),
    rules=later("viewer.families.urho3d.rules:rules"),
    engine=ENGINE,
)
