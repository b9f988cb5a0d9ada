"""`rigscope check`: the findings of files, folders and packages, as text or as JSON."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from functools import partial
from itertools import chain
from typing import Any

from viewer.check.checking import check_file, unreadable
from viewer.check.rules import RULES, chosen, rule_named
from viewer.commands.arguments import UsageError
from viewer.commands.batch import BatchReport, runner_of
from viewer.commands.fact_table import json_text
from viewer.commands.options import Values
from viewer.commands.output import print_lines, say
from viewer.errors import ViewerError, counted
from viewer.formats import suffixes
from viewer.library.batches import run_batch
from viewer.library.places import SourceFile, expanded, source_files
from viewer.library.worker_pool import Outcome
from viewer.scene.finding import Finding, Severity
from viewer.storage.versions import file_version

CLEAN, FOUND = 0, 1
ROLES = ("model", "animation", "part", "picture", "code", "package")
"""The files of folders and packages that are checked; a file that is named itself may be of any kind."""


def check_places(places: Sequence[str], values: Values) -> int:
    """Print the findings of all files of the places; the exit status. UsageError without a file,
    ResourceError for an unknown rule.
    """
    values = dict(values)
    form = "json" if values.pop("json", False) else values.pop("format", "text")
    fail_on = Severity[values.pop("fail_on", "error").upper()]
    select, ignore = (tuple(chain(*values.pop(name, ()))) for name in ("select", "ignore"))
    chosen(select, ignore)
    if not places:
        raise UsageError("needs a PLACE, which is a file, a folder, a package or a pattern")
    runner = runner_of(values)
    unlisted: list[str] = []
    files = [*_packages(places), *source_files(places, suffixes(*ROLES), unlisted.append)]
    for line in unlisted:
        say(line)
    if not files and not unlisted:
        raise UsageError(f"there is no file to check in {', '.join(places)}")
    clips = given_clips(places)
    task = partial(check_file, select=select, ignore=ignore)
    if len(files) == 1:
        found = list(task(files[0].path))
    else:
        with BatchReport(len(files), resumes=False) as report:
            outcomes = run_batch(task, ((file.path, clips.get(file.path, ())) for file in files), runner)
            found = _in_order(files, report.follow(_as_findings(outcomes)))
    print_lines((as_json if form == "json" else as_text)(found, len(files)))
    worst = max((each.severity for each in found), default=None)
    return FOUND if unlisted or (worst is not None and worst >= fail_on) else CLEAN


def given_clips(places: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """By the path of a file: the animation files that are named behind it, before the next other place."""
    endings, models = suffixes("animation"), suffixes("model")
    clips: dict[str, tuple[str, ...]] = {}
    model = None
    for path in (each for place in places for each in expanded(place, lambda line: None)):
        if path.lower().endswith(endings) and not os.path.isdir(path):
            if model is not None:
                clips[model] = (*clips.get(model, ()), path)
        else:
            model = path if path.lower().endswith(models) and not os.path.isdir(path) else None
    return clips


def _packages(places: Sequence[str]) -> Iterator[SourceFile]:
    """The packages that are named: they are checked as files too, besides the files inside them."""
    for path in dict.fromkeys(each for place in places for each in expanded(place, lambda line: None)):
        version = file_version(path) if path.lower().endswith(suffixes("package")) else None
        if version is not None and os.path.isfile(path):
            yield SourceFile(path, os.path.basename(path), os.path.dirname(path), version[1], version[0])


def rule_list() -> Iterator[str]:
    """A line for each rule."""
    width = max(len(rule.id) for rule in RULES)
    return (f"{rule.id:<{width}}  {rule.severity.word:<7}  {rule.title}" for rule in RULES)


def rule_page(name: str) -> list[str]:
    """The lines that explain a rule; ResourceError if there is no such rule."""
    return rule_named(name).page.split("\n")


def as_text(found: Sequence[Finding], files: int) -> Iterator[str]:
    """The findings as text: where, what, and at the first finding of a rule what it means; then the sum."""
    explained: set[str] = set()
    for each in found:
        offset = "" if each.offset is None else f":0x{each.offset:X}"
        inside = f" ({each.path})" if each.path else ""
        yield f"{each.file}{offset}: {each.severity.word} {each.rule}: {each.text}{inside}"
        if each.rule not in explained:
            explained.add(each.rule)
            yield from (f"    {line}" for line in (each.effect, each.remedy) if line)
    counts = Counter(each.severity for each in found)
    parts = [counted(counts[kind], kind.word) for kind in sorted(counts, reverse=True)]
    yield f"{', '.join(parts) or 'nothing found'} in {counted(files, 'file')}"


def as_json(found: Sequence[Finding], files: int) -> Iterator[str]:
    """The findings as one JSON object, with a line for each."""
    counts = Counter(each.severity for each in found)
    sums = ", ".join(f'"{kind.word}s": {counts[kind]}' for kind in sorted(Severity, reverse=True))
    yield f'{{"files": {files}, {sums}, "findings": ['
    for row, each in enumerate(found):
        yield json_text(_facts(each)) + ("," if row + 1 < len(found) else "")
    yield "]}"


def _facts(finding: Finding) -> dict[str, Any]:
    return {
        "rule": finding.rule,
        "severity": finding.severity.word,
        "text": finding.text,
        "file": finding.file,
        "offset": finding.offset,
        "path": finding.path,
        "items": [str(item) for item in finding.items],
        "effect": finding.effect,
        "remedy": finding.remedy,
    }


def _as_findings(outcomes: Iterator[Outcome]) -> Iterator[Outcome]:
    """The outcomes; a file that could not be checked has a finding too."""
    with closing(outcomes):  # type: ignore[type-var]
        for outcome in outcomes:
            if outcome.error:
                why = ViewerError(outcome.error.removeprefix(f"{outcome.path}: "))
                outcome = Outcome(outcome.path, (unreadable(outcome.path, why),))
            yield outcome


def _in_order(files: Sequence[SourceFile], outcomes: Iterator[Outcome]) -> list[Finding]:
    """The findings in the order of the files. What several files say of one that they share is told once."""
    by_file = {outcome.path: outcome.value for outcome in outcomes}
    return list(dict.fromkeys(finding for file in files for finding in by_file.get(file.path, ())))
