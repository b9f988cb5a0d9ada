"""The index of listed files in the background: each context of reading has its own."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest

from tests.packages import MATERIAL, png
from tests.synthetic import model_bytes
from viewer.app.tasks import Tasks
from viewer.app.wall import file_index
from viewer.app.wall.file_index import FileIndex
from viewer.app.wall.file_library import scan
from viewer.library.workers.batches import LocalRunner, SameProcess
from viewer.scene.reading_context import DEFAULT, ReadingContext, reading_context
from viewer.session.file_table import FileTable

MISSING = "missing:texture"


class InThisProcess(LocalRunner, frozen=True):
    """Reads files when `go` is set, without worker processes."""

    def run(self, task: Any, calls: Any) -> Any:
        assert GO.wait(60)
        return SameProcess().run(task, calls)


GO = threading.Event()


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FileTable:
    """A listed model whose texture is in the folder `given`."""
    monkeypatch.setenv("RIGSCOPE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(file_index, "LocalRunner", InThisProcess)
    GO.set()
    model = tmp_path / "models/Box.mdl"
    (model.parent / ".git").mkdir(parents=True)
    model.write_bytes(model_bytes())
    model.with_suffix(".txt").write_text("Box.xml\n")
    model.with_suffix(".xml").write_text(MATERIAL)
    (tmp_path / "given/Textures").mkdir(parents=True)
    (tmp_path / "given/Textures/P.png").write_bytes(png())
    return scan(str(model.parent), DEFAULT).table


@pytest.fixture
def given(tmp_path: Path) -> ReadingContext:
    return reading_context(resources=[str(tmp_path / "given")])


def end(tasks: Tasks) -> None:
    while tasks.busy:
        tasks.wait(60)
        tasks.step()


def found(index: FileIndex, query: str, table: FileTable) -> list[int] | None:
    rows = index.find(query, table).rows
    return None if rows is None else rows.tolist()


def test_another_context_reads_the_files_again(table: FileTable, given: ReadingContext) -> None:
    tasks = Tasks()
    index = FileIndex(1, tasks)
    index.update(table)
    end(tasks)
    assert (found(index, MISSING, table), found(index, "kind:model", table)) == ([0], [0])
    GO.clear()
    index.use(given)
    assert not index.lists(table), "the facts of the other context are dropped"
    GO.set()
    for context, rows in ((given, []), (DEFAULT, [0]), (given, [])):
        index.use(context)
        end(tasks)
        assert index.lists(table) and index.news() is not None
        assert (found(index, MISSING, table), found(index, "kind:model", table)) == (rows, [0])


def test_a_context_that_changes_while_files_are_read_begins_anew(
    table: FileTable, given: ReadingContext
) -> None:
    tasks = Tasks()
    index = FileIndex(1, tasks)
    GO.clear()
    index.update(table)
    index.use(given)
    GO.set()
    end(tasks)
    assert (found(index, MISSING, table), found(index, "kind:model", table)) == ([], [0])


def test_an_equal_context_reads_nothing_again(table: FileTable) -> None:
    tasks = Tasks()
    index = FileIndex(1, tasks)
    index.update(table)
    end(tasks)
    index.use(reading_context())
    assert index.lists(table) and not tasks.busy


def test_words_are_also_counted_inside_files(table: FileTable) -> None:
    """The model has the texture P.png; its name has no `png`."""
    tasks = Tasks()
    index = FileIndex(1, tasks)
    index.update(table)
    end(tasks)
    result = index.find("png", table)
    assert result.rows is not None and not len(result.rows) and result.more == 1
    assert found(index, result.wider, table) == [0]
    assert index.find("box", table).more == 0
    assert not index.find("texture:png", table).wider


def test_files_with_the_same_bytes_are_known(table: FileTable) -> None:
    root = Path(table.root)
    (root / "Copy.mdl").write_bytes((root / "Box.mdl").read_bytes())
    tasks, both = Tasks(), scan(table.root, DEFAULT).table
    index = FileIndex(1, tasks)
    index.update(both)
    end(tasks)
    news = index.news()
    assert news is not None and [*news.facts.copies] == [[0, 1]]
