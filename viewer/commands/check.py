"""`rigscope check`: prints the findings in files, folders and packages, and the pages of rules."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from itertools import chain

from msgspec import Struct
from msgspec.structs import replace

from viewer.check.baseline import Baseline, read_baseline, write_baseline
from viewer.check.checking import check_file, unreadable
from viewer.check.rules import all_rules, chosen_rules, rule_named
from viewer.check.settings import RuleChoice, Settings, relative_name
from viewer.check.settings_file import SettingsSearch, read_settings
from viewer.commands.batch.batch import Batch, runner_of
from viewer.commands.exit_status import DONE, FINDINGS, UNREAD
from viewer.commands.findings.report import CheckedFile, CheckReport
from viewer.commands.options.given_options import Values
from viewer.commands.options.parser import UsageError
from viewer.commands.output import notice, print_lines, say
from viewer.errors import FormatError, ViewerError, counted
from viewer.family.registry import has_role, suffixes
from viewer.library.file_sources import expanded, source_files
from viewer.library.outcome import Outcome
from viewer.library.workers.batches import Runner, run_batch
from viewer.scene.files import Role
from viewer.scene.finding import Finding, Severity
from viewer.scene.names import path_key
from viewer.storage.package_path import as_path, is_file
from viewer.storage.versions import is_regular

ROLES: tuple[Role, ...] = ("model", "animation", "part", "picture", "code", "table", "package")
"""The roles of files that are checked in folders and packages. A file that the user names may have
any role.
"""


def check(paths: list[str], values: Values) -> int:
    """Print the findings in files, the list of rules, or the page of a rule; return the exit status."""
    if values.pop("rules", False):
        print_rules(values)
        return DONE
    if explained := values.pop("explain", None):
        print_lines(rule_named(explained).page.split("\n"))
        return DONE
    return check_places(paths, values)


def check_places(places: Sequence[str], values: Values) -> int:
    """Print the findings of all files in `places`, or write them as known findings; return the exit status.

    UsageError without a file, ResourceError for an unknown rule and for invalid settings.
    """
    values = dict(values)
    form, known = form_of(values), values.pop("write_baseline", None)
    options = _options(values)
    if not places:
        raise UsageError("needs a PLACE, which is a file, a folder, a package or a pattern")
    runner = runner_of(values)
    run = CheckRun(places, options)
    if known is not None:
        return _write_known(known, run, runner)
    report = run.report(run.findings(runner))
    status = FINDINGS if report.fails else DONE
    _print(form, report, status)
    return status


def form_of(values: Values) -> str:
    """Remove the output format from the option values and return this format."""
    form = str(values.pop("format", "text"))
    return "json" if values.pop("json", False) else form


def _options(values: Values) -> CheckOptions:
    """Remove the check's own options from the option values and return these options."""
    select, ignore = (tuple(chain(*values.pop(name, ()))) for name in ("select", "ignore"))
    chosen_rules(select, ignore)
    word, config = values.pop("fail_on", None), values.pop("config", None)
    fail_on = None if word is None else Severity[word.upper()]
    baseline, separate = values.pop("baseline", None), values.pop("separate", False)
    return CheckOptions(select, ignore, fail_on, baseline, "" if config is False else config, separate)


def _write_known(path: str, run: CheckRun, runner: Runner) -> int:
    """Write all findings as known findings, and print the files that cannot be read."""
    count = write_baseline(path, (each for _, each in run.findings(runner)), run.files)
    print_lines(
        [f"{path}: {counted(count, 'finding')} in {counted(len(run.files), 'file')} will count as known"]
    )
    for each in run.unread:
        say(f"{each.path}: {each.findings[0].text}")
    return UNREAD if run.unread else DONE


def _print(form: str, report: CheckReport, status: int) -> None:
    """Print the report. Control characters are removed from text; other formats are printed unchanged."""
    if form == "text":
        from viewer.commands.findings.text import report_text

        print_lines(report_text(report))
        return
    sys.stdout.writelines(f"{line}\n" for line in _lines(form, report, status))


def _lines(form: str, report: CheckReport, status: int) -> Iterator[str]:
    if form == "json":
        from viewer.commands.findings.findings_json import report_json

        return report_json(report)
    if form == "sarif":
        from viewer.commands.findings.sarif import as_sarif

        return as_sarif(report, status)
    from viewer.commands.findings.junit import as_junit

    return as_junit(report)


def print_rules(values: Values) -> None:
    """Print a line for each rule, or all fields of each rule as JSON. UsageError for another format."""
    form = form_of(values)
    if form == "json":
        from viewer.commands.findings.findings_json import rules_json

        sys.stdout.writelines(f"{line}\n" for line in rules_json())
        return
    if form != "text":
        raise UsageError(f"--rules cannot be printed as {form}: choose text or json")
    rules = all_rules()
    width = max(len(rule.id) for rule in rules)
    print_lines(f"{rule.id:<{width}}  {rule.severity.word:<7}  {rule.title}" for rule in rules)


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
    """Checks all files in `places`. UsageError without a file, ResourceError for invalid settings."""

    def __init__(self, places: Sequence[str], options: CheckOptions) -> None:
        unread: list[Outcome] = []
        listed = (file.path for file in source_files(places, suffixes(*ROLES), unread.append))
        self.files = list(dict.fromkeys((*_packages(places), *listed)))
        self.unread = [CheckedFile(each.path, _findings_of(each)) for each in unread]
        if not self.files and not unread:
            raise UsageError(f"there is no file to check in {', '.join(places)}")
        self._clips = {} if options.separate else given_clips(places)
        self._options = options
        self._search = _search(options.config)
        names = {path: self._baseline_name(path) for path in self.files}
        self._baselines = {name: read_baseline(name) for name in dict.fromkeys(names.values()) if name}
        self._known = {path: self._baselines.get(name) for path, name in names.items()}

    def findings(self, runner: Runner) -> list[tuple[str, Finding]]:
        """Return pairs (path of the file that lists the finding, finding), in the order of the files.

        A finding about a file that several files use is listed once.
        """
        listed: dict[Finding, str] = {}
        keys = {path_key(path): path for path in self.files}
        for path, findings in self._checked(runner):
            for each in findings:
                about = keys.get(path_key(each.file))
                if about == path or self._has_rule(each.file, each.rule):
                    listed.setdefault(_named(each, about), about or path)
        places = {path: number for number, path in enumerate(self.files)}
        return sorted(
            ((path, each) for each, path in listed.items()),
            key=lambda row: (places[row[0]], -row[1].severity),
        )

    def report(self, findings: Sequence[tuple[str, Finding]]) -> CheckReport:
        """Make the report of new findings, and print how many known findings no longer occur."""
        new: dict[str, list[Finding]] = {path: [] for path in self.files}
        for path, each in findings:
            baseline = self._known[path]
            if baseline is None or not baseline.takes(each):
                new[path].append(each)
        for baseline in self._baselines.values():
            self._say_gone(baseline)
        files = [
            CheckedFile(str(as_path(path)), tuple(found), self._fail_on(path)) for path, found in new.items()
        ]
        known = len(findings) - sum(len(found) for found in new.values())
        return CheckReport((*self.unread, *files), known)

    def _checked(self, runner: Runner) -> Iterator[tuple[str, tuple[Finding, ...]]]:
        """Yield the findings of each file, in the order of the files. A single file is checked in this
        process.
        """
        calls = [(path, self._clips.get(path, ()), *self._choice(path)) for path in self.files]
        if len(calls) == 1:
            yield self.files[0], check_file(*calls[0])
            return
        with Batch(len(calls), resumes=False) as batch:
            outcomes = batch.outcomes(run_batch(check_file, calls, runner))
            found = {outcome.path: _findings_of(outcome) for outcome in outcomes}
        yield from ((path, found.get(path, ())) for path in self.files)

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

    def _say_gone(self, baseline: Baseline) -> None:
        """Print how many known findings no longer occur.

        If a file was not checked, its known findings count only if the file is gone.
        """
        names = {baseline.name(path): path for path in self.files}
        gone = 0
        for each in baseline.gone:
            if each.file in names:
                gone += self._has_rule(names[each.file], each.rule)
            else:
                gone += not is_file(baseline.path_of(each.file))
        if gone:
            known = f"{counted(gone, 'known finding')} {'is' if gone == 1 else 'are'} gone"
            path = baseline.path
            notice(f"{path}: {known}; --write-baseline {path} removes them from the file")


def given_clips(places: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return the animation files that follow each model in the list of the command, by the path of
    the model.
    """
    clips: dict[str, tuple[str, ...]] = {}
    model = None
    for path in (each for place in places for each in expanded(place, lambda line: None)):
        if has_role(path, "animation") and not os.path.isdir(path):
            if model is not None:
                clips[model] = (*clips.get(model, ()), path)
        else:
            model = path if has_role(path, "model") and not os.path.isdir(path) else None
    return clips


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


def _packages(places: Sequence[str]) -> Iterator[str]:
    """Yield the packages in the list. A package is also checked as a file."""
    for path in dict.fromkeys(each for place in places for each in expanded(place, lambda line: None)):
        if has_role(path, "package") and is_regular(path):
            yield path


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
