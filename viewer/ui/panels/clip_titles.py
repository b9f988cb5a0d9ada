"""What clips are called in lists: their names, or what distinguishes them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import PurePath

from viewer.scene.animation import Animation

EMPTY_NAME = re.compile(r"\s*|take[ _]?\d+|mixamo\.com|(default|unnamed|untitled)( take)?", re.IGNORECASE)
"""Names that exporters give to every clip."""


def clip_titles(offered: Sequence[Animation]) -> tuple[str, ...]:
    """The title of each clip: its name, or the stem of its file if the name says nothing, or repeats and the
    stem does not. The variation (or a number) follows where titles are still the same.
    """
    names = Counter(each.name for each in offered)
    stems = Counter(PurePath(each.source).stem for each in offered)
    titles = [_title(each, names, stems) for each in offered]
    counts, seen, unique = Counter(titles), Counter[str](), []
    for animation, title in zip(offered, titles, strict=True):
        if counts[title] > 1:
            seen[title] += 1
            variation = animation.facts.get("variation")
            title = f"{title} {seen[title] if variation is None else int(variation) + 1}"
        unique.append(title)
    return tuple(unique)


def _title(animation: Animation, names: Counter[str], stems: Counter[str]) -> str:
    stem = PurePath(animation.source).stem
    says_nothing = EMPTY_NAME.fullmatch(animation.name) is not None
    if stem and (says_nothing or (names[animation.name] > 1 and stems[stem] == 1)):
        return stem
    return animation.name or "unnamed"
