"""The facts about a file as text for people: one section for each kind of thing that the file has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from viewer.commands.columns import section
from viewer.commands.compiled import script_lines, shader_lines
from viewer.commands.package import ENTRY_HEADS, entry_row

Facts = dict[str, Any]
LEVELS = 4


def summary(facts: Facts) -> str:
    """The text of `rigscope info` for what `info.facts` found."""
    sections = (
        _geometries,
        _bones,
        _animations,
        _morphs,
        _materials,
        _textures,
        _cameras,
        _lights,
        _attachments,
        _emitters,
        _ribbons,
        _entries,
        lambda facts: shader_lines(facts["shader"]),
        lambda facts: script_lines(facts["script"]),
        _troubles,
    )
    blocks = ["\n".join(_head(facts)), *("\n".join(section(facts)) for section in sections)]
    return "\n\n".join(block for block in blocks if block)


def _head(facts: Facts) -> Iterator[str]:
    unknown = facts["unexplained_bytes"]
    yield facts["file"]
    yield f"  {facts['format']}, {facts['version']}"
    yield f"  {facts['bytes']:,} bytes, {f'{unknown:,} of them unexplained' if unknown else 'all explained'}"
    if not facts["complete"]:
        yield "  not read completely, see the errors below"
    if facts["bounds"]:
        low, high = facts["bounds"]["min"], facts["bounds"]["max"]
        yield f"  bounds {' '.join(map(_fixed, low))} to {' '.join(map(_fixed, high))}"


def _geometries(facts: Facts) -> Iterator[str]:
    rows = [
        (
            str(number),
            each["name"],
            f"{each['vertices']:,}",
            f"{each['indices']:,} {each['primitive'] or ''}",
            _levels(each["lods"]),
            _skin(each["bone_map"], facts["bones"]),
            each["material"] or "no material",
        )
        for number, each in enumerate(facts["geometries"])
    ]
    heads = ("#", "name", "vertices", "indices", "levels from distance", "skin", "material")
    yield from section("geometries", heads, rows)
    for kind in dict.fromkeys(_attributes(each) for each in facts["geometries"]):
        yield f"  attributes: {kind}"


def _skin(bone_map: Sequence[int] | None, bones: object) -> str:
    if bone_map is None:
        return "all bones" if bones else "none"
    return f"{len(bone_map)} bones"


def _levels(lods: Sequence[Facts]) -> str:
    shown = " ".join(_number(lod["distance"]) for lod in lods[:LEVELS])
    return shown + (f" … ({len(lods)})" if len(lods) > LEVELS else "")


def _attributes(geometry: Facts) -> str:
    return ", ".join(
        f"{each['semantic']} {each['type']}×{each['components']}" for each in geometry["attributes"]
    )


def _bones(facts: Facts) -> Iterator[str]:
    bones = facts["bones"]
    depth = _depths([bone["parent"] for bone in bones])
    rows = [
        (
            str(number),
            "  " * depth[number] + bone["name"],
            _numbers(bone["position"]),
            _hitbox(bone["hitbox"]),
        )
        for number, bone in enumerate(bones)
    ]
    yield from section("bones", ("#", "name", "position in its parent", "hitbox"), rows)


def _depths(parents: Sequence[int]) -> list[int]:
    """How many bones are above each; parents may come later in the list."""
    depths: list[int] = [-1] * len(parents)
    for bone in range(len(parents)):
        chain = []
        while bone >= 0 and depths[bone] < 0:
            chain.append(bone)
            bone = parents[bone]
        above = depths[bone] if bone >= 0 else -1
        for step, each in enumerate(reversed(chain), 1):
            depths[each] = above + step
    return depths


def _hitbox(hitbox: Facts | None) -> str:
    kinds = [
        kind for kind, key in (("sphere", "radius"), ("box", "box")) if hitbox and hitbox[key] is not None
    ]
    return " and ".join(kinds)


def _animations(facts: Facts) -> Iterator[str]:
    rows = [
        (
            f"#{number}",
            each["name"],
            f"{_number(each['length'])} s",
            _matched(each),
            f"{each['keyframes']:,}",
            ", ".join(each["tags"]),
        )
        for number, each in enumerate(facts["animations"])
    ]
    yield from section("animations", ("#", "name", "length", "tracks matched", "keyframes", "remarks"), rows)
    for each in facts["animations"]:
        if each["matched"] and each["unmatched"]:
            yield f"  {each['name']}: no bone for {', '.join(each['unmatched'])}"
        if each["events"]:
            shown = ", ".join(f"{_number(event['time'])} s {event['name']}" for event in each["events"])
            yield f"  {each['name']}: events {shown}"


def _matched(animation: Facts) -> str:
    known = animation["matched"]
    if animation["moves_vertices"] and not animation["tracks"]:
        return "vertices only"
    return str(animation["tracks"]) if known is None else f"{known} of {animation['tracks']}"


def _morphs(facts: Facts) -> Iterator[str]:
    rows = [(each["name"], f"{each['vertices']:,}", _number(each["weight"])) for each in facts["morphs"]]
    yield from section("morphs", ("name", "vertices", "weight"), rows)


def _materials(facts: Facts) -> Iterator[str]:
    rows = [
        (
            each["name"],
            each["blend"],
            ", ".join(each["textures"]) or "no textures",
            each["found"] or "not found",
        )
        for each in facts["materials"]
    ]
    yield from section("materials", ("name", "blend", "textures", "file"), rows)


def _typed(kind: str | int | None) -> str:
    return "" if kind is None else str(kind)


def _textures(facts: Facts) -> Iterator[str]:
    rows = [(each["name"], _typed(each["type"]), each["found"] or "not found") for each in facts["textures"]]
    yield from section("textures", ("name", "type", "file"), rows)
    for each in facts["textures"]:
        if not each["found"]:
            yield f"  {each['name']}: searched {', '.join(each['searched']) or 'nowhere'}"


def _cameras(facts: Facts) -> Iterator[str]:
    rows = [
        (each["name"], _numbers(each["position"]), _numbers(each["target"]), f"{_number(each['fov'])}°")
        for each in facts["cameras"]
    ]
    yield from section("cameras", ("name", "position", "target", "field of view"), rows)


def _lights(facts: Facts) -> Iterator[str]:
    rows = [(each["type"], _bone(each["bone"])) for each in facts["lights"]]
    yield from section("lights", ("type", "bone"), rows)


def _attachments(facts: Facts) -> Iterator[str]:
    rows = [
        (str(each["id"]), each["name"], _bone(each["bone"]), _numbers(each["position"]))
        for each in facts["attachments"]
    ]
    yield from section("attachments", ("id", "name", "bone", "position"), rows)


def _emitters(facts: Facts) -> Iterator[str]:
    rows = [
        (
            each["type"],
            _bone(each["bone"]),
            str(each["texture"]),
            str(each["blend"]),
            ", ".join(each["flags"]),
        )
        for each in facts["emitters"]
    ]
    yield from section("emitters", ("type", "bone", "texture", "blend", "flags"), rows)
    for number, each in enumerate(facts["emitters"]):
        yield from (f"  emitter {number}: {line}" for line in each["approximations"])


def _ribbons(facts: Facts) -> Iterator[str]:
    rows = [
        (
            str(number),
            _bone(each["bone"]),
            _numbers(each["position"]),
            ", ".join(each["blend"]),
            *(_number(each["parameters"][name][0]) for name in ("edges_per_second", "edge_lifetime")),
        )
        for number, each in enumerate(facts["ribbons"])
    ]
    yield from section("ribbons", ("#", "bone", "position", "blend", "edges a second", "lifetime"), rows)
    for number, each in enumerate(facts["ribbons"]):
        yield from (f"  ribbon {number}: {line}" for line in each["approximations"])


def _entries(facts: Facts) -> Iterator[str]:
    rows = [entry_row(each) for each in facts["entries"]]
    yield from section("files", ENTRY_HEADS, rows)


def _bone(number: int) -> str:
    return "none" if number < 0 else f"#{number}"


def _troubles(facts: Facts) -> Iterator[str]:
    yield from (f"warning: {text}" for text in facts["warnings"])
    for error in facts["errors"]:
        yield f"error: {error['why']} ({error['path']} at 0x{error['offset']:X})"


def _number(value: float | None) -> str:
    return "not finite" if value is None else f"{value:.4g}"


def _fixed(value: float | None) -> str:
    """Four decimals, so that columns align, unless they would not tell."""
    if value is None or abs(value) >= 1e5:
        return _number(value)
    return f"{round(value, 4) + 0.0:.4f}"


def _numbers(values: Sequence[float | None]) -> str:
    return " ".join(f"{_fixed(value):>8}" for value in values)
