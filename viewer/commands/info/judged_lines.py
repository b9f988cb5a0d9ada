"""The text of `rigscope info --animation` about a judged clip."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from viewer.commands.info.columns import rounded, section

Facts = dict[str, Any]

BY = {"given": "as given", "names": "guessed by their names", "pose": "guessed by the rest pose"}
"""Where the list of feet comes from, see `viewer.animation.motion.feet.Source`."""

MOST_KEYS = 5
"""The largest number of keys in the text. With `--json` there are more."""


def judged_lines(animation: Facts) -> Iterator[str]:
    """Yield the lines about a judged clip: its feet and its ground, contacts, slide, and the keys that leave
    their neighbours most. Nothing for a clip that was not judged.
    """
    if animation["feet"] is not None:
        yield from _feet_lines(animation["name"], animation, animation["feet"])
        yield from section(
            f"keys of {animation['name']} that leave their neighbours most",
            ("bone", "time", "angle", "ratio"),
            animation["spikes"][:MOST_KEYS],
            lambda _, each: (
                each["bone"],
                f"{rounded(each['time'])} s",
                f"{each['angle']:.0f}°",
                rounded(each["ratio"]),
            ),
        )


def _feet_lines(name: str, animation: Facts, feet: Facts) -> Iterator[str]:
    """Yield the lines about the feet of the clip `name`."""
    if feet["why"]:
        yield f"  {name}: no contacts of feet: {feet['why']}"
        return
    listed = f"feet {', '.join(feet['bones'])} ({BY[feet['by']]})"
    yield f"  {name}: {listed}; ground at {rounded(feet['ground'])}, {_motion(feet)}"
    yield from section(
        f"contacts in {name}, guessed",
        ("bone", "from", "to"),
        animation["contacts"],
        lambda _, each: (each["bone"], f"{rounded(each['start'])} s", f"{rounded(each['end'])} s"),
    )
    yield from section(
        f"slide in {name}",
        ("bone", "length", "speed a second"),
        animation["slide"],
        lambda _, each: (each["bone"], rounded(each["length"]), rounded(each["speed"])),
    )


def _motion(feet: Facts) -> str:
    """How the ground moves."""
    if feet["travels"]:
        return "which stands still, as the clip itself moves the model"
    if feet["ground_speed"] is None:
        return "which stands still, as the speed of the clip is unknown; --ground-speed N moves it"
    return f"which moves {rounded(feet['ground_speed'])} a second"
