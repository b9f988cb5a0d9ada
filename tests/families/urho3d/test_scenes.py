"""Materials from prefabs and scenes of a project: which files are parsed, and which materials win."""

from __future__ import annotations

import codecs
import json
import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.families.urho3d.test_assignment import BLUE, PREFAB, RBFX, RED, rbfx_json
from tests.families.urho3d.test_projects import Project, project  # noqa: F401  # a fixture
from viewer.budget import BUDGET
from viewer.families.urho3d import prefab
from viewer.families.urho3d.prefab import _read_uses
from viewer.families.urho3d.scene_words import SCENES, _kept_word, word_of, words_in
from viewer.storage.contents import ANY, SECTION
from viewer.storage.documents import open_document
from viewer.storage.markup import TEXT_LIMIT, read_xml
from viewer.storage.resource_folders import forget_resources
from viewer.storage.search import FoundResource
from viewer.storage.source import FolderSource

HERO = "Assets/Models/Hero.mdl"
COMPONENT = """<component type="StaticModel"><attribute name="Model" value="Model;{model}" />
<attribute name="Material" value="Material;{materials}" /></component>"""


def scene(*materials: str, model: str = "Models/Hero.mdl") -> str:
    """A scene with a component for each material."""
    components = (COMPONENT.format(model=model, materials=each) for each in materials)
    return f'<scene id="1"><node id="2">{"".join(components)}</node></scene>'


def json_scene(*materials: str, model: str = "Models/Hero.mdl") -> str:
    attributes = [{"Model": f"Model;{model}", "Material": f"Material;{each}"} for each in materials]
    components = [{"type": "StaticModel", "id": 3, "attributes": each} for each in attributes]
    return json.dumps({"id": 1, "nodes": [{"id": 2, "components": components}]})


@pytest.fixture
def painted(project: Project) -> Project:  # noqa: F811
    """A project with a few materials, in the model's resource root."""
    for number, name in enumerate("ABCDE"):
        project.put(f"Assets/Materials/{name}.xml", BLUE if number else RED)
    return project


def names(project: Project) -> list[str]:  # noqa: F811
    return [each.name.removeprefix("Materials/").removesuffix(".xml") for each in project.resolve().materials]


@pytest.mark.parametrize(
    ("place", "text"),
    [
        ("Assets/Map/Map.json", json_scene("Materials/A.xml")),
        ("Assets/Mods/GameMode/Checkpoint.xml", scene("Materials/A.xml")),
        ("Assets/scenes/example.XML", scene("materials/a.xml", model="models/hero.MDL")),
        ("levels/first.Json", rbfx_json("StaticModel", "Models/Hero.mdl", "Materials/A.xml")),
        ("Other/Data/A.scene", scene("Materials/A.xml", model="Models\\Hero.mdl")),
    ],
)
def test_any_file_of_the_project_gives_materials(painted: Project, place: str, text: str) -> None:
    painted.put(place, text)
    (material,) = painted.resolve().materials
    assert (material.found, material.by) == (str(painted.folder / "Assets/Materials/A.xml"), "near")
    assert material.how == ("case" if "models/hero" in text else "scene")
    assert painted.report.messages == [] or material.how == "case"


@pytest.mark.parametrize("place", ["Assets/Scenes/{}.xml", "Levels/{}.xml"])
def test_the_most_used_material_wins(painted: Project, place: str) -> None:
    painted.put(place.format("1"), scene("Materials/A.xml", "Materials/B.xml"))
    painted.put(place.format("2"), scene("Materials/B.xml", "Materials/B.xml;"))
    assert names(painted) == ["B"]
    assert [(each.name, each.uses) for each in painted.resolve().candidates] == [("B.xml", 3), ("A.xml", 1)]


def test_a_prefab_beside_the_model_comes_before_all_uses_in_scenes(painted: Project) -> None:
    painted.put("Assets/Scenes/1.xml", scene(*["Materials/A.xml"] * 9))
    painted.put("Assets/Models/Any.prefab", scene("Materials/B.xml"))
    assert names(painted) == ["B"]


@pytest.mark.parametrize(
    ("used", "drawn"),
    [("ABC", ["A"]), ("ABCD", []), ("AABCD", []), ("AAABCD", ["A"]), ("AAABCDE", []), ("AAAABCDE", ["A"])],
)
def test_of_many_materials_one_needs_half_of_the_uses(painted: Project, used: str, drawn: list[str]) -> None:
    painted.put("Assets/Scenes/1.xml", scene(*(f"Materials/{each}.xml" for each in used)))
    assert names(painted) == drawn
    assert [each.name[0] for each in painted.resolve().candidates] == sorted(set(used))
    assert bool(drawn) == (not painted.report.warnings)


def test_a_model_without_a_usual_material_has_that_of_its_name(painted: Project) -> None:
    painted.put("Assets/Scenes/1.xml", scene(*(f"Materials/{each}.xml" for each in "ABCD")))
    painted.put("Assets/Materials/Hero.xml", RED)
    assert names(painted) == ["Hero"]


def test_only_files_that_name_the_model_are_parsed(painted: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    parsed = []
    monkeypatch.setattr(
        prefab, "read_xml", lambda data, file, start: [parsed.append(file), read_xml(data, file, start)]
    )
    for number in range(5):
        painted.put(f"Levels/{number}.xml", scene("Materials/A.xml", model=f"Models/{number}.mdl"))
        painted.put(f"Assets/Scenes/{number}.xml", scene("Materials/A.xml", model=f"Models/{number}.mdl"))
    painted.put("Levels/Named.xml", scene("Materials/B.xml"))
    for _ in range(3):
        assert names(painted) == ["B"]
        assert parsed == [str(painted.folder / "Levels/Named.xml")]


@pytest.mark.parametrize("place", ["Levels/1.xml", "Assets/Scenes/1.xml", "Assets/Models/1.xml"])
def test_a_changed_or_removed_scene_counts_at_once(painted: Project, place: str) -> None:
    painted.put(place, scene("Materials/A.xml"))
    assert names(painted) == ["A"]
    (painted.folder / place).write_text(scene("Materials/B.xml", "Materials/B.xml"))
    assert names(painted) == ["B"]
    (painted.folder / place).unlink()
    assert names(painted) == []


def test_a_new_scene_beside_the_model_counts_at_once(painted: Project) -> None:
    assert names(painted) == []
    (painted.folder / "Assets/Models/New.xml").write_text(scene("Materials/A.xml"))
    assert names(painted) == ["A"]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"<scene><node>\xff\xfe Model; </node>", 0),
        (b'<scene a="Model;Models/Hero.mdl">\xff</scene>', 1),
        (b'{"a": "Model;Models/Hero.mdl", "b": ' + b"[" * 100_000, 1),
        (b'{"settings": ' + b"[" * 100_000, 0),
        (b'<scene a="Model;Models/Hero.mdl">' + b"<n>" * 200_000, 1),
        (b" " * (TEXT_LIMIT + 1), 0),
        (b'{"a": "Model;Models/Hero.mdl"' + b" " * TEXT_LIMIT, 1),
        (b"\xff\xfe" + scene("Materials/A.xml").encode("utf-16-le")[:-9], 0),
        (b"\0" * 100, 0),
    ],
)
def test_a_broken_file_costs_a_note_if_it_names_the_model(painted: Project, data: bytes, said: int) -> None:
    painted.put("Levels/Broken.json", data)
    assert names(painted) == []
    notes = [each for each in painted.report.notes if "Broken.json" in each]
    assert (len(notes), painted.report.complete) == (said, True)
    painted.put("Levels/Good.xml", scene("Materials/A.xml"))
    assert names(painted) == ["A"]
    assert painted.report.messages == [], "no other file is parsed"


def test_a_file_of_a_hundred_megabytes_is_not_read(painted: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    painted.put("Levels/Good.xml", scene("Materials/A.xml"))
    with (painted.folder / "Levels/Huge.json").open("wb") as file:
        file.write(b'{"a": "Model;Models/Hero.mdl", ')
        file.truncate(100 << 20)
    forget_resources()
    assert names(painted) == ["A"]
    assert painted.report.messages == []


def test_a_large_scene_is_used(painted: Project) -> None:
    text = scene(*["Materials/A.xml"] * 30_000)
    assert len(text) > TEXT_LIMIT
    painted.put("Levels/Large.xml", text)
    assert names(painted) == ["A"]
    assert painted.report.messages == []


@pytest.mark.skipif(os.name == "nt", reason="links need rights")
def test_links_that_go_round_end(painted: Project) -> None:
    painted.put("Levels/Good.xml", scene("Materials/A.xml"))
    (painted.folder / "Levels/again").symlink_to(painted.folder)
    (painted.folder / "Levels/self.xml").symlink_to("self.xml")
    forget_resources()
    assert names(painted) == ["A"]
    assert painted.report.messages == []


@pytest.mark.parametrize("text", [scene, json_scene])
def test_a_sky_and_a_collision_shape_are_no_use(painted: Project, text: Callable[..., str]) -> None:
    sky = text("Materials/A.xml").replace("StaticModel", "Skybox")
    shape = text("Materials/A.xml").replace("StaticModel", "CollisionShape")
    for number, other in enumerate((sky, sky, shape, shape)):
        painted.put(f"Levels/{number}.xml", other)
    assert names(painted) == []
    painted.put("Levels/Good.xml", text("Materials/B.xml"))
    assert names(painted) == ["B"]


def test_a_component_may_name_its_materials_first(painted: Project) -> None:
    painted.put(
        "Levels/1.xml",
        """<scene><component type="StaticModel"><attribute name="Material" value="Material;Materials/A.xml"/>
        <attribute name="Model" value="Model;Models/Hero.mdl"/></component></scene>""",
    )
    assert names(painted) == ["A"]


@pytest.mark.parametrize(
    "part",
    [
        *(b"Model;", b'"Model;', b"'Model;", b"Material;", b"Model;Material;", b'"Skybox"', b'"Skybox"M'),
        *(b"M", b"&", b"&a", b"&#x1", b'"', b'Model;"M', b"Model;x'", b'Model;x"Materia'),
    ],
)
@pytest.mark.parametrize("front", [b"", b"{\\", b'<&\'Model;"Skybox"'])
def test_the_time_of_a_scan_grows_with_the_size(part: bytes, front: bytes) -> None:
    times = []
    for size in (1 << 16, 1 << 21):
        began = time.process_time()
        tuple(words_in(front + part * (size // len(part))))
        times.append(time.process_time() - began)
    assert times[1] < 1.0 + 100 * times[0], "32 times the bytes"


ESCAPED = [
    '<component type="StaticModel"><attribute name="Model" value="Model;Models/{}"/>'
    '<attribute name="Material" value="Material;A.xml"/></component>',
    "<component type='StaticModel'><attribute value='Model;Models/{}' name='Model'/>"
    "<attribute name='Material' value='Material;A.xml'/></component>",
    '{{"type": "StaticModel", "attributes": {{"Model": "Model;Models\\/{}", "Material": "Material;A.xml"}}}}',
]


@pytest.mark.parametrize("form", ESCAPED)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize(
    "name",
    [
        "Hero.mdl",
        "../Models/Hero.mdl",
        "HERO 2.MDL",
        "Bob's &amp; &quot;Häuser&quot; &#x48;&#101;ro.mdl",
        "\\u0048\\u00e4user\\\\Hero.mdl",
        "模型.mdl",
        "a;b.mdl/.",
    ],
)
def test_the_scan_finds_what_the_parser_finds(tmp_path: Path, form: str, encoding: str, name: str) -> None:
    mark = codecs.BOM_UTF16_LE if encoding == "utf-16-le" and form[0] == "<" else b""
    mark = codecs.BOM_UTF16_BE if encoding == "utf-16-be" and form[0] == "<" else mark
    found = _assert_scanned(tmp_path, mark + form.format(name).encode(encoding))
    assert found == 1 or "Bob" in name or encoding.startswith("utf-16")


@pytest.mark.parametrize("form", RBFX)
def test_the_scan_finds_what_the_parser_finds_of_rbfx(tmp_path: Path, form: str) -> None:
    text = RBFX[form](type="StaticModel", model="Models/Sub/Hero.mdl", materials="Materials/Red.material")
    assert _assert_scanned(tmp_path, text.encode()) == 1


def test_the_scan_finds_what_the_parser_finds_in_latin_1(tmp_path: Path) -> None:
    text = '<?xml version="1.0" encoding="iso-8859-1"?>' + PREFAB.format(
        type="StaticModel", model="Models/Häuser.mdl", materials="A.xml"
    )
    assert _assert_scanned(tmp_path, text.encode("latin-1")) == 1


def test_the_scan_finds_what_the_parser_finds_in_the_corpus(corpus: Path) -> None:
    found = 0
    for folder, _, files in os.walk(corpus):
        for name in files:
            if name.lower().endswith(SCENES):
                data = (Path(folder) / name).read_bytes()
                found += _compared(FolderSource(folder), name) if len(data) < BUDGET.prefab_bytes else 0
    assert found > 5


def _assert_scanned(folder: Path, data: bytes) -> int:
    (folder / "a.xml").write_bytes(data)
    return _compared(FolderSource(folder), "a.xml")


def _compared(source: FolderSource, name: str) -> int:
    """Assert that the words of a file have each model that its components draw; return how many there are."""
    uses = _read_uses(FoundResource(name, source.where(name), source, name))
    words = {each.partition(SECTION)[0] for each in words_in(source.read(name))}
    for model, _ in uses.components:
        assert ANY in words or word_of(model) in words
    return len(uses.components)


NEEDS = {
    "scene-in-any-folder/Data/Models/House.mdl": [("Data/Materials/Wood.xml", "scene")],
    "scene-in-any-folder/Data/Models/Checkpoint.mdl": [("Data/Materials/Flag.xml", "scene")],
    "lower-case/bin/autoload/large_data/models/bike.mdl": [
        ("bin/autoload/large_data/materials/hull.xml", "scene")
    ],
    "only-material/Data/Models/kach/Kachujin.mdl": [("Data/Models/kach/kach_MAT.xml", "only")],
    "only-material/Data/Models/skala/Models/Rock_low.mdl": [
        ("Data/Models/skala/Materials/Material.xml", "only")
    ],
}


@pytest.mark.parametrize("name", NEEDS)
def test_folders_of_the_corpus(corpus: Path, tmp_path: Path, name: str) -> None:
    folder, _, model = name.partition("/")
    shutil.copytree(corpus / "needs" / folder, tmp_path / folder)
    (tmp_path / folder / ".git").mkdir()
    opened = open_document(tmp_path / folder / model).model
    assert opened is not None
    found = [(each.found, each.how) for each in opened.materials]
    assert found == [(str(tmp_path / folder / path), how) for path, how in NEEDS[name]]
    assert all(each.decode for each in opened.textures) and opened.textures


def test_names_of_other_systems_in_the_corpus(corpus: Path, tmp_path: Path) -> None:
    shutil.copytree(corpus / "needs/name-case", tmp_path / "name-case")
    (tmp_path / "name-case/.git").mkdir()
    opened = open_document(tmp_path / "name-case/Data/Models/mount.mdl").model
    assert opened is not None
    assert [each.how for each in opened.materials] == [None, "list", "tail", "case"]


def test_only_short_names_are_kept_for_later_scenes() -> None:
    """A reference may be as long as its file, and the words of thousands of references are kept."""

    def made_for(name: str) -> int:
        """How many words are made to be kept, if a scene names a model so."""
        before = _kept_word.cache_info().misses
        assert words_in(f'<a value="Model;{name}.mdl"/><b value="Material;x"/>'.encode())
        return _kept_word.cache_info().misses - before

    assert made_for("long" * 100_000) == 0
    assert [made_for("kept only by this test") for _ in range(2)] == [1, 0]
