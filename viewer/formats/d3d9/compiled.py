"""Disassemble a Direct3D 9 program that is a part of a file."""

from __future__ import annotations

from viewer.binary import Span, tile
from viewer.formats.d3d9.program import decode, profile
from viewer.formats.program_listing import WORD, InstructionListing, Names, ProgramTree, words_of
from viewer.scene.shader import ShaderProgram


def compiled(data: bytes, start: int, end: int, names: Names, most: int, name: str = "") -> ProgramTree:
    """Disassemble the token stream, of at least one word, in a file from `start` to before `end`.

    See `InstructionListing` for `names` and `most`. `name` distinguishes the program from others in the file.
    """
    words = words_of(data, start, end)
    listing = InstructionListing(decode, words, start, 1, names, most)
    version = int(words[0])
    left = end - start - listing.end * WORD
    warnings = [f"{left} bytes after the end of the program"] if left and not listing.error else []

    def children() -> list[Span]:
        head = Span("version", start, WORD, "token", f"0x{version:08X}", profile(version))
        return tile([head, *listing.spans()], start, end - start)

    program = ShaderProgram(name, profile(version), listing.statistics, listing.lines)
    errors = [listing.error] if listing.error else []
    return ProgramTree(program, children, listing, errors, [*warnings, *listing.remarks])
