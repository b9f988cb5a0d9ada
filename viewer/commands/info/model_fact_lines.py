"""The text of `rigscope info` about the displays and the look of a model."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from viewer.commands.info.columns import rounded, section
from viewer.scene.looks import OPAQUE
from viewer.scene.names import file_name

Facts = dict[str, Any]
LISTED_IDS = 8
"""The largest number of ids on a line; the JSON has all ids."""


def displays(facts: Facts) -> Iterator[str]:
    """Yield the table of displays. Displays that are drawn alike except for their scale share a row. The row
    has the ids of these displays. All displays that a character does not wear share a row, because a
    character has hundreds of them.
    """
    groups: dict[int, list[Facts]] = {}
    for each in facts["displays"]:
        alike = facts["looks"] is not None and each["extra"] and not each["chosen"]
        groups.setdefault(-1 if alike else each["number"], []).append(each)

    def row(_: int, group: list[Facts]) -> tuple[str, ...]:
        """Make the table cells for a distinct display."""
        first = group[0]
        ids = " ".join(str(each["id"]) for each in group[:LISTED_IDS])
        scales = sorted({each["scale"] for each in group})
        ends = dict.fromkeys(map(rounded, (scales[0], scales[-1])))
        return (
            f"#{first['number']}",
            ", ".join(filter(None, first["textures"])) or "none",
            " to ".join(ends),
            "" if first["alpha"] == OPAQUE else str(first["alpha"]),
            " ".join(map(str, first["geosets"])),
            ids + (f" and {len(group) - LISTED_IDS} more" if len(group) > LISTED_IDS else ""),
            "shown" if any(each["chosen"] for each in group) else "" if first["complete"] else "incomplete",
        )

    heads = ("#", "textures", "scale", "alpha", "geosets", "ids", "")
    yield from section("displays", heads, [*groups.values()], row)


def looks(facts: Facts) -> Iterator[str]:
    """Yield the choices of a character's look, its items and geosets, and the table of its textures."""
    found = facts["looks"]
    if found is None:
        return
    numbers = {key: value for key, value in found["character"].items() if key not in ("race", "sex")}
    yield f"look of {found['name']}"
    yield "  " + ", ".join(f"{key.replace('_', ' ')} {value}" for key, value in numbers.items())
    if found["items"]:
        yield "  " + ", ".join(f"{slot} {id}" for slot, id in found["items"].items())
    yield f"  geosets {' '.join(map(str, found['geosets']))}"

    def row(_: int, each: Facts) -> tuple[str, ...]:
        """Make the table cells for a texture."""
        return (each["part"], file_name(each["name"]), each["row"], each["found"] or "not found")

    def model(_: int, each: Facts) -> tuple[str, ...]:
        """Make the table cells for an attached model."""
        return (
            each["slot"],
            each["name"],
            str(each["attachment"]),
            each["why"] or each["found"] or "not found",
        )

    yield from section("textures of the look", ("part", "name", "row", "file"), found["layers"], row)
    yield from section("attached models", ("slot", "name", "attachment", "file"), found["models"], model)
