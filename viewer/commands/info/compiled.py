"""The facts of compiled shaders and scripts for `rigscope info`, and their text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import asdict

from viewer.commands.info.columns import section
from viewer.commands.options.parser import UsageError
from viewer.scene.document import Document
from viewer.scene.script import CompiledScript
from viewer.scene.shader import (
    CompiledShader,
    ShaderParameter,
    ShaderProgram,
    SignatureElement,
    fitting,
    ranges,
    spellings,
)

Facts = dict[str, Any]
SHOWN = 40
"""The summary lists at most this number of a script's texts."""


def shader_facts(shader: CompiledShader) -> Facts:
    """The constants and textures that the engine sets, and the programs of the shader."""
    return {
        "stage": shader.stage,
        "model": shader.model,
        "parameters": [_parameter(each) for each in shader.parameters],
        "units": [{**asdict(each), "register": each.register} for each in shader.units],
        "instructions": sum(each.statistics.instructions for each in shader.programs),
        "programs": [_program(each) for each in shader.programs],
        "element_hash": shader.element_hash,
        "expected_element_hash": shader.expected_hash,
        "defines_hash": None if shader.hash is None else f"{shader.hash:08X}",
        "defines": [],
    }


def defines(document: Document, texts: Sequence[str]) -> list[Facts]:
    """Compare hashes with the hash in the file's name: the hash of each of `texts`, which are shader defines.

    UsageError if the document is not a compiled shader, or if its name has no hash.
    """
    shader = document.content
    if not isinstance(shader, CompiledShader):
        raise UsageError(f"--define needs a compiled shader; {document.path} is not one")
    if shader.hash is None:
        raise UsageError(
            f"--define: the name of {document.path} does not end in _ and a hash of eight digits"
        )
    found = []
    for text in texts:
        fit = fitting(text, shader.hash)
        tried = [{"how": each.how, "text": each.text, "hash": f"{each.hash:08X}"} for each in spellings(text)]
        found.append({"text": text, "fits": fit.how if fit else None, "tried": tried})
    return found


def script_facts(script: CompiledScript) -> Facts:
    """The facts of a script. A fact that cannot be determined is None."""
    declared = None if script.classes is None else [asdict(each) for each in script.classes]
    return {
        "stripped": script.stripped,
        "enums": script.enums,
        "classes": declared,
        "texts": [asdict(each) for each in script.literals],
        "opaque_bytes": script.opaque,
    }


def _parameter(parameter: ShaderParameter) -> Facts:
    """The facts of a shader parameter.

    Its size is in `c` registers, or in bytes if it is in a constant buffer.
    """
    return {**asdict(parameter), "register": parameter.register}


def _program(program: ShaderProgram) -> Facts:
    counts = program.statistics
    return {
        "name": program.name,
        "profile": program.profile,
        "instructions": counts.instructions,
        "kinds": {kind.value: count for kind, count in counts.kinds.items()},
        "opcodes": counts.opcodes,
        "registers": {file: list(numbers) for file, numbers in counts.registers.items()},
        "declared": {file: list(numbers) for file, numbers in counts.declared.items()},
        "inputs": [_element(each) for each in program.inputs],
        "outputs": [_element(each) for each in program.outputs],
        "checksum": program.checksum,
    }


def _element(element: SignatureElement) -> Facts:
    return {name: getattr(element, name) for name in SignatureElement.__struct_fields__}


def shader_lines(shader: Facts | None) -> Iterator[str]:
    """Yield the text about a shader; nothing if the file is not a shader."""
    if shader is None:
        return

    def parameter(_: int, each: Facts) -> tuple[str, ...]:
        """Make the table cells for a parameter."""
        return each["name"], each["register"], _extent(each["start"], each["size"], each["buffer"])

    def unit(_: int, each: Facts) -> tuple[str, ...]:
        """Make the table cells for a texture unit."""
        return each["name"], each["register"]

    yield from section("parameters", ("name", "register", "extent"), shader["parameters"], parameter)
    yield from section("texture units", ("name", "sampler"), shader["units"], unit)
    for program in shader["programs"]:
        yield from _program_lines(program)
    if shader["element_hash"] is not None and shader["expected_element_hash"] is not None:
        agrees = shader["element_hash"] == shader["expected_element_hash"]
        verdict = "matches" if agrees else "does not match"
        yield f"element hash {shader['element_hash']:08X} {verdict} the inputs"
    for each in shader["defines"]:
        yield f"define {each['text']!r}: {_verdict(each)}"


def _extent(start: int, size: int, buffer: int | None) -> str:
    if buffer is None:
        return f"{size} register{'' if size == 1 else 's'}"
    return f"{size} bytes at {start} of buffer {buffer}"


def _verdict(define: Facts) -> str:
    if define["fits"]:
        spelt = next(each["text"] for each in define["tried"] if each["how"] == define["fits"])
        return f"fits the file's name, {define['fits']}: {spelt!r}"
    return "does not fit the file's name: " + ", ".join(
        f"{each['how']} {each['hash']}" for each in define["tried"]
    )


def _program_lines(program: Facts) -> Iterator[str]:
    name = f"program {program['name']} " if program["name"] else "program "
    counts = ", ".join(f"{count} {kind}" for kind, count in program["kinds"].items())
    yield f"{name}{program['profile']}: {program['instructions']} instructions ({counts})"
    yield f"  opcodes: {_counted(program['opcodes'])}"
    used = (f"{file} {ranges(each)}" for file, each in program["registers"].items())
    yield f"  registers: {', '.join(used)}"
    for way in ("inputs", "outputs"):
        if program[way]:
            yield f"  {way}: {', '.join(map(_signature, program[way]))}"
    if program["checksum"] is not None:
        yield f"  checksum {'right' if program['checksum'] else 'wrong'}"


def _counted(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in counts.items())


def _signature(element: Facts) -> str:
    number = str(element["index"]) if element["index"] else ""
    return f"{element['semantic']}{number}.{element['components']}"


def script_lines(script: Facts | None) -> Iterator[str]:
    """Yield the text about a script; nothing if the file is not a script."""
    if script is None:
        return
    stripped = {True: "left out", False: "there", None: "unknown"}[script["stripped"]]
    yield f"debug information {stripped}"
    if script["enums"] is not None:
        yield f"enums {script['enums']}"

    def kind(_: int, each: Facts) -> tuple[str, ...]:
        """Make the table cells for a class."""
        return each["name"], each["namespace"], f"0x{each['flags']:X}"

    def found(_: int, each: Facts) -> tuple[str, ...]:
        """Make the table cells for a text."""
        return f"0x{each['offset']:X}", repr(each["text"])

    yield from section("classes", ("name", "namespace", "flags"), script["classes"] or (), kind)
    texts = script["texts"]
    title = f"probable texts, {len(texts)}: the first"
    yield from section(title, ("offset", "text"), texts[:SHOWN], found)
    yield f"{script['opaque_bytes']:,} bytes are internal data of AngelScript"
