"""Converters of option values. They raise ValueError with a text about what is wrong."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable
from typing import TypeVar

from viewer.arrays import Color, Size
from viewer.family.registry import item_slots, look_keys
from viewer.scene.choices import (
    ENVIRONMENT_SUFFIX,
    LARGEST_SCALE,
    LIGHT_DIRECTIONS,
    MOST_GHOSTS,
    NO_GHOSTS,
    ROOM,
    SINGLE_SHADINGS,
    SMALLEST_SCALE,
    Ghosts,
    Lighting,
    LightKind,
    Shading,
)

Choice = TypeVar("Choice")

LARGEST = 16384
MOST_STOPS = 16
"""Largest number of stops by which all light is brightened or darkened."""
STRONGEST = 1000
"""Largest factor of the light of an environment: products with it stay finite."""
SLOWEST, FASTEST = 0.1, 1000


def finite_number(text: str) -> float:
    """Convert a finite number."""
    try:
        value = float(text)
    except ValueError:
        raise ValueError(f"{text!r} is not a number") from None
    if not math.isfinite(value):
        raise ValueError(f"{text!r} is not finite")
    return value


def whole(text: str) -> int:
    """Convert a whole number, 0 or more."""
    if not (text.isascii() and text.isdecimal()):
        raise ValueError(f"{text!r} is not a whole number")
    return int(text)


def count(text: str) -> int:
    """Convert a whole number, 1 or more."""
    value = whole(text)
    if value < 1:
        raise ValueError("must be 1 or more")
    return value


def factor(text: str) -> float:
    """Convert a number greater than 0."""
    value = finite_number(text)
    if value <= 0:
        raise ValueError("must be more than 0")
    return value


def distance(text: str) -> float:
    """Convert a number, 0 or more."""
    value = finite_number(text)
    if value < 0:
        raise ValueError("must be 0 or more")
    return value


def size(text: str) -> Size:
    """Convert `1280x720`: width and height in pixels."""
    width, _, height = text.lower().partition("x")
    try:
        wide, high = whole(width), whole(height)
    except ValueError:
        raise ValueError(f"{text!r} is not a size such as 1280x720") from None
    if not (0 < wide <= LARGEST and 0 < high <= LARGEST):
        raise ValueError(f"{text!r} is not between 1x1 and {LARGEST}x{LARGEST}")
    return wide, high


def byte_size(text: str) -> int:
    """Convert `500M` or `8G` to bytes; K, M, G and T are powers of 1024."""
    amount, unit = (text[:-1], text[-1:].upper()) if text[-1:].isalpha() else (text, "")
    try:
        return whole(amount) << 10 * " KMGT".index(unit or " ")
    except ValueError:
        raise ValueError(f"{text!r} is not a number of bytes such as 500M or 8G") from None


def frames(text: str) -> tuple[int, int]:
    """Convert `10:20`, a range that includes both ends, or a single frame number."""
    first, colon, last = text.partition(":")
    try:
        stretch = whole(first), whole(last if colon else first)
    except ValueError:
        raise ValueError(f"{text!r} is not a range of frames such as 0:29") from None
    if stretch[0] > stretch[1]:
        raise ValueError(f"{text!r} ends before it begins")
    return stretch


def rate(text: str) -> float:
    """Convert frames per second."""
    value = factor(text)
    if not SLOWEST <= value <= FASTEST:
        raise ValueError(f"{text!r} is not between {SLOWEST} and {FASTEST}")
    return value


def color(text: str | Color) -> Color:
    """Convert a CSS name, `#rgb`, `#rrggbb`, `#rrggbbaa` or `transparent` to sRGB and alpha, 0 to 1. Numbers
    from 0 to 1 stay unchanged.
    """
    if text == "transparent":
        return 0.0, 0.0, 0.0, 0.0
    from PIL import ImageColor

    try:
        parts = [part / 255 for part in ImageColor.getrgb(text)] if isinstance(text, str) else text
        red, green, blue, *alpha = (share(str(part)) for part in parts)
    except ValueError:
        raise ValueError(
            f"{text!r} is not a colour: give a name such as navy, #rrggbb or transparent"
        ) from None
    return red, green, blue, alpha[0] if alpha else 1.0


def light(text: str) -> Lighting:
    """Convert `studio`, or `studio:30,45` with yaw and pitch of the main lamp in degrees."""
    name, colon, angles = text.partition(":")
    kind = choice_of(LightKind)(name)
    if not colon:
        return Lighting(kind)
    if kind not in LIGHT_DIRECTIONS:
        turned = " and ".join(each.value for each in LIGHT_DIRECTIONS)
        raise ValueError(f"{name} has no direction; only {turned} have one")
    try:
        yaw, pitch = map(finite_number, angles.split(","))
    except ValueError:
        raise ValueError(f"{text!r} is not a light with two angles, such as {name}:30,45") from None
    if not -90 <= pitch <= 90:
        raise ValueError(f"{text!r}: the second angle is not between -90 and 90")
    return Lighting(kind, (yaw, pitch))


def environment(text: str) -> str:
    """Convert `room`, or the path of a picture, which becomes absolute."""
    if text == ROOM:
        return text
    if not os.path.splitext(text)[1].lower() == ENVIRONMENT_SUFFIX:
        raise ValueError(f"{text!r} is neither {ROOM} nor a file {ENVIRONMENT_SUFFIX}")
    return os.path.abspath(text)


def ghosts(text: str) -> Ghosts:
    """Convert `keys`, or `3:0.1` with the number of ghosts before and after and their distance in seconds."""
    if text == "keys":
        return Ghosts(keys=True)
    number, colon, seconds = text.partition(":")
    spacing = factor(seconds) if colon else NO_GHOSTS.spacing
    if whole(number) > MOST_GHOSTS:
        raise ValueError(f"{number} is more than {MOST_GHOSTS}")
    return Ghosts(whole(number), spacing)


def shading(text: str) -> Shading | LightKind:
    """Convert a shading mode. In earlier versions, `unlit` was a shading mode; now it chooses the light
    `unlit`.
    """
    if text == LightKind.UNLIT.value:
        return LightKind.UNLIT
    return choice_of(SINGLE_SHADINGS)(text)


def typed(text: str) -> str:
    """Decode a typed name as UTF-8 in every locale. A name that is not UTF-8 stays unchanged."""
    try:
        return os.fsencode(text).decode("utf-8")
    except UnicodeDecodeError:
        return text


def morph(text: str) -> tuple[str, float]:
    """Convert `NAME=WEIGHT`. The name itself may contain an equals sign."""
    name, equals, weight = text.rpartition("=")
    if not equals:
        raise ValueError(f"{text!r} is not a morph with a weight, such as Smile=0.5")
    return typed(name), finite_number(weight)


def texture(text: str) -> tuple[int, str]:
    """Convert `TYPE=FILE`."""
    kind, equals, path = text.partition("=")
    if not equals or not path:
        raise ValueError(f"{text!r} is not a texture type with a file, such as 11=Skin.blp")
    return whole(kind), path


def character(text: str) -> str | dict[str, int]:
    """Convert `skin=3,face=1` to numbers by key; `random` and the path of a `.json` file stay unchanged."""
    if text == "random" or text.lower().endswith(".json"):
        return typed(text)
    found = {}
    for each in text.split(","):
        key, equals, number = each.strip().partition("=")
        if key.replace("-", "_") not in look_keys() or not equals:
            known = ", ".join(look_keys()).replace("_", "-")
            raise ValueError(f"{each!r} is not random, a .json file or KEY=N; the keys are {known}")
        found[key] = whole(number)
    return found


def item(text: str) -> tuple[str, int]:
    """Convert `SLOT=ID`."""
    slot, equals, id = text.partition("=")
    if not equals or slot not in item_slots():
        raise ValueError(f"{text!r} is not SLOT=ID; the slots are {', '.join(item_slots())}")
    return slot, whole(id)


def level(text: str) -> int | None:
    """Convert a level of detail; None for `auto`."""
    return None if text == "auto" else whole(text)


def word_of(value: object) -> str:
    """The word for a value on the command line: the value of an enum member, or its text."""
    return str(getattr(value, "value", value))


def one_of(*allowed: str) -> str:
    """Join the choices for the help: `a|b|c`."""
    return "|".join(allowed)


def choice_of(known: Iterable[Choice]) -> Callable[[str], Choice]:
    """Make a converter that accepts one of these words, or the value of one of these enum members."""
    choices = {word_of(each): each for each in known}

    def convert(text: str) -> Choice:
        """Return the word or member."""
        if text not in choices:
            raise ValueError(f"{text!r} is not {one_of(*choices)}")
        return choices[text]

    return convert


def names(text: str) -> tuple[str, ...]:
    """Convert names that are separated by commas."""
    found = tuple(filter(None, (each.strip() for each in text.split(","))))
    if not found:
        raise ValueError("needs a name")
    return found


def between(least: float, most: float) -> Callable[[str], float]:
    """Make a converter that accepts a number from `least` to `most`."""

    def convert(text: str) -> float:
        """Return the number."""
        value = finite_number(text)
        if not least <= value <= most:
            raise ValueError(f"{text} is not between {least:g} and {most:g}")
        return value

    return convert


share = between(0, 1)
stops = between(-MOST_STOPS, MOST_STOPS)
strength = between(0, STRONGEST)
enlargement = between(SMALLEST_SCALE, LARGEST_SCALE)
"""The scale factor of the panels; 1 is their original size."""


def replacement(text: str) -> str:
    """Accept OLD=NEW; OLD may not be empty."""
    if not text.partition("=")[0] or "=" not in text:
        raise ValueError("OLD=NEW is expected, such as textures/=art/")
    return text
