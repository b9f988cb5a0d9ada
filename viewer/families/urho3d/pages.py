"""The pages of the formats of Urho3D."""

from __future__ import annotations

from viewer.families.urho3d import animation_layout, model_layout
from viewer.families.urho3d.compiled import d3d9, script_layout, shader_layout
from viewer.families.urho3d.compiled.d3d9 import constant_table
from viewer.families.urho3d.compiled.d3d9 import program as program9
from viewer.families.urho3d.compiled.dxbc import container, signature
from viewer.families.urho3d.compiled.dxbc import program as program10
from viewer.families.urho3d.package import layout as package_layout
from viewer.family.page import FormatPage, page_of_records


def pages() -> tuple[FormatPage, ...]:
    """Return the pages of the family, in the order of its formats."""
    return (
        page_of_records("urho3d-model", "Urho3D model", ".mdl", model_layout, (model_layout.MODEL, "")),
        page_of_records(
            "urho3d-animation", "Urho3D animation", ".ani", animation_layout, (animation_layout.ANIMATION, "")
        ),
        page_of_records(
            "urho3d-package", "Urho3D package", ".pak", package_layout, (package_layout.PACKAGE, "")
        ),
        page_of_records(
            "urho3d-shader",
            "Urho3D shader",
            ".vs3 .ps3 .vs4 .ps4 .vs2 .ps2",
            shader_layout,
            (shader_layout.SHADER, "Since 2014-02: one program."),
            (shader_layout.UNHASHED_SHADER, "Model 4 of the first release with Direct3D 11."),
            (shader_layout.OLD_SHADER, "Before 2014-02: several programs."),
            (
                shader_layout.OLDEST_SHADER,
                "A file of the engine's first tool, in which every program has its own registers.",
            ),
        ),
        page_of_records(
            "urho3d-script",
            "Urho3D script",
            ".asc",
            script_layout,
            (script_layout.HEAD, "The header."),
            (script_layout.SCRIPT_START, "The beginning of AngelScript's own byte code."),
        ),
        page_of_records(
            "dxbc",
            "DXBC container, in Urho3D shaders of model 4",
            "",
            container,
            (container.HEADER, ""),
            (container.PART, ""),
            (signature.SIGNATURE, ""),
            (program10.HEAD, ""),
            (program10.INSTRUCTION, ""),
        ),
        page_of_records(
            "d3d9",
            "Direct3D 9 program, in Urho3D shaders of models 2 and 3",
            "",
            d3d9,
            (program9.HEAD, ""),
            (program9.INSTRUCTION, ""),
            (constant_table.TABLE, "The names of the registers, inside a comment."),
            (constant_table.ROWS, ""),
        ),
    )
