"""The options of the verbs as data, in groups."""

from __future__ import annotations

from viewer.commands.options.given_options import THUMBNAIL_SIZE, Options
from viewer.commands.options.option_types import (
    byte_size,
    color,
    compare_mode,
    count,
    distance,
    enlargement,
    factor,
    finite_number,
    frames,
    level,
    missing,
    morph,
    names,
    one_of,
    rate,
    shading,
    share,
    size,
    texture,
    typed,
    up_axis,
    whole,
    word_of,
)
from viewer.commands.options.parser import Option
from viewer.scene.choices import (
    AXES,
    SINGLE_SHADINGS,
    TEXTURES,
    THEMES,
    VIEWS,
    CompareMode,
    MissingTextures,
    UpAxis,
)

DEFAULTS = Options()
REPORTS = ("text", "json", "sarif", "junit")
TABLES = REPORTS[:2]
SEVERITIES = ("error", "warning", "note")  # of findings, whose class imports msgspec

MODEL_POSE = (
    Option(
        "--animation",
        "play this animation: NAME, #NUMBER or an .ani file; NAME@WEIGHT blends, NAME@WEIGHT+ adds; "
        "none: the rest pose",
        "NAME",
        typed,
        repeat=True,
    ),
    Option(
        "--time",
        "time in the animation (default: its start, or where most is seen if nothing is then)",
        "SECONDS",
        finite_number,
    ),
    Option("--loop", "repeat the animation at its end (default), or stop there", negated=True),
    Option("--morph", "set the weight of a morph", "NAME=WEIGHT", morph, repeat=True),
    Option("--lod", "level of detail, 0 is the finest; auto: by distance (default)", "N|auto", level),
    Option(
        "--texture",
        "the file for a texture that the model leaves to the program (M2)",
        "TYPE=FILE",
        texture,
        repeat=True,
    ),
    Option(
        "--geoset",
        "show this geoset instead of the other variants of its group (M2)",
        "ID",
        whole,
        repeat=True,
    ),
)

EFFECTS = (
    Option("--seed", f"random seed of the particles (default {DEFAULTS.seed}; M2)", "N", whole),
    Option("--emitter", "only the particles of this emitter, counted from 0 (M2)", "N", whole, repeat=True),
    Option("--particles", "draw particles and ribbons (default), or not (M2)", negated=True),
    Option("--cold", "start emitters at time 0; by default they have been running forever (M2)"),
)

POSE = (*MODEL_POSE, *EFFECTS)

UP = Option(
    "--up",
    "the axis of the file that is up (default: as the file says, or z if named bones leave no doubt); "
    "bake always writes the file's own axes",
    one_of(*(each.value for each in UpAxis)),
    up_axis,
)

PICTURE = (
    Option(
        "--size",
        f"pixels (default {DEFAULTS.size[0]}x{DEFAULTS.size[1]}; of the window: as it was left)",
        "WIDTHxHEIGHT",
        size,
    ),
    Option("--background", "a name such as navy, #rgb, #rrggbb, #rrggbbaa or transparent", "COLOR", color),
    Option("--view", one_of(*VIEWS), "VIEW", word_of(*VIEWS)),
    Option("--yaw", "orbit the camera around the model, towards its left side", "DEGREES", finite_number),
    Option("--pitch", "raise the camera", "DEGREES", finite_number),
    Option("--distance", "multiple of the distance that shows the whole model", "FACTOR", factor),
    Option(
        "--camera",
        "of the file, or matrices: view 3×4, projection 4×4, row-major",
        "N|FILE.json",
    ),
    Option("--ortho", "parallel projection"),
    Option("--shading", one_of(*(each.value for each in SINGLE_SHADINGS)), "MODE", shading),
    Option("--wireframe", "draw edges over the shading"),
    Option("--bone", "highlight this bone and show its weights", "NAME", typed),
    Option("--skeleton", "draw the bones through the mesh"),
    Option("--file-lights", "light the model with the lights of its file (M2)"),
    Option("--grid", "draw the ground grid, or not", negated=True),
    Option(
        "--missing",
        "drawn instead of missing textures (default clay)",
        one_of(*(each.value for each in MissingTextures)),
        missing,
    ),
    UP,
    Option(
        "--samples", f"samples per pixel for smooth edges (default {DEFAULTS.samples}); 0: off", "N", whole
    ),
)

THUMBNAIL_PICTURE = (
    Option("--size", f"pixels (default {THUMBNAIL_SIZE[0]}x{THUMBNAIL_SIZE[1]})", "WIDTHxHEIGHT", size),
    *(option for option in PICTURE if option.flag != "--size"),
)
"""As PICTURE, for thumbnails."""

SEQUENCE = (
    Option(
        "--frames",
        "these frames, the last one too: frame N is N / fps seconds after --time, so that a loop of one "
        "second at 30 fps is 0:29 (default: one loop of the longest animation that plays, or one turn)",
        "FIRST:LAST",
        frames,
    ),
    Option("--fps", f"frames per second (default {DEFAULTS.fps:g}; a GIF has at most 50)", "N", rate),
    Option(
        "--turntable",
        "turn the camera once around the model (default: in as many loops as fill 4 seconds)",
    ),
    Option(
        "--seamless",
        "the last frame continues with the first: frames are spread evenly over the loop, and particles "
        "repeat with it, a whole number of births in each (M2)",
    ),
)

COMPARE = (
    Option(
        "--compare",
        "two models in one picture, with one camera and one time: beside each other (side, two or more), one "
        "over the other (slider), the pixels that differ over the second (difference), or beside each other "
        "with the vertices coloured by how far they are from each other at rest (distance)",
        one_of(*(each.value for each in CompareMode)),
        compare_mode,
    ),
    Option(
        "--split",
        f"where the second model of --compare slider begins (default {DEFAULTS.split:g})",
        "0..1",
        share,
    ),
    Option(
        "--align",
        "lay the same model of another engine onto the first one (default), or leave each as its file says",
        negated=True,
    ),
)

EXPORT = (
    Option("--fps", "sample all tracks at this rate (default: keep their keys)", "N", rate),
    Option(
        "--textures",
        "in the file (default), as files beside it, or none",
        one_of(*TEXTURES),
        word_of(*TEXTURES),
    ),
    Option("--axes", "write in the axes of glTF (default), or of the file", one_of(*AXES), word_of(*AXES)),
    Option("--bake-pose", "the posed mesh without its skeleton, as in .obj and .ply"),
    Option("--materials", "write materials (default), or none", negated=True),
    UP,
)

PANELS = (
    Option("--ui", "draw the window's panels around the picture; --size is that of the window"),
    Option("--theme", f"of the panels: {one_of(*THEMES)}", "NAME", word_of(*THEMES)),
    Option(
        "--scale",
        f"of the panels (default {DEFAULTS.scale:g}): 2 is for dense screens",
        "FACTOR",
        enlargement,
    ),
)

FILES = (
    Option(
        "--max-size",
        "the largest file that is opened, and the most bytes that files of a package unpack to, such as 500M "
        "(default 2G, and 16 times the package, at least 1G)",
        "SIZE",
        byte_size,
    ),
    Option(
        "--resources",
        "search for missing files in this folder too: the root of a game's data, a folder with Urho3D roots "
        "or archives, an archive, or an OGRE resources.cfg",
        "DIR",
        repeat=True,
    ),
)

FOLLOW = (Option("--watch", "read the files again when they change, or their textures and materials do"),)

OUT = Option("--output", "the file to write", "FILE", short="-o")
DEFINE = Option(
    "--define",
    "check the defines of a compiled shader against the hash in its file name",
    "STRING",
    typed,
    repeat=True,
)
JSON = Option("--json", "print JSON")
CHECK = (
    Option(
        "--format",
        "text (default), json, sarif (GitHub, editors) or junit (GitLab, Jenkins); --json is short for "
        "--format json",
        one_of(*REPORTS),
        word_of(*REPORTS),
    ),
    JSON,
    Option(
        "--fail-on",
        "the exit status is 1 if there is a finding of this severity or a worse one (default error)",
        one_of(*SEVERITIES),
        word_of(*SEVERITIES),
    ),
    Option(
        "--select", "only these rules, or groups of rules such as animation", "RULE,...", names, repeat=True
    ),
    Option("--ignore", "all rules but these", "RULE,...", names, repeat=True),
    Option("--separate", "check each file by itself: animations are not for the model named before them"),
    Option(
        "--config",
        "the settings of this file, or none (default: of the nearest rigscope.toml, or pyproject.toml with "
        "[tool.rigscope], in the folder of each file or above)",
        "FILE",
        negated=True,
    ),
    Option("--baseline", "leave out the known findings of this file", "FILE"),
    Option("--write-baseline", "write all findings as known ones instead of printing them", "FILE"),
)
DIFF = (
    Option(
        "--format",
        "text (default) or json; --json is short for --format json",
        one_of(*TABLES),
        word_of(*TABLES),
    ),
    JSON,
    Option(
        "--tolerance",
        "the distance up to which positions count as equal, in units of A (default: 1/100000 of its size); "
        "0: all numbers have to be the same",
        "UNITS",
        distance,
    ),
    Option("--bytes", "list the parts of the files that differ, with their field path and both values"),
)
GIT = (
    Option("--textconv", "print one file as lines that git compares"),
    Option("--git", "take the arguments that git gives to an external diff"),
)
RULES = (
    Option("--rules", "print a line for each rule; with --format json all that --explain prints"),
    Option("--explain", "print what a rule means, with an example", "RULE"),
)
HELP = Option("--help", "show this text", short="-h")

FORCE = Option("--force", "replace files that exist already")
BATCH = (
    Option("--jobs", "files at a time, each in a process of its own (default: one a processor)", "N", count),
    Option(
        "--cluster",
        "the scheduler of a Dask cluster that does the work, such as tcp://host:8786; its workers have this "
        "version of rigscope and see the same files; needs pip install 'rigscope[cluster]'",
        "ADDRESS",
    ),
    Option(
        "--time-limit",
        "give up a file that takes longer (default 60; for render and bake 600)",
        "SECONDS",
        factor,
    ),
)
MANY = (FORCE, *BATCH)
"""The options of verbs with many outputs."""
ONLY_MANY = tuple(each.name for each in MANY)
"""Their names; they have no meaning for a single output."""

VERIFY = Option("--verify", "check every file of a package against its checksum")
INTO = Option("--output", "the folder to write into", "DIR", short="-o")
MARKDOWN = Option("--markdown", "print the specification as Markdown")
PICTURES = Option("--output", "the folder, the picture or the page to write", "OUT", short="-o")
REMOVE = Option("--remove", "remove what integrate installed")
DEPTH = Option("--depth", "print this many levels, including single vertices and keys", "N", whole)

LISTS = (
    Option("--list-bindings", "print the keys of the window"),
    Option("--list-formats", "print the formats that can be opened"),
    Option("--version", "print the version"),
    HELP,
)
