"""The verbs as data, and the help text made from them."""

from __future__ import annotations

from viewer.commands import exit_status
from viewer.commands.options.given_options import (
    existing_files,
    files_and_output,
    judged_files,
    one_file,
    one_package,
    one_shell,
    package_and_folder,
)
from viewer.commands.options.option_types import one_of
from viewer.commands.options.parser import WIDTH, describe
from viewer.commands.options.table import (
    ALL,
    BATCH,
    CHECK,
    CHECK_FAMILY,
    CLIPS,
    COMPARE,
    DEFINE,
    DEPTH,
    DIFF,
    EXPORT,
    FILES,
    FOLLOW,
    FORCE,
    GIT,
    HELP,
    INTO,
    JSON,
    JUDGED,
    LISTS,
    LOOK,
    MAN,
    MANY,
    MARKDOWN,
    MODEL_POSE,
    NO_PLUGINS,
    OUT,
    PANELS,
    PARTS,
    PICTURE,
    PICTURES,
    POSE,
    REMOVE,
    RULES,
    SEED,
    SEQUENCE,
    STRICT,
    TEXTURE,
    THUMBNAIL_PICTURE,
    TOGETHER,
    VERIFY,
)
from viewer.commands.options.verb import FORMS, Verb
from viewer.scene.choices import BAKED_SUFFIXES, EXPORT_SUFFIXES, PICTURE_SUFFIXES, SHELLS, TABLE_SUFFIXES

JOINED = "\0"
"""Stands for a space at which a line must not break, between an option and its value."""


BOTH = (("pose", POSE), ("picture", PICTURE))
OPENED = (("files that are opened", FILES),)

WINDOW = Verb(
    "",
    "[FILE|FOLDER ...] [options]",
    "Open the window. Models open as tabs; animations attach to the model. A folder opens its first model;\n"
    "← and → step through its models, also those in subfolders.",
    (("window", (TOGETHER, *FOLLOW)), *BOTH, *OPENED),
    "viewer.commands.window:window",
    existing_files,
)

VERBS = (
    Verb(
        "render",
        "render FILE [FILE ...] -o OUT [options]",
        "Write a picture or a film of a model. Further files are animations for the model, or with\n"
        "--together and --compare further models.\n\n"
        "If OUT is a folder or contains {name}, such as out/{name}.webp, each model in all files, folders,\n"
        "packages and patterns gets its own picture. Animations belong to the model before them.\n\n"
        "OUT.png is one picture, frame_{frame:04}.png is frame_0000.png and so on, and OUT.gif, OUT.mp4,\n"
        "OUT.webm, OUT.webp and OUT.apng are films. The camera is far enough away that the model stays in\n"
        "the picture. With --image or --uv the picture is that of a texture; with --image '#0' pictures\n"
        "(.blp) in folders, packages and games are written too.",
        (
            ("output", (OUT, STRICT)),
            ("many models", MANY),
            ("several models", (TOGETHER, *COMPARE)),
            ("a texture", TEXTURE),
            ("panels", PANELS),
            ("several frames", SEQUENCE),
            *BOTH,
            *OPENED,
        ),
        "viewer.commands.render:render",
        files_and_output(*PICTURE_SUFFIXES),
        draws=True,
    ),
    Verb(
        "bake",
        "bake FILE [FILE ...] -o OUT.npz|OUT.ply [options]",
        "Write posed vertices and particles from the GPU. OUT.npz has positions_k, normals_k and indices_k\n"
        "of each geometry, the matrices of the bones, the live particles of each emitter as emitter_k and\n"
        "the edges of each ribbon as ribbon_k. emitter_k and ribbon_k are records with named fields.\n"
        "OUT.ply has only the mesh.\n\n"
        "For many models OUT is a folder or contains {name}, as with render.",
        (("output", (OUT, STRICT, TOGETHER)), ("many models", MANY), ("pose", POSE), *OPENED),
        "viewer.commands.bake:bake",
        files_and_output(*BAKED_SUFFIXES),
        draws=True,
    ),
    Verb(
        "export",
        "export FILE [FILE ...] -o OUT [options]",
        "Write a model as glTF, or its posed mesh. OUT.glb and OUT.gltf have the skeleton, clips, morphs\n"
        "and materials of the model; OUT.obj and OUT.ply have the posed mesh. Further files are animations\n"
        "for the model, or with --together further models. Without --animation all clips are written;\n"
        "--animation none leaves the clips out. What glTF does not support is left out or sampled, and\n"
        "reported. OUT.csv and OUT.json have the rows of a game's table.\n\n"
        "For many models OUT is a folder or contains {name}, as with render.",
        (
            ("output", (OUT, STRICT, TOGETHER)),
            ("export", EXPORT),
            ("many models", MANY),
            ("pose", (*MODEL_POSE, SEED)),
            *OPENED,
        ),
        "viewer.commands.export:export",
        files_and_output(*EXPORT_SUFFIXES, *TABLE_SUFFIXES),
    ),
    Verb(
        "info",
        "info FILE|GAME ... [--json] [--verify]",
        "Print what is in each file: counts, bones, animations, materials, textures and their files; for\n"
        "a game's folder, its archives in their order. With --json, a line for each file. With --animation,\n"
        "also when its feet seem to touch the ground, and how far they slide.",
        (
            ("output", (JSON,)),
            ("animation", JUDGED),
            ("look", (*LOOK, SEED)),
            ("packages", (VERIFY,)),
            ("compiled shaders", (DEFINE,)),
            *OPENED,
        ),
        "viewer.commands.info.info:info",
        judged_files,
    ),
    Verb(
        "tree",
        "tree FILE [--depth N] [--json]",
        "Print every part of the file: offset, size, name, type, value and what it means.",
        (("output", (DEPTH, JSON)), *OPENED),
        "viewer.commands.tree:tree",
        one_file,
    ),
    Verb(
        "list",
        "list PACKAGE|GAME|TABLE [--json] [--verify]",
        "Print the files of a package or game: size, packed bytes, ratio, checksum, name,\n"
        "and in a game the archive; or the rows of a table.",
        (("output", (JSON,)), ("packages", (VERIFY,)), *OPENED),
        "viewer.commands.package:list_package",
        one_package,
    ),
    Verb(
        "formats",
        "formats [NAME] [--json|--markdown]",
        "Print the specification of a format: fields in file order with offset, type, condition and\n"
        "meaning. Without a NAME, print the list of formats. NAME may be a suffix, such as mdl.",
        (("output", (JSON, MARKDOWN)),),
        "viewer.commands.formats:formats",
        completes="format",
    ),
    Verb(
        "families",
        "families [--json] [--check NAME FILE...]",
        "Print the families of formats: those built in and those installed as plugins, with their versions\n"
        "and what they give. With --check a family is tried on files: each file is read, written again if\n"
        "its layout can, opened a hundred times with damage, and drawn. Errors are printed with their\n"
        "tracebacks.",
        (("output", (JSON,)), ("authors", (CHECK_FAMILY,))),
        "viewer.commands.families:families",
    ),
    Verb(
        "extract",
        "extract PACKAGE [NAME ...] -o DIR [--force]",
        "Write files of a package below a folder. NAME is a file, a folder with / at its end, or a pattern\n"
        "such as *.mdl; without a NAME all files are written. A file is refused if its name leads out of\n"
        "the folder or is not allowed on some system. Incomplete files are not written.\n\n"
        "  extract PACKAGE|GAME MODEL -o DIR --with-parts   a model with all files that it uses\n"
        "  extract MODEL -o DIR --with-parts                the same for a file or PACKAGE::MODEL",
        (("output", (INTO, PARTS, FORCE, STRICT)), *OPENED),
        "viewer.commands.extract:extract",
        package_and_folder,
        "packed",
    ),
    Verb(
        "find",
        "find PLACE [PLACE ...] QUERY [--json]",
        "Print the files that match a query. PLACE is a folder, a package, a pattern or a file. The facts\n"
        "about files are kept in an index, so that only changed files are read again. Quote the query,\n"
        "because a shell interprets < and >.\n\n"
        "  wolf  *.mdl               words in the names of files and folders, a pattern\n"
        "  bones>60  bones:60..100   also triangles, vertices, geometries, clips, morphs, emitters,\n"
        "                            ribbons, materials, textures\n"
        "  size>1M  length>2s        bytes, and the longest clip\n"
        "  modified<7d               the age, or a date: modified:2026-01-31..\n"
        "  clip:walk  texture:*.tga  a part of a name, a pattern; clip=Walk is a whole name; also bone,\n"
        "                            material, missing, error, warning, name, path\n"
        "  format:ogre  version:264  also kind: model, skeleton, animation, picture, package, shader,\n"
        "                            script or table\n"
        "  has:particles  missing  error  warning\n"
        "  not  or  ( )              join conditions; without or, all of them must be true",
        (("output", (JSON,)), ("many files", BATCH), *OPENED),
        "viewer.commands.find:find",
    ),
    Verb(
        "check",
        "check PLACE ... [--fail-on S] [--format F]",
        "Print what is wrong with assets: each finding with its numbers and offset, what the engine does\n"
        "with it and how to fix it. PLACE is a file, a folder with all below it, a package or a pattern.\n"
        "Animations that follow a model belong to it, except with --separate.\n\n"
        "An error breaks the asset; a warning is visible; a note costs time or memory. Rules have names\n"
        "such as animation/unmatched-track. The settings of a project can choose rules, severities, limits\n"
        "and known findings for all files, or by path.",
        (("output", CHECK), ("rules", RULES), ("many files", BATCH), *OPENED),
        "viewer.commands.check:check",
    ),
    Verb(
        "diff",
        "diff A [B] [--animation NAME] [--json]",
        "Print what changed from A to B, by meaning: bones, geometries, vertices, materials, textures,\n"
        "morphs, animations, the files of packages. Bones are matched by name, then by position. Vertices\n"
        "are matched by their order; if the order changed, they are matched by position. Animations are\n"
        "compared at the keys of both files. Files of different versions and of different engines can be\n"
        "compared. The exit status is 0 if nothing differs in meaning, 1 if something does, and 2 if a\n"
        "file cannot be read completely.\n\n"
        "With --animation, only the motion of the bones is compared, at the keys and between them: of one\n"
        "clip in A and B, or of two clips in A. Angles are in degrees and relative to the parent. Distances\n"
        "are measured in the model, in units of A.\n\n"
        "  - removed   + added   > renamed   ~ changed",
        (("output", DIFF), ("animations", CLIPS), ("git", GIT), *OPENED),
        "viewer.commands.diff:diff",
    ),
    Verb(
        "thumbs",
        "thumbs PLACE ... -o DIR|OUT.png|OUT.html [options]",
        "Write thumbnails of many models: of files, folders with all below them, packages and patterns.\n"
        "A thumbnail shows the first view of a model in the window. DIR, or a name with {name}, gets one\n"
        "picture per model. OUT.png is a sheet of all pictures with their names, or the plain picture of a\n"
        "single file. OUT.html is a page to search and sort the pictures. Thumbnails are kept in the cache\n"
        "folder and drawn again when one of their files changes. A file without a picture counts as failed;\n"
        "sheet and page show the reason.",
        (
            ("output", (PICTURES, STRICT)),
            ("many models", MANY),
            ("pose", POSE),
            ("picture", THUMBNAIL_PICTURE),
            *OPENED,
        ),
        "viewer.commands.thumbs:thumbs",
    ),
    Verb(
        "help",
        "help [TOPIC|VERB|RULE]",
        "Print a page of the manual: about a TOPIC, a VERB or a RULE of check. Without a name,\n"
        "list the pages. A TOPIC may be any heading, or PAGE#heading.",
        (("output", (MAN,)),),
        "viewer.commands.help:show_help",
        completes="topic",
    ),
    Verb(
        "completion",
        f"completion {one_of(*SHELLS)}",
        "Complete command lines in a shell: print the script for this shell. The script knows the names of\n"
        "animations, bones, morphs, rules and files in packages. To get these names, it calls\n"
        "rigscope completion SHELL -- WORD ...\n\n"
        "  bash  source <(rigscope completion bash)\n"
        "  zsh   source <(rigscope completion zsh)\n"
        "  fish  rigscope completion fish | source",
        (),
        "viewer.commands.completion.completion:completion",
        one_shell,
        SHELLS,
    ),
    Verb(
        "integrate",
        "integrate [--remove]",
        "Install Rigscope on the desktop. On Linux: file types, a menu entry, thumbnails, completion in\n"
        "bash, zsh and fish, and the man page, in the user's data folder. On Windows: file types, in the\n"
        "user's part of the registry. Files and values of other programs do not change.",
        (("desktop", (REMOVE,)),),
        "viewer.commands.integrate:integrate",
        completes=(),
    ),
)


FORMS[:] = (WINDOW, *VERBS)


def help_text() -> str:
    """The text of `rigscope --help --all`, with all verbs and their options."""
    return "\n\n".join(
        [
            _forms(),
            describe("pose, for the window, render, bake and thumbs", POSE),
            describe("picture, for the window, render and thumbs (whose default size is 256x256)", PICTURE),
            describe("several frames, for render", SEQUENCE),
            describe("one model of several, for the window, render, bake and export", (TOGETHER,)),
            describe("several models, for render", COMPARE),
            describe("a texture of the model, for render", TEXTURE),
            describe("panels, for render", PANELS),
            describe("models, for export, which also takes the options of the pose", EXPORT),
            describe("the window", FOLLOW),
            describe("output, for render, bake, export and thumbs", (OUT,)),
            describe(
                "many models, for thumbs, and for render, bake and export to a folder or a {name}",
                MANY,
            ),
            describe("missing parts, for render, bake, export, thumbs and extract --with-parts", (STRICT,)),
            describe("output, for info, tree, formats, list and find", (JSON, DEPTH)),
            describe("specifications, for formats", (MARKDOWN,)),
            describe("findings, for check", (*CHECK, *RULES)),
            describe("differences, for diff", (*DIFF, *GIT)),
            describe("packages, for info, list and extract", (VERIFY, INTO, FORCE)),
            describe("compiled shaders, for info", (DEFINE,)),
            describe("animations, for info", JUDGED),
            describe("desktop, for integrate", (REMOVE,)),
            describe("families of formats", (CHECK_FAMILY,)),
            describe("plugins, for all verbs", (NO_PLUGINS,)),
            describe(
                "files that are opened, for all verbs above except formats, families and integrate", FILES
            ),
            describe("other", LISTS),
            exit_status.help_text(),
        ]
    )


def short_help() -> str:
    """The text of `rigscope --help`, which fits on one screen: the verbs, and the options that need
    no verb.
    """
    import textwrap  # imported late, as in `describe`

    names = (option.spelled.replace(" ", JOINED) for option in WINDOW.options if option is not HELP)
    named = textwrap.fill("  ".join(names), WIDTH - 2, break_long_words=False, break_on_hyphens=False)
    return "\n\n".join(
        [
            _forms(),
            "the window:\n" + textwrap.indent(named.replace(JOINED, " "), "  "),
            describe("other", (*LISTS, ALL)),
            "rigscope VERB --help prints the options of a verb, rigscope --help --all prints all options,\n"
            "rigscope help prints the manual.",
        ]
    )


def _forms() -> str:
    """Yield a usage line for the window and for each verb."""
    width = max(len(verb.form) for verb in FORMS) + 2
    return "\n".join(["usage:", *(f"  rigscope {verb.form:<{width}}{verb.summary}" for verb in FORMS)])
