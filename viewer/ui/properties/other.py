"""Morphs, animations, buffers, and the document itself."""

from __future__ import annotations

import time

from viewer.binary.span import unclaimed
from viewer.scene.animation import match
from viewer.scene.document import Document, Item
from viewer.scene.package import Package, ratio
from viewer.state import State
from viewer.ui.items import bytes_of
from viewer.ui.properties.fields import field, heading, matrix, missing, section, table
from viewer.ui.theme import ERROR, WARNING
from viewer.ui.values import value_text
from viewer.ui.widgets import wrapped

BUDGET = 1e-3
"""Seconds of a frame in which bytes are counted."""


def morph_page(state: State, item: Item) -> None:
    """A morph: what it moves."""
    model, number = state.model, int(item[1])
    if model is None or number >= len(model.morphs):
        return
    morph = model.morphs[number]
    heading(state, item)
    field("weight", f"{state.look.morphs.get(number, morph.weight):.4g}")
    field("in the file", f"{morph.weight:.4g}", "the weight that the file starts with")
    field("vertices", str(morph.vertices))
    rows = [
        (
            str(target.buffer),
            str(len(target.vertices)),
            _moves(target.positions, target.normals, target.tangents),
        )
        for target in morph.targets
    ]
    table("targets", ("buffer", "vertices", "changes"), rows)


def _moves(positions: object, normals: object, tangents: object) -> str:
    named = {"position": positions, "normal": normals, "tangent": tangents}
    return " ".join(name for name, deltas in named.items() if deltas is not None)


def animation_page(state: State, item: Item) -> None:
    """An animation: how long, how many keys, which of its tracks find a bone."""
    number, offered = int(item[1]), state.animations
    if number >= len(offered):
        return
    animation = offered[number]
    heading(state, item)
    field("length", f"{animation.duration:.4g} s")
    field("tracks", str(len(animation.targets)))
    field("keyframes", str(animation.keyframes))
    field("values", animation.composition.value)
    if animation.source:
        field("file", animation.source)
    found = match(animation, state.skeleton.names) if state.skeleton else None
    if found is not None:
        field("bones", found.text)
        with section("Tracks without a bone", opened=bool(found.unmatched)) as shown:
            if shown and found.unmatched:
                table("unmatched", ("name",), [(name,) for name in found.unmatched])
            elif shown:
                missing("None.")
    if animation.events:
        with section("Triggers") as shown:
            if shown:
                table("events", ("time", "name"), [(f"{e.time:.4g}", e.name) for e in animation.events])


def bytes_page(state: State, item: Item) -> None:
    """Whatever else has bytes in the file."""
    heading(state, item)
    span = bytes_of(state.selection.source or state.document, item)
    if span is None:
        return
    if span.value is not None:
        field("value", value_text(span.value))
    if span.note:
        field("meaning", span.note)
    for child in span.children[:40]:
        field(child.name, value_text(child.value) or child.type, child.note)


class DocumentPage:
    """Counts the bytes that no field claims, over several frames: that looks at the whole tree."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._parts = unclaimed(document.root)
        self._unexplained = 0
        self.counting = True
        """Whether the count goes on."""

    def __call__(self) -> None:
        """Show the document."""
        document = self._document
        wrapped(document.path)
        field("format", document.format)
        field("version", document.version)
        field("size", f"{len(document.data):,} bytes".replace(",", " "))
        self._count()
        left = f"{self._unexplained:,} bytes".replace(",", " ") + (" …" if self.counting else "")
        field("unexplained", left, "bytes that no field claims")
        model = document.model
        if model is not None:
            self._model(document)
        if isinstance(document.content, Package):
            _package(document.content)
        for error in document.report.errors:
            wrapped(str(error), ERROR)
        for warning in document.report.warnings:
            wrapped(str(warning), WARNING)

    def _count(self) -> None:
        end = time.perf_counter() + BUDGET
        while self.counting and time.perf_counter() < end:
            part = next(self._parts, None)
            self._unexplained += part or 0
            self.counting = part is not None

    def _model(self, document: Document) -> None:
        model = document.model
        assert model is not None, "only models have counts"
        counts = {
            "geometries": model.geometries,
            "bones": model.skeleton.names if model.skeleton else (),
            "morphs": model.morphs,
            "materials": model.materials,
            "textures": model.textures,
            "animations": document.animations,
        }
        for name, things in counts.items():
            field(name, str(len(things)))
        if model.bounds is not None:
            matrix("bounds: their corners", model.bounds)


def _package(package: Package) -> None:
    size, packed = int(package.sizes.sum()), int(package.packed.sum())
    field("files", str(len(package)))
    field("unpacked", f"{size:,} bytes".replace(",", " "))
    if package.compressed:
        field("packed", f"{packed:,} bytes".replace(",", " "), f"{ratio(packed, size):.0%} of the unpacked")
    field("checksum", f"{package.checksum:08X}", "SDBM of the unpacked bytes of all files in order")
    if package.start:
        field("begins at", f"0x{package.start:X}", "what is in front is another file, such as a program")
