"""Rules for materials: blending, alpha, and the pictures of their texture units."""

from __future__ import annotations

from collections.abc import Iterator

from viewer.check.check_context import CheckContext
from viewer.check.materials.pictures import CheckedPicture
from viewer.check.rule import Found, Rule, listed, rounded
from viewer.scene.finding import Severity
from viewer.scene.items import Item, MaterialItem, TextureItem
from viewer.scene.material import Material

BLENDED = ("alpha", "premulalpha")
"""Blend modes that use alpha, and draw pixels with full alpha as opaque."""
OPAQUE_BLENDS = ("replace", "add", "multiply", "subtract", "invdestalpha")
"""Blend modes that ignore alpha."""
TESTS = ("greater", "greater_equal")
COLORS = ("diffuse", "emissive")
"""The texture units for colours."""
USED_ALPHA = 0.02
"""The smallest share of transparent pixels that the rule reports."""


def unused_alpha(context: CheckContext) -> Iterator[Found]:
    """Report textures that have transparent pixels although no material of the model uses their alpha."""
    users: dict[int, list[tuple[int, Material]]] = {}
    for index, material in enumerate(context.shapes.materials):
        for unit, texture in material.units.items():
            ignored = unit in COLORS and _ignores_alpha(material)
            users.setdefault(texture, []).append((index if ignored else -1, material))
    for texture, materials in users.items():
        picture = _picture(context, texture)
        if picture is None or any(index < 0 for index, _ in materials) or picture.is_opaque is not False:
            continue
        assert picture.pixels is not None, "the pixels were decoded before"
        share = float((picture.pixels[..., 3] < 250).mean())
        if share >= USED_ALPHA:
            names = list(dict.fromkeys(material.name for _, material in materials))
            ignore = f"{listed(names)} {'ignores' if len(names) == 1 else 'ignore'} alpha"
            which = f"{rounded(100 * share)} % of {picture.texture.name}"
            items = tuple(MaterialItem(index) for index, _ in materials)
            file = materials[0][1].found or ""
            yield Found(f"{which} are transparent, and {ignore}", (TextureItem(texture), *items), file=file)


def no_alpha(context: CheckContext) -> Iterator[Found]:
    """Report materials that blend or test the alpha of an opaque texture."""
    for index, material in enumerate(context.shapes.materials):
        picture = _picture(context, material.units.get("diffuse", -1))
        tested = bool(material.alpha_mask) and material.alpha_function in TESTS
        tested = tested and material.blend == "replace"
        if picture is None or not (material.blend in BLENDED or tested) or _has_own_alpha(material):
            continue
        if material.shader_known and picture.is_opaque:
            what = "tests alpha" if tested else f"blends ({material.blend})"
            text = f"material {material.name} {what}, and {picture.texture.name} has no transparent pixel"
            items = _items(index, picture)
            yield Found(text, items, file=material.found or "")


def normals_as_color(context: CheckContext) -> Iterator[Found]:
    """Report normal maps in texture units for colours."""
    for index, material, unit, picture in _units(context, COLORS):
        if picture.looks_like_normals:
            text = f"{unit} of material {material.name} is {picture.texture.name}"
            yield Found(
                f"{text}, which looks like a normal map", _items(index, picture), file=material.found or ""
            )


def color_as_normals(context: CheckContext) -> Iterator[Found]:
    """Report texture units for normal maps that have another kind of picture. In OGRE such a unit may also
    have a height map, or packed normals in other channels.
    """
    for index, material, unit, picture in _units(context, ("normal",)):
        if material.packed_normal or picture.looks_like_normals is not False or picture.is_opaque is not True:
            continue
        if context.family != "OGRE" or not picture.is_grey:
            text = f"{unit} of material {material.name} is {picture.texture.name}, which is no normal map"
            yield Found(text, _items(index, picture), file=material.found or "")


def unsampled_units(context: CheckContext) -> Iterator[Found]:
    """Report texture units that their material's technique does not sample."""
    for index, material in enumerate(context.shapes.materials):
        if material.unsampled:
            units = listed([f"{unit} ({name})" for unit, name in material.unsampled.items()])
            text = f"material {material.name}: the technique {material.technique} does not sample {units}"
            yield Found(text, (MaterialItem(index),), file=material.found or "")


def _units(
    context: CheckContext, names: tuple[str, ...]
) -> Iterator[tuple[int, Material, str, CheckedPicture]]:
    """Yield the texture units with one of `names`, and their pictures. Only materials that use the engine's
    own shaders count.
    """
    for index, material in enumerate(context.shapes.materials):
        for unit, texture in material.units.items():
            picture = _picture(context, texture)
            if unit in names and picture is not None and material.shader_known:
                yield index, material, unit, picture


def _items(index: int, picture: CheckedPicture) -> tuple[Item, ...]:
    return MaterialItem(index), TextureItem(picture.number)


def _picture(context: CheckContext, texture: int) -> CheckedPicture | None:
    textures = context.shapes.textures
    return context.pictures[texture] if 0 <= texture < len(textures) and textures[texture].header else None


def _ignores_alpha(material: Material) -> bool:
    plain = material.alpha_mask is None and "second" not in material.units and material.flipbook is None
    return plain and material.blend in OPAQUE_BLENDS and material.shader_known


def _has_own_alpha(material: Material) -> bool:
    """Whether a material may be transparent even if its texture is opaque."""
    moves = material.motion is not None or material.flipbook is not None or "second" in material.units
    return moves or material.vertex_color or material.diffuse[3] < 1


RULES = (
    Rule(
        "material/no-alpha",
        Severity.WARNING,
        "A material blends or tests alpha, and its texture has no alpha",
        no_alpha,
        {
            "": (
                "The geometry is opaque everywhere. If it is blended, it is sorted, writes no depth, and "
                "costs more time."
            )
        },
        "Use a texture with alpha, or a material without blending.",
        "material Leaf blends (alpha), and leaf.jpg has no transparent pixel",
    ),
    Rule(
        "material/unused-alpha",
        Severity.NOTE,
        "A texture has an alpha channel that no material uses",
        unused_alpha,
        {"": "The transparent parts are drawn opaque; the alpha channel only takes memory."},
        "Let the material blend or test alpha, or save the picture without alpha.",
        "40 % of leaf.png are transparent, and Leaf ignores alpha",
    ),
    Rule(
        "material/normal-as-color",
        Severity.WARNING,
        "A normal map is used as a colour",
        normals_as_color,
        {"": "The surface is drawn light blue."},
        "Exchange the textures of the units.",
        "diffuse of material Robot/Skin is skin_n.png, which looks like a normal map",
    ),
    Rule(
        "material/color-as-normal",
        Severity.WARNING,
        "A colour map is used as a normal map",
        color_as_normals,
        {"": "The surface is lit from wrong sides, in spots that follow the colours of the picture."},
        "Exchange the textures of the units, or calculate a normal map from the picture.",
        "normal of material Robot/Skin is skin.png, which is no normal map",
    ),
    Rule(
        "material/unsampled-unit",
        Severity.NOTE,
        "The technique of a material does not sample one of its textures",
        unsampled_units,
        {"Urho3D": "The texture is loaded, but never visible."},
        "Choose a technique that uses the unit, such as DiffNormal, or remove the texture.",
        "material Stone: the technique Techniques/Diff.xml does not sample normal (stone_n.png)",
    ),
)
