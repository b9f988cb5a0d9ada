"""Rules for what readers report: unreadable parts, damage, oddities and missing files."""

from __future__ import annotations

from collections.abc import Iterator

from viewer.check.check_context import CheckContext
from viewer.check.rule import Found, Rule, error_found, needed
from viewer.errors import DAMAGE, MISSING_PART, NOTE, ReportMessage, Topic
from viewer.family import registry
from viewer.scene.engine import NOT_LOADED
from viewer.scene.finding import Severity
from viewer.scene.items import MaterialItem, TextureItem
from viewer.scene.material import ambiguity

WHERE = "The manual's page Materials says where files are searched."
"""The end of the remedies of missing files."""


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
    return not message.is_need and message.kind in (DAMAGE, MISSING_PART)


def oddity(context: CheckContext) -> Iterator[Found]:
    """Report differences from the specification that change nothing."""
    for message in context.document.report.messages:
        if message.kind == NOTE and message.topic is Topic.OTHER:
            yield Found(message.plain_text, file=message.file, offset=message.offset)


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


def other_suffix(context: CheckContext) -> Iterator[Found]:
    """Report files whose suffix belongs to another format."""
    document = context.document
    format, suffix = registry.format_named(document.format), registry.suffix_of(document.path)
    if format is None or suffix in format.suffixes:
        return
    others = [each.name for each in registry.formats() if suffix in each.suffixes]
    if others:
        yield Found(f"the file is named {suffix}, as files of {others[0]} are, but it is {document.format}")


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

PARTS = ("skeleton", ".skin file", "animation", "model", "script")
"""The kinds of needed files whose effects the rule for missing files lists."""
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
        "the stated bounds are not a valid box; the bounds of the vertices are used",
    ),
    Rule(
        "file/missing",
        Severity.ERROR,
        "A file that this file needs is missing",
        needed("file/missing"),
        {**registry.need_effects(*PARTS), **NOT_LOADED},
        f"Put the file beside this one, or make its folder a resource folder (--resources). {WHERE}",
        "skeleton robot.skeleton is missing; searched: models/robot.skeleton",
    ),
    Rule(
        "name/case",
        Severity.WARNING,
        "A name has other upper and lower case than its file",
        needed("name/case"),
        dict.fromkeys(
            ("Urho3D", "OGRE"),
            "The engine finds the file on Windows, but not on Linux, on Android or in packages.",
        ),
        "Write the name as the file is called.",
        "texture Skin.PNG is skin.png in another case (lenient)",
    ),
    Rule(
        "name/suffix",
        Severity.WARNING,
        "A file has the suffix of another format",
        other_suffix,
        {"": "Engines choose the reader by the suffix: the file is refused, or never looked for."},
        "Rename the file.",
        "the file is named .m2, as files of WoW M2 model are, but it is OGRE mesh",
    ),
    Rule(
        "name/absolute",
        Severity.WARNING,
        "A name is an absolute path",
        needed("name/absolute"),
        dict.fromkeys(
            ("Urho3D", "OGRE"),
            "The engine finds the file at most on the computer on which the name was written.",
        ),
        "Write a name relative to a resource folder.",
        r"texture C:\proj\skin.png is an absolute path; Rigscope uses skin.png (lenient)",
    ),
    Rule(
        "material/missing",
        Severity.WARNING,
        "A material is missing",
        needed("material/missing"),
        registry.need_effects("material"),
        f"Put the material into a searched folder, or make its folder a resource folder (--resources). "
        f"{WHERE}",
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
        needed("texture/missing"),
        registry.need_effects("texture"),
        f"Put the picture into a searched folder, or make its folder a resource folder (--resources). "
        f"{WHERE}",
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
