"""Checks a document or a file with the rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import islice

from msgspec.structs import replace

from viewer.arrays import damaged_numbers
from viewer.binary.span import Span
from viewer.budget import BUDGET
from viewer.check.check_context import CheckContext
from viewer.check.files.file import FAILED, FOREIGN, UNREADABLE
from viewer.check.limits import NO_LIMITS, Limits
from viewer.check.rule import Found, Rule
from viewer.check.rules import NO_SEVERITIES, chosen_rules
from viewer.errors import FormatError, Topic, ViewerError
from viewer.family import registry
from viewer.scene.document import Document
from viewer.scene.finding import Finding, Severity
from viewer.scene.items import Item
from viewer.scene.names import path_key
from viewer.scene.reading_context import DEFAULT, ReadingContext
from viewer.storage.documents import open_document

BY_TOPIC = {Topic.FOREIGN: FOREIGN, Topic.PLUGIN: FAILED}
"""The rule that reports a file that cannot be opened, by the topic of the error; else UNREADABLE."""


def check_file(
    path: str,
    clips: Sequence[str] = (),
    select: Sequence[str] = (),
    ignore: Sequence[str] = (),
    severities: Mapping[str, Severity] = NO_SEVERITIES,
    limits: Limits = NO_LIMITS,
    context: ReadingContext = DEFAULT,
) -> tuple[Finding, ...]:
    """Check a file with the rules of `rules.chosen_rules`, and return the findings, errors first, then
    warnings. Two kinds of animation files are only compared with the skeleton of the file: the files in
    `clips`, and the files that the format finds for the model. An unreadable file gives a single finding.
    ResourceError for an unknown rule name.
    """
    rules = chosen_rules(select, ignore, severities)
    try:
        document = open_document(path, context)
    except (ViewerError, OSError) as error:
        found = BY_TOPIC.get(getattr(error, "topic", Topic.OTHER), UNREADABLE)
        return tuple(unreadable(path, error, rule) for rule in rules if rule.id == found.id)
    format = registry.format_named(document.format)
    meant = (*clips, *(format.clips(document) if format is not None else ()))
    for clip in meant:
        _give(document, clip)
    return tuple(sorted(check(document, rules, meant, limits), key=lambda found: -found.severity))


def _give(document: Document, path: str) -> None:
    """Attach a file and its animations to a document, unless they are attached already. An unreadable file is
    ignored, because the check of that file reports it.
    """
    if path_key(path) in {path_key(clip.source) for clip in document.animations}:
        return
    with suppress(ViewerError, OSError):
        given = open_document(path, document.context)
        document.animations += given.animations
        document.attached += (given,)


def check(
    document: Document,
    rules: Iterable[Rule] | None = None,
    given: Sequence[str] = (),
    limits: Limits = NO_LIMITS,
) -> list[Finding]:
    """Check a document with some rules (None: the rules that are on by default), and return the findings in
    the order of the rules. `given` are animation files that the user names. `limits` override the limits of
    the engine.
    """
    context = CheckContext(document, given, limits)
    findings: list[Finding] = []
    with damaged_numbers():
        for rule in chosen_rules() if rules is None else rules:
            found = list(islice(rule.find(context), BUDGET.errors + 1))
            findings += [_finding(rule, each, context) for each in found[: BUDGET.errors]]
            if len(found) > BUDGET.errors:
                more = Found(f"this rule has more findings; only the first {BUDGET.errors} are listed")
                findings.append(_finding(rule, more, context))
    return findings


def _finding(rule: Rule, finding: Found, context: CheckContext) -> Finding:
    document = context.document
    file, offset, size, path = finding.file or document.path, None, None, ""
    if finding.error is not None:
        file, path = finding.error.file or file, finding.error.path
        known = path or finding.error.offset
        offset = _within(context.document_at(file), file, finding.error.offset) if known else None
    elif finding.offset is not None:
        offset, path = _offset_and_field(context.document_at(file), file, finding.offset)
    else:
        span, holder = _bytes(context, finding)
        if span is not None:
            file, offset, size, path = holder.path, span.offset, span.size, _field_path(holder.root, span)
    made = _of_rule(rule, finding.text, file, offset, path, finding.items, context.family, size)
    need = finding.need or (context.faulty.get(path_key(file)) if finding.error else None)
    if need is None:
        return made
    return replace(made, effect=need.effect or made.effect, need=(need.kind, need.name))


def _bytes(context: CheckContext, finding: Found) -> tuple[Span | None, Document]:
    """Return the span of a finding, and the document that contains the span. If the finding has no span, use
    the span of its first item that has one.
    """
    document = context.document
    if finding.span is not None:
        return finding.span, context.document_at(finding.file or document.path)
    for item in finding.items:
        holder = document.holder(item)
        span = holder.origin.span(item)
        if span is not None:
            return span, holder
    return None, document


def _field_path(root: Span, span: Span) -> str:
    """The path of a span below the root: `bones[3]`."""
    names: list[str] = []
    if (span.offset, span.size) == (root.offset, root.size):
        return ""
    for each in root.at(span.offset)[1:]:
        names.append(each.name)
        if each.offset == span.offset and each.size == span.size:
            break
    return "/".join(names).replace("/[", "[")


def _within(document: Document, file: str, offset: int) -> int | None:
    """Return `offset`; None if `file` is the file of `document` and ends before the offset. In any other file
    the offset is not checked.
    """
    outside = offset > len(document.data) and path_key(document.path) == path_key(file)
    return None if outside else offset


def _offset_and_field(document: Document, file: str, offset: int) -> tuple[int | None, str]:
    """Return the offset (None outside the file) and the path of the field at the offset.

    This is the largest field that begins at the offset, or else the innermost field that contains the offset.
    The path is empty if `file` is not the file of `document`.
    """
    inside = _within(document, file, offset)
    if inside is None or path_key(document.path) != path_key(file):
        return inside, ""
    around = document.root.at(offset)[1:]
    exact = [span for span in around if span.offset == offset] or around[-1:]
    return offset, _field_path(document.root, exact[0]) if exact else ""


NO_ACCESS = "Make sure that the path exists, and that this user may read it."
"""The remedy if the system refuses to read a file or folder."""


def unreadable(path: str, error: ViewerError | OSError, rule: Rule = UNREADABLE) -> Finding:
    """Make the finding for a file that cannot be read."""
    if isinstance(error, FormatError) and error.topic is not Topic.ACCESS:
        offset = error.offset if error.path or error.offset else None
        return _of_rule(rule, error.why, path, offset, error.path)
    text = f"cannot be read: {error.strerror or error}" if isinstance(error, OSError) else str(error)
    text = text.removeprefix(f"{path}: ")
    return replace(_of_rule(rule, text, path, None, ""), effect="", remedy=NO_ACCESS)


def _of_rule(
    rule: Rule,
    text: str,
    file: str,
    offset: int | None,
    path: str,
    items: tuple[Item, ...] = (),
    family: str = "",
    size: int | None = None,
) -> Finding:
    about = rule.effect(family), rule.remedy, size, rule.title
    return Finding(rule.id, rule.severity, text, file, offset, path, items, *about)
