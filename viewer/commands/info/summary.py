"""The text of `rigscope info`: one section each for geometries, bones, animations, materials and so on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from viewer.commands.info import model_fact_lines
from viewer.commands.info.columns import aligned, fixed, indented, level_value, rounded, section
from viewer.commands.info.judged_lines import judged_lines
from viewer.commands.info.part_lines import part_section
from viewer.scene.model import LOD_UNITS
from viewer.scene.parts import MODEL_PARTS

Facts = dict[str, Any]
SURFACE = ("morphs", "materials", "textures")
EFFECTS = ("models", "cameras", "lights", "attachments", "emitters", "ribbons")
LISTED_PARTS = {"geometries", "bones", "animations", *SURFACE, *EFFECTS, "event_points"}
"""The keys of the parts whose lines have a fixed place, and of events, which only the JSON lists. The lines
of other parts follow.
"""
LEVELS = 4
NAMED = 12
"""The largest number of names in the game on one line; the JSON has all names."""
LISTED = 100
"""The largest number of list items on one line; the JSON has all items."""


def summary(facts: Facts) -> Iterator[str]:
    """Yield the lines of `rigscope info` for the facts of `info.facts`."""
    sections = (
        _geometries,
        _bones,
        _animations,
        *map(part_section, SURFACE),
        model_fact_lines.displays,
        model_fact_lines.looks,
        *map(part_section, EFFECTS),
        *(part_section(kind.key) for kind in MODEL_PARTS if kind.key not in LISTED_PARTS),
        _entries,
        _compiled,
        _table,
        _troubles,
    )
    yield from _head(facts)
    for lines in sections:
        for index, line in enumerate(lines(facts)):
            if not index:
                yield ""
            yield line


def _head(facts: Facts) -> Iterator[str]:
    unknown = facts["unexplained_bytes"]
    yield facts["file"]
    if facts["called"]:
        more = len(facts["called"]) - NAMED
        names = ", ".join(facts["called"][:NAMED]) + (f" and {more} more" if more > 0 else "")
        yield f"  in the game: {names}"
    yield f"  {', '.join(filter(None, (facts['format'], facts['version'])))}"
    if facts["archive"] is not None:
        hidden = f", hides the file in {', '.join(facts['hides'])}" if facts["hides"] else ""
        yield f"  from {facts['archive']}{hidden}"
    if facts["bytes"] or not facts["sources"]:  # a game is a folder, which has no bytes
        explained = f"{unknown:,} of them unexplained" if unknown else "all explained"
        gone = f", {facts['removed_bytes']:,} no longer used" if facts["removed_bytes"] else ""
        yield f"  {facts['bytes']:,} bytes, {explained}{gone}"
    if not facts["complete"]:
        yield "  not read completely, see the errors below"
    if facts["bounds"]:
        low, high = facts["bounds"]["min"], facts["bounds"]["max"]
        yield f"  bounds {' '.join(map(fixed, low))} to {' '.join(map(fixed, high))}"
    if facts["dimensions"]:
        yield f"  dimensions {_dimensions(facts['dimensions'])}"
    if facts["blend_mode"]:
        yield f"  blend mode {facts['blend_mode']}"


def _dimensions(facts: Facts) -> str:
    """The lengths in the file's unit, and also in metres if the file uses another unit of known length."""
    units, metres = (" × ".join(map(rounded, facts[key] or ())) for key in ("units", "metres"))
    return f"{units} {facts['unit']}" + (f", {metres} m" if metres and facts["unit"] != "metres" else "")


def _geometries(facts: Facts) -> Iterator[str]:
    def row(index: int, each: Facts) -> tuple[str, ...]:
        """Make the table cells for a geometry."""
        return (
            str(index),
            each["name"],
            f"{each['vertices']:,}",
            f"{each['indices']:,} {each['primitive'] or ''}",
            _levels(each["lods"]),
            _skin(each, facts["bones"]),
            each["material"] or "no material",
        )

    units = [LOD_UNITS[each["strategy"]] for each in facts["geometries"][:1]]
    levels = f"levels from {''.join(units)}"
    heads = ("#", "name", "vertices", "indices", levels, "skin", "material")
    yield from section("geometries", heads, facts["geometries"], row)
    for kind in dict.fromkeys(_attributes(each) for each in facts["geometries"]):
        yield f"  attributes: {kind}"


def _skin(geometry: Facts, bones: object) -> str:
    weighted = any(each["semantic"] == "weights" for each in geometry["attributes"])
    if not bones or not weighted:
        return "none"
    return "all bones" if geometry["bone_map"] is None else f"{len(geometry['bone_map'])} bones"


def _levels(lods: Sequence[Facts]) -> str:
    shown = " ".join(level_value(lod["value"]) for lod in lods[:LEVELS])
    return shown + (f" … ({len(lods)})" if len(lods) > LEVELS else "")


def _attributes(geometry: Facts) -> str:
    return ", ".join(
        f"{each['semantic']} {each['type']}×{each['components']}" for each in geometry["attributes"]
    )


def _bones(facts: Facts) -> Iterator[str]:
    bones = facts["bones"]
    depth = _depths([bone["parent"] for bone in bones])

    def row(index: int, bone: Facts) -> tuple[str, ...]:
        """Make the table cells for a bone."""
        return (
            str(index),
            indented(depth[index], bone["name"]),
            aligned(bone["position"]),
            _hitbox(bone["hitbox"]),
        )

    yield from section("bones", ("#", "name", "position in its parent", "hitbox"), bones, row)


def _depths(parents: Sequence[int]) -> list[int]:
    """Return the number of ancestors of each bone. A parent may come after its children in the list."""
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
    def row(index: int, each: Facts) -> tuple[str, ...]:
        """Make the table cells for an animation."""
        return (
            f"#{index}",
            each["name"],
            f"{rounded(each['length'])} s",
            _matched(each),
            f"{each['keyframes']:,}",
            ", ".join(each["tags"]),
        )

    yield from section(
        "animations",
        ("#", "name", "length", "tracks matched", "keyframes", "remarks"),
        facts["animations"],
        row,
    )
    for each in facts["animations"]:
        if each["matched"] and each["unmatched"]:
            yield f"  {each['name']}: no bone for {_some(each['unmatched'], str)}"
        if each["events"]:
            yield f"  {each['name']}: events {_some(each['events'], _event)}"
    for each in facts["animations"]:
        yield from judged_lines(each)


def _event(event: Facts) -> str:
    return f"{rounded(event['time'])} s {event['name']}"


def _some(items: Sequence[Any], text: Callable[[Any], str]) -> str:
    """Join the texts of the first items, and add the number of further items."""
    more = f", and {len(items) - LISTED:,} more" if len(items) > LISTED else ""
    return ", ".join(map(text, items[:LISTED])) + more


def _matched(animation: Facts) -> str:
    known = animation["matched"]
    if animation["moves_vertices"] and not animation["tracks"]:
        return "vertices only"
    return str(animation["tracks"]) if known is None else f"{known} of {animation['tracks']}"


def _entries(facts: Facts) -> Iterator[str]:
    if facts["sources"]:
        from viewer.commands.package import SOURCE_HEADS, source_row

        yield from section(
            "sources, later ones hide earlier ones", SOURCE_HEADS, facts["sources"], source_row
        )
        yield f"files: {len(facts['entries']):,} (`rigscope list` prints them)"
    elif facts["entries"]:
        # imported late, because only packages need it
        from viewer.commands.package import ENTRY_HEADS, entry_row

        yield from section("files", ENTRY_HEADS, facts["entries"], entry_row)


def _table(facts: Facts) -> Iterator[str]:
    if facts["table"] is not None:
        from viewer.commands.table import table_summary  # imported late, because only tables need it

        yield from table_summary(facts["table"])


def _compiled(facts: Facts) -> Iterator[str]:
    if facts["shader"] or facts["script"]:
        from viewer.commands.info import compiled  # imported late, because few files are compiled

        yield from compiled.shader_lines(facts["shader"])
        yield from compiled.script_lines(facts["script"])


def _troubles(facts: Facts) -> Iterator[str]:
    yield from (f"{each['kind']}: {each['text']}" for each in facts["messages"])
