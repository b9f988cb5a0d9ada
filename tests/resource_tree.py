"""A resource root with one model in it, for tests of what a model is painted with."""

from __future__ import annotations

from pathlib import Path

from viewer.errors import Report
from viewer.families.urho3d.materials import resolve_materials
from viewer.scene.material import Material, MaterialSet
from viewer.scene.reading_context import DEFAULT
from viewer.storage.resource_folders import forget_resources
from viewer.storage.search import SearchPath


class Tree:
    """A resource root with a model in it."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "Data"
        self.model = self.root / "Models/Sub/Hero.mdl"
        self.report = Report()
        self.put("Models/Sub/Hero.mdl", "")

    def put(self, name: str, text: str) -> None:
        self.put_bytes(name, text.encode())

    def put_bytes(self, name: str, data: bytes) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        forget_resources()  # so that no second need pass before the file is seen

    def resolve(self, count: int = 1) -> MaterialSet:
        return resolve_materials(self.model, count, SearchPath.around(self.model, DEFAULT), self.report)

    def names(self, count: int = 1) -> list[str | None]:
        painting = self.resolve(count)
        return [painting.materials[n].name if n is not None else None for n in painting.per_geometry]

    def material(self, text: str) -> Material:
        self.put("Materials/Hero.xml", text)
        return self.resolve().materials[0]
