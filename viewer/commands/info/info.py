"""`rigscope info`: prints the contents of a file. JSON keys are only added, never renamed."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import nullcontext
from functools import partial
from typing import Any

import numpy as np

from viewer.arrays import damaged_numbers
from viewer.binary import unexplained
from viewer.commands.exit_status import UNREAD
from viewer.commands.info import model_facts
from viewer.commands.info.fact_table import fact_table, finite, json_pieces
from viewer.commands.options.given_options import Values
from viewer.commands.options.looks import LOOK_OPTIONS, dressed
from viewer.commands.output import outcome, print_lines, say
from viewer.commands.reading import context_of
from viewer.errors import DAMAGE, ERROR, NOTE, FormatError, ReportMessage
from viewer.scene.animation import Animation, match
from viewer.scene.document import Content, Document
from viewer.scene.emitter import Emitter, Ribbon
from viewer.scene.material import Image, Material
from viewer.scene.missing_parts import used_textures
from viewer.scene.model import Geometry, Lod, Model, Morph, VertexElement
from viewer.scene.package import Package
from viewer.scene.script import CompiledScript
from viewer.scene.shader import CompiledShader
from viewer.scene.skeleton import Hitbox, Skeleton
from viewer.scene.table import Table
from viewer.storage.documents import open_document
from viewer.storage.listing import unkept_lists
from viewer.storage.package_path import game_sources

Facts = dict[str, Any]


UNEXPLAINED = 0.1
"""The share of unexplained bytes above which a file counts as not completely read."""


def info(paths: list[str], values: Values) -> int:
    """Print the contents of each file separately; return the exit status."""
    statuses = []
    for number, path in enumerate(paths):
        if number and not values.get("json"):
            print()
        try:
            with unkept_lists() if len(paths) == 1 else nullcontext():
                statuses.append(_print_info(path, values))
        except FormatError as error:
            if len(paths) == 1:
                raise
            say(" ".join(str(error).split()))
            statuses.append(UNREAD)
    return max(statuses)


def _print_info(path: str, values: Values) -> int:
    """Print the contents of a file; return the exit status."""
    document = open_document(path, context_of(values))
    document = dressed(document, *(values.get(name) for name in LOOK_OPTIONS))
    if values.get("verify"):
        from viewer.commands.package import verify

        verify(document)
    found = facts(document)
    if values.get("define"):
        from viewer.commands.info.compiled import defines

        found["shader"]["defines"] = defines(document, values["define"])
    if values.get("json"):
        sys.stdout.writelines(json_pieces(found))
        print()
    else:
        from viewer.commands.info.summary import summary

        print_lines(summary(found))
    status = outcome([document])
    if not status and found["unexplained_bytes"] > UNEXPLAINED * found["bytes"]:
        share = found["unexplained_bytes"] / found["bytes"]
        say(f"{path}: {share:.0%} of the bytes are unexplained")
        return UNREAD
    return status


@damaged_numbers()
def facts(document: Document) -> Facts:
    """All facts of a document, ready for `json_pieces`. Numbers that are not finite are None."""
    content = document.content
    model = content if isinstance(content, Model) else Model("")
    skeleton = content if isinstance(content, Skeleton) else model.skeleton
    archives = game_sources(document.path, document.context)
    return {
        "file": document.path,
        "format": document.format,
        "version": document.version,
        "bytes": len(document.data),
        "unexplained_bytes": unexplained(document.root),
        "complete": document.report.complete,
        "geometries": fact_table(model.geometries, partial(_geometry, model)),
        "bones": fact_table(range(len(skeleton)), partial(_bone, skeleton)) if skeleton else [],
        "animations": fact_table(document.animations, partial(_animation, skeleton)),
        "morphs": fact_table(model.morphs, _morph),
        "materials": fact_table(model.materials, partial(_material, model)),
        "textures": _textures(model),
        "called": list(document.displays.names),
        "archive": next(iter(archives), None),
        "hides": list(archives[1:]),
        "displays": fact_table(document.displays.listed, partial(model_facts.display, document.displays)),
        "looks": None if document.character is None else model_facts.looks(document.character),
        "models": fact_table(model.references, model_facts.reference),
        "emitters": fact_table(
            model.emitters, partial(_emitter, model, next(iter(document.animations), None))
        ),
        "ribbons": fact_table(model.ribbons, partial(_ribbon, document)),
        "cameras": fact_table(model.cameras, model_facts.camera),
        "lights": fact_table(model.lights, model_facts.light),
        "attachments": fact_table(model.attachments, model_facts.attachment),
        "event_points": fact_table(model.events, model_facts.event),
        "collision": None if model.collision is None else model_facts.collision(model.collision),
        "bounds": finite(model_facts.box(model.bounds)),
        "dimensions": model_facts.dimensions(model),
        "entries": _entries(content) if isinstance(content, Package) else [],
        "sources": _sources(content) if isinstance(content, Package) else [],
        **_compiled(content),
        "table": _table(content) if isinstance(content, Table) else None,
        "image": _image(content) if isinstance(content, Image) else None,
        "warnings": [*document.report.warnings, *_neighbour_errors(document)],
        "notes": document.report.notes,
        "errors": fact_table(document.report.errors, _error),
        "messages": _messages(document),
    }


def _sources(package: Package) -> list[Facts]:
    from viewer.commands.package import source_facts  # imported late, because only packages need it

    return source_facts(package)


def _entries(package: Package) -> Sequence[Facts]:
    from viewer.commands.package import entry_facts  # imported late, because only packages need it

    return fact_table(range(len(package)), partial(entry_facts, package))


def _table(table: Table) -> Facts:
    from viewer.commands.table import table_facts  # imported late, because only tables need it

    return table_facts(table)


def _compiled(content: Content) -> Facts:
    """The facts of a compiled shader or script by key; None for other contents."""
    found: Facts = {"shader": None, "script": None}
    if isinstance(content, CompiledShader | CompiledScript):
        from viewer.commands.info import compiled  # imported late, because few files are compiled

        if isinstance(content, CompiledShader):
            return found | {"shader": compiled.shader_facts(content)}
        return found | {"script": compiled.script_facts(content)}
    return found


def _geometry(model: Model, geometry: Geometry) -> Facts:
    first = geometry.lods[0] if geometry.lods else None
    return {
        "name": geometry.name,
        "vertices": used_vertices(model, first) if first else 0,
        "indices": first.count if first else 0,
        "primitive": first.primitive.value if first else None,
        "attributes": [_attribute(element) for element in _elements(model, first)],
        "bone_map": geometry.bone_map,
        "geoset": geometry.geoset,
        "shown": geometry.shown,
        "material": None if geometry.material is None else model.materials[geometry.material].name,
        "center": geometry.center,
        "lods": [
            {"distance": lod.distance, "indices": lod.count, "primitive": lod.primitive.value}
            for lod in geometry.lods
        ],
    }


def used_vertices(model: Model, lod: Lod) -> int:
    """Count the distinct vertices that a level of detail draws."""
    if lod.indices is None:
        return lod.count
    indices = model.index_buffers[lod.indices].data[lod.start : lod.start + lod.count]
    return int(np.count_nonzero(np.bincount(indices))) if len(indices) else 0


def _elements(model: Model, lod: Lod | None) -> list[VertexElement]:
    streams = lod.streams if lod else ()
    return [element for stream in streams for element in model.vertex_buffers[stream].elements]


def _attribute(element: VertexElement) -> Facts:
    return {"semantic": element.semantic, "type": element.type, "components": element.components}


def _bone(skeleton: Skeleton, bone: int) -> Facts:
    inverse = skeleton.inverse_bind
    return {
        "name": skeleton.names[bone],
        "parent": skeleton.parents[bone],
        "position": skeleton.positions[bone],
        "rotation": skeleton.rotations[bone],
        "scale": skeleton.scales[bone],
        "pivot": None if skeleton.pivots is None else skeleton.pivots[bone],
        "inverse_bind": None if inverse is None else inverse[bone],
        "hitbox": _hitbox(skeleton.hitboxes[bone]) if bone < len(skeleton.hitboxes) else None,
    }


def _hitbox(hitbox: Hitbox | None) -> Facts | None:
    return {"radius": hitbox.radius, "box": hitbox.box} if hitbox else None


def _animation(skeleton: Skeleton | None, animation: Animation) -> Facts:
    found = match(animation, skeleton.names) if skeleton else None
    return {
        "name": animation.name,
        "id": animation.facts.get("id"),
        "variation": animation.facts.get("variation"),
        "flags": animation.facts.get("flags"),
        "speed": animation.facts.get("speed"),
        "blend": animation.facts.get("blend"),
        "tags": animation.tags,
        "bounds": model_facts.box(animation.bounds),
        "source": animation.source,
        "length": animation.duration,
        "tracks": len(animation.targets),
        "keyframes": animation.keyframes,
        "moves_vertices": animation.moves_vertices,
        "matched": len(found.bones) if found else None,
        "unmatched": found.unmatched if found else [],
        "events": [{"time": event.time, "name": event.name} for event in animation.events],
    }


def _morph(morph: Morph) -> Facts:
    return {"name": morph.name, "vertices": morph.vertices, "weight": morph.weight}


def _material(model: Model, material: Material) -> Facts:
    names = [model.textures[texture].name for texture in material.units.values()]
    return {
        "name": material.name,
        "found": material.found,
        "searched": material.searched,
        "by": material.by,
        "blend": material.blend,
        "roughness": material.surface.roughness if material.surface else None,
        "metalness": material.surface.metalness if material.surface else None,
        "textures": names,
    }


def _textures(model: Model) -> list[Facts]:
    """The facts of each texture.

    If the file gives a texture no type, the name of the first texture unit that uses the texture is the type.
    """
    types: dict[int, str] = {}
    used = used_textures(model)
    for material in model.materials:
        for unit, texture in material.units.items():
            types.setdefault(texture, unit)
    return [
        {
            "name": each.name,
            "type": types.get(number) if each.kind is None else each.kind,
            "found": each.path,
            "searched": each.searched,
            "by": each.by,
            "used": number in used,
        }
        for number, each in enumerate(model.textures)
    ]


def _emitter(model: Model, first: Animation | None, emitter: Emitter) -> Facts:
    from viewer.animation.effects.approximations import approximations  # imported late, because it takes 8 ms

    known = emitter.texture < len(model.textures)
    return {
        "type": emitter.type,
        "bone": emitter.bone,
        "position": emitter.position,
        "texture": model.textures[emitter.texture].name if known else emitter.texture,
        "blend": emitter.blend,
        "flags": emitter.flags,
        "shape": emitter.shape.name if emitter.shape else None,
        "carries": emitter.carries.name if emitter.carries else None,
        "approximations": approximations(emitter, model.skeleton, first),
        "parameters": dict(emitter.parameters),
    }


def _ribbon(document: Document, ribbon: Ribbon) -> Facts:
    """The facts of a ribbon while the first animation plays."""
    from viewer.animation.effects import ribbon as ribbons
    from viewer.animation.pose import Layer

    skeleton = document.model.skeleton if document.model else None
    layers = [Layer(each, 0.0) for each in document.animations[:1]]
    return {
        "bone": ribbon.bone,
        "position": ribbon.position,
        "textures": ribbon.textures,
        "blend": [layer.blend for layer in ribbon.layers],
        "approximations": [*ribbon.troubles, *ribbons.approximations(ribbon, skeleton, layers)],
        "parameters": dict(ribbon.parameters),
    }


def _image(image: Image) -> Facts:
    width, height = image.size
    return {"width": width, "height": height, "mips": len(image.levels), "encoding": image.encoding}


def _neighbour_errors(document: Document) -> list[str]:
    """The errors of the attached files."""
    return [str(error) for other in document.attached for error in other.report.errors]


def _messages(document: Document) -> list[Facts]:
    """Errors, warnings and notes. Messages that the user can act on come first."""
    kinds = {ERROR: "error", NOTE: "note"}
    beside = [ReportMessage(DAMAGE, text) for text in _neighbour_errors(document)]
    ordered = sorted([*document.report.messages, *beside], key=lambda message: message.kind)
    return [{"kind": kinds.get(each.kind, "warning"), "text": _placed(each)} for each in ordered]


def _placed(message: ReportMessage) -> str:
    error = message.error
    return message.text if error is None else f"{error.why} ({error.path} at 0x{error.offset:X})"


def _error(error: FormatError) -> Facts:
    return {"why": error.why, "path": error.path, "offset": error.offset}
