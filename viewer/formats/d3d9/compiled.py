"""A Direct3D 9 program of a file: its version, its instructions, what lies behind the end."""

from __future__ import annotations

from viewer.binary import Span, tile
from viewer.formats.assembly import WORD, Compiled, Listing, Names, words_of
from viewer.formats.d3d9.program import decode, profile
from viewer.scene.listing import Program


def compiled(data: bytes, start: int, end: int, names: Names, most: int, name: str = "") -> Compiled:
    """The program whose token stream, of at least one word, lies in a file from `start` to before `end`.

    `names` and `most` are as those of a `Listing`; `name` tells the program from others of the file.
    """
    words = words_of(data, start, end)
    listing = Listing(decode, words, start, 1, names, most)
    version = int(words[0])
    left = end - start - listing.end * WORD
    warnings = [f"{left} bytes behind the end of the program"] if left and not listing.error else []

    def children() -> list[Span]:
        head = Span("version", start, WORD, "token", f"0x{version:08X}", profile(version))
        return tile([head, *listing.spans()], start, end - start)

    program = Program(name, profile(version), listing.statistics, listing.lines)
    errors = [listing.error] if listing.error else []
    return Compiled(
        program, children, (listing.NAME,) if listing.count else (), errors, [*warnings, *listing.remarks]
    )
