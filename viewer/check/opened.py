"""The check of a document that a window shows, together with the documents beside it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from viewer.check.checking import check
from viewer.check.rules import chosen
from viewer.check.settings import RuleChoice
from viewer.check.settings_file import SettingsSearch
from viewer.dataclass import replace
from viewer.scene.animation import Animation
from viewer.scene.document import Document
from viewer.scene.finding import Finding
from viewer.scene.items import AnimationItem, Item
from viewer.scene.skeleton import Skeleton

TOLD_BY_OWNER = "file/missing"
"""The rule whose findings a document also tells of its attached documents."""
FOR_ATTACHED = "file/"
"""The group of rules for attached documents that belong to the model."""


def check_opened(
    document: Document, clips: Sequence[Animation] = (), given: Sequence[Document] = ()
) -> tuple[Finding, ...]:
    """The findings of a document and of its attached documents, each once, the most severe first.

    `clips` are all animations that it can play, and the `AnimationItem`s of the findings count them; `given`
    are the animations that the user opened for it. Rules, severities and limits are those of the settings of
    each file; ResourceError if these are wrong.
    """
    search = SettingsSearch()
    choice = search.of(document.path).choice(document.path)
    whole = replace(document, animations=tuple(clips), attached=(*document.attached, *given))
    found = check(whole, chosen(*choice[:3]), [each.path for each in given], choice.limits)
    for each in document.attached:
        found += _of_attached(each, clips, search.of(each.path).choice(each.path))
    return tuple(sorted(dict.fromkeys(found), key=lambda finding: -finding.severity))


def _of_attached(document: Document, clips: Sequence[Animation], choice: RuleChoice) -> Iterator[Finding]:
    """The findings of an attached document. One that belongs to the model, such as its views, is checked by
    the rules for files alone: the model has its content.
    """
    alone = isinstance(document.content, Animation | Skeleton)
    rules = [
        rule
        for rule in chosen(*choice[:3])
        if rule.id != TOLD_BY_OWNER and (alone or rule.id.startswith(FOR_ATTACHED))
    ]
    numbers = {id(clip): number for number, clip in enumerate(clips)}
    for finding in check(document, rules, limits=choice.limits):
        items = (_counted_with(item, document.animations, numbers) for item in finding.items)
        yield replace(finding, items=tuple(item for item in items if item is not None))


def _counted_with(item: Item, own: Sequence[Animation], numbers: dict[int, int]) -> Item | None:
    """An item of a document whose animations are `own`, with the number of its animation among all clips."""
    if not isinstance(item, AnimationItem):
        return item
    number = numbers.get(id(own[item.number]))
    return None if number is None else AnimationItem(number)
