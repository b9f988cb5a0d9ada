"""The settings of a project for checks: which rules hold for which files, limits, and known findings."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from typing import NamedTuple

from msgspec import Struct, field

from viewer.check.limits import NO_LIMITS, Limits
from viewer.scene.finding import Severity
from viewer.scene.names import JOINT

DEEP = "**"
"""The part of a pattern that stands for any folders."""


class RuleChoice(NamedTuple):
    """The rules for a file: those that `select` names (none: all) without those of `ignore`, with other
    severities for some, and the limits that they read. A name is the id of a rule, or a group of rules.
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    severities: Mapping[str, Severity] = {}
    limits: Limits = NO_LIMITS


class PathRules(NamedTuple):
    """What holds for the files that `pattern` matches, besides the settings for all files."""

    pattern: str
    ignore: tuple[str, ...] = ()
    severities: Mapping[str, Severity] = {}
    limits: Limits = NO_LIMITS


class Settings(Struct, frozen=True):
    """The settings for checks. `file` is where they stand, empty for the defaults; patterns of `per_path` and
    `baseline`, the file of known findings, are relative to its folder.
    """

    file: str = ""
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    fail_on: Severity = Severity.ERROR
    severities: Mapping[str, Severity] = field(default_factory=dict)
    limits: Limits = NO_LIMITS
    per_path: tuple[PathRules, ...] = ()
    baseline: str = ""

    @property
    def folder(self) -> str:
        """The folder of the file."""
        return os.path.dirname(os.path.abspath(self.file))

    @property
    def baseline_file(self) -> str:
        """The path of the file of known findings; empty without one."""
        return os.path.relpath(os.path.join(self.folder, self.baseline)) if self.baseline else ""

    def choice(self, path: str, select: Sequence[str] = (), ignore: Sequence[str] = ()) -> RuleChoice:
        """The rules for a file. `select` replaces the rules that the settings choose, `ignore` adds to those
        that they leave out. Later patterns win.
        """
        ignored = [*(() if select else self.ignore), *ignore]
        severities, limits = dict(self.severities), self.limits
        name = relative_name(path, self.folder) if self.per_path else ""
        for each in self.per_path:
            if matches(each.pattern, name):
                ignored += each.ignore
                severities |= each.severities
                limits = each.limits.over(limits)
        return RuleChoice(tuple(select) or self.select, tuple(ignored), severities, limits)


def relative_name(path: str, folder: str) -> str:
    """The path of a file from a folder, with `/`; absolute if they lie on different drives. In a package the
    name of the file inside follows `::` unchanged.
    """
    disk, joint, inner = path.partition(JOINT)
    try:
        name = os.path.relpath(disk, folder)
    except ValueError:
        name = os.path.abspath(disk)
    return name.replace(os.sep, "/") + joint + inner


def matches(pattern: str, name: str) -> bool:
    """Whether a pattern matches the name of a file relative to the settings. `**` stands for any folders, `*`
    and `?` for characters of one part, and `legacy/` for all below a folder. A pattern without `/` matches
    in any folder. `::` separates parts as `/` does.
    """
    parts = name.replace(JOINT, "/").split("/")
    wanted = pattern.replace(JOINT, "/").removeprefix("./").split("/")
    if len(wanted) == 1:
        wanted.insert(0, DEEP)
    elif not wanted[-1]:
        wanted[-1] = DEEP
    reached = {0}  # how many parts may be matched so far
    for each in wanted:
        if each == DEEP:
            reached = set(range(min(reached), len(parts) + 1))
        else:
            reached = {at + 1 for at in reached if at < len(parts) and fnmatchcase(parts[at], each)}
        if not reached:
            return False
    return len(parts) in reached
