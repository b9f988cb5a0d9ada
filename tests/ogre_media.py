"""Resource folders of an OGRE program with a mesh in them, for tests of what it is painted with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from viewer.errors import Report
from viewer.families.ogre.materials.resources import Resources
from viewer.families.ogre.materials.scripted import resolve_materials
from viewer.scene.material import Material, MaterialSet
from viewer.scene.reading_context import DEFAULT
from viewer.storage.image import save_png

SIMPLE = "material {name} {{ technique {{ pass {{ texture_unit {{\ntexture {file}\n}} }} }} }}\n"


class Media:
    """Folders with a mesh at `models/Hero.mesh`, which is read in the `context`."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "program" / "media"
        self.mesh = self.root / "models/Hero.mesh"
        self.report = Report()
        self.context = DEFAULT

    def put(self, name: str, text: str | bytes) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def picture(self, name: str) -> None:
        save_png(self.put(name, b""), np.zeros((2, 2, 4), np.uint8))

    def resolve(self, *names: str, aliases: Sequence[Mapping[str, str]] = ()) -> MaterialSet:
        resources = Resources(self.mesh, self.context, self.report)
        return resolve_materials(self.mesh, names, resources, self.report, aliases)

    def material_set(self, text: str, name: str = "M") -> MaterialSet:
        self.put("models/any.material", text)
        return self.resolve(name)

    def material(self, text: str, name: str = "M") -> Material:
        return self.material_set(text, name).materials[0]
