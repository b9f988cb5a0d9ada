"""Files are read, decoded and measured."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.named_models import alone, emitter, put, shard
from tests.synthetic import write_pair
from viewer.app.open_files.loading import LoadResult, Opener, load
from viewer.app.tasks import Task
from viewer.errors import FormatError
from viewer.scene.document import Document
from viewer.storage.documents import open_document
from viewer.view import lengths


def loaded(path: object, opener: Opener = open_document) -> LoadResult:
    return load(str(path), opener, None, Task("file", None, None, None))


def test_a_file_becomes_a_document(tmp_path: Path) -> None:
    path = write_pair(tmp_path)
    result = loaded(path)
    assert (result.path, result.error) == (str(path), "")
    assert result.document is not None and result.document.model is not None and result.extent is not None


def test_a_model_is_measured_before_a_panel_shows_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    document = loaded(write_pair(tmp_path)).document
    assert document is not None and document.model is not None
    monkeypatch.delattr(lengths, "true_bounds")
    assert lengths.dimensions(document.model) is not None


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (FormatError("no magic", "model", 4, "x.mdl"), "x.mdl: no magic (model at 0x4)"),
        (OSError(5, "Input/output error"), "x.mdl: Input/output error"),
        (MemoryError(), "x.mdl: there is not enough memory to read it"),
        (KeyError("odd"), "x.mdl: KeyError: 'odd'"),
    ],
)
def test_what_goes_wrong_is_said(error: Exception, said: str, capsys: Any) -> None:
    def opener(path: str) -> Document:
        raise error

    result = loaded("x.mdl", opener)
    assert (result.document, result.error) == (None, said)


@pytest.mark.parametrize(
    ("files", "sound"), [({"Shard": shard()}, True), ({"Shard": b"MD20"}, False), ({}, True)]
)
def test_a_model_is_as_sound_as_those_that_it_names(
    tmp_path: Path, files: dict[str, bytes], sound: bool
) -> None:
    path = put(tmp_path, alone=alone(emitter(geometry_model="Shard.mdx")), **files)
    assert LoadResult(str(path), open_document(path)).sound is sound
