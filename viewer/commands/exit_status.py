"""The exit statuses of all verbs, and their texts in `--help`. It imports nothing: `--version` needs it."""

DONE, UNREAD, USAGE, GRAPHICS, INTERRUPTED = 0, 1, 2, 3, 130
STATUSES = {
    DONE: "done",
    UNREAD: """a file could not be read, or not completely (the readable parts are still written), or the
memory does not suffice; of find: nothing was found; of check: there are findings of the
severity of --fail-on; of diff: the files are different""",
    USAGE: """bad usage, a name that does not exist, or an output that cannot be written; of diff: a file
could not be read""",
    GRAPHICS: "no usable OpenGL, or it cannot draw a picture of this size",
    INTERRUPTED: "ended with Ctrl+C; the same command goes on with the files of a batch that are left",
}
NOTHING_FOUND = FINDINGS = DIFFERENT = UNREAD
"""What status 1 says of `find`, `check` and `diff`."""
UNREADABLE = USAGE
"""What status 2 says of `diff`."""


def help_text() -> str:
    """The list of all statuses."""
    lines = [f"  {status}  " + text.replace("\n", "\n     ") for status, text in STATUSES.items()]
    return "\n".join(["exit status:", *lines])
