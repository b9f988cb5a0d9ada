"""`rigscope check`: prints the findings in files, folders and packages, and the pages of rules."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from itertools import chain

from viewer.check.baseline import write_baseline
from viewer.check.checking import check_file
from viewer.check.rules import all_rules, chosen_rules, rule_named
from viewer.commands.batches import Terminal, runner_of
from viewer.commands.exit_status import DONE, FINDINGS, UNREAD
from viewer.commands.options.given_options import Values
from viewer.commands.options.parser import UsageError
from viewer.commands.output import notice, print_lines, say
from viewer.commands.reading import context_of
from viewer.errors import counted
from viewer.family.registry import has_role, suffixes
from viewer.library.batch.check import CheckOptions, CheckRun
from viewer.library.batch.check_report import CheckReport
from viewer.library.file_sources import expanded, source_files
from viewer.library.outcome import Outcome
from viewer.library.workers.batches import Runner
from viewer.scene.files import Role
from viewer.scene.finding import Finding, Severity
from viewer.scene.reading_context import ReadingContext
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
    run = check_run(places, options, context_of(values))
    if known is not None:
        return _write_known(known, run, runner)
    report = report_of(run, runner)
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
    count = write_baseline(path, (each for _, each in _findings(run, runner)), run.files)
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
    print_lines(
        f"{rule.id:<{width}}  {rule.severity.word:<7}  {rule.title}{' (off by default)' * rule.optional}"
        for rule in rules
    )


def check_run(places: Sequence[str], options: CheckOptions, context: ReadingContext) -> CheckRun:
    """List all files in `places` for a check. UsageError without a file, ResourceError for invalid
    settings.
    """
    unread: list[Outcome] = []
    listed = (file.path for file in source_files(places, suffixes(*ROLES), unread.append, context))
    files = list(dict.fromkeys((*_packages(places), *listed)))
    if not files and not unread:
        raise UsageError(f"there is no file to check in {', '.join(places)}")
    return CheckRun(files, options, {} if options.separate else given_clips(places), unread, context)


def report_of(run: CheckRun, runner: Runner) -> CheckReport:
    """Check the files, and print how many known findings no longer occur."""
    report = run.report(_findings(run, runner))
    for line in run.gone():
        notice(line)
    return report


def _findings(run: CheckRun, runner: Runner) -> list[tuple[str, Finding]]:
    """Check the files; a single file is checked in this process."""
    if len(run.files) == 1:
        return run.findings([Outcome(run.files[0], check_file(*run.calls[0]))])
    with Terminal(resumes=False) as terminal:
        return run.findings(run.outcomes(runner, terminal))


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


def _packages(places: Sequence[str]) -> Iterator[str]:
    """Yield the packages in the list. A package is also checked as a file."""
    for path in dict.fromkeys(each for place in places for each in expanded(place, lambda line: None)):
        if has_role(path, "package") and is_regular(path):
            yield path
