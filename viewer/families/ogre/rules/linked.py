"""Rules for linked skeletons: files whose clips an OGRE skeleton plays.

Source: OGRE `Skeleton::loadImpl`, `Mesh::setSkeletonName`.
"""

from __future__ import annotations

from collections.abc import Iterator

from viewer.binary.span import Span
from viewer.check.check_context import CheckContext
from viewer.check.rule import Found, Rule
from viewer.errors import Topic, printable
from viewer.families.ogre.linked_skeletons import LINKED
from viewer.families.ogre.skeleton_layout import LINK
from viewer.scene.finding import Severity


def missing_links(context: CheckContext) -> Iterator[Found]:
    """Report linked skeletons that are missing or cannot be read."""
    for message in context.messages:
        if message.topic is Topic.LINK:
            holder = context.document_at(message.file or context.document.path)
            span = _link(holder.root, message.text)
            needs = (need for need in context.needs if need.kind == LINKED and need.name in message.text)
            yield Found(message.plain_text, file=message.file, span=span, need=next(needs, None))


def _link(root: Span, text: str) -> Span | None:
    """Return the span of the link whose file name is in the message `text`; None if there is no such link."""
    groups = (span for span in root.children if span.layout is LINK)
    links = [link for group in groups for link in (group.children if len(group.children) else (group,))]
    named = ((link, each.value) for link in links for each in link.children if each.name == "file")
    return next((link for link, name in named if printable(str(name)) in text), None)


RULES = (
    Rule(
        "animation/missing-link",
        Severity.ERROR,
        "A linked skeleton is missing",
        missing_links,
        {
            "OGRE": (
                "The skeleton with the link is not loaded: its mesh is drawn but does not move, and the "
                "log has a message."
            ),
        },
        "Put the linked skeleton beside this file, or remove the link.",
        "the linked skeleton 'walk.skeleton' is missing; searched models/walk.skeleton",
        after="animation/odd-track",
    ),
)
