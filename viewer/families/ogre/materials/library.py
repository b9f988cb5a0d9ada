"""Look up materials in the scripts around a model, which are read one by one as needed."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import NamedTuple

from msgspec.structs import replace

from viewer.binary.code_pages import spellings
from viewer.budget import BUDGET
from viewer.errors import FormatError, NeedState, Report, Topic
from viewer.families.ogre.materials.inheritance import overlay, substitute
from viewer.families.ogre.materials.resources import Resources
from viewer.families.ogre.materials.script import (
    DATABLOCK,
    ParsedScript,
    ScriptBlock,
    ScriptLine,
    error_at,
    parse_script,
)
from viewer.families.ogre.materials.script_words import LARGEST, SCRIPTS, words_of
from viewer.scene.material import FoundHow, ambiguity
from viewer.scene.names import file_name
from viewer.scene.reading_context import ReadingContext
from viewer.storage.search import SOUND, FoundResource, needed
from viewer.storage.versions import KeptAnswers

ALL_SCRIPTS = 64 << 20
"""Largest total size in bytes of the scripts read for one model."""
COMPARED = 64
"""The largest number of scripts that are read to find other definitions of a material, or errors that may
have cost it.
"""
NEIGHBOURS = 2
"""The largest number of less near scripts that are read for the same purpose."""
BYTES_OF_A_SCRIPT = 50
"""Approximate memory in bytes for each byte of a parsed script."""
_SCRIPTS: KeptAnswers[tuple[str, ReadingContext], ParsedScript] = KeptAnswers(16 << 20)
"""Parsed scripts by path."""


CLASSIC_FIRST = ("material", DATABLOCK)
"""The kinds of blocks that define materials, in the order for meshes of OGRE."""
DATABLOCKS_FIRST = (DATABLOCK, "material")
"""The kinds of blocks that define materials, in the order for meshes of OGRE-Next."""
FoundBlock = tuple[ParsedScript, ScriptBlock]


class FoundMaterial(NamedTuple):
    """The script of a material or datablock, and its block with everything that it inherits. `rivals` are the
    paths of scripts that define it differently, and that a program may read as well. `how` is `given` for a
    material that the project pins for another name.
    """

    script: ParsedScript
    block: ScriptBlock
    rivals: tuple[str, ...] = ()
    how: FoundHow | None = None


class ScriptLibrary:
    """Blocks of all scripts by kind and name. If several blocks have the same name, the block in the nearest
    script is used; see `Resources.scripts`. `kinds` are the kinds of blocks that define materials; of equally
    near blocks, one of the first kind is used.
    """

    def __init__(self, resources: Resources, report: Report, kinds: tuple[str, ...] = CLASSIC_FIRST) -> None:
        self._resources = resources
        self._report = report
        self._kinds = kinds
        self._scripts: dict[str, ParsedScript | None] = {}
        self._sources: dict[str, FoundResource] = {}
        self._groups: dict[tuple[str, ...], list[FoundResource]] = {}
        self._blamed: set[str] = set()
        self._complaints: dict[str, set[int]] = {}
        self._left = ALL_SCRIPTS

    def find(self, name: str) -> FoundMaterial | None:
        """Return a material or datablock, or the one that the project pins for its name; None if it is
        missing.
        """
        pinned = self._resources.given.pinned_name(name)
        found = self._locate(self._kinds, pinned) if pinned is not None else None
        if found is not None:
            return self._whole(*found, ())._replace(how="given")
        if pinned is not None:
            self._resources.given.leads_nowhere(name)
        found = self._locate(self._kinds, name)
        return self._whole(*found, self._rivals(*found)) if found is not None else None

    def beside(self, name: str) -> FoundMaterial | None:
        """Return a material or datablock in a script of the mesh's own folder; None if it is missing."""
        own = os.path.dirname(self._resources.mesh)
        scripts = chain.from_iterable(self._resources.scripts(words_of(name)))
        beside = [each for each in scripts if os.path.dirname(each.path) == own]
        blocks = (self._defined(each, kind, name) for kind in self._kinds for each in beside)
        found = next(filter(None, blocks), None)
        return self._whole(*found, ()) if found is not None else None

    def report_errors(self) -> None:
        """Report the errors of the scripts that were read for a missing material, and of those near the mesh,
        because the material may be in a part that could not be read.
        """
        for each in islice(chain.from_iterable(self._resources.scripts()), COMPARED):
            self._read(each)
        for script in filter(None, self._scripts.values()):
            if script.file not in self._blamed:
                for error in (*script.errors, *script.oddities):
                    self._report.note(str(error), offset=error.offset, file=error.file)

    def _whole(self, script: ParsedScript, block: ScriptBlock, rivals: tuple[str, ...]) -> FoundMaterial:
        """A block with everything that it inherits."""
        variables: dict[str, str] = {}
        whole = self._complete(script, block, variables, 0)
        complain = lambda word, line: self.complain(script, f"{word}", line)  # noqa: E731
        return FoundMaterial(script, substitute(whole, variables, complain), rivals)

    @property
    def has_scripts(self) -> bool:
        """Whether one of the locations has a script, read or not."""
        return next(self._resources.scripts(), None) is not None or self._resources.has_project_scripts

    def source(self, script: ParsedScript) -> FoundResource:
        """Return the resource from which a script was read."""
        return self._sources[script.file]

    def only_one(self, file: str) -> str | None:
        """Return the name of the only material in the script `file` near the mesh; None if the script has no
        material or several.
        """
        found = self._resources.near(file)
        names = self._materials_of(found) if found else []
        return names[0] if len(names) == 1 else None

    def _materials_of(self, resource: FoundResource) -> list[str]:
        """The names of the materials in a script."""
        script = self._read(resource)
        return [each.name for each in script.blocks if each.kind in self._kinds] if script else []

    def complain(self, script: ParsedScript, what: str, line: ScriptLine) -> None:
        """Warn about an ignored attribute. In each script at most about `BUDGET.errors` attributes are
        reported.
        """
        reported = self._complaints.setdefault(script.file, set())
        if len(reported) >= BUDGET.errors or line.position in reported:
            return
        reported.add(line.position)
        why = f"{what} is never set" if what.startswith("$") else what
        number = script.text.count("\n", 0, line.position) + 1
        self._report.warn(f"{script.file}, line {number}: {why}")

    def _locate(self, kinds: tuple[str, ...], name: str) -> FoundBlock | None:
        """Read the script that the user chose or the project pins for a name, then the scripts that mention
        it, until one has a block of this name. Groups of equally near scripts are searched for each of
        `kinds`, in this order. If no script has the block, other decodings of the name's bytes are tried.
        """
        chosen = self._resources.given.file(name)
        if chosen is not None and chosen.path.lower().endswith(SCRIPTS):
            for each in (name, *islice(self._materials_of(chosen), 1)):
                block = next(filter(None, (self._defined(chosen, kind, each) for kind in kinds)), None)
                if block is not None:
                    return block
        if chosen is not None:
            self._resources.given.leads_nowhere(name, "has no material")
        for spelling in spellings(name):
            words = words_of(spelling)
            near, far = self._resources.scripts(words), self._resources.project_scripts(words)
            for group in chain(near, far):
                self._groups.setdefault(tuple(each.path for each in group), group)
                defined = (self._defined(found, kind, spelling) for kind in kinds for found in group)
                block = next(filter(None, defined), None)
                if block is not None:
                    return block
        read = [script for script in self._scripts.values() if script]
        imported = ((script, script.named.get((kind, name))) for kind in kinds for script in read)
        return next(((script, block) for script, block in imported if block is not None), None)

    def _defined(self, resource: FoundResource, kind: str, name: str) -> FoundBlock | None:
        """The block of a script by its name; None if it is missing."""
        script = self._read(resource)
        block = script.named.get((kind, name)) if script else None
        return None if script is None or block is None else (script, block)

    def _rivals(self, script: ParsedScript, block: ScriptBlock) -> tuple[str, ...]:
        """Report, as a note, scripts that are as near as the used script and define a material differently;
        return their paths. If there are none, and the used script is near the mesh but outside its own
        folder, the next script near the mesh counts, because names of materials are global in OGRE.
        """
        groups = (group for group in self._groups.values() if script.file in (each.path for each in group))
        differing = self._differing(script, block, chain.from_iterable(groups), COMPARED)
        source, own = self._sources[script.file], os.path.dirname(self._resources.mesh)
        if not differing and source.by == "near" and os.path.dirname(script.file) != own:
            near = chain.from_iterable(self._resources.scripts(words_of(block.name)))
            differing = self._differing(script, block, near, NEIGHBOURS)[:1]
        if differing:
            text = ambiguity("material", block.name, script.file, differing)
            self._report.note(text, Topic.AMBIGUOUS)
        return differing

    def _differing(
        self, script: ParsedScript, block: ScriptBlock, scripts: Iterable[FoundResource], most: int
    ) -> tuple[str, ...]:
        """The paths of scripts that define a block of `script` differently. Only the first `most` of
        `scripts` are read.
        """
        others = islice((each for each in scripts if each.path != script.file), most)
        found = (self._defined(each, block.kind, block.name) for each in others)
        files = (each[0].file for each in found if each and _content(each[1]) != _content(block))
        return tuple(dict.fromkeys(files))

    def _read(self, resource: FoundResource) -> ParsedScript | None:
        """Read a script once. If it cannot be read, report it and return None."""
        if resource.path in self._scripts:
            return self._scripts[resource.path]
        if len(self._scripts) == BUDGET.scripts:
            self._report.warn(f"more than {BUDGET.scripts} scripts mention materials; the rest is not read")
        if len(self._scripts) >= BUDGET.scripts:
            return None
        self._scripts[resource.path], self._sources[resource.path] = None, resource
        try:
            script = read_script(resource, self._limit)
        except FormatError as error:
            self._report.note(str(error), offset=error.offset, file=error.file)
            return None
        self._left -= len(script.data)
        self._scripts[resource.path] = script
        return script

    @property
    def _limit(self) -> int:
        """The size in bytes of the largest script that may still be read."""
        return min(LARGEST, self._left)

    def _imported(self, file: str) -> ParsedScript | None:
        found = self._resources.find(file)
        script = self._read(found) if isinstance(found, FoundResource) else None
        unread: tuple[NeedState, str] = ("unreadable", "the script cannot be read")
        fault = SOUND if script is not None else unread
        self._report.need(needed("script", file, found, fault=fault))
        return script

    def _blame(self, script: ParsedScript) -> None:
        """Report the errors of a script once, when the script is used."""
        if script.file not in self._blamed:
            self._blamed.add(script.file)
            found = self._sources[script.file]
            self._report.need(needed("script", file_name(found.stored), found)._replace(how="stored"))
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
            self._report.fail(error_at(why, script.data, script.text, script.file, block.position))
            return block
        for found in self._parents(script, block):
            parent = self._complete(*found, variables, depth + 1) if found else None
            block = overlay(block, parent) if parent else replace(block, lacks_parent=True)
        variables.update(script.variables)
        inner = tuple(
            self._complete(script, each, variables, depth + 1) if each.parents or each.blocks else each
            for each in block.blocks
        )
        return replace(block, blocks=inner, parents=(), abstract=False)

    def _parents(self, script: ParsedScript, block: ScriptBlock) -> Iterator[FoundBlock | None]:
        """Yield the parents whose names follow the colon of a block; a missing parent is reported and yields
        None.

        All words after the colon may be one name with spaces. If no block has this name, each word is a name.
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

    def _parent(self, script: ParsedScript, block: ScriptBlock, name: str) -> FoundBlock | None:
        """The parent, searched in the same script, then in imported scripts, then in all scripts."""
        imported = (self._imported(each.file) for each in script.imports)
        for near in (script, *filter(None, imported)):
            for each in near.blocks:
                if (each.kind, each.name) == (block.kind, name) and each is not block:
                    return near, each
        found = self._locate((block.kind,), name)
        return None if found is None or found[1] is block else found


def read_script(resource: FoundResource, limit: int) -> ParsedScript:
    """Return a parsed script, from the cache unless its file changed. FormatError if it exceeds `limit`
    bytes.
    """
    script = _SCRIPTS.get(
        (resource.path, resource.source.context),
        lambda: parse_script(resource.read(limit), resource.path),
        lambda script: BYTES_OF_A_SCRIPT * len(script.data),
    )
    return script if len(script.data) <= limit else parse_script(resource.read(limit), resource.path)


def _content(block: ScriptBlock) -> object:
    """The content of a block, without its positions in the script."""
    lines = [(line.keyword, line.values) for line in block.lines]
    inner = [*map(_content, block.blocks)]
    return block.kind, block.type, block.name, block.parents, lines, block.variables, inner, block.json
