"""Checks many files with the settings of their projects."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from viewer.check.baseline import read_baseline
from viewer.check.checking import check_file, unreadable
from viewer.check.rules import chosen_rules
from viewer.check.settings import RuleChoice, Settings
from viewer.check.settings_file import SettingsSearch, read_settings
from viewer.errors import FormatError, ViewerError, counted
from viewer.library.batch.batch import Batch, Told
from viewer.library.batch.check_report import CheckedFile, CheckReport
from viewer.library.outcome import Outcome
from viewer.library.workers.batches import Runner, run_batch
from viewer.scene.finding import Finding, Severity
from viewer.scene.names import path_key
from viewer.scene.reading_context import DEFAULT, ReadingContext
from viewer.storage.package_path import as_path, is_file
from viewer.storage.project_settings import relative_name


class CheckOptions(Struct, frozen=True):
    """Options that override the settings.

    `config` is the settings file for all files. If it is empty, there are no settings; if it is None, the
    settings in the folder of each file or above are used. With `separate`, an animation does not belong to
    the model before it in the list.
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    fail_on: Severity | None = None
    baseline: str | None = None
    config: str | None = None
    separate: bool = False


class CheckRun:
    """The check of `files`. `clips` are the animation files of each model, by the path of the model; `unread`
    are paths that could not be listed. Files are read in the `context`. ResourceError for invalid settings.
    """

    def __init__(
        self,
        files: Sequence[str],
        options: CheckOptions,
        clips: Mapping[str, tuple[str, ...]] | None = None,
        unread: Iterable[Outcome] = (),
        context: ReadingContext = DEFAULT,
    ) -> None:
        self.files, self._context = files, context
        self.unread = [CheckedFile(each.path, _findings_of(each)) for each in unread]
        self._clips = clips or {}
        self._options = options
        self._search = _search(options.config)
        read, names = cache(read_baseline), {path: self._baseline_name(path) for path in files}
        self._known = {path: read(name) if name else None for path, name in names.items()}

    @property
    def calls(self) -> list[tuple[Any, ...]]:
        """The arguments of `check_file` for each file."""
        return [(path, self._clips.get(path, ()), *self._choice(path), self._context) for path in self.files]

    def outcomes(self, runner: Runner, told: Told) -> list[Outcome]:
        """Check all files with `runner`."""
        with Batch(told, len(self.files)) as batch:
            return list(batch.outcomes(run_batch(check_file, self.calls, runner), fails=False))

    def findings(self, outcomes: Iterable[Outcome]) -> list[tuple[str, Finding]]:
        """Return pairs (path of the file that lists the finding, finding), in the order of the files.

        A finding about a file that several files use is listed once.
        """
        listed: dict[Finding, str] = {}
        keys = {path_key(path): path for path in self.files}
        places = {path: number for number, path in enumerate(self.files)}
        for outcome in sorted(outcomes, key=lambda each: places[each.path]):
            for each in _findings_of(outcome):
                about = keys.get(path_key(each.file))
                if about == outcome.path or self._has_rule(each.file, each.rule):
                    listed.setdefault(_named(each, about), about or outcome.path)
        return sorted(
            ((path, each) for each, path in listed.items()),
            key=lambda row: (places[row[0]], -row[1].severity),
        )

    def report(self, findings: Sequence[tuple[str, Finding]]) -> CheckReport:
        """Make the report of new findings."""
        new: dict[str, list[Finding]] = {path: [] for path in self.files}
        for path, each in findings:
            baseline = self._known[path]
            if baseline is None or not baseline.takes(each):
                new[path].append(each)
        files = [
            CheckedFile(str(as_path(path)), tuple(found), self._fail_on(path)) for path, found in new.items()
        ]
        known = len(findings) - sum(len(found) for found in new.values())
        return CheckReport((*self.unread, *files), known)

    def gone(self) -> Iterator[str]:
        """After the report: yield a line about the known findings of each baseline that no longer occur.

        If a file was not checked, its known findings count only if the file is gone.
        """
        for baseline in filter(None, dict.fromkeys(self._known.values())):
            names = {baseline.name(path): path for path in self.files}
            gone = 0
            for each in baseline.gone:
                if each.file in names:
                    gone += self._has_rule(names[each.file], each.rule)
                else:
                    gone += not is_file(baseline.path_of(each.file), self._context)
            if gone:
                known = f"{counted(gone, 'known finding')} {'is' if gone == 1 else 'are'} gone"
                path = baseline.path
                yield f"{path}: {known}; --write-baseline {path} removes them from the file"

    def _choice(self, path: str) -> RuleChoice:
        return self._search.of(path).choice(path, self._options.select, self._options.ignore)

    def _has_rule(self, path: str, rule: str) -> bool:
        return any(each.id == rule for each in chosen_rules(*self._choice(path)[:2]))

    def _fail_on(self, path: str) -> Severity:
        severity = self._options.fail_on
        return self._search.of(path).fail_on if severity is None else severity

    def _baseline_name(self, path: str) -> str:
        """The path of the file with the known findings that apply to a checked file; empty if there is
        none.
        """
        if self._options.baseline is not None:
            return self._options.baseline
        return self._search.of(path).baseline_file


def _named(finding: Finding, checked: str | None) -> Finding:
    """Return the finding with a file name that the user can recognise.

    A checked file keeps the name in the command; any other file below the current folder gets its relative
    path.
    """
    if checked is not None:
        name = str(as_path(checked))
    else:
        near = relative_name(finding.file, os.curdir)
        name = finding.file if near.startswith("../") else near
    return finding if name == finding.file else replace(finding, file=name)


def _search(config: str | None) -> SettingsSearch:
    if config is None:
        return SettingsSearch()
    return SettingsSearch(read_settings(config) if config else Settings())


def _findings_of(outcome: Outcome) -> tuple[Finding, ...]:
    """The findings of a file. An unreadable file has one finding: the reason."""
    if outcome.error is None:
        return outcome.value
    error = outcome.error if isinstance(outcome.error, FormatError) else ViewerError(outcome.why)
    return (unreadable(outcome.path, error),)
