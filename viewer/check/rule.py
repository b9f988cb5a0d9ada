"""A rule: a pure function of a checked document, with the texts that explain it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from viewer.binary.span import Span
from viewer.check.check_context import CheckContext
from viewer.errors import FormatError, Topic, counted
from viewer.scene.finding import MOST_ITEMS as MOST_ITEMS
from viewer.scene.finding import Severity
from viewer.scene.items import BoneItem, ByteItem, GeometryItem, Item
from viewer.scene.names import path_key
from viewer.scene.needs import Need
from viewer.scene.skeleton import Skeleton

MOST_NAMES = 4
"""The largest number of names that the text of a finding lists."""


class Found(NamedTuple):
    """A finding of a rule: its text, and the affected items of the document.

    `error` is the reader's error with its offset. `file` is the affected file; empty for the checked file.
    `span` are the affected bytes; `offset` is the offset of the first affected byte. If both are missing, the
    finding is about the bytes of the first item. `need` is the need that the finding is about.
    """

    text: str
    items: tuple[Item, ...] = ()
    error: FormatError | None = None
    file: str = ""
    span: Span | None = None
    offset: int | None = None
    need: Need | None = None


def needed(*rules: str) -> Callable[[CheckContext], Iterator[Found]]:
    """Make the function of a rule that reports the needs of which a rule with one of these ids speaks. A file
    with errors is left out, because they are findings.
    """

    def find(context: CheckContext) -> Iterator[Found]:
        for need in context.needs:
            if need.rule in rules and path_key(need.found or "") not in context.faulty:
                yield Found(need.text, need.items[:MOST_ITEMS], need=need)

    return find


def error_found(error: FormatError) -> Found:
    """Make the finding for a reader's error."""
    return Found(error.why, error=error)


class Rule(NamedTuple):
    """A rule. `id` is `group/name` and never changes. A rule of a family follows the rule with the id
    `after`; without `after` it follows the family's rule before it.

    `find` yields its findings in a document. `title` says what is wrong, and `remedy` how to fix it.
    `effects` say what the engines do, by family (`Urho3D`, `OGRE`, `OGRE-Next`, `WoW`; empty for any other
    family).
    `example` is the text of a finding. An `optional` rule is off unless the user names its id.
    """

    id: str
    severity: Severity
    title: str
    find: Callable[[CheckContext], Iterator[Found]]
    effects: Mapping[str, str]
    remedy: str
    example: str
    after: str = ""
    optional: bool = False

    def effect(self, family: str) -> str:
        """The effect in the engine of this family; empty if unknown."""
        return self.effects.get(family, self.effects.get("", ""))

    @property
    def kind(self) -> str:
        """The severity, and whether the rule is off by default."""
        return f"{self.severity.word}, off by default" if self.optional else self.severity.word

    @property
    def page(self) -> str:
        """The text that explains the rule, in several lines."""
        engines = [f"{family or 'Effect'}: {text}" for family, text in self.effects.items()]
        lines = [f"{self.id} ({self.kind})", "", f"{self.title}.", "", *engines]
        return "\n".join([*lines, f"Remedy: {self.remedy}", "", f"Example: {self.example}"])


class RulePart(NamedTuple):
    """Further findings of the rule with this id, in files of a family."""

    id: str
    find: Callable[[CheckContext], Iterator[Found]]


def reported(*topics: Topic) -> Callable[[CheckContext], Iterator[Found]]:
    """Make the function of a rule that reports the readers' messages with one of `topics`."""

    def find(context: CheckContext) -> Iterator[Found]:
        for each in context.messages:
            if each.topic not in topics:
                continue
            if each.error is not None:
                yield error_found(each.error)
            else:
                yield Found(each.plain_text, file=each.file, offset=each.offset)

    return find


def unclaimed_found(data: bytes, gaps: Sequence[tuple[int, int]], file: str) -> Iterator[Found]:
    """Make a single finding of all `gaps` (offset, size) that contain bytes other than zero."""
    filled = [(at, size) for at, size in gaps if data.count(0, at, at + size) < size]
    if not filled:
        return
    places = f" in {len(filled)} places" if len(filled) > 1 else ""
    text = f"{counted(sum(size for _, size in filled), 'byte')}{places} belong to no field"
    yield Found(text, tuple(ByteItem(at) for at, _ in filled[:MOST_ITEMS]), file=file, offset=filled[0][0])


def unskinned(context: CheckContext, effect: str = "") -> Iterator[Found]:
    """Report geometries without weights in a model with bones. `effect` is the end of each text."""
    bones = len(context.carried)
    for surface in context.surfaces:
        if bones and (surface.attribute("weights") is None or surface.attribute("joints") is None):
            text = f"{surface.name} has no weights, and the model has {counted(bones, 'bone')}{effect}"
            yield Found(text, (GeometryItem(surface.number),))


def bone_items(bones: Iterable[int]) -> tuple[BoneItem, ...]:
    """The items of the first `MOST_ITEMS` bones."""
    return tuple(BoneItem(int(bone)) for bone, _ in zip(bones, range(MOST_ITEMS), strict=False))


def bone_name(skeleton: Skeleton, bone: int) -> str:
    """The name of a bone, or its number if it has none."""
    return skeleton.names[bone] or f"#{bone}"


def bone_names(skeleton: Skeleton, bones: Iterable[int]) -> str:
    """The text with the names of the first bones and the number of further bones."""
    return listed([bone_name(skeleton, bone) for bone in bones])


def listed(names: Sequence[str]) -> str:
    """Join the first names and the number of further names: `Head, Neck and 3 more`."""
    if len(names) <= MOST_NAMES:
        return ", ".join(names)
    return f"{', '.join(names[:MOST_NAMES])} and {len(names) - MOST_NAMES} more"


def rounded(value: float) -> str:
    """Format a number with four significant digits."""
    return f"{value:.4g}"
