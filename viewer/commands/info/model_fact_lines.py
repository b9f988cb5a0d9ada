"""The text of `rigscope info` about cameras, lights, attachments and effects of a model."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from viewer.commands.info.columns import aligned, rounded, section
from viewer.scene.looks import OPAQUE
from viewer.scene.names import file_name

Facts = dict[str, Any]
LISTED_IDS = 8
"""The largest number of ids on a line; the JSON has all ids."""


def searched_paths(part: Facts) -> Iterator[str]:
    """Yield the name of a missing file and each path that was searched for it, one a line."""
    yield f"  {part['name']}: searched{'' if part['searched'] else ' nowhere'}"
    yield from (f"    {path}" for path in part["searched"])


def models(facts: Facts) -> Iterator[str]:
    """Yield the table of the models that emitters use as particles."""

    def row(_: int, each: Facts) -> tuple[str, ...]:
        """Make the table cells for a model."""
        return (each["name"], each["found"] or "not found")

    yield from section("models of particles", ("name", "file"), facts["models"], row)
    for each in facts["models"]:
        if each["searched"]:
            yield from searched_paths(each)
        elif each["why"]:
            yield f"  {each['name']} {each['why']}"


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


def cameras(facts: Facts) -> Iterator[str]:
    """Yield the table of cameras."""

    def row(_: int, each: Facts) -> tuple[str, ...]:
        """Make the table cells for a camera."""
        return (each["name"], aligned(each["position"]), aligned(each["target"]), f"{rounded(each['fov'])}°")

    yield from section("cameras", ("name", "position", "target", "field of view"), facts["cameras"], row)


def lights(facts: Facts) -> Iterator[str]:
    """Yield the table of lights."""

    def row(_: int, each: Facts) -> tuple[str, ...]:
        """Make the table cells for a light."""
        return (each["type"], _bone(each["bone"]))

    yield from section("lights", ("type", "bone"), facts["lights"], row)


def attachments(facts: Facts) -> Iterator[str]:
    """Yield the table of attachment points."""

    def row(_: int, each: Facts) -> tuple[str, ...]:
        """Make the table cells for an attachment point."""
        return (str(each["id"]), each["name"], _bone(each["bone"]), aligned(each["position"]))

    yield from section("attachments", ("id", "name", "bone", "position"), facts["attachments"], row)


def emitters(facts: Facts) -> Iterator[str]:
    """Yield the table of emitters.

    Notes say where an emitter is drawn differently than in the game's client.
    """

    def row(_: int, each: Facts) -> tuple[str, ...]:
        """Make the table cells for an emitter."""
        return (
            each["type"],
            _bone(each["bone"]),
            str(each["texture"]),
            str(each["blend"]),
            ", ".join(each["flags"]),
        )

    yield from section("emitters", ("type", "bone", "texture", "blend", "flags"), facts["emitters"], row)
    for index, each in enumerate(facts["emitters"]):
        yield from (f"  emitter {index}: {line}" for line in each["approximations"])


def ribbons(facts: Facts) -> Iterator[str]:
    """Yield the table of ribbons. Notes say where a ribbon is drawn differently than in the game's client."""

    def row(index: int, each: Facts) -> tuple[str, ...]:
        """Make the table cells for a ribbon."""
        return (
            str(index),
            _bone(each["bone"]),
            aligned(each["position"]),
            ", ".join(each["blend"]),
            *(rounded(each["parameters"][name][0]) for name in ("edges_per_second", "edge_lifetime")),
        )

    yield from section(
        "ribbons", ("#", "bone", "position", "blend", "edges a second", "lifetime"), facts["ribbons"], row
    )
    for index, each in enumerate(facts["ribbons"]):
        yield from (f"  ribbon {index}: {line}" for line in each["approximations"])


def _bone(number: int) -> str:
    return "none" if number < 0 else f"#{number}"
