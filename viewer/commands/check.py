"""`rigscope check`: what is wrong with files, folders and packages, and what each rule means."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from itertools import chain

from viewer.check.baseline import write_baseline
from viewer.check.rules import RULES, chosen, rule_named
from viewer.commands.arguments import UsageError
from viewer.commands.batch import runner_of
from viewer.commands.check_run import CheckOptions, CheckRun
from viewer.commands.findings.report import CheckReport
from viewer.commands.options import Values
from viewer.commands.output import print_lines, say
from viewer.errors import counted
from viewer.library.workers.batches import Runner
from viewer.scene.finding import Severity

CLEAN, FOUND = 0, 1


def check_places(places: Sequence[str], values: Values) -> int:
    """Print the findings of all files of the places, or write them as known ones; the exit status.
    UsageError without a file, ResourceError for an unknown rule and for wrong settings.
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
    status = FOUND if report.fails else CLEAN
    _print(form, report, status)
    return status


def form_of(values: Values) -> str:
    """The form of the output, taken out of the values."""
    form = str(values.pop("format", "text"))
    return "json" if values.pop("json", False) else form


def _options(values: Values) -> CheckOptions:
    """The options, taken out of the values."""
    select, ignore = (tuple(chain(*values.pop(name, ()))) for name in ("select", "ignore"))
    chosen(select, ignore)
    word, config = values.pop("fail_on", None), values.pop("config", None)
    fail_on = None if word is None else Severity[word.upper()]
    baseline, separate = values.pop("baseline", None), values.pop("separate", False)
    return CheckOptions(select, ignore, fail_on, baseline, "" if config is False else config, separate)


def _write_known(path: str, run: CheckRun, runner: Runner) -> int:
    """Write all findings as known ones; places that could not be read are told."""
    count = write_baseline(path, (each for _, each in run.findings(runner)), run.files)
    print_lines(
        [f"{path}: {counted(count, 'finding')} of {counted(len(run.files), 'file')} known from now on"]
    )
    for each in run.unlisted:
        say(f"{each.path}: {each.findings[0].text}")
    return FOUND if run.unlisted else CLEAN


def _print(form: str, report: CheckReport, status: int) -> None:
    """Print the report. Programs get it as it is, people without control characters."""
    if form == "text":
        from viewer.commands.findings.text import as_text

        print_lines(as_text(report))
        return
    sys.stdout.writelines(f"{line}\n" for line in _lines(form, report, status))


def _lines(form: str, report: CheckReport, status: int) -> Iterator[str]:
    if form == "json":
        from viewer.commands.findings.json import as_json

        return as_json(report)
    if form == "sarif":
        from viewer.commands.findings.sarif import as_sarif

        return as_sarif(report, status)
    from viewer.commands.findings.junit import as_junit

    return as_junit(report)


def print_rules(values: Values) -> None:
    """Print a line for each rule, or all that is known of each as JSON. UsageError for another form."""
    form = form_of(values)
    if form == "json":
        from viewer.commands.findings.json import rules_as_json

        sys.stdout.writelines(f"{line}\n" for line in rules_as_json())
        return
    if form != "text":
        raise UsageError(f"--rules has no form {form}: choose text or json")
    width = max(len(rule.id) for rule in RULES)
    print_lines(f"{rule.id:<{width}}  {rule.severity.word:<7}  {rule.title}" for rule in RULES)


def rule_page(name: str) -> list[str]:
    """The lines that explain a rule; ResourceError if there is no such rule."""
    return rule_named(name).page.split("\n")
