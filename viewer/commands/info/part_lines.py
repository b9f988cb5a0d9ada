"""The text of `rigscope info` about the parts of a model that are listed by their values."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from viewer.commands.info.columns import aligned, rounded, section
from viewer.scene.needs import advice
from viewer.scene.parts import MODEL_PARTS

Facts = dict[str, Any]


class PartTable(NamedTuple):
    """The table of the parts of a kind: the heads of its columns, the cells of a part by its number and
    facts, and the lines below the table.
    """

    heads: Sequence[str]
    cells: Callable[[int, Facts], Sequence[str]]
    below: Callable[[Sequence[Facts]], Iterator[str]] = lambda parts: iter(())


def part_section(key: str) -> Callable[[Facts], Iterator[str]]:
    """Return the function that yields the lines about the parts with this key, from the facts of a file."""
    kind = next(each for each in MODEL_PARTS if each.key == key)

    def lines(facts: Facts) -> Iterator[str]:
        """Yield the lines; none if there are no such parts."""
        parts = facts[key]
        if parts:
            table = TABLES[key] if key in TABLES else PartTable(list(parts[0]), _plain)
            yield from section(kind.plural, table.heads, parts, table.cells)
            yield from table.below(parts)

    return lines


def _plain(_: int, each: Facts) -> Sequence[str]:
    return [str(value) for value in each.values()]


def _bone(number: int) -> str:
    return "none" if number < 0 else f"#{number}"


def _searched_paths(part: Facts) -> Iterator[str]:
    """Yield the name of a missing file and each path that was searched for it, one a line."""
    yield f"  {part['name']}: searched{'' if part['searched'] else ' nowhere'}"
    yield from (f"    {path}" for path in part["searched"])


def _searched(parts: Sequence[Facts]) -> Iterator[str]:
    """For each missing file, yield the list of searched paths, the nearest path first, and a hint."""
    missing = [each for each in parts if not each["found"] and (each["searched"] or "type" in each)]
    for each in missing:
        yield from _searched_paths(each)
    named = [
        () if isinstance(each.get("type"), int) and each["type"] else each["searched"] for each in missing
    ]
    yield from (f"  {text}" for text in dict.fromkeys(map(advice, named)))


def _unfound_models(parts: Sequence[Facts]) -> Iterator[str]:
    """For each missing or unreadable model, yield the searched paths or the reason."""
    for each in parts:
        if each["searched"]:
            yield from _searched_paths(each)
        elif each["why"]:
            yield f"  {each['name']} {each['why']}"


def _approximations(noun: str) -> Callable[[Sequence[Facts]], Iterator[str]]:
    """Return the function that yields where effects are drawn differently than in the game's client."""
    return lambda parts: (
        f"  {noun} {index}: {line}" for index, each in enumerate(parts) for line in each["approximations"]
    )


def _texture(_: int, each: Facts) -> Sequence[str]:
    absent = "not found" if each["used"] else "not found, not used"
    return (each["name"], "" if each["type"] is None else str(each["type"]), each["found"] or absent)


TABLES = {
    "morphs": PartTable(
        ("name", "vertices", "weight"),
        lambda _, each: (each["name"], f"{each['vertices']:,}", rounded(each["weight"])),
    ),
    "materials": PartTable(
        ("name", "blend", "textures", "file"),
        lambda _, each: (
            each["name"],
            each["blend"],
            ", ".join(each["textures"]) or "no textures",
            each["found"] or ("not found" if each["searched"] else ""),
        ),
        _searched,
    ),
    "textures": PartTable(
        ("name", "type", "file"), _texture, lambda parts: _searched([each for each in parts if each["used"]])
    ),
    "models": PartTable(
        ("name", "file"), lambda _, each: (each["name"], each["found"] or "not found"), _unfound_models
    ),
    "cameras": PartTable(
        ("name", "position", "target", "field of view"),
        lambda _, each: (
            each["name"],
            aligned(each["position"]),
            aligned(each["target"]),
            f"{rounded(each['fov'])}°",
        ),
    ),
    "lights": PartTable(("type", "bone"), lambda _, each: (each["type"], _bone(each["bone"]))),
    "attachments": PartTable(
        ("id", "name", "bone", "position"),
        lambda _, each: (str(each["id"]), each["name"], _bone(each["bone"]), aligned(each["position"])),
    ),
    "emitters": PartTable(
        ("type", "bone", "texture", "blend", "flags"),
        lambda _, each: (
            each["type"],
            _bone(each["bone"]),
            str(each["texture"]),
            str(each["blend"]),
            ", ".join(each["flags"]),
        ),
        _approximations("emitter"),
    ),
    "ribbons": PartTable(
        ("#", "bone", "position", "blend", "edges a second", "lifetime"),
        lambda index, each: (
            str(index),
            _bone(each["bone"]),
            aligned(each["position"]),
            ", ".join(each["blend"]),
            *(rounded(each["parameters"][name][0]) for name in ("edges_per_second", "edge_lifetime")),
        ),
        _approximations("ribbon"),
    ),
}
"""The tables by the key of their parts. Parts without a table have a column for each fact."""
