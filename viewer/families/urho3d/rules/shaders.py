"""The rule for missing compiled shaders of Urho3D materials."""

from __future__ import annotations

from collections.abc import Iterator

from viewer.check.check_context import CheckContext
from viewer.check.rule import Found, Rule
from viewer.errors import counted
from viewer.families.urho3d.checksum import sdbm
from viewer.scene.finding import Severity
from viewer.scene.items import MaterialItem
from viewer.storage.search import Missing, SearchPath

CACHE = "Shaders/HLSL/Cache"
"""The folder of compiled shaders in a resource root."""
SOURCE = "Shaders/HLSL/{}.hlsl"
PIXEL = (".ps3", ".ps4")
FOG = ("", "HEIGHTFOG")
"""The defines that the renderer adds to a pass without lights."""


def not_compiled(context: CheckContext) -> Iterator[Found]:
    """Report materials whose pixel shader is neither compiled nor available as source."""
    materials = context.shapes.materials
    if context.family != "Urho3D" or not any(material.shader for material in materials):
        return
    search = SearchPath.around(context.document.path, context.document.context)
    cached = [name for source in search for name in source.names(CACHE) if name.lower().endswith(PIXEL)]
    stems = {name.rpartition("/")[2].rpartition(".")[0].casefold() for name in cached}
    for number, material in enumerate(materials):
        if not stems or not material.shader:
            continue
        wanted = {
            f"{material.shader}_{each:08X}".casefold() for each in define_hashes(material.shader_defines)
        }
        source = search.find(SOURCE.format(material.shader), near_model=False)
        if not wanted & stems and isinstance(source, Missing):
            defines = " ".join(material.shader_defines)
            shader = f"{material.shader} with {defines}" if defines else f"{material.shader} without defines"
            yield Found(
                f"material {material.name}: {shader} is not among "
                f"{counted(len(stems), 'compiled pixel shader')}, and has no source",
                (MaterialItem(number),),
                file=material.found or "",
            )


def define_hashes(defines: tuple[str, ...]) -> set[int]:
    """The hashes in the file names of compiled shaders with these defines. Each hash is a checksum of the
    sorted defines, with or without fog. Source: Urho3D `ShaderVariation`, `Shader::NormalizeDefines`; four of
    five measured files have these names.
    """
    texts = (" ".join(sorted(" ".join((*defines, fog)).upper().split())) for fog in FOG)
    return {sdbm(each.encode()) for text in texts for each in (text.lower(), text)}


RULES = (
    Rule(
        "material/not-compiled",
        Severity.NOTE,
        "The shader of a material is not compiled",
        not_compiled,
        {"Urho3D": "Direct3D has no shader for the material: geometries with this material are not drawn."},
        "Run the program once with the sources of the shaders, and ship the files that it compiles.",
        "material Stone: LitSolid with DIFFMAP is not among 12 compiled pixel shaders, and has no source",
        after="material/unsampled-unit",
    ),
)
