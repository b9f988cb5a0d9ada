"""The Urho3D family: models, animations, compiled shaders, compiled scripts and packages."""

from __future__ import annotations

from viewer.formats.registry import Format, later
from viewer.formats.urho3d.package.probe import IDS, is_package
from viewer.formats.urho3d.probe import (
    ANIMATION_IDS,
    MODEL_IDS,
    SCRIPT,
    SHADER,
    is_animation,
    is_model,
    is_script,
    is_shader,
)
from viewer.scene import files

SHADERS = (".vs3", ".ps3", ".vs4", ".ps4", ".vs2", ".ps2")

FORMATS = (
    Format(
        "Urho3D model",
        (".mdl",),
        is_model,
        later("viewer.formats.urho3d.load:load_model"),
        magics=MODEL_IDS,
    ),
    Format(
        "Urho3D animation",
        (".ani",),
        is_animation,
        later("viewer.formats.urho3d.load:load_animation"),
        files.ANIMATION,
        ANIMATION_IDS,
    ),
    Format(
        "Urho3D shader",
        SHADERS,
        is_shader,
        later("viewer.formats.urho3d.shader:load_shader"),
        files.SHADER,
        (SHADER,),
    ),
    Format(
        "Urho3D script",
        (".asc",),
        is_script,
        later("viewer.formats.urho3d.script:load_script"),
        files.SCRIPT,
        (SCRIPT,),
    ),
    Format(
        "Urho3D package",
        (".pak",),
        is_package,
        later("viewer.formats.urho3d.package.load:load_package"),
        files.PACKAGE,
        IDS,
    ),
)
"""The formats. Readers are imported with the first file that they open, because the import takes longer than
reading most models.
"""
