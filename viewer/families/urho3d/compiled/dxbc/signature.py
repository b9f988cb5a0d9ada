"""Read signatures of a DXBC container, which are a program's inputs and outputs.

Source: `d3d10shader.h`, `d3dcommon.h`.
"""

from __future__ import annotations

import numpy as np

from viewer.binary import Array, Cursor, Fixed, Record, Span, record_dtype, tile
from viewer.budget import BUDGET
from viewer.scene.shader import SignatureElement, letters

U8, U32 = np.dtype("u1"), np.dtype("<u4")
ELEMENT = record_dtype(
    ("name", U32, "offset of the semantic, a text, from the beginning of the signature"),
    ("index", U32, "number of the semantic, such as 1 in TEXCOORD1"),
    ("system_value", U32, "0: none, 1: position, 2: clip distance …"),
    ("type", U32, "1: uint, 2: int, 3: float"),
    ("register", U32, "number of the register, v or o"),
    ("mask", U8, "bits of the components: 1 is x, 2 y, 4 z, 8 w"),
    ("used", U8, "bits of the components that the program reads (inputs) or never writes (outputs)"),
    ("unused", np.dtype("<u2"), "always 0"),
)
WORD, FILL = 4, b"\xab"
TYPES = {1: "uint", 2: "int", 3: "float"}
"""Names of component types by D3D_REGISTER_COMPONENT_TYPE."""

SIGNATURE = Record(
    "signature",
    Fixed("count", U32, note="number of elements"),
    Fixed("first", U32, note="offset of the elements from the beginning of the signature, always 8"),
    Array(
        "elements",
        ELEMENT,
        "count",
        most=BUDGET.signature_elements,
        note="inputs or outputs of the program",
    ),
    note="The content of ISGN, OSGN and PCSG; the semantics follow the elements.",
)


def read_signature(
    data: bytes, start: int, end: int, output: bool
) -> tuple[tuple[SignatureElement, ...], list[Span]]:
    """Read the signature `data[start:end]` of a file. Return its elements and its spans.

    FormatError if the elements are truncated.
    """
    cursor = Cursor(data, start, end)
    record = SIGNATURE.read(cursor)
    elements, texts = [], {}
    for row in record.elements:
        at = min(start + int(row["name"]), end)
        text = Cursor(data, at, end)
        name = text.text()
        texts[at] = Span("semantic", at, text.offset - at, "text", name)
        mask, marked = int(row["mask"]), int(row["used"])
        used = letters(mask & ~marked if output else marked)
        kind = TYPES.get(int(row["type"]), "?")
        elements.append(
            SignatureElement(name, int(row["index"]), int(row["register"]), kind, letters(mask), used)
        )
    rows = SIGNATURE.span("signature", record, start, cursor.offset).children
    apart = _apart([texts[at] for at in sorted(texts)], cursor.offset)
    return tuple(elements), tile([*rows, *apart, *_padding(data, apart, end)], start, end - start, data)


def _apart(texts: list[Span], after: int) -> list[Span]:
    """The spans of texts. Texts that overlap an earlier text or the elements are left out."""
    kept: list[Span] = []
    for text in texts:
        if text.offset >= (kept[-1].end if kept else after):
            kept.append(text)
    return kept


def _padding(data: bytes, texts: list[Span], end: int) -> list[Span]:
    """The span of the padding after the last text, if it fills the last word."""
    at = texts[-1].end if texts else end
    fits = 0 < end - at < WORD and data[at:end] == FILL * (end - at)
    return [Span("padding", at, end - at, "padding")] if fits else []
