"""A project's settings for checks: rules for each file, limits, and known findings."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct, field

from viewer.check.limits import NO_LIMITS, Limits
from viewer.scene.finding import Severity
from viewer.storage.project_settings import matches, relative_name


class RuleChoice(NamedTuple):
    """The rules for a file, their severities, and the limits. `select` has the names of the rules; without
    names all rules are chosen. `ignore` has the names of the rules to leave out. A name is a rule's id or a
    group of rules.
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    severities: Mapping[str, Severity] = {}
    limits: Limits = NO_LIMITS


class PathRules(NamedTuple):
    """Settings for the files that `pattern` matches, in addition to the settings for all files."""

    pattern: str
    ignore: tuple[str, ...] = ()
    severities: Mapping[str, Severity] = {}
    limits: Limits = NO_LIMITS


class Settings(Struct, frozen=True):
    """The settings for checks. `file` is the path of the settings file; empty for the defaults. `baseline` is
    the path of the file of known findings. `baseline` and the patterns of `per_path` are relative to the
    folder of `file`.
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
        """The folder to which `baseline` and the patterns are relative."""
        return os.path.dirname(os.path.abspath(self.file))

    @property
    def baseline_file(self) -> str:
        """The path of the file of known findings; empty if the settings name none."""
        return os.path.relpath(os.path.join(self.folder, self.baseline)) if self.baseline else ""

    def choice(self, path: str, select: Sequence[str] = (), ignore: Sequence[str] = ()) -> RuleChoice:
        """Choose the rules for a file. The argument `select` replaces both `select` and `ignore` of the
        settings; the argument `ignore` names further rules to leave out. Later patterns override earlier
        patterns.
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
