"""Rules for what readers report: unreadable parts, damage, oddities and missing files."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from itertools import islice

from viewer.budget import BUDGET
from viewer.check.check_context import CheckContext
from viewer.check.rule import MOST_ITEMS, Found, Rule, error_found
from viewer.errors import DAMAGE, MISSING_PART, NOTE, ReportMessage, Topic
from viewer.scene.finding import Severity
from viewer.scene.items import GeometryItem, MaterialItem, TextureItem
from viewer.scene.material import ambiguity
from viewer.scene.missing_parts import LINKED, MissingPart, missing_in, nearest

SEARCHED = 3
"""The largest number of searched folders in the text of a finding."""
SEARCH = (
    "A file is searched in the resource folders, near the model, then in the project: below the nearest "
    "enclosing folder with a marker (.git, resources.cfg, Data, ...), then below further enclosing folders "
    "up to the repository. If several files match, the nearest file is used. If no enclosing folder has a "
    f"marker, the project is a guess: the highest enclosing folder with at most {BUDGET.guessed_folders} "
    "folders. A file of a guessed project is used in two cases. First: a script names the file. Second: the "
    "path of the file ends with the whole name in the model, and there are no models in the outermost folder "
    "that contains the file but not the model. --search sets where files are searched."
)
"""How missing files are searched."""
SEARCHED_IN = "; searched: "
"""The words before the searched folders in a finding's text."""


def broken(context: CheckContext) -> Iterator[Found]:
    """Report parts of the file that could not be read."""
    for error in context.document.report.errors:
        if error.topic is Topic.OTHER:
            yield error_found(error)


def damage(context: CheckContext) -> Iterator[Found]:
    """Report parts of the file that the reader left out or corrected."""
    for message in context.document.report.messages:
        if _is_damage(message) and message.topic is Topic.OTHER:
            yield Found(message.plain_text, file=message.file, offset=message.offset)


def _is_damage(message: ReportMessage) -> bool:
    """Whether a message reports damage. A part of the document that cannot be used although its file exists
    counts as damage, too.
    """
    unusable = message.kind == MISSING_PART and not message.files
    return message.error is None and (message.kind == DAMAGE or unusable)


def oddity(context: CheckContext) -> Iterator[Found]:
    """Report differences from the specification that change nothing."""
    for message in context.document.report.messages:
        if message.kind == NOTE and message.topic is Topic.OTHER:
            yield Found(message.plain_text, file=message.file, offset=message.offset)


def missing_file(context: CheckContext) -> Iterator[Found]:
    """Report missing files that the document needs; linked skeletons have their own rule."""
    return _missing(context, lambda kind: kind not in ("texture", "material", LINKED))


def missing_material(context: CheckContext) -> Iterator[Found]:
    """Report missing materials. A material also counts as missing if the program draws a picture or a
    material with a similar name instead. If a finding names no item, it gets the geometries without a
    material.
    """
    for found in _missing(context, lambda kind: kind == "material"):
        bare = (n for n, each in enumerate(context.shapes.geometries) if each.material is None)
        yield (
            found if found.items else found._replace(items=tuple(map(GeometryItem, islice(bare, MOST_ITEMS))))
        )
    for index, material in enumerate(context.shapes.materials if _is_ogre(context) else ()):
        if material.by == "name":
            yield Found(f"material {material.name} is missing", (MaterialItem(index),))


def ambiguous_material(context: CheckContext) -> Iterator[Found]:
    """Report materials that several scripts define differently."""
    for index, each in enumerate(context.shapes.materials):
        if each.rivals:
            text = ambiguity("material", each.name, each.found, each.rivals)
            yield Found(text, (MaterialItem(index),))


def ambiguous_texture(context: CheckContext) -> Iterator[Found]:
    """Report textures for which several different files are equally near."""
    for index, each in enumerate(context.shapes.textures):
        if each.rivals:
            text = ambiguity("texture", each.name, each.path, each.rivals)
            yield Found(text, (TextureItem(index),))


def missing_texture(context: CheckContext) -> Iterator[Found]:
    """Report missing textures. Textures without a name are left out, because the game chooses their files. A
    texture also counts as missing if Rigscope draws a file with another suffix, because OGRE does not draw
    that file.
    """
    yield from _missing(context, lambda kind: kind == "texture")
    for index, texture in enumerate(context.shapes.textures if _is_ogre(context) else ()):
        suffixes = {os.path.splitext(path)[1].lower() for path in (texture.name, texture.path or "")}
        if texture.path and len(suffixes) > 1 and texture.by != "given":
            found = os.path.basename(texture.path)
            text = f"texture {texture.name} is missing; Rigscope draws {found}"
            yield Found(text, (TextureItem(index),), file=texture.path)


def _is_ogre(context: CheckContext) -> bool:
    return context.document.format.startswith("OGRE")


def _missing(context: CheckContext, is_kind: Callable[[str], bool]) -> Iterator[Found]:
    document = context.document
    for part in missing_in(document, errors=document.unreadable_images):
        if is_kind(part.kind) and part.name:
            yield Found(_text(part), () if part.item is None else (part.item,))


def _text(part: MissingPart) -> str:
    if part.error:
        return f"{part.kind} {part.name} cannot be read: {part.error}"
    text = f"{part.kind} {part.name} is missing"
    if not part.searched:
        return text
    return f"{text}{SEARCHED_IN}{nearest(part.searched, SEARCHED)}"


UNREADABLE = Rule(
    "file/unreadable",
    Severity.ERROR,
    "A file cannot be read",
    lambda context: iter(()),
    {"": "The engine does not load the file either, or the file belongs to another program."},
    "Look at the bytes of the file in Rigscope, or export the file again.",
    "the format is unknown: the file begins with 47 4C 54 46",
)
"""The rule of the finding for a file that cannot be opened."""

FOREIGN = Rule(
    "file/foreign",
    Severity.NOTE,
    "A file belongs to another program",
    lambda context: iter(()),
    {"": "The engine cannot use the file: another program gives its files the same suffix."},
    "Nothing has to be done, unless the engine should load the file.",
    "is an animation clip of Unity",
)
"""The rule for files of other programs that have the suffix of a known format."""

FAILED = Rule(
    "file/plugin",
    Severity.ERROR,
    "The plugin of a format failed",
    lambda context: iter(()),
    {"": "The engine may load the file: the plugin that reads it in Rigscope has a fault."},
    "Tell the author of the plugin: rigscope families --check NAME FILE prints where it fails.",
    "the plugin rigscope-slate failed: KeyError: 'bones'",
)
"""The rule of the finding for a file whose plugin failed."""

RULES = (
    UNREADABLE,
    FOREIGN,
    FAILED,
    Rule(
        "file/broken",
        Severity.ERROR,
        "A part of the file could not be read",
        broken,
        {"": "The engine fails to load the file, or reads past its end."},
        "Export the file again, or restore it from a complete copy.",
        "the file ends 120 bytes early",
    ),
    Rule(
        "file/damage",
        Severity.WARNING,
        "The reader left out or corrected something",
        damage,
        {"": "The engine may use the wrong value without a correction."},
        "Export the file again.",
        "triangles that use missing vertices are left out",
    ),
    Rule(
        "file/oddity",
        Severity.NOTE,
        "Something differs from the specification and changes nothing",
        oddity,
        {"": "The engine reads the file as if it followed the specification."},
        "Nothing has to be done.",
        "texture SKIN.png was found as skin.png",
    ),
    Rule(
        "file/missing",
        Severity.ERROR,
        "A file that this file needs is missing",
        missing_file,
        {
            "OGRE": "A mesh without its skeleton is drawn but does not move, and the log has a message.",
            "WoW": "The model is not drawn, or the sequence does not play.",
            "": "The missing part is not loaded.",
        },
        f"Put the file beside this one, or make its folder a resource folder (--resources). {SEARCH}",
        "skeleton robot.skeleton is missing; searched: models/robot.skeleton",
    ),
    Rule(
        "material/missing",
        Severity.WARNING,
        "A material is missing",
        missing_material,
        {
            "Urho3D": "The geometry is drawn with the default material.",
            "OGRE": "The submesh is drawn with BaseWhite.",
        },
        f"Put the material into a searched folder, or make its folder a resource folder (--resources). "
        f"{SEARCH}",
        "material Robot/Skin is missing; searched: models, materials/scripts",
    ),
    Rule(
        "material/ambiguous",
        Severity.NOTE,
        "Several scripts define a material differently",
        ambiguous_material,
        {
            "OGRE": (
                "The engine uses the script that it reads first; its log reports the other materials as "
                "duplicates."
            )
        },
        "Give the materials different names.",
        "material Default: Mana.material is used, but Flask.material defines it differently",
    ),
    Rule(
        "texture/missing",
        Severity.WARNING,
        "A texture is missing",
        missing_texture,
        {
            "Urho3D": "The geometry is drawn without the texture: white, or black if the texture is a mask.",
            "OGRE": "The geometry is drawn white, or with a checkered warning texture.",
            "WoW": "The geometry is drawn in plain white or green.",
        },
        f"Put the picture into a searched folder, or make its folder a resource folder (--resources). "
        f"{SEARCH}",
        "texture skin.png is missing; searched: textures/skin.png",
    ),
    Rule(
        "texture/ambiguous",
        Severity.NOTE,
        "Several different pictures have the name of a texture",
        ambiguous_texture,
        {
            "OGRE": "The engine uses the picture of the location that it lists first.",
            "": "The engine uses one of them: which one depends on its resource folders.",
        },
        "Give the pictures different names, or name the picture with its folder.",
        "texture skin.png: red/skin.png is used, but blue/skin.png is another picture",
    ),
)
