"""Names: the look-up of typed names, paths as keys, and pairs of equal names.

A look-up takes the exact name, else a name in another case; its error lists similar names.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache

from viewer.errors import ResourceError

NEAR = 3
BELOW = f"{os.sep}**{os.sep}"
"""Stands for all folders below a folder in a searched path."""
JOINT = "::"
"""The separator between a package's path and the name of a file in it."""
NAME = "{name}"
"""Stands for the name of a model in the output pattern of a batch."""
FRAME = re.compile(r"\{frame(?::0?(\d+))?\}")
"""Stands for the number of a frame in the name of an output, as `{frame}` or `{frame:04}`."""


def find_name(kind: str, name: str, names: Sequence[str]) -> int:
    """Return the index of `name` in `names`. If it is missing, ResourceError lists similar names."""
    if name in names:
        return names.index(name)
    folded = [known.casefold() for known in names]
    if name.casefold() in folded:
        return folded.index(name.casefold())
    raise unknown(kind, name, names)


def unknown(kind: str, name: str, names: Sequence[str]) -> ResourceError:
    """Return an error such as `no bone 'Heed'; near: Head, Hand`. If no name is similar, it lists the first
    names.
    """
    import difflib  # imported late, because only errors need it

    near = [known for known in difflib.get_close_matches(name, names, NEAR, 0.5) if known]
    inside = [known for known in dict.fromkeys(names) if name and name.casefold() in known.casefold()]
    listed = list(dict.fromkeys(near + inside[:NEAR]))
    if listed:
        return ResourceError(f"no {kind} {name!r}; near: {', '.join(listed)}")
    shown = ", ".join(list(dict.fromkeys(names))[: 2 * NEAR])
    rest = ", …" if len(names) > 2 * NEAR else ""
    return ResourceError(f"no {kind} {name!r}; there is {shown + rest if names else 'none'}")


@lru_cache(4096)
def path_key(path: str) -> str:
    """Convert a path to a key. Two spellings of the same path have equal keys."""
    return os.path.normcase(os.path.abspath(path)) if path else ""


def is_absolute(name: str) -> bool:
    """Whether a name in a file is an absolute path: it begins with a slash or a drive such as `C:/`. On
    systems without drives a file may be named `a:b.png`.
    """
    plain = name.strip().replace("\\", "/")
    drive = plain[1:2] == ":" and plain[:1].isalpha()
    return plain.startswith("/") or (drive and (os.name == "nt" or plain[2:3] in ("", "/")))


def any_frame(path: str) -> re.Pattern[str]:
    """A pattern of the paths that an output with a frame number in its name may have."""
    folder, name = os.path.split(path)
    head, _, tail = FRAME.split(name, 1)
    return re.compile(rf"{re.escape(os.path.join(folder, head))}\d+{re.escape(tail)}")


def file_name(path: str) -> str:
    r"""The last part of a path with `/` or `\`."""
    return path.replace("\\", "/").rpartition("/")[2]


def short_name(name: str) -> str:
    """Return the name of a material or texture in the window: for a path, only its file name; otherwise the
    whole name.

    `Ogre/Skin` is not a path, because its last part has no dot.
    """
    file = file_name(name)
    return file if "." in file else name


def short_names(paths: Sequence[str]) -> list[str]:
    """The file names of paths. If several paths have the same file name, each name gets as many of its
    folders before it as are needed to distinguish the names.
    """
    parts = [path.replace("\\", "/").split("/") for path in paths]
    counts = [1] * len(parts)
    while True:
        found = ["/".join(each[-count:]) for each, count in zip(parts, counts, strict=True)]
        longer = [
            min(count + (found.count(name) > 1), len(each))
            for each, count, name in zip(parts, counts, found, strict=True)
        ]
        if longer == counts:
            return found
        counts = longer


def paired(one: Sequence[str], other: Sequence[str]) -> dict[int, int]:
    """Map each index in `one` to the index of the same name in `other`. Names that occur several times match
    in their order.
    """
    numbers = {name: number for number, name in enumerate(_numbered(other))}
    return {number: numbers[name] for number, name in enumerate(_numbered(one)) if name in numbers}


def _numbered(names: Sequence[str]) -> Iterator[tuple[str, int]]:
    """Yield a pair for each name: the name, and the number of equal names before it."""
    seen: Counter[str] = Counter()
    for name in names:
        yield name, seen[name]
        seen[name] += 1
