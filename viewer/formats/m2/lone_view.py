"""A `.skin` file that is opened by itself."""

from __future__ import annotations

from pathlib import PurePath

from viewer.budget import BUDGET
from viewer.errors import MISSING_PART, FormatError, Topic
from viewer.formats.m2.load import read_model
from viewer.formats.m2.record import VersionTraits
from viewer.formats.m2.views import read_skin
from viewer.scene.document import Document
from viewer.scene.names import path_key
from viewer.storage.package_path import folder_of


def load_skin(path: PurePath, data: bytes) -> Document:
    """The document of a lone view: it has no vertices, so it has only a tree. A warning names the model
    beside it that uses the view.
    """
    document = read_skin(str(path), data, VersionTraits(264, True, True))[0]
    model = model_of(path)
    uses = "and no model beside it uses it" if model is None else f"open {model}, which uses it"
    topic = Topic.PART if model else Topic.UNUSED
    document.report.warn(f"a view has no vertices of its own: {uses}", MISSING_PART, topic=topic)
    return document


def model_of(path: PurePath) -> str | None:
    """The name of the model beside a view that reads this view."""
    folder = folder_of(path)
    model = folder.find(f"{path.stem[:-2]}.m2") if path.stem[-2:].isdecimal() else None
    if model is None:
        return None
    try:
        document = read_model(path.with_name(model), folder.read(model, BUDGET.model_bytes), named=True)[0]
    except FormatError:
        return None
    keys = {path_key(each.path) for each in document.attached}
    return model if path_key(str(path)) in keys else None
