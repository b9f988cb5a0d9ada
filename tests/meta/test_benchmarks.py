"""The benchmarks run outside the tests, so that a name that is gone would not be noticed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import tests.wow  # noqa: F401
from tests.benchmarks import __main__ as bench
from tests.benchmarks import projects
from tests.benchmarks.__main__ import GROUPS
from tests.benchmarks.made import file_tree
from tests.benchmarks.measure import ROOT, Row, budget
from viewer.family.registry import suffixes
from viewer.storage.documents import open_document


def test_every_benchmark_can_be_imported() -> None:
    assert {"parse", "check", "race"} <= GROUPS.keys()


def test_the_group_of_the_gpu_runs_only_if_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[str] = []
    monkeypatch.setattr(bench, "GROUPS", {name: lambda name=name: ran.append(name) or () for name in GROUPS})
    bench.table([])
    assert ran == [name for name in GROUPS if name != "gpu"]
    ran.clear()
    bench.table(["gpu", "parse"])
    assert ran == ["parse", "gpu"]


def test_the_row_of_projects_reads_as_the_window_does() -> None:
    read = projects.read(ROOT / "assets/ogre/models/Linglong.mesh")
    assert read.document is not None and read.document.model is not None


def test_a_row_shows_the_limit_that_was_reached_and_the_aim() -> None:
    row = Row("frame", 2.0, 1.0, 2.4, "OGRE", aim=1.2)
    assert row.kept and bench.line(row).endswith("2.00 < 2.4    ok    OGRE; the aim is 1.2")
    assert bench.line(Row("frame", 2.0, 1.0, 1.2, "OGRE")).endswith("2.00 < 1.2    OVER  OGRE")


def test_a_row_with_a_budget_is_kept_below_its_seconds() -> None:
    assert budget("open", 0.9e-3, 1e-3).kept and not budget("open", 1.1e-3, 1e-3).kept
    assert bench.line(budget("open", 0.5e-3, 1e-3)).endswith("0.50 < 1      ok    1 ms")


def test_the_tree_of_files_has_as_many_that_open_and_no_two_variants_alike() -> None:
    with file_tree(30) as folder:
        models = [path for path in folder.rglob("*_00*.m*") if path.suffix != ".material"]
        assert sum(path.suffix in suffixes() for path in folder.rglob("*")) == 30
        assert models and len({path.read_bytes() for path in models}) == len(models)
        assert not any(open_document(path).report.errors for path in models)


def test_benchmarks_keep_the_ratings_of_the_person_who_runs_them(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from viewer.library.index.ratings import data_folder

    own, seen = data_folder(), []

    def rows() -> Iterator[Row]:
        """A row that is kept."""
        seen.append(data_folder())
        yield Row("nothing", 1.0, 2.0, 1.0, "twice as much")

    for name in ("RIGSCOPE_DATA", "RIGSCOPE_SETTINGS"):
        monkeypatch.setenv(name, str(own))
    monkeypatch.setattr(bench, "GROUPS", {"one": rows})
    assert bench.main([]) == 0 and "nothing" in capsys.readouterr().out
    assert seen != [own]
