"""The exit statuses of all verbs and their texts in `--help`.

This module imports nothing, because `--version` needs it and must be fast.
"""

DONE, UNREAD, USAGE, GRAPHICS, INTERRUPTED = 0, 1, 2, 3, 130
STATUSES = {
    DONE: "done",
    UNREAD: """a file could not be read, or not completely (its readable parts are still written), or
there is not enough memory; in render, bake, export, thumbs and extract --with-parts: a
required part is missing (the rest is still written), which is the first or the chosen view
of an M2, the skeleton of a mesh or the file of a clip that --animation names, and with
--strict any part; with many files: one of them failed; in find: no file matches; in check: a
finding has the severity of --fail-on or a worse one; in diff: the files are different; in
set: a value is refused or the file is not edited, and nothing is written""",
    USAGE: """bad usage, a name that does not exist, or an output that cannot be written; with many files:
there is no file, or an output exists and --force is not given; in diff: a file could not be
read""",
    GRAPHICS: "OpenGL cannot be used, or cannot draw a picture of this size",
    INTERRUPTED: "ended with Ctrl+C; the same command continues a batch with its remaining files",
}
NOTHING_FOUND = FINDINGS = DIFFERENT = UNREAD
"""The meaning of status 1 for `find`, `check` and `diff`."""
UNREADABLE = USAGE
"""The meaning of status 2 for `diff`."""


def help_text() -> str:
    """The list of all statuses with their texts."""
    lines = [f"  {status}  " + text.replace("\n", "\n     ") for status, text in STATUSES.items()]
    return "\n".join(["exit status:", *lines])
