"""`rigscope info`: prints the contents of a file. JSON keys are only added, never renamed."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from functools import partial
from types import MappingProxyType
from typing import Any

from viewer.arrays import damaged_numbers
from viewer.binary.span import unused
from viewer.commands.exit_status import UNREAD
from viewer.commands.info import model_facts
from viewer.commands.info.fact_table import error_facts, fact_table, finite, json_pieces
from viewer.commands.options.given_options import Values
from viewer.commands.options.looks import LOOK_OPTIONS, dressed
from viewer.commands.output import outcome, print_lines, say
from viewer.commands.reading import context_of
from viewer.errors import DAMAGE, ERROR, NOTE, FormatError, ReportMessage
from viewer.scene.animation import Animation
from viewer.scene.document import Content, Document
from viewer.scene.emitter import Emitter, Ribbon
from viewer.scene.material import Image
from viewer.scene.model import Model
from viewer.scene.names import path_key
from viewer.scene.needs import Need, faulty, needs_of
from viewer.scene.package import Package
from viewer.scene.part_facts import blend_mode, box
from viewer.scene.parts import MODEL_PARTS, PartKind, PartOwner
from viewer.scene.script import CompiledScript
from viewer.scene.shader import CompiledShader
from viewer.scene.table import Table
from viewer.scene.texture_images import decode_textures
from viewer.storage.documents import open_document
from viewer.storage.listing import unkept_lists
from viewer.storage.package_path import game_sources
from viewer.storage.tested import tested_once

Facts = dict[str, Any]
Judged = Mapping[int, Facts]
"""The facts of judged clips by the number of the clip."""

SURFACE = ("geometries", "bones", "animations", "morphs", "materials", "textures")
EFFECTS = ("models", "emitters", "ribbons", "cameras", "lights", "attachments", "event_points")
"""The keys of parts, in the order of the JSON; other parts follow."""
NOT_JUDGED: Facts = {"feet": None, "contacts": None, "slide": None, "spikes": None}
"""The keys of `clip_judgement.judged_clips` in the facts of other clips."""
UNEXPLAINED = 0.1
"""The share of unexplained bytes above which a file counts as not completely read."""


def info(paths: list[str], values: Values) -> int:
    """Print the contents of each file separately; return the exit status."""
    statuses = []
    for number, path in enumerate(paths):
        if number and not values.get("json"):
            print()
        try:
            with unkept_lists() if len(paths) == 1 else nullcontext(), tested_once():
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
        _verify(document)
    judged: Judged = {}
    if values.get("animation"):
        from viewer.commands.info.clip_judgement import judged_clips  # imported late, as it loads the view

        judged = judged_clips(document, values)
    found = facts(document, judged)
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


def _verify(document: Document) -> None:
    """Decode the pictures of a model, or verify the checksums of a package."""
    if isinstance(document.content, Model):
        decode_textures(document)
        return
    from viewer.commands.package import verify  # imported late, because only packages need it

    verify(document)


@damaged_numbers()
def facts(document: Document, judged: Judged = MappingProxyType({})) -> Facts:
    """All facts of a document, ready for `json_pieces`. Numbers that are not finite are None."""
    content, owner = document.content, PartOwner.stored(document)
    model = owner.model
    parts = {kind.key: _parts(kind, owner, judged) for kind in MODEL_PARTS}
    unknown, free = unused(document.root)
    archives = game_sources(document.path, document.context)
    needs = needs_of(document, errors=document.unreadable_images)
    return {
        "file": document.path,
        "format": document.format,
        "version": document.version,
        "bytes": len(document.data),
        "unexplained_bytes": unknown,
        "removed_bytes": free,
        "complete": document.report.complete,
        **{key: parts.pop(key) for key in SURFACE},
        "called": list(document.displays.names),
        "archive": next(iter(archives), None),
        "hides": list(archives[1:]),
        "displays": fact_table(document.displays.listed, partial(model_facts.display, document.displays)),
        "looks": None if document.character is None else model_facts.looks(document.character),
        **{key: parts.pop(key) for key in EFFECTS},
        **parts,
        "collision": None if model.collision is None else model_facts.collision(model.collision),
        "bounds": finite(box(model.bounds)),
        "dimensions": model_facts.dimensions(model),
        "blend_mode": None if model.skeleton is None else blend_mode(model.skeleton),
        "entries": _entries(content) if isinstance(content, Package) else [],
        "sources": _sources(content) if isinstance(content, Package) else [],
        **_compiled(content),
        "table": _table(content) if isinstance(content, Table) else None,
        "image": _image(content) if isinstance(content, Image) else None,
        "warnings": [*document.report.warnings, *_neighbour_errors(document)],
        "notes": document.report.notes,
        "errors": error_facts(document),
        "needs": [model_facts.need(each) for each in needs],
        "messages": _messages(document, needs),
    }


def _parts(kind: PartKind, owner: PartOwner, judged: Judged) -> Sequence[Facts]:
    """The facts of all parts of a kind."""
    parts = kind.parts(owner)
    describe = kind.facts(owner.model)

    def facts(number: int) -> Facts:
        """The facts of a part. For an effect, they include how it is drawn otherwise than by the engine."""
        found, part = describe(number, parts[number]), parts[number]
        if isinstance(part, Emitter | Ribbon):
            parameters = found.pop("parameters")
            return found | {"approximations": _approximations(owner, part), "parameters": parameters}
        return found | judged.get(number, NOT_JUDGED) if isinstance(part, Animation) else found

    return fact_table(range(len(parts)), facts)


def _approximations(owner: PartOwner, effect: Emitter | Ribbon) -> Sequence[str]:
    """The notes about an effect while the first animation plays."""
    # imported late, because it takes 8 ms
    from viewer.animation.effects import approximations, ribbon
    from viewer.animation.pose import Layer

    skeleton, first = owner.model.skeleton, owner.animations[:1]
    if isinstance(effect, Emitter):
        return approximations.approximations(effect, skeleton, next(iter(first), None))
    layers = [Layer(each, 0.0) for each in first]
    return [*effect.troubles, *ribbon.approximations(effect, skeleton, layers)]


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


def _image(image: Image) -> Facts:
    width, height = image.size
    return {"width": width, "height": height, "mips": len(image.levels), "encoding": image.encoding}


def _neighbour_errors(document: Document) -> list[str]:
    """The errors of the attached files that are no errors of the document."""
    own = set(map(str, document.report.errors))
    errors = (str(error) for other in document.attached for error in other.report.errors)
    return [text for text in errors if text not in own]


def _messages(document: Document, needs: Sequence[Need]) -> list[Facts]:
    """What is wrong with the needs, then errors, warnings and notes."""
    said = faulty(document, needs).values()
    kinds = {ERROR: "error", NOTE: "note"}
    beside = [ReportMessage(DAMAGE, text) for text in _neighbour_errors(document)]
    messages = [each for each in document.report.messages if not each.is_need]
    ordered = sorted([*messages, *beside], key=lambda message: message.kind)
    return [
        *({"kind": each.severity, "text": each.text} for each in needs if each.rule and each not in said),
        *({"kind": kinds.get(each.kind, "warning"), "text": _placed(each, document)} for each in ordered),
    ]


def _placed(message: ReportMessage, document: Document) -> str:
    """The text of a message. That of an error begins with the file, if it is another file."""
    error = message.error
    if error is None:
        return message.text
    return error.placed_why if path_key(error.file) in ("", path_key(document.path)) else str(error)
