"""Two contexts of reading in one process do not mix, whatever is kept."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.families.wow.mpq.test_client import client
from tests.ogre_files import NEWEST, geometry_of, mesh_bytes, submesh
from tests.packages import MATERIAL, png, write_package
from tests.project_tree import make_tree
from tests.synthetic import model_bytes
from viewer.errors import FormatError
from viewer.families.ogre.materials import material_choice
from viewer.families.ogre.mesh_layout import SUBMESH
from viewer.families.wow.mpq.writer import mpq_bytes
from viewer.library.thumbnails.thumbnail import ThumbnailTask
from viewer.scene.reading_context import DEFAULT, ReadingContext, name_key, reading_context
from viewer.storage import tested
from viewer.storage.documents import open_document
from viewer.storage.image import read_small_image
from viewer.storage.package_path import open_package, read_path
from viewer.storage.project import projects_of
from viewer.storage.resource_folders import forget_resources
from viewer.storage.search import FoundResource, SearchPath, lone


@pytest.fixture(autouse=True)
def nothing_kept() -> Iterator[None]:
    yield
    forget_resources()


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """A model whose texture is in two other folders, `red` and `blue`."""
    path = tmp_path / "models/Box.mdl"
    make_tree(path.parent)
    path.write_bytes(model_bytes())
    path.with_suffix(".txt").write_text("Box.xml\n")
    path.with_suffix(".xml").write_text(MATERIAL)
    for name, color in (("red", (200, 0, 0)), ("blue", (0, 0, 200))):
        (tmp_path / name / "Textures").mkdir(parents=True)
        (tmp_path / name / "Textures/P.png").write_bytes(png(color))
    return path


def texture(model: Path, context: ReadingContext) -> str | None:
    """The path of the only texture."""
    document = open_document(model, context)
    assert document.model is not None and document.context == context
    (found,) = document.model.textures
    return found.path


def test_resource_folders_are_those_of_the_opening(model: Path, tmp_path: Path) -> None:
    red, blue = (reading_context(resources=[str(tmp_path / name)]) for name in ("red", "blue"))
    both = reading_context(resources=[str(tmp_path / name) for name in ("blue", "red")])
    wanted = {name: str(tmp_path / name / "Textures/P.png") if name else None for name in ("red", "", "blue")}
    for _ in range(2):
        assert texture(model, red) == wanted["red"]
        assert texture(model, DEFAULT) is None
        assert texture(model, blue) == texture(model, both) == wanted["blue"]


def test_threads_read_each_with_its_own_folders(model: Path, tmp_path: Path) -> None:
    contexts = [reading_context(resources=[str(tmp_path / name)]) for name in ("red", "blue")] + [DEFAULT]
    with ThreadPoolExecutor(3) as threads:
        found = list(threads.map(lambda number: texture(model, contexts[number % 3]), range(60)))
    names = [path and Path(path).parts[-3] for path in found]
    assert names == ["red", "blue", None] * 20


def test_a_chosen_file_and_a_limit_are_those_of_the_opening(model: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine.png"
    mine.write_bytes(png())
    chosen = ReadingContext(chosen=((name_key("Textures\\P.PNG"), str(mine)),))
    assert (texture(model, chosen), texture(model, DEFAULT)) == (str(mine), None)
    with pytest.raises(FormatError, match="more than the limit of 10"):
        open_document(model, replace(chosen, max_size=10))
    assert texture(model, chosen) == str(mine)


def test_the_search_is_that_of_the_opening(tmp_path: Path) -> None:
    make_tree(tmp_path, "m/Cat.mesh", "t/skin.png", "m/fur.png")

    def found(name: str, context: ReadingContext) -> bool:
        return isinstance(SearchPath.around(tmp_path / "m/Cat.mesh", context).find(name), FoundResource)

    near, none = reading_context(search="near"), reading_context(search="none")
    for _ in range(2):
        assert [found("skin.png", each) for each in (DEFAULT, near, none)] == [True, False, False]
        assert [found("x/fur.png", each) for each in (DEFAULT, near, none)] == [True, True, False]


@pytest.mark.parametrize("marker", [".git", ""])
def test_folders_that_are_left_out_are_listed_for_others(tmp_path: Path, marker: str) -> None:
    make_tree(tmp_path, "m/Cat.mesh", "out/skin.png", marker=marker)
    without = reading_context(left_out=[str(tmp_path / "out")])
    for context, names in ((without, ["m/Cat.mesh"]), (DEFAULT, ["m/Cat.mesh", "out/skin.png"])) * 2:
        index = next(projects_of(tmp_path / "m/Cat.mesh", context))
        assert sorted(index.names) == names


@pytest.mark.usefixtures("wow")
def test_the_client_and_the_order_of_archives_are_those_of_the_opening(tmp_path: Path) -> None:
    files = {name: [("a.txt", name.encode())] for name in ("common", "patch", "patch-2")}
    game = client(tmp_path / "WoW", files)  # type: ignore[arg-type]
    (tmp_path / "order.txt").write_text("patch.MPQ\ncommon.MPQ\n")
    other = reading_context(archive_order=str(tmp_path / "order.txt"))
    for _ in range(2):
        assert read_path(f"{game}::a.txt", DEFAULT)[1] == b"patch-2"
        assert read_path(f"{game}::a.txt", other)[1] == b"common"
    clients = [open_document(game, reading_context(client=name)).format for name in ("1.12", "3.3.5", "1.12")]
    assert "1.12" in clients[0] == clients[2] != clients[1]


@pytest.mark.usefixtures("wow")
def test_pictures_of_a_game_are_those_of_the_order_of_its_archives(tmp_path: Path) -> None:
    colors = {"common": (200, 0, 0), "patch": (0, 0, 200)}
    files = {name: [("a.png", png(color))] for name, color in colors.items()}
    game = client(tmp_path / "WoW", files)  # type: ignore[arg-type]
    for path in (*(game / "Data").iterdir(), game / "Data", game):
        os.utime(path, (1_600_000_000, 1_600_000_000))
    (tmp_path / "order.txt").write_text("patch.MPQ\ncommon.MPQ\n")
    other = reading_context(archive_order=str(tmp_path / "order.txt"))
    for context, name in ((DEFAULT, "patch"), (other, "common")) * 2:
        image = read_small_image(lone(f"{game}::a.png", context), 8)
        assert tuple(image.levels[0][0, 0, :3]) == colors[name]


@pytest.mark.usefixtures("wow")
def test_a_game_is_opened_with_its_context(tmp_path: Path) -> None:
    game = client(tmp_path / "WoW", {"common": [("a.txt", b"x")]})
    assert open_document(game, reading_context(client="1.12")).context.client == "1.12"


def test_outputs_that_are_left_out_cost_no_second_search(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A batch writes into the project of its models, which is not searched again for each model."""
    monkeypatch.setattr(tested, "PAUSE", 0.0)
    make_tree(tmp_path, "m/Cat.mesh", "t/a.png", "far/away/out/first.png")
    own = submesh(geometry_of(NEWEST), material="gone")
    (tmp_path / "m/Cat.mesh").write_bytes(mesh_bytes(NEWEST, (SUBMESH, own)))
    for path in (*tmp_path.rglob("*"), tmp_path):
        os.utime(path, (1_600_000_000, 1_600_000_000))
    context = reading_context(left_out=[str(tmp_path / "far/away/out")])
    open_document(tmp_path / "m/Cat.mesh", context)
    (tmp_path / "far/away/out/second.png").write_bytes(b"")
    monkeypatch.setattr(material_choice, "resolve_materials", lambda *given: pytest.fail("searched again"))
    open_document(tmp_path / "m/Cat.mesh", context)


@pytest.mark.usefixtures("wow")
def test_lists_of_names_are_those_of_the_opening(tmp_path: Path) -> None:
    (tmp_path / "x.mpq").write_bytes(mpq_bytes([("A\\b.txt", b"text")], listed=False))
    (tmp_path / "names.txt").write_text("a\\B.txt\n")
    named = reading_context(listfile=[str(tmp_path / "names.txt")])
    for context, is_named in ((DEFAULT, False), (named, True)) * 2:
        package = open_package(str(tmp_path / "x.mpq"), context)
        assert package is not None
        assert ("a/B.txt" in package.names(deep=True)) == is_named


def test_an_archive_is_opened_once_for_contexts_that_read_it_alike(tmp_path: Path) -> None:
    package = str(write_package(tmp_path))
    os.utime(package, (1_600_000_000, 1_600_000_000))
    alike = reading_context(resources=[str(tmp_path)], search="none", left_out=[str(tmp_path / "out")])
    assert open_package(package, DEFAULT) is open_package(package, alike)
    assert open_package(package, DEFAULT) is not open_package(package, reading_context(max_size=1 << 20))


def test_thumbnails_are_drawn_with_the_folders_of_their_task(model: Path, tmp_path: Path) -> None:
    tasks = [
        ThumbnailTask((48, 48), context=reading_context(resources=[str(tmp_path / name)]))
        for name in ("red", "blue")
    ]
    first, second, again = (task(str(model)) for task in (*tasks, tasks[0]))
    assert first.png == again.png != second.png
    assert first.facts.missing == second.facts.missing == ()
    assert ThumbnailTask((48, 48))(str(model)).facts.missing
