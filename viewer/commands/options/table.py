"""The options of the verbs as data, in groups."""

from __future__ import annotations

from collections.abc import Iterable

from viewer.commands.options.given_options import THUMBNAIL_SIZE, Options
from viewer.commands.options.option_types import (
    byte_size,
    character,
    choice_of,
    color,
    count,
    distance,
    enlargement,
    environment,
    factor,
    finite_number,
    frames,
    ghosts,
    item,
    level,
    light,
    morph,
    names,
    one_of,
    rate,
    replacement,
    shading,
    share,
    size,
    stops,
    strength,
    texture,
    typed,
    whole,
    word_of,
)
from viewer.commands.options.parser import Option
from viewer.family.registry import clients, item_slots
from viewer.scene.choices import (
    AXES,
    CHANNELS,
    SEARCH_MODES,
    TEXTURES,
    THEMES,
    VIEWS,
    CompareMode,
    TimeTie,
    UpAxis,
)
from viewer.scene.picture_options import PICTURE_OPTIONS, PictureOption

DEFAULTS = Options()
REPORTS = ("text", "json", "sarif", "junit")
TABLES = REPORTS[:2]
# the names in `Severity` are copied here, because the module of `Severity` would import msgspec
SEVERITIES = ("error", "warning", "note")


def _choice(flag: str, help: str, known: Iterable[object], metavar: str = "") -> Option:
    """Make an option that accepts one of these words, or the value of one of these enum members."""
    choices = tuple(known)
    words = tuple(map(word_of, choices))
    return Option(flag, help, metavar or one_of(*words), choice_of(choices), completes=words)


DISPLAY = Option(
    "--display",
    "the display of a creature in the tables of the game: its ID, #N for distinct display N in the list of "
    "info, or none (default: the first display whose files exist; M2)",
    "ID|#N|none",
    typed,
    completes="display",
)

LOOK = (
    DISPLAY,
    Option(
        "--character",
        "the look of a character: numbers such as skin=3,face=1,hair=5,hair-color=2,facial-hair=0; random, "
        "which depends on --seed; or a file with looks of info --json (default: the first look whose files "
        "all exist; M2)",
        "KEY=N,...|random|FILE.json",
        character,
        completes="character",
    ),
    Option(
        "--item",
        f"let a character wear an item, a row of ItemDisplayInfo, in a slot; 0: no item. The slots are "
        f"{', '.join(item_slots())} (M2)",
        "SLOT=ID",
        item,
        repeat=True,
        completes=tuple(f"{slot}=" for slot in item_slots()),
    ),
)
SEED = Option(
    "--seed",
    f"seed of the random numbers for particles and for --character random (default {DEFAULTS.seed}; M2)",
    "N",
    whole,
)

ANIMATION = Option(
    "--animation",
    "play this animation: NAME, #NUMBER, or an .ani or .skeleton file; NAME@WEIGHT blends it, "
    "NAME@WEIGHT+ adds it; none is the rest pose",
    "NAME",
    typed,
    repeat=True,
    completes="animation",
)
IN_PLACE = Option(
    "--in-place", "leave out the horizontal motion of the root, so that the model stays above one point"
)
WITH_ANIMATION = ANIMATION._replace(
    flag="--with-animation",
    help="compare a single model with itself: the second side plays this animation, written as for "
    "--animation",
)
TIE = _choice(
    "--tie",
    "how the times of two compared sides belong together: equal seconds (default), or equal shares of both "
    "clips",
    (TimeTie.SECONDS, TimeTie.SHARE),
)
MODEL_POSE = (
    ANIMATION,
    Option(
        "--time",
        "time in the animation (default: its start; if the picture is empty then, and for a model of effects "
        "alone, the time with the fullest picture)",
        "SECONDS",
        finite_number,
    ),
    Option("--loop", "repeat the animation at its end (default), or stop there", negated=True),
    IN_PLACE,
    Option("--morph", "set the weight of a morph", "NAME=WEIGHT", morph, repeat=True, completes="morph"),
    Option(
        "--lod",
        "level of detail, 0 is the finest; auto chooses by distance (default)",
        "N|auto",
        level,
        completes=("auto",),
    ),
    Option(
        "--texture",
        "use this file for the texture type that the game itself would fill in (M2)",
        "TYPE=FILE",
        texture,
        repeat=True,
        completes="texture",
    ),
    Option(
        "--geoset",
        "show this geoset instead of the other variants of its group (M2)",
        "ID",
        whole,
        repeat=True,
        completes="geoset",
    ),
    *LOOK,
)

JUDGED = (
    Option(
        "--animation",
        "judge this animation: NAME, #NUMBER, or an .ani or .skeleton file; find the contacts of its feet "
        "with the ground, and how far the feet slide (guesses)",
        "NAME",
        typed,
        repeat=True,
        completes="animation",
    ),
    Option(
        "--foot",
        "with --animation: this bone is a foot (default: a guess by the names of the bones and by the rest "
        "pose)",
        "BONE",
        typed,
        repeat=True,
        completes="bone",
    ),
    Option(
        "--ground-speed",
        "with --animation: the speed with which the game moves the model while the animation plays, in units "
        "of the file a second, for an animation that walks on the spot (default: the speed in the file; M2)",
        "N",
        finite_number,
    ),
)

EFFECTS = (
    SEED,
    Option(
        "--emitter",
        "draw only the particles of this emitter, counted from 0 (M2)",
        "N",
        whole,
        repeat=True,
        completes="emitter",
    ),
    Option("--particles", "draw particles and ribbons (default), or leave them out (M2)", negated=True),
    Option(
        "--cold", "start emitters at time 0 without particles; by default they have always been running (M2)"
    ),
)

POSE = (*MODEL_POSE, *EFFECTS)

UP = _choice(
    "--up",
    "the axis that points up; file: the axis that the format defines (default: file, or z if the names of "
    "the bones show that z points up); bake always writes the axes of the file",
    UpAxis,
)

CONVERTERS = {
    "background": color,
    "shading": shading,
    "light": light,
    "environment": environment,
    "environment_turn": finite_number,
    "environment_strength": strength,
    "environment_background": share,
    "exposure": stops,
    "ghosts": ghosts,
    "samples": whole,
}
"""The converters of the display options that are neither switches nor plain choices."""


def _display(row: PictureOption) -> Option:
    """Make the option of a row of the table of display options."""
    option = _choice(row.flag, row.help, row.values, row.metavar)
    return option._replace(
        convert=CONVERTERS.get(row.name, option.convert),
        negated=row.negated,
        completes=row.completes or option.completes,
        old=row.old,
    )


SIZE = Option(
    "--size",
    f"size in pixels (default {DEFAULTS.size[0]}x{DEFAULTS.size[1]}; for the window its last size)",
    "WIDTHxHEIGHT",
    size,
)
CAMERA = (
    _choice("--view", f"look from: {one_of(*VIEWS)}", VIEWS, "VIEW"),
    Option("--yaw", "orbit the camera around the model, towards its left side", "DEGREES", finite_number),
    Option("--pitch", "raise the camera", "DEGREES", finite_number),
    Option("--distance", "multiple of the distance that shows the whole model", "FACTOR", factor),
    Option(
        "--camera",
        "use camera N of the file, or a camera in JSON: a file or a text. The JSON has the matrices view "
        "3×4 and projection 4×4, row-major, or the distance, target, yaw, pitch, roll and fov of an orbit, "
        'such as \'{"distance": 3, "target": [0, 1, 0]}\'',
        "N|FILE.json|JSON",
        completes="file",
    ),
    Option("--ortho", "use parallel projection"),
)
BONE = Option("--bone", "highlight this bone and show its weights", "NAME", typed, completes="bone")
TRAIL = Option(
    "--trail",
    "draw the path of this bone or attachment over the clip that plays, with a dot at each frame and at each "
    "key of the bone",
    "NAME",
    typed,
    repeat=True,
    completes="bone",
)
BEFORE = {
    "background": (SIZE,),
    "shading": CAMERA,
    "skeleton": (BONE,),
    "ghosts": (TRAIL,),
    "samples": (UP,),
}
"""The other options of the picture, by the display option that they stand before."""
PICTURE = tuple(
    option
    for row in PICTURE_OPTIONS.values()
    if row.help
    for option in (*BEFORE.get(row.name, ()), _display(row))
)

THUMBNAIL_PICTURE = (
    SIZE._replace(help=f"size in pixels (default {THUMBNAIL_SIZE[0]}x{THUMBNAIL_SIZE[1]})"),
    *(option for option in PICTURE if option is not SIZE),
)
"""The options PICTURE, but with the default size of thumbnails."""

SEQUENCE = (
    Option(
        "--frames",
        "write the frames FIRST to LAST, both included; frame N is N / fps seconds after --time, so a loop "
        "of one second at 30 fps is 0:29 (default: one loop of the longest animation that plays, or one "
        "turn)",
        "FIRST:LAST",
        frames,
    ),
    Option("--fps", f"frames per second (default {DEFAULTS.fps:g}; a GIF has at most 50)", "N", rate),
    Option(
        "--turntable",
        "turn the camera once around the model; without --frames, a turn takes as many loops "
        "as fill 4 seconds",
    ),
    Option(
        "--seamless",
        "make a film that repeats without a jump: frames are spread evenly over the loop, and particles "
        "repeat with the loop, because each loop gets a whole number of new particles (M2)",
    ),
)

TOGETHER = Option(
    "--together",
    "join all models to one, as the parts of a character: bones of equal names are one bone, and one pose "
    "moves all; bones without a partner are added",
)
COMPARE = (
    _choice(
        "--compare",
        "draw two models, or two clips of one model, in one picture, with one camera. side: beside each "
        "other, also more than two; slider: the first model left of a line, the second right of it; "
        "difference: the second model, and over it the pixels that differ; distance: beside each other, with "
        "vertices coloured by their distance in the rest pose; motion: beside each other, with bones "
        "coloured by the angle between the poses",
        CompareMode,
    ),
    Option(
        "--split",
        f"position of the line of --compare slider, from left to right (default {DEFAULTS.split:g})",
        "0..1",
        share,
    ),
    Option(
        "--align",
        "align versions of a model from two engines (default), or leave each where its file puts it",
        negated=True,
    ),
    WITH_ANIMATION,
    TIE,
    Option(
        "--with-time",
        "time in the animation of the second side; in a film both sides then play on from their own times",
        "SECONDS",
        finite_number,
    ),
)

TEXTURE = (
    Option(
        "--image",
        "draw this texture of the model instead of the model: its NAME, or its number after #, counted from "
        "0 in the order of info",
        "NAME",
        typed,
        completes="image",
    ),
    Option(
        "--uv",
        "draw the texture, and over it the layouts of the geometries that use it; without --image, the "
        "texture is the first one that a geometry uses",
    ),
    Option(
        "--geometry",
        "draw only the layout of this geometry: its NAME, or its number after #",
        "NAME",
        typed,
        repeat=True,
        completes="geometry",
    ),
    _choice(
        "--channels",
        "channels of the texture (default RGBA, with --uv RGB); one channel is grey",
        CHANNELS,
    ),
    Option("--mip", "mip level of the texture, 0 is the largest (default)", "N", whole),
)

EXPORT = (
    Option("--fps", "sample all tracks at this rate (default: keep their keys)", "N", rate),
    _choice(
        "--textures",
        "write textures into the file (default; not into .obj and .ply), as files beside it, or not at all",
        TEXTURES,
    ),
    _choice("--axes", "write in the axes of glTF (default), or of the file", AXES),
    Option("--bake-pose", "write the posed mesh without its skeleton, as in .obj and .ply"),
    Option("--materials", "write materials (default), or none", negated=True),
    UP,
)

PANELS = (
    Option("--ui", "draw the window's panels around the picture; --size is then the size of the window"),
    _choice("--theme", f"theme of the panels: {one_of(*THEMES)}", THEMES, "NAME"),
    Option(
        "--scale",
        f"scale of the panels (default {DEFAULTS.scale:g}); use 2 for dense screens",
        "FACTOR",
        enlargement,
    ),
)

FILES = (
    Option(
        "--max-size",
        "largest size of an opened file, and of the unpacked files of a package, such as 500M (default 2G "
        "for a file; for a package 16 times its size, at least 1G)",
        "SIZE",
        byte_size,
    ),
    Option(
        "--resources",
        "also search for missing files in this folder: the root of a game's data, a folder with Urho3D roots "
        "or archives, an archive, or an OGRE resources.cfg",
        "DIR",
        repeat=True,
        completes="file",
    ),
    Option(
        "--listfile",
        "take names for the files of MPQ archives also from this list, which has one name on each line; "
        "lines NUMBER;NAME also name the files that a WoW model gives by number",
        "FILE",
        repeat=True,
        completes="file",
    ),
    _choice(
        "--client",
        f"version of a World of Warcraft client, {one_of(*clients())}, whose order of archives is used "
        "(default: it follows from the archives)",
        clients(),
        "VERSION",
    ),
    Option(
        "--archive-order",
        "file with the order of a client's archives: on each line a path below Data; later archives hide "
        "earlier ones",
        "FILE",
        completes="file",
    ),
    _choice(
        "--search",
        f"where a model's files are searched, {one_of(*SEARCH_MODES)}: near the model, also in its project "
        "(default), or only at the paths in the file and in --resources",
        SEARCH_MODES,
        "MODE",
    ),
)

FOLLOW = (Option("--watch", "reload the files when they, their textures or their materials change"),)

OUT = Option("--output", "the file to write", "FILE", short="-o", completes="file")
STRICT = Option(
    "--strict",
    "exit with status 1 if anything that a model needs is missing, textures too; --no-strict: never for "
    "this reason (default: if a required part is missing: the first view of an M2, the skeleton of a mesh, "
    "the file of a clip that --animation names)",
    negated=True,
)
DEFINE = Option(
    "--define",
    "check the defines of a compiled shader against the hash in its file name",
    "STRING",
    typed,
    repeat=True,
)
JSON = Option("--json", "print JSON")
CHECK = (
    _choice(
        "--format",
        "text (default), json, sarif (GitHub, editors) or junit (GitLab, Jenkins); --json is short for "
        "--format json",
        REPORTS,
    ),
    JSON,
    _choice(
        "--fail-on",
        "exit with status 1 if there is a finding of this severity or a worse one (default error)",
        SEVERITIES,
    ),
    Option(
        "--select",
        "use only these rules, or groups of rules such as animation",
        "RULE,...",
        names,
        repeat=True,
        completes="rules",
    ),
    Option(
        "--ignore",
        "do not use these rules or groups of rules",
        "RULE,...",
        names,
        repeat=True,
        completes="rules",
    ),
    Option("--separate", "check each file by itself: animations do not belong to the model before them"),
    Option(
        "--config",
        "use the settings in this file, or no settings (default: the nearest rigscope.toml, or a "
        "pyproject.toml with [tool.rigscope], in the folder of each file or above)",
        "FILE",
        negated=True,
        completes="file",
    ),
    Option("--baseline", "leave out the known findings listed in this file", "FILE", completes="file"),
    Option(
        "--write-baseline",
        "write all findings to this file as known findings, instead of printing them",
        "FILE",
        completes="file",
    ),
)
DIFF = (
    _choice(
        "--format",
        "text (default) or json; --json is short for --format json",
        TABLES,
    ),
    JSON,
    Option(
        "--tolerance",
        "largest distance of positions that count as equal, in units of A (default: 1/100000 of its size); "
        "0: all numbers must be identical",
        "UNITS",
        distance,
    ),
    Option("--bytes", "list the parts of the files that differ, with their field path and both values"),
)
CLIPS = (
    ANIMATION._replace(
        help="compare how this animation moves the bones of both models, or of one model with "
        "--with-animation: NAME, #NUMBER, or a file; NAME@WEIGHT blends it, NAME@WEIGHT+ adds it; none is "
        "the rest pose"
    ),
    WITH_ANIMATION,
    TIE,
    IN_PLACE,
)
GIT = (
    Option("--textconv", "print one file as lines that git compares"),
    Option("--git", "take the arguments that git passes to an external diff"),
)
RULES = (
    Option("--rules", "print one line for each rule; with --format json everything that --explain prints"),
    Option("--explain", "print what a rule means, with an example", "RULE", completes="rule"),
)
HELP = Option("--help", "show this text", short="-h")

NO_PLUGINS = Option("--no-plugins", "use only the built-in families of formats, and no installed plugins")
"""An option of every verb."""
CHECK_FAMILY = Option(
    "--check", "try the family of this name on the files, as its author would", "NAME", completes="family"
)

EDITED_NAMES = ("textures", "bones", "materials", "clips")
EDITS = (
    Option(
        "--output",
        "the file to write, which may not be the file itself; for several files a folder",
        "OUT",
        short="-o",
        completes="file",
    ),
    Option("--write", "write the changes into the file itself"),
    Option("--dry-run", "write nothing, and list what would differ, as diff --bytes does"),
    Option(
        "--incomplete", "edit a file that was not read completely too; only fields that were read can change"
    ),
)
REPLACES = (
    Option(
        "--replace",
        "replace OLD by NEW wherever it occurs in the names of a kind, in all files; the first = ends OLD",
        "OLD=NEW",
        replacement,
    ),
    _choice("--of", "the kind of names for --replace", EDITED_NAMES),
)
FORCE = Option("--force", "replace files that exist already")
BATCH = (
    Option(
        "--jobs",
        "number of files at a time, each in its own process (default: one per processor)",
        "N",
        count,
    ),
    Option(
        "--cluster",
        "work on the Dask cluster with this scheduler, such as tcp://host:8786; its workers need the same "
        "version of rigscope and the same files; needs pip install 'rigscope[cluster]'",
        "ADDRESS",
    ),
    Option(
        "--time-limit",
        "give up a file that takes longer (default 60; for render, bake and export 600)",
        "SECONDS",
        factor,
    ),
)
MANY = (FORCE, *BATCH)
"""The options of verbs that write many outputs."""
ONLY_MANY = tuple(each.name for each in MANY)
"""The names of the options in MANY. They have no effect on a single output."""

VERIFY = Option(
    "--verify", "check every file of a package against its checksum; decode every picture of a model"
)
INTO = Option("--output", "the folder to write into", "DIR", short="-o", completes="folder")
PARTS = Option(
    "--with-parts",
    "write models with the files that they use, so that the folder opens alone: parts, animations, textures "
    "of all displays, tables",
)
MARKDOWN = Option("--markdown", "print the specification as Markdown")
PICTURES = Option(
    "--output", "the folder, the picture or the page to write", "OUT", short="-o", completes="file"
)
MAN = Option("--man", "print the man page rigscope(1), as integrate installs it")
REMOVE = Option("--remove", "remove what integrate installed")
DEPTH = Option("--depth", "print this many levels, including single vertices and keys", "N", whole)

ALL = Option("--all", "with --help, print the options of all verbs")
LISTS = (
    Option("--list-bindings", "print the keys of the window"),
    Option("--list-formats", "print the formats that can be opened"),
    Option("--version", "print the version"),
    HELP,
)
