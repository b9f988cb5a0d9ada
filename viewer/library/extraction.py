"""Writes the files of a package into a folder, and never outside of it, whatever their names are.

A name is refused if it leads out of the folder or is a device name on some system. It is refused on every
system, because a package must extract to the same files everywhere.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from viewer.errors import ResourceError
from viewer.storage.writing import is_same_file, written

LONGEST, LONGEST_PART = 1024, 255
"""The largest length of a name in characters, and of one part of a name in bytes."""
FORBIDDEN = '<>:"|?*'
DEVICES = re.compile(r"(con|prn|aux|nul|conin\$|conout\$|clock\$|(com|lpt)[0-9¹²³])(\..*)?", re.IGNORECASE)
"""The names of Windows devices, in every folder and with every suffix."""
TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Characters that change the writing direction. They can make a name look like another name."""

FORCE = "; --force replaces"
"""Begins the part of a message that names the option of the command line; windows leave the part out."""


def refusal(name: str) -> str:
    """The reason why a name is refused; empty if it can be written."""
    plain = name.replace("\\", "/")
    if not plain.strip("/. ") and ".." not in plain.split("/"):
        return "the name is empty"
    if plain.startswith("/"):
        return "the name is absolute"
    if re.match(r"[A-Za-z]:", plain):
        return "the name begins with a drive"
    if len(name) > LONGEST:
        return f"the name is longer than {LONGEST} characters"
    return next(filter(None, map(_refused_part, plain.split("/"))), "")


def _refused_part(part: str) -> str:
    """The reason why the name of a folder or file is refused; empty if it can be written."""
    if part == "..":
        return "the name leads out of the folder"
    if any(unicodedata.category(letter) in ("Cc", "Cs") or letter in TURNING for letter in part):
        return "the name has control characters"
    if any(letter in FORBIDDEN for letter in part):
        return f"the name has one of the characters {FORBIDDEN}"
    if part != part.rstrip(". ") and part != ".":
        return "a part of the name ends with a dot or a space"
    if DEVICES.fullmatch(part.partition(".")[0].rstrip()):
        return f"{part} is the name of a device"
    if len(part.encode("utf-8", "replace")) > LONGEST_PART:
        return f"a part of the name is longer than {LONGEST_PART} bytes"
    return ""


class ExtractionPlan(NamedTuple):
    """The files to write. `targets` has paths such as `a/b.mdl` by file index.

    `refused` has the reasons why files are not written, by file index. `outdone` are the indices of files
    that a later file with the same name replaces.
    """

    targets: Mapping[int, str]
    refused: Mapping[int, str]
    outdone: tuple[int, ...] = ()


def plan(names: Iterable[tuple[int, str]]) -> ExtractionPlan:
    """Choose the target paths of files from pairs (index, name).

    If several files have the same name, the last file is written. A file is refused if its name differs from
    another name only in case, or if its path would be both a file and a folder.
    """
    listed = list(names)
    latest = {name: number for number, name in listed}
    targets: dict[int, str] = {}
    refused: dict[int, str] = {}
    files: dict[str, str] = {}
    folders: dict[str, str] = {}
    for name, number in latest.items():
        target = "/".join(part for part in name.replace("\\", "/").split("/") if part not in ("", "."))
        key = folded(target)
        above = [key[:at] for at in range(len(key)) if key[at] == "/"]
        taken = files.get(key) or folders.get(key) or next(filter(None, map(files.get, above)), "")
        why = refusal(name) or (f"it would overwrite {taken}" if taken else "")
        if why:
            refused[number] = why
            continue
        targets[number] = target
        files[key] = target
        folders.update((each, f"the folder of {target}") for each in above if each not in folders)
    return ExtractionPlan(
        targets, refused, tuple(number for number, name in listed if latest[name] != number)
    )


def folded(name: str) -> str:
    """Fold a name: ignore case and Unicode composition, as some file systems do.

    Two names with the same result are the same file on those systems.
    """
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


class TargetFolder:
    """A folder to write files into. Links that lead out of it are not followed.

    Without `force`, existing files are not replaced. The `package` itself is never replaced.
    """

    def __init__(self, folder: str, force: bool = False, package: str = "") -> None:
        os.makedirs(folder, exist_ok=True)
        self._root = os.path.realpath(folder)
        self._force = force
        self._made = {""}
        self._package = package

    def write(self, name: str, pieces: Iterator[bytes]) -> None:
        """Write a file of the plan under a temporary name, and rename it when it is complete.

        Raises ResourceError if a file or folder already has the name, OSError if the file cannot be written,
        and any exception that `pieces` raises.
        """
        target = self.target(name)
        with written(target) as file:
            for piece in pieces:
                file.write(piece)
            self._check(target)

    def target(self, name: str) -> str:
        """Return the path of a file and create its folder.

        ResourceError if a file or folder already has the name.
        """
        folder, _, _ = name.rpartition("/")
        self._make(folder)
        target = os.path.join(self._root, *name.split("/"))
        self._check(target)
        return target

    def _check(self, target: str) -> None:
        """Raise ResourceError if a file must not be written at this path.

        An existing link is replaced, never followed.
        """
        if not os.path.lexists(target):
            return
        if os.path.isdir(target) and not os.path.islink(target):
            raise ResourceError("a folder has that name")
        if is_same_file(target, self._package):
            raise ResourceError("it is the package itself")
        if not self._force:
            raise ResourceError(f"the file exists already{FORCE} it")

    def _make(self, folder: str) -> None:
        """Create a folder and its parents. ResourceError if one of them is a link or not a folder."""
        if folder in self._made:
            return
        self._make(folder.rpartition("/")[0])
        target = os.path.join(self._root, *folder.split("/"))
        try:
            os.mkdir(target)
        except FileExistsError:
            if not os.path.isdir(target):
                raise ResourceError(f"{folder} is not a folder") from None
            # The real path shows a link or a junction; the folder's own name may differ in case.
            if os.path.normcase(os.path.realpath(target)).casefold() != os.path.normcase(target).casefold():
                raise ResourceError(f"{folder} is a link to another folder") from None
        self._made.add(folder)
