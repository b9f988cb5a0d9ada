"""Read techniques, which determine the drawn textures, the blending and the depth writes of a material.

Only properties for viewing are read. Stock techniques without a file are known by name.
"""

from __future__ import annotations

import re

from msgspec import Struct

from viewer.errors import FormatError
from viewer.scene.material import BLENDS
from viewer.scene.names import file_name
from viewer.storage.markup import MarkupElement, is_json, json_texts, parse_json, parse_xml

STOCK_SHADERS = frozenset(
    (
        "LitSolid",
        "PBRLitSolid",
        "Vegetation",
        "PBRVegetation",
        "LitParticle",
        "Unlit",
        "UnlitParticle",
        "Basic",
    )
)
"""Shaders that sample a texture only if its define is set. With any other shader all textures are drawn."""

UNLIT_SHADERS = frozenset(("Unlit", "UnlitParticle", "Basic", "Skybox", "Skydome", "SkyPlane"))

COLOR_PASSES = (
    "base",
    "litbase",
    "alpha",
    "litalpha",
    "deferred",
    "material",
    "postopaque",
    "postalpha",
    "refract",
)
"""Passes that draw colour. The first of these passes in a technique determines blending and depth, for
example `base` (opaque) before `alpha`.
"""

UNLIT_PASSES = ("base", "alpha", "postopaque", "postalpha", "refract")
"""Passes that draw without a light. Their pixel shaders have the defines of the pass. In a zone with height
fog the define HEIGHTFOG is added. Source: Urho3D `Renderer::LoadPassShaders`.
"""

UNIT_DEFINES = {
    "diffuse": "DIFFMAP",
    "normal": "NORMALMAP",
    "specular": "SPECMAP",
    "emissive": "EMISSIVEMAP",
    "environment": "ENVCUBEMAP",
}

NAME_DEFINES = {
    "NoTexture": "",
    "Diff": "DIFFMAP",
    "Normal": "NORMALMAP",
    "Spec": "SPECMAP",
    "Emissive": "EMISSIVEMAP",
    "EnvCube": "ENVCUBEMAP",
    "AO": "AO",
    "LightMap": "LIGHTMAP",
    "AlphaMask": "ALPHAMASK",
    "VCol": "VERTEXCOLOR",
}
NAME_BLENDS = {
    "AddAlpha": "addalpha",
    "Add": "add",
    "Alpha": "alpha",
    "Multiply": "multiply",
    "Transparent": "alpha",
}
PHYSICAL = "PBR"
"""The define of physically based techniques, which is also in their names."""
RBFX_NAME = "(Unlit|Lit)(Opaque|Transparent)"
"""Matches the names of the techniques that come with rbfx. Each of them uses all textures of its material."""
RBFX_SHADER = "M_"
"""The beginning of the names of rbfx shaders, such as `M_Default` and `v2/M_Default`. These shaders always
multiply by the colours of vertices; no define is needed. Source: rbfx `_Material_Pixel_Fill.glsl`.
"""
NAME_PARTS = "|".join(sorted([*NAME_DEFINES, *NAME_BLENDS, "Unlit", "Sky"], key=len, reverse=True))


class Technique(Struct, frozen=True):
    """A technique. `defines` switch features of the stock shaders. `all_units`: every texture of the material
    is drawn. `vertex_color`: the colours of vertices multiply the base colour.

    `cull` is None if the material decides. `shader` is the pixel shader of the pass without lights (empty if
    there is none), and `shader_defines` are its defines in file order.
    """

    defines: frozenset[str] = frozenset()
    all_units: bool = True
    vertex_color: bool = False
    unlit: bool = False
    blend: str = "replace"
    depth_test: bool = True
    depth_write: bool = True
    cull: str | None = None
    shader: str = ""
    shader_defines: tuple[str, ...] = ()


def parse_technique(data: bytes, file: str) -> Technique:
    """Parse a technique in XML or JSON. FormatError if the data are neither, or not a technique."""
    root = _from_json(parse_json(data, file)) if is_json(data) else parse_xml(data, file)
    if root.tag != "technique":
        raise FormatError(f"the root element is <{root.tag}>, not <technique>", root.tag, file=file)
    passes = {element.get("name").lower(): element for element in root.all("pass")}
    color_passes = [passes[name] for name in COLOR_PASSES if name in passes]
    main = color_passes[0] if color_passes else next(iter(passes.values()), MarkupElement("pass"))
    shaders = {element.get(stage) or root.get(stage) for element in color_passes for stage in ("vs", "ps")}
    words = [
        element.get(key)
        for element in (root, *passes.values())
        for key in ("vsdefines", "psdefines", "defines")
    ]
    defines = frozenset(" ".join(words).split())
    rbfx = any(shader.rpartition("/")[2].startswith(RBFX_SHADER) for shader in shaders)
    blend = main.get("blend", "replace").lower()
    unlit = next((passes[name] for name in UNLIT_PASSES if name in passes), None)
    return Technique(
        defines=defines,
        all_units=not shaders & STOCK_SHADERS,
        vertex_color=rbfx or "VERTEXCOLOR" in defines,
        unlit=bool({main.get("ps") or root.get("ps"), main.get("vs") or root.get("vs")} & UNLIT_SHADERS)
        or (rbfx and "UNLIT" in defines),
        blend=blend if blend in BLENDS else "replace",
        depth_test=main.get("depthtest").lower() != "always",
        depth_write=main.get("depthwrite", "true").lower() not in ("false", "0"),
        cull=main.get("cull").lower() or None,
        shader=(unlit.get("ps") or root.get("ps")) if unlit else "",
        shader_defines=_pixel_defines(root, unlit) if unlit else (),
    )


def _pixel_defines(root: MarkupElement, drawn: MarkupElement) -> tuple[str, ...]:
    """The pixel shader defines of a pass, without excluded defines."""
    excluded = drawn.get("psexcludes").split()
    words = f"{root.get('psdefines')} {drawn.get('psdefines')}".split()
    return tuple(word for word in words if word not in excluded)


def named_technique(name: str) -> Technique:
    """Return the technique that a stock name describes, such as `Techniques/DiffNormalAlpha.xml`."""
    stem = file_name(name).partition(".")[0]
    parts = re.findall(NAME_PARTS, stem)
    defines = frozenset(NAME_DEFINES[part] for part in parts if part in NAME_DEFINES)
    blend = next((NAME_BLENDS[part] for part in parts if part in NAME_BLENDS), "replace")
    return Technique(
        defines=defines - {""} | ({PHYSICAL} if PHYSICAL in stem else set()),
        all_units=not defines,
        vertex_color="VERTEXCOLOR" in defines,
        unlit="Unlit" in parts or "Sky" in parts,
        blend=blend,
        depth_write=blend == "replace",
    )


def _from_json(value: object) -> MarkupElement:
    """Convert a JSON technique to the elements of an XML technique; `passes` is a list or an object."""
    root = MarkupElement("technique", json_texts(value))
    passes = value.get("passes") if isinstance(value, dict) else None
    if isinstance(passes, dict):
        root.children = [
            MarkupElement("pass", {"name": name} | json_texts(body)) for name, body in passes.items()
        ]
    elif isinstance(passes, list):
        root.children = [MarkupElement("pass", json_texts(body)) for body in passes]
    return root
