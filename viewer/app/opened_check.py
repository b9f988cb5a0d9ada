"""Checks an opened document with the settings of its project. Imported after the first picture."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache

from msgspec.structs import replace

from viewer.check.baseline import read_baseline
from viewer.check.checking import check
from viewer.check.rule import Rule
from viewer.check.rules import chosen_rules
from viewer.check.settings_file import SettingsSearch
from viewer.scene.animation import Animation
from viewer.scene.document import Document
from viewer.scene.finding import Finding
from viewer.scene.items import AnimationItem, Item
from viewer.scene.skeleton import Skeleton

BY_OWNER = "file/missing"
"""The rule about missing files. It reports a missing file in the document that refers to the file, not in
attached documents.
"""


def check_opened(
    document: Document,
    clips: Sequence[Animation] = (),
    given: Sequence[Document] = (),
    note: Callable[[], None] = lambda: None,
) -> tuple[Finding, ...]:
    """Return the findings of a document and its attached documents without duplicates, most severe first.
    `note` is called before each rule; its exceptions end the check.
    """
    project = _Project(note)
    whole = replace(document, animations=tuple(clips), attached=(*document.attached, *given))
    found = project.findings(whole, lambda rule: True, [each.path for each in given])
    numbers = {id(clip): number for number, clip in enumerate(clips)}
    for each in document.attached:
        for finding in project.findings(each, _for_attached(each)):
            items = (_counted_with(item, each.animations, numbers) for item in finding.items)
            found.append(replace(finding, items=tuple(item for item in items if item is not None)))
    return tuple(sorted(dict.fromkeys(found), key=lambda finding: -finding.severity))


class _Project:
    """The project settings for the checked files, and their baselines of known findings."""

    def __init__(self, note: Callable[[], None]) -> None:
        self._note = note
        self._search = SettingsSearch()
        self._baseline = cache(read_baseline)

    def findings(
        self, document: Document, wanted: Callable[[Rule], bool], given: Sequence[str] = ()
    ) -> list[Finding]:
        """Return the findings of a document by the `wanted` rules; known findings are left out."""
        settings = self._search.of(document.path)
        choice = settings.choice(document.path)
        rules = [
            rule for rule in chosen_rules(choice.select, choice.ignore, choice.severities) if wanted(rule)
        ]
        found = check(document, self._noted(rules), given, choice.limits)
        return [*self._new(settings.baseline_file, found)]

    def _noted(self, rules: Iterable[Rule]) -> Iterator[Rule]:
        for rule in rules:
            self._note()
            yield rule

    def _new(self, baseline: str, found: Iterable[Finding]) -> Iterator[Finding]:
        known = self._baseline(baseline) if baseline else None
        return (each for each in found if known is None or not known.takes(each))


def _for_attached(document: Document) -> Callable[[Rule], bool]:
    """Return a function that decides whether a rule applies to an attached document.

    All rules apply to an attached animation or skeleton. Only the file rules apply to an attached part of the
    model, such as a view, because the model itself is checked with the part's content.
    """
    alone = isinstance(document.content, Animation | Skeleton)
    return lambda rule: rule.id != BY_OWNER and (alone or rule.id.startswith("file/"))


def _counted_with(item: Item, own: Sequence[Animation], numbers: Mapping[int, int]) -> Item | None:
    """Convert an animation item of a document to its index among all clips; other items stay unchanged.

    `own` are the document's animations. `numbers` maps the id() of each clip to its index. The result is None
    if the animation is not among the clips.
    """
    if not isinstance(item, AnimationItem):
        return item
    number = numbers.get(id(own[item.number]))
    return None if number is None else AnimationItem(number)
