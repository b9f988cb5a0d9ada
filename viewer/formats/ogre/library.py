"""All material scripts within reach, read one by one as names are asked for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from viewer.errors import FormatError, Report
from viewer.formats.ogre.inheritance import overlay, substitute
from viewer.formats.ogre.names import ENCODINGS
from viewer.formats.ogre.resources import Resources
from viewer.formats.ogre.script import ParsedScript, ScriptBlock, ScriptLine, located, parse_script
from viewer.storage.search import Found

SCRIPT_LIMIT = 8 << 20
"""Bytes of the largest script that is read."""
MOST_SCRIPTS = 2000
LONGEST_LINE_OF_PARENTS = 32


class ScriptLibrary:
    """Blocks by kind and name; of several of one name the nearest counts."""

    def __init__(self, resources: Resources, report: Report) -> None:
        self._resources = resources
        self._report = report
        self._blocks: dict[tuple[str, str], tuple[ParsedScript, ScriptBlock]] = {}
        self._scripts: dict[str, ParsedScript | None] = {}
        self._ahead = self._unread()
        self._blamed: set[str] = set()

    def find(self, name: str) -> tuple[ParsedScript, ScriptBlock] | None:
        """A material with all that it inherits, and the script that it stands in.

        Where there is none, what is wrong with scripts goes into the report: it may be in one of them.
        """
        found = self._locate("material", name)
        if found is None:
            for script in filter(None, self._scripts.values()):
                self._blame(script)
            return None
        script, block = found
        variables: dict[str, str] = {}
        whole = self._complete(script, block, variables, 0)
        return script, substitute(whole, variables, lambda word, line: self.complain(script, f"{word}", line))

    def only_one(self, file: str) -> str | None:
        """The name of the material in a script of that file name, if there is just one."""
        script = self._imported(file)
        names = [each.name for each in script.blocks if each.kind == "material"] if script else []
        return names[0] if len(names) == 1 else None

    def complain(self, script: ParsedScript, what: str, line: ScriptLine) -> None:
        """Warn of an attribute that is passed over."""
        why = f"{what} is set nowhere" if what.startswith("$") else what
        number = script.text.count("\n", 0, line.position) + 1
        self._report.warn(f"{script.file}, line {number}: {why}")

    def _locate(self, kind: str, name: str) -> tuple[ParsedScript, ScriptBlock] | None:
        """Scripts are read until there is one; then names are tried that the same bytes spell otherwise."""
        while (kind, name) not in self._blocks:
            if next(self._ahead, None) is None:
                break
        for spelling in _spellings(name):
            if (kind, spelling) in self._blocks:
                return self._blocks[kind, spelling]
        return None

    def _unread(self) -> Iterator[ParsedScript]:
        for number, found in enumerate(self._resources.scripts()):
            if number == MOST_SCRIPTS:
                self._report.warn(f"more than {MOST_SCRIPTS} scripts lie around; the others are not read")
                return
            script = self._read(found)
            if script is not None:
                yield script

    def _read(self, found: Found) -> ParsedScript | None:
        """A script, read once; its blocks become known."""
        if found.path in self._scripts:
            return self._scripts[found.path]
        try:
            script = parse_script(found.read(SCRIPT_LIMIT), found.path)
        except FormatError as error:
            self._report.fail(error)
            self._scripts[found.path] = None
            return None
        self._scripts[found.path] = script
        for block in script.blocks:
            self._blocks.setdefault((block.kind, block.name), (script, block))
        for block in script.blocks:
            # Engines after 1.4 end a name at the first space; those before took the line.
            self._blocks.setdefault((block.kind, block.name.partition(" ")[0]), (script, block))
        return script

    def _imported(self, file: str) -> ParsedScript | None:
        found = self._resources.find(file)
        return self._read(found) if isinstance(found, Found) else None

    def _blame(self, script: ParsedScript) -> None:
        """Report what is wrong with a script that counts."""
        if script.file not in self._blamed:
            self._blamed.add(script.file)
            for error in script.errors:
                self._report.fail(error)

    def _complete(
        self, script: ParsedScript, block: ScriptBlock, variables: dict[str, str], depth: int
    ) -> ScriptBlock:
        """The block over its parents, and so its inner blocks. `variables` gathers those of the scripts."""
        self._blame(script)
        if depth > LONGEST_LINE_OF_PARENTS:
            why = f"{block.kind} {block.name} inherits from itself"
            self._report.fail(located(why, script.data, script.text, script.file, block.position))
            return block
        for above, parent in self._parents(script, block):
            block = overlay(block, self._complete(above, parent, variables, depth + 1))
        variables.update(script.variables)
        inner = tuple(
            self._complete(script, each, variables, depth + 1) if each.parent or each.blocks else each
            for each in block.blocks
        )
        return replace(block, blocks=inner, parent="", abstract=False)

    def _parents(
        self, script: ParsedScript, block: ScriptBlock
    ) -> Iterator[tuple[ParsedScript, ScriptBlock]]:
        """What a block names behind its colon: one name with spaces in it, or several names."""
        if not block.parent:
            return
        whole = self._parent(script, block, block.parent)
        words = (block.parent,) if whole else tuple(block.parent.split())
        for name in words:
            found = whole or self._parent(script, block, name)
            if found is None:
                self._report.warn(
                    f"{script.file}: {block.kind} {block.name} inherits from {name}, which is missing"
                )
            else:
                yield found

    def _parent(
        self, script: ParsedScript, block: ScriptBlock, name: str
    ) -> tuple[ParsedScript, ScriptBlock] | None:
        """From the same script, then from those that it imports, then from anywhere."""
        imported = (self._imported(each.file) for each in script.imports)
        for near in (script, *filter(None, imported)):
            for each in near.blocks:
                if (each.kind, each.name) == (block.kind, name) and each is not block:
                    return near, each
        found = self._locate(block.kind, name)
        return None if found is None or found[1] is block else found


def _spellings(name: str) -> tuple[str, ...]:
    """A name, and what its bytes mean in the other encodings: short GBK names may be UTF-8 by chance."""
    raw = getattr(name, "raw", name.encode("utf-8", "replace"))
    return (name, *(raw.decode(encoding, "replace") for encoding in ENCODINGS))
