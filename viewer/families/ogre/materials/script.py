"""Parse OGRE scripts into blocks of attributes, without inheritance and meaning.

A line is an attribute, or the head of a block if `{` follows at its end or on the next line. Source: OGRE's
`ScriptLexer` and `ScriptParser`, and the line-wise `MaterialSerializer` of older versions.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
import numpy as np
from msgspec import Struct, field

from viewer.binary.code_pages import page_of
from viewer.budget import BUDGET
from viewer.errors import FormatError

TOKEN = re.compile(
    r"""//[^\n]*+ | /\*(?:[^*]++ | \*(?!/))*+(?:\*/)?   # comments
      | (?P<mark>[{}\n] | :(?![\\/]))
      | "(?P<quoted>[^"\n]*+)(?P<closing>"?)
      | (?P<word>(?:[^\s{}":]++ | :(?=[\\/]))++)""",
    re.S | re.X,
)
"""A token. All repetitions are possessive, because backtracking would take 200 bytes per letter of a long
word.
"""
QUOTED = re.compile(r"""\{\s*+["}]""")
"""Matches the beginning of an object in JSON."""
BYTE = re.compile(r" \(byte (\d+)\)$")
LINE_FEED = 10
NAMED = ("samplers", "macroblocks", "blendblocks")
"""The tables of a JSON file to whose entries datablocks refer by name."""
DATABLOCK_TYPES = ("pbs", "unlit")
"""The types of datablocks that can be drawn."""
JSON_SUFFIX = ".material.json"
DATABLOCK = "hlms"
"""The keyword of a datablock, a material of OGRE-Next."""


class ScriptLine(NamedTuple):
    """An attribute: its keyword in lower case, its values, and its position in the text."""

    keyword: str
    values: tuple[str, ...]
    position: int


class JsonDatablock(NamedTuple):
    """The object of a datablock in JSON, and the `samplers`, `macroblocks` and `blendblocks` of its file."""

    values: Mapping[str, Any]
    named: Mapping[str, Any]


class ScriptBlock(Struct, frozen=True):
    """A block `kind NAME : PARENT { … }`. `kind` is in lower case; missing parts are empty.

    `first_word` is the first word of the name, or the whole name if it is quoted; `parents` are the words or
    quoted names after the colon. `lacks_parent` is True if a parent is missing.

    A datablock of OGRE-Next, `hlms NAME TYPE : PARENT { … }`, has the kind `hlms` and a `type`. A datablock
    in JSON has its object in `json` and no lines.
    """

    kind: str
    name: str = ""
    first_word: str = ""
    parents: tuple[str, ...] = ()
    abstract: bool = False
    lacks_parent: bool = False
    lines: tuple[ScriptLine, ...] = ()
    blocks: tuple[ScriptBlock, ...] = ()
    variables: dict[str, str] = field(default_factory=dict)
    position: int = 0
    type: str = ""
    json: JsonDatablock | None = None

    def inner(self, kind: str) -> Iterator[ScriptBlock]:
        """Yield the blocks of a kind directly inside this block."""
        return (block for block in self.blocks if block.kind == kind)


class Import(NamedTuple):
    """A line `import NAMES from FILE`. The names are ignored, and the whole file is available."""

    file: str
    names: tuple[str, ...]


class ParsedScript(Struct, frozen=True, eq=False):
    """A parsed file: the blocks that could be read, the errors, and the oddities, which change nothing.

    `named` finds blocks by kind and name; see `_named`.
    """

    file: str
    data: bytes
    text: str
    blocks: tuple[ScriptBlock, ...]
    named: Mapping[tuple[str, str], ScriptBlock]
    imports: tuple[Import, ...]
    variables: dict[str, str]
    errors: tuple[FormatError, ...]
    oddities: tuple[FormatError, ...] = ()


def parse_script(data: bytes, file: str) -> ParsedScript:
    """Parse a script in UTF-8 or in a code page. It raises nothing; errors are in `ParsedScript.errors`.

    Datablocks in JSON may follow the blocks; a file with only JSON is parsed too.
    """
    text = _decoded(data)
    parser = _ScriptParser()
    is_json = file.lower().endswith(JSON_SUFFIX)
    if is_json:
        parser.take_json(text, 0)
    for words, ending, position in () if is_json else _statements(text, parser.fail):
        if parser.kept == BUDGET.script_statements:
            parser.stop(position)
            break
        if ending == "{" and not words and not parser.is_inside and QUOTED.match(text, position):
            parser.take_json(text, position)
            break
        parser.take(words, ending, position)
    parser.close_all()
    errors, oddities = (
        tuple(error_at(why, data, text, file, position, path) for why, position, path in found)
        for found in (parser.errors, parser.oddities)
    )
    blocks, imports = tuple(parser.blocks), tuple(parser.imports)
    return ParsedScript(file, data, text, blocks, _named(blocks), imports, parser.variables, errors, oddities)


def _named(blocks: Sequence[ScriptBlock]) -> Mapping[tuple[str, str], ScriptBlock]:
    """Return the blocks by kind and name, of equal names the first block. Datablocks of a type that cannot be
    drawn are left out.

    Since OGRE 1.4 an unquoted name ends at the first space; in older versions the name is the whole line. A
    block is also found by the first word, if no block has this word as its name.
    """
    usable = [each for each in reversed(blocks) if each.kind != DATABLOCK or each.type in DATABLOCK_TYPES]
    words = {(each.kind, each.first_word): each for each in usable}
    return words | {(each.kind, each.name): each for each in usable}


def json_datablocks(text: str, position: int) -> list[ScriptBlock]:
    """Return the datablocks of a JSON text that begins at `position` of a file.

    FormatError, with the offset in characters of the file, for a text that is not valid.
    """
    data = text[position:].encode("utf-8", "surrogatepass")
    try:
        whole = msgspec.json.decode(data)
    except RecursionError:
        raise FormatError("JSON is nested too deeply", offset=position) from None
    except (msgspec.DecodeError, UnicodeError) as error:
        place = BYTE.search(str(error))
        at = len(data[: int(place[1])].decode("utf-8", "ignore")) if place else 0
        raise FormatError(BYTE.sub("", str(error)), offset=position + at) from None
    if not isinstance(whole, dict):
        raise FormatError("JSON has no object with datablocks", offset=position)
    named = {key: whole.get(key) for key in NAMED}
    made = [
        ScriptBlock(DATABLOCK, name, name, position=position, type=type, json=JsonDatablock(values, named))
        for type in DATABLOCK_TYPES
        for name, values in (whole[type].items() if isinstance(whole.get(type), dict) else ())
        if isinstance(values, dict)
    ]
    return made


def error_at(why: str, data: bytes, text: str, file: str, position: int, path: str = "") -> FormatError:
    """Return an error at a position of the text. The error has the offset of the first byte of the line."""
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
        page, lines = "", list[str]()
        for line in data.split(b"\n"):
            if line.isascii():
                lines.append(line.decode())
            else:
                page = page_of(line, page)
                lines.append(line.decode(page))
        return "\n".join(lines)


def _statements(text: str, fail: Callable[[str, int], None]) -> Iterator[tuple[list[str], str, int]]:
    """For each statement, yield its words, the token that ends the statement (`{`, `}` or a line feed), and
    the token's position.

    Line feeds between a line and its `{` are skipped. `fail` gets each quote that no other quote closes in
    its line, and its position: OGRE reads on to the next quote.
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
            if match["closing"] == "":
                fail("the quote is not closed", match.start())
            # keep one word more than the limit: by this word the parser finds a statement that is too long
            if len(words) <= BUDGET.statement_words:
                words.append(mark or match["word"] or match["quoted"] or "")
    if words:
        yield words, "\n", position


class _OpenBlock(Struct):
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
    type: str = ""


class _ScriptParser:
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
            self.fail(f"a statement has more than {BUDGET.statement_words} words", position)
        if ending == "{":
            self._open(words, position)
            return
        if words and not self._too_deep:
            self._attribute(words[: BUDGET.statement_words], position)
        if ending == "}":
            self._close(position)

    @property
    def is_inside(self) -> bool:
        """Whether a block is open."""
        return bool(self._stack or self._too_deep)

    def take_json(self, text: str, position: int) -> None:
        """Add the datablocks of a JSON text that begins at `position`."""
        try:
            self.blocks += json_datablocks(text, position)
        except FormatError as error:
            self.fail(error.why, min(error.offset, len(text)))

    def stop(self, position: int) -> None:
        """Record the error that the script has too many statements."""
        why = f"the script has more than {BUDGET.script_statements} statements; the rest is not read"
        self.fail(why, position)

    def close_all(self) -> None:
        """Close all blocks at the end of the text. It is an error if a block is still open. A material that
        begins inside an open block also closes all blocks.
        """
        for block in self._stack[:1]:
            self.fail(f"the {block.kind} has no end", block.position)
        while self._stack:
            self._pop()
        self._too_deep = 0

    def _open(self, words: list[str], position: int) -> None:
        abstract = len(words) > 1 and words[0].lower() == "abstract"
        kind, *rest = words[abstract:] or [""]
        if kind.lower() == "material" and self._stack:
            self.close_all()
        if not kind:
            self.fail("a block has no name", position)
        if self._too_deep or len(self._stack) == BUDGET.nesting:
            if not self._too_deep:
                self.fail(f"blocks are nested more than {BUDGET.nesting} deep", position)
            self._too_deep += 1
            return
        colon = rest.index(":") if ":" in rest else len(rest)
        name, parents = rest[:colon], tuple(rest[colon + 1 :])
        first, type = "".join(name[:1]), ""
        if kind.lower() == DATABLOCK and len(name) > 1:
            *name, type = name
        opened = _OpenBlock(
            kind.lower(), " ".join(name), first, parents, abstract, position, type=type.lower()
        )
        self._stack.append(opened)

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
                self.fail(
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
                type=done.type,
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

    def fail(self, why: str, position: int) -> None:
        top = self._stack[0] if self._stack else None
        if len(self.errors) < BUDGET.errors:
            self.errors.append((why, position, f"{top.kind} {top.name}".strip() if top else ""))
        elif len(self.errors) == BUDGET.errors:
            self.errors.append((f"more than {BUDGET.errors} errors; the rest is not reported", position, ""))
