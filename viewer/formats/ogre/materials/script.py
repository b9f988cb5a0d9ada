"""Parse OGRE scripts into blocks of attributes, without inheritance and meaning.

A line is an attribute, or the head of a block if `{` follows at its end or on the next line. Source: OGRE's
`ScriptLexer` and `ScriptParser`, and the line-wise `MaterialSerializer` of older versions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from msgspec import Struct, field

from viewer.binary.cursor import decode
from viewer.budget import BUDGET
from viewer.errors import FormatError
from viewer.formats.ogre.names import ENCODINGS

TOKEN = re.compile(
    r"""//[^\n]*+ | /\*(?:[^*]++ | \*(?!/))*+(?:\*/)?   # comments
      | (?P<mark>[{}\n] | :(?![\\/]))
      | "(?P<quoted>[^"\n]*+)"?
      | (?P<word>(?:[^\s{}":]++ | :(?=[\\/]))++)""",
    re.S | re.X,
)
"""A token. All repetitions are possessive, because backtracking would take 200 bytes per letter of a long
word.
"""
LINE_FEED = 10


class ScriptLine(NamedTuple):
    """An attribute: its keyword in lower case, its values, and its position in the text."""

    keyword: str
    values: tuple[str, ...]
    position: int


class ScriptBlock(Struct, frozen=True):
    """A block `kind NAME : PARENT { … }`. `kind` is in lower case; missing parts are empty.

    `first_word` is the first word of the name, or the whole name if it is quoted; `parents` are the words or
    quoted names after the colon. `orphan` is True if a parent is missing.
    """

    kind: str
    name: str = ""
    first_word: str = ""
    parents: tuple[str, ...] = ()
    abstract: bool = False
    orphan: bool = False
    lines: tuple[ScriptLine, ...] = ()
    blocks: tuple[ScriptBlock, ...] = ()
    variables: dict[str, str] = field(default_factory=dict)
    position: int = 0

    def inner(self, kind: str) -> Iterator[ScriptBlock]:
        """Yield the blocks of a kind directly inside this block."""
        return (block for block in self.blocks if block.kind == kind)


class Import(NamedTuple):
    """A line `import NAMES from FILE`. The names are ignored, and the whole file is available."""

    file: str
    names: tuple[str, ...]


class ParsedScript(Struct, frozen=True, eq=False):
    """A parsed file: the blocks that could be read, the errors, and the oddities, which change nothing."""

    file: str
    data: bytes
    text: str
    blocks: tuple[ScriptBlock, ...]
    imports: tuple[Import, ...]
    variables: dict[str, str]
    errors: tuple[FormatError, ...]
    oddities: tuple[FormatError, ...] = ()


def parse_script(data: bytes, file: str) -> ParsedScript:
    """Parse a script in UTF-8, GB18030 or Latin-1. It raises nothing; errors are in `ParsedScript.errors`."""
    text = _decoded(data)
    parser = _Parser()
    for words, ending, position in _statements(text):
        if parser.kept == BUDGET.script_statements:
            parser.stop(position)
            break
        parser.take(words, ending, position)
    parser.close_all()
    errors, oddities = (
        tuple(located(why, data, text, file, position, path) for why, position, path in found)
        for found in (parser.errors, parser.oddities)
    )
    blocks, imports = tuple(parser.blocks), tuple(parser.imports)
    return ParsedScript(file, data, text, blocks, imports, parser.variables, errors, oddities)


def located(why: str, data: bytes, text: str, file: str, position: int, path: str = "") -> FormatError:
    """Return an error at a position of the text. Its offset is that of the first byte of the line."""
    number = text.count("\n", 0, position)
    ends = np.flatnonzero(np.frombuffer(data, np.uint8) == LINE_FEED)
    offset = int(ends[number - 1]) + 1 if number else 0
    return FormatError(why, f"{path}/line {number + 1}".lstrip("/"), offset, file)


def _decoded(data: bytes) -> str:
    """The decoded text. A text that is not UTF-8 is decoded line by line, because some scripts have lines in
    different code pages.
    """
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return "\n".join(decode(line, ENCODINGS[1:]) for line in data.split(b"\n"))


def _statements(text: str) -> Iterator[tuple[list[str], str, int]]:
    """Yield the words of each statement, the token that ends it (`{`, `}` or a line feed), and its position.

    Line feeds between a line and its `{` are skipped.
    """
    words: list[str] = []
    position = 0
    waiting = False
    for match in TOKEN.finditer(text):
        mark = match["mark"]
        if match.lastgroup is None or (mark == "\n" and (waiting or not words)):
            continue
        if waiting and mark != "{":
            yield words, "\n", position
            words, waiting = [], False
        if mark == "\n":
            waiting = True
        elif mark in ("{", "}"):
            yield words, mark, position if words else match.start()
            words, waiting = [], False
        else:
            position = position if words else match.start()
            if len(words) <= BUDGET.statement_words:  # one more than the limit, so that the parser notices
                words.append(mark or match["word"] or match["quoted"] or "")
    if words:
        yield words, "\n", position


class _OpenBlock(Struct):
    """A block that is being read."""

    kind: str
    name: str
    first_word: str
    parents: tuple[str, ...]
    abstract: bool
    position: int
    lines: list[ScriptLine] = field(default_factory=list)
    blocks: list[ScriptBlock] = field(default_factory=list)
    variables: dict[str, str] = field(default_factory=dict)
    crowded: bool = False


class _Parser:
    """Builds blocks from statements. A misplaced statement is recorded as an error and skipped."""

    def __init__(self) -> None:
        self.blocks: list[ScriptBlock] = []
        self.imports: list[Import] = []
        self.variables: dict[str, str] = {}
        self.errors: list[tuple[str, int, str]] = []
        self.oddities: list[tuple[str, int, str]] = []
        self.kept = 0
        self._stack: list[_OpenBlock] = []
        self._too_deep = 0

    def take(self, words: list[str], ending: str, position: int) -> None:
        """Add one statement to the open blocks."""
        self.kept += not self._too_deep
        if len(words) > BUDGET.statement_words:
            self._fail(f"a statement has more than {BUDGET.statement_words} words", position)
        if ending == "{":
            self._open(words, position)
            return
        if words and not self._too_deep:
            self._attribute(words[: BUDGET.statement_words], position)
        if ending == "}":
            self._close(position)

    def stop(self, position: int) -> None:
        """Record the error that the script has too many statements."""
        why = f"the script has more than {BUDGET.script_statements} statements; the rest is not read"
        self._fail(why, position)

    def close_all(self) -> None:
        """Close all blocks at the end of the text. It is an error if a block is still open. A material that
        begins inside an open block also closes all blocks.
        """
        for block in self._stack[:1]:
            self._fail(f"the {block.kind} has no end", block.position)
        while self._stack:
            self._pop()
        self._too_deep = 0

    def _open(self, words: list[str], position: int) -> None:
        abstract = len(words) > 1 and words[0].lower() == "abstract"
        kind, *rest = words[abstract:] or [""]
        if kind.lower() == "material" and self._stack:
            self.close_all()
        if not kind:
            self._fail("a block has no name", position)
        if self._too_deep or len(self._stack) == BUDGET.nesting:
            if not self._too_deep:
                self._fail(f"blocks are nested more than {BUDGET.nesting} deep", position)
            self._too_deep += 1
            return
        colon = rest.index(":") if ":" in rest else len(rest)
        name, parents = rest[:colon], tuple(rest[colon + 1 :])
        first = "".join(name[:1])
        self._stack.append(_OpenBlock(kind.lower(), " ".join(name), first, parents, abstract, position))

    def _close(self, position: int) -> None:
        if self._too_deep:
            self._too_deep -= 1
        elif self._stack:
            self._pop()
        elif len(self.oddities) < BUDGET.errors:
            self.oddities.append(("a } closes no block and is ignored, as in OGRE", position, ""))

    def _pop(self) -> None:
        done = self._stack.pop()
        into = self._stack[-1].blocks if self._stack else self.blocks
        if self._stack and len(into) >= BUDGET.block_children:
            if not self._stack[-1].crowded:
                self._fail(
                    f"a {self._stack[-1].kind} has more than {BUDGET.block_children} blocks", done.position
                )
            self._stack[-1].crowded = True
            return
        into.append(
            ScriptBlock(
                done.kind,
                done.name,
                done.first_word,
                done.parents,
                done.abstract,
                lines=tuple(done.lines),
                blocks=tuple(done.blocks),
                variables=done.variables,
                position=done.position,
            )
        )

    def _attribute(self, words: list[str], position: int) -> None:
        keyword, *values = words
        if keyword.lower() == "set" and values and values[0].startswith("$"):
            variables = self._stack[-1].variables if self._stack else self.variables
            variables[values[0][1:]] = " ".join(values[1:])
        elif self._stack:
            self._stack[-1].lines.append(ScriptLine(keyword.lower(), tuple(values), position))
        elif keyword.lower() == "import" and "from" in values[1:-1]:
            names = " ".join(values[: values.index("from")]).replace(",", " ").split()
            self.imports.append(Import(values[-1], tuple(names)))

    def _fail(self, why: str, position: int) -> None:
        top = self._stack[0] if self._stack else None
        if len(self.errors) < BUDGET.errors:
            self.errors.append((why, position, f"{top.kind} {top.name}".strip() if top else ""))
        elif len(self.errors) == BUDGET.errors:
            self.errors.append((f"more than {BUDGET.errors} errors; the rest is not reported", position, ""))
