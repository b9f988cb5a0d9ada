"""Look up materials in the scripts around a model, which are read one by one as needed."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from viewer.budget import BUDGET
from viewer.errors import FormatError, Report
from viewer.formats.ogre.materials.inheritance import overlay, substitute
from viewer.formats.ogre.materials.resources import Resources
from viewer.formats.ogre.materials.script import ParsedScript, ScriptBlock, ScriptLine, located, parse_script
from viewer.formats.ogre.names import ENCODINGS
from viewer.storage.search import FoundResource
from viewer.storage.versions import KeptAnswers

SCRIPT_LIMIT = 8 << 20
"""Size in bytes of the largest script that is read."""
ALL_SCRIPTS = 64 << 20
"""Largest total size in bytes of the scripts read for one model."""
BYTES_OF_A_SCRIPT = 50
"""Approximate memory in bytes for each byte of a parsed script."""
_SCRIPTS: KeptAnswers[str, ParsedScript] = KeptAnswers(16 << 20)
"""Parsed scripts by path."""


class ScriptLibrary:
    """Blocks of all scripts by kind and name. If several have the same name, the nearest script's is used."""

    def __init__(self, resources: Resources, report: Report) -> None:
        self._resources = resources
        self._report = report
        self._blocks: dict[tuple[str, str], tuple[ParsedScript, ScriptBlock]] = {}
        self._scripts: dict[str, ParsedScript | None] = {}
        self._ahead = self._unread()
        self._blamed: set[str] = set()
        self._complaints: dict[str, set[int]] = {}
        self._left = ALL_SCRIPTS

    def find(self, name: str) -> tuple[ParsedScript, ScriptBlock] | None:
        """Return a material's script, and its block with everything that it inherits.

        None if it is missing. Then the errors of all scripts are reported, because the material may be in one
        of them.
        """
        found = self._locate("material", name)
        if found is None:
            for script in filter(None, self._scripts.values()):
                if script.file not in self._blamed:
                    for error in (*script.errors, *script.oddities):
                        self._report.note(str(error), offset=error.offset, file=error.file)
            return None
        script, block = found
        variables: dict[str, str] = {}
        whole = self._complete(script, block, variables, 0)
        return script, substitute(whole, variables, lambda word, line: self.complain(script, f"{word}", line))

    def only_one(self, file: str) -> str | None:
        """Return the name of the only material in script `file`, or None without exactly one."""
        script = self._imported(file)
        names = [each.name for each in script.blocks if each.kind == "material"] if script else []
        return names[0] if len(names) == 1 else None

    def complain(self, script: ParsedScript, what: str, line: ScriptLine) -> None:
        """Warn about an ignored attribute, at most about `BUDGET.errors` attributes of each script."""
        reported = self._complaints.setdefault(script.file, set())
        if len(reported) >= BUDGET.errors or line.position in reported:
            return
        reported.add(line.position)
        why = f"{what} is never set" if what.startswith("$") else what
        number = script.text.count("\n", 0, line.position) + 1
        self._report.warn(f"{script.file}, line {number}: {why}")

    def _locate(self, kind: str, name: str) -> tuple[ParsedScript, ScriptBlock] | None:
        """Read scripts until the block is found; if it is not, try other decodings of its name's bytes."""
        while (kind, name) not in self._blocks:
            if next(self._ahead, None) is None:
                break
        for spelling in _spellings(name):
            if (kind, spelling) in self._blocks:
                return self._blocks[kind, spelling]
        return None

    def _unread(self) -> Iterator[ParsedScript]:
        for number, found in enumerate(self._resources.scripts()):
            if number == BUDGET.scripts:
                self._report.warn(f"more than {BUDGET.scripts} scripts were found; only the first are read")
                return
            script = self._read(found)
            if script is not None:
                yield script

    def _read(self, found: FoundResource) -> ParsedScript | None:
        """Read a script once and add its blocks; None if it cannot be read (reported)."""
        if found.path in self._scripts:
            return self._scripts[found.path]
        try:
            script = read_script(found, min(SCRIPT_LIMIT, self._left))
            self._left -= len(script.data)
        except FormatError as error:
            self._report.note(str(error), offset=error.offset, file=error.file)
            self._scripts[found.path] = None
            return None
        self._scripts[found.path] = script
        for block in script.blocks:
            self._blocks.setdefault((block.kind, block.name), (script, block))
        for block in script.blocks:
            # Since OGRE 1.4 a name ends at the first space; before, it was the whole line.
            self._blocks.setdefault((block.kind, block.first_word), (script, block))
        return script

    def _imported(self, file: str) -> ParsedScript | None:
        found = self._resources.find(file)
        return self._read(found) if isinstance(found, FoundResource) else None

    def _blame(self, script: ParsedScript) -> None:
        """Report the errors of a script that is used, once."""
        if script.file not in self._blamed:
            self._blamed.add(script.file)
            for error in script.errors:
                self._report.fail(error)
            for error in script.oddities:
                self._report.note(str(error), offset=error.offset, file=error.file)

    def _complete(
        self, script: ParsedScript, block: ScriptBlock, variables: dict[str, str], depth: int
    ) -> ScriptBlock:
        """The block, and its inner blocks, merged over their parents. `variables` collects the variables of
        the scripts.
        """
        self._blame(script)
        if depth > BUDGET.nesting:
            why = f"{block.kind} {block.name} inherits from itself"
            self._report.fail(located(why, script.data, script.text, script.file, block.position))
            return block
        for found in self._parents(script, block):
            parent = self._complete(*found, variables, depth + 1) if found else None
            block = overlay(block, parent) if parent else replace(block, orphan=True)
        variables.update(script.variables)
        inner = tuple(
            self._complete(script, each, variables, depth + 1) if each.parents or each.blocks else each
            for each in block.blocks
        )
        return replace(block, blocks=inner, parents=(), abstract=False)

    def _parents(
        self, script: ParsedScript, block: ScriptBlock
    ) -> Iterator[tuple[ParsedScript, ScriptBlock] | None]:
        """Yield the parents that a block names after its colon, None for a missing one (reported). The words
        are one name with spaces if such a block exists, else a list of names.
        """
        if not block.parents:
            return
        joined = " ".join(block.parents)
        whole = self._parent(script, block, joined)
        for name in (joined,) if whole else block.parents:
            found = whole or self._parent(script, block, name)
            if found is None:
                self._report.warn(
                    f"{script.file}: {block.kind} {block.name} inherits from {name}, which is missing"
                )
            yield found

    def _parent(
        self, script: ParsedScript, block: ScriptBlock, name: str
    ) -> tuple[ParsedScript, ScriptBlock] | None:
        """The parent, searched in the same script, then in imported scripts, then in all scripts."""
        imported = (self._imported(each.file) for each in script.imports)
        for near in (script, *filter(None, imported)):
            for each in near.blocks:
                if (each.kind, each.name) == (block.kind, name) and each is not block:
                    return near, each
        found = self._locate(block.kind, name)
        return None if found is None or found[1] is block else found


def read_script(found: FoundResource, limit: int) -> ParsedScript:
    """Return a parsed script, from the cache unless its file changed. FormatError if it exceeds `limit`
    bytes.
    """
    script = _SCRIPTS.get(
        found.path,
        lambda: parse_script(found.read(limit), found.path),
        lambda script: BYTES_OF_A_SCRIPT * len(script.data),
    )
    return script if len(script.data) <= limit else parse_script(found.read(limit), found.path)


def _spellings(name: str) -> tuple[str, ...]:
    """A name, and its bytes in each encoding, because a short GBK name may be valid UTF-8 by chance."""
    if name.isascii():
        return (name,)
    raw = getattr(name, "raw", name.encode("utf-8", "replace"))
    return (name, *(raw.decode(encoding, "replace") for encoding in ENCODINGS))
