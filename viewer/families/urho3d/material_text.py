"""Parse the XML or JSON file of a material, without looking up the names in it."""

from __future__ import annotations

import math
from typing import Any

from msgspec import Struct

from viewer.errors import FormatError
from viewer.storage.markup import MarkupElement, is_json, json_text, json_texts, parse_json, parse_xml

RENDER_ORDER = 128

UNITS = {
    "diff": "diffuse",
    "albedo": "diffuse",
    "norm": "normal",
    "spec": "specular",
    "env": "environment",
    "emission": "emissive",
    "reflection": "environment",
    "0": "diffuse",
    "1": "normal",
    "2": "specular",
    "3": "emissive",
    "4": "environment",
    "": "diffuse",
}
"""Texture units by their other names: short forms, rbfx slots, numbers. A texture without a unit is the
diffuse texture.
"""


class MaterialText(Struct, frozen=True):
    """The content of a material file: the name of the best `technique`, `textures` by unit, `parameters` by
    name, the `defines` of both shader stages, and the `pixel_defines` in file order.
    """

    file: str
    technique: str
    textures: dict[str, str]
    parameters: dict[str, str]
    defines: frozenset[str]
    pixel_defines: tuple[str, ...]
    cull: str
    fill: str
    render_order: int


def parse_material(data: bytes, file: str) -> MaterialText:
    """Parse a material in XML or JSON. FormatError if the data are neither, or not a material."""
    root = _from_json(parse_json(data, file)) if is_json(data) else parse_xml(data, file)
    if root.tag != "material":
        raise FormatError(f"the root element is <{root.tag}>, not <material>", root.tag, file=file)
    defines = [shader.get(key) for shader in root.all("shader") for key in ("vsdefines", "psdefines")]
    return MaterialText(
        file=file,
        technique=_best_technique(root),
        textures={_unit(t): t.get("name") for t in root.all("texture") if t.get("name").strip()},
        parameters={p.get("name"): p.get("value") for p in root.all("parameter") if p.get("name")},
        defines=frozenset(" ".join(defines).split()),
        pixel_defines=tuple(" ".join(shader.get("psdefines") for shader in root.all("shader")).split()),
        cull=_value(root, "cull"),
        fill=_value(root, "fill"),
        render_order=int(max(0, min(255, _number(_value(root, "renderorder"), RENDER_ORDER)))),
    )


def _best_technique(root: MarkupElement) -> str:
    """The name of the technique for the closest view. Of several such techniques, the one with the highest
    quality is chosen. If their quality is equal, the first technique in the file is chosen.
    """
    ranked = sorted(
        (_number(element.get("loddistance")), -_number(element.get("quality")), number, element.get("name"))
        for number, element in enumerate(root.all("technique"))
    )
    return ranked[0][3] if ranked else ""


def _unit(texture: MarkupElement) -> str:
    name = (texture.get("unit") or texture.get("slot")).strip().lower()
    return UNITS.get(name, name)


def _value(root: MarkupElement, tag: str) -> str:
    element = root.first(tag)
    return element.get("value").strip().lower() if element else ""


def _number(text: str, default: float = 0.0) -> float:
    numbers = floats(text, (default,))
    return numbers[0] if numbers else default


def _from_json(value: Any) -> MarkupElement:
    """Convert a JSON material to the elements of an XML material."""
    root = MarkupElement("material")
    if not isinstance(value, dict):
        return root
    techniques = value.get("techniques")
    for technique in techniques if isinstance(techniques, list) else ():
        root.children.append(MarkupElement("technique", json_texts(technique)))
    for unit, name in json_texts(value.get("textures")).items():
        root.children.append(MarkupElement("texture", {"unit": unit, "name": name}))
    parameters = value.get("shaderParameters")
    for name, given in parameters.items() if isinstance(parameters, dict) else ():
        text = json_text(given.get("value") if isinstance(given, dict) else given)
        root.children.append(MarkupElement("parameter", {"name": json_text(name), "value": text}))
    for tag in ("cull", "fill", "renderorder"):
        root.children.append(MarkupElement(tag, {"value": json_text(value.get(tag))}))
    root.children.append(MarkupElement("shader", json_texts(value.get("shader"))))
    return root


def floats(text: str, default: tuple[float, ...]) -> tuple[float, ...] | None:
    """Return as many numbers of a text as `default` has. Missing numbers are taken from `default`. None if a
    word is not a finite number.
    """
    try:
        numbers = tuple(float(word) for word in text.split(None, len(default))[: len(default)])
    except ValueError:
        return None
    if not all(math.isfinite(number) for number in numbers):
        return None
    return numbers + default[len(numbers) :]
