"""Missing files that the user gives while the window is open."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests import m2_files
from tests.app.conftest import RED, Make, until
from tests.ogre_files import NEWEST, declared_geometry, mesh_bytes, rich_mesh, submesh
from tests.ogre_skeletons import rich_skeleton
from tests.opened import lost
from tests.project_tree import make_tree
from tests.synthetic import model_bytes, model_record
from viewer.app.loop import App
from viewer.app.open_files import loading, manager
from viewer.families.ogre.mesh_layout import SUBMESH
from viewer.families.ogre.versions import MESH_VERSIONS
from viewer.scene.reading_context import DEFAULT, ReadingContext
from viewer.session.requests import AddResourceFolder, GiveFile, RemoveResourceFolder
from viewer.session.state import State
from viewer.storage.image import save_png
from viewer.storage.project import list_projects
from viewer.storage.resource_folders import forget_resources


def picture(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    save_png(path, np.full((2, 2, 4), RED, np.uint8))
    return path


def write_mesh(folder: Path) -> Path:
    """A mesh whose only material is missing."""
    path = folder / "lonely/Hero.mesh"
    path.parent.mkdir()
    version = MESH_VERSIONS["[MeshSerializer_v1.100]"]
    path.write_bytes(mesh_bytes(version, (SUBMESH, submesh(declared_geometry()))))
    return path


@pytest.fixture
def app(make: Make, m2: Path) -> App:
    """An M2 model whose texture is given by the program."""
    return make(m2)


def test_a_chosen_file_is_shown_at_once(app: App, tmp_path: Path) -> None:
    path = picture(tmp_path / "elsewhere/skin.png")
    app.post(GiveFile("hair", 0, str(path)))
    state = until(app, lambda state: state.view.textures)
    app.frame(0.0)
    assert state.view.textures == {0: str(path)}
    gallery = state.view_info.gallery
    assert gallery is not None and gallery.small(0).size == (2, 2)


def test_the_question_opens_the_own_dialog_and_its_answer_is_used(app: App, tmp_path: Path) -> None:
    app.post(AddResourceFolder())
    state = until(
        app, lambda state: state.pending_files.browser and state.pending_files.browser.entries is not None
    )
    browser = state.pending_files.browser
    assert browser is not None and browser.folders and browser.question == AddResourceFolder()
    app.post(GiveFile("hair", 0))
    asked = GiveFile("hair", 0, document=str(tmp_path / "Made.m2"))
    until(app, lambda state: state.pending_files.browser.question == asked)
    browser = state.pending_files.browser
    assert not browser.every and ".png" in browser.suffixes and ".mdl" not in browser.suffixes
    app.post(GiveFile("Hair", None))
    until(app, lambda state: state.pending_files.browser.question == GiveFile("Hair", None))
    assert state.pending_files.browser.every, "a name without a suffix says nothing about the file"


def test_a_resource_folder_is_kept_and_files_are_read_again(make: Make, tmp_path: Path) -> None:
    mesh = write_mesh(tmp_path)
    app = make(mesh)
    shown = app.state.document
    assert [each.found for each in app.state.model.materials] == [None]
    name = app.state.model.materials[0].name
    script = tmp_path / "far/media/a.material"
    script.parent.mkdir(parents=True)
    script.write_text(
        f"material {name} {{ technique {{ pass {{ texture_unit {{\ntexture Skin.png\n}} }} }} }}"
    )
    picture(tmp_path / "far/media/textures/Skin.png")
    app.post(AddResourceFolder(path=str(tmp_path / "far/media")))
    state = until(app, lambda state: state.document is not shown)
    assert [each.path for each in state.model.textures] == [str(tmp_path / "far/media/textures/Skin.png")]
    assert state.interface.preferences.resources == [str(tmp_path / "far/media")]
    shown = state.document
    app.post(RemoveResourceFolder(str(tmp_path / "far/media")))
    state = until(app, lambda state: state.document is not shown)
    assert (state.model.textures, state.interface.preferences.resources) == ((), [])


def test_a_given_script_counts_for_its_material(make: Make, tmp_path: Path) -> None:
    mesh = write_mesh(tmp_path)
    app = make(mesh)
    shown, name = app.state.document, app.state.model.materials[0].name
    script = tmp_path / "far/scripts/a.material"
    script.parent.mkdir(parents=True)
    script.write_text(f"material {name} {{ technique {{ pass {{ diffuse 1 0 0 }} }} }}")
    app.post(GiveFile(name, path=str(script)))
    state = until(app, lambda state: state.document is not shown)
    assert state.model.materials[0].found == str(script)


def test_a_picture_does_not_wait_for_a_slow_project(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mesh, listed = write_mesh(tmp_path), []
    script = make_tree(tmp_path, "far/scripts/a.material") / "far/scripts/a.material"
    script.write_text("material stone { technique { pass { diffuse 1 0 0 } } }")

    def list_late(path: str, context: ReadingContext) -> None:
        listed.append(path)
        list_projects(path, context)

    forget_resources()
    monkeypatch.setattr(loading, "PROJECT_WAIT", 0.0)
    monkeypatch.setattr(manager, "list_projects", list_late)
    app = make(mesh)
    state = until(app, lambda state: state.model.materials[0].found)
    assert (state.model.materials[0].found, state.model.materials[0].by) == (str(script), "project")
    until(app, lambda state: not app.busy)
    assert listed == [str(mesh)]


def given(app: App, missing: str, path: Path) -> State:
    """The state after the file `path` was given for the missing file of this name."""
    shown = app.state.document
    assert missing in lost(shown)
    app.post(GiveFile(missing, path=str(path)))
    state = until(app, lambda state: state.document is not shown)
    assert missing not in lost(state.document)
    return state


def elsewhere(tmp_path: Path, name: str, data: bytes) -> Path:
    path = tmp_path / "far" / name
    path.parent.mkdir(parents=True)
    path.write_bytes(data)
    return path


def test_a_skeleton_can_be_given(make: Make, tmp_path: Path) -> None:
    mesh = tmp_path / "lonely/Hero.mesh"
    mesh.parent.mkdir()
    mesh.write_bytes(rich_mesh(NEWEST))
    state = given(make(mesh), "bones.skeleton", elsewhere(tmp_path, "any.skeleton", rich_skeleton()))
    assert state.skeleton is not None and [each.name for each in state.playback.animations] == [
        "bend",
        "list",
        "talk",
    ]


def creature(folder: Path, **changes: Any) -> Path:
    """A model of the later generations without its view and without the keys of EmoteTalk."""
    path = folder / "lonely/Made.m2"
    path.parent.mkdir()
    path.write_bytes(m2_files.model(m2_files.WRATH, **changes))
    return path


def test_a_view_can_be_given(make: Make, tmp_path: Path) -> None:
    app = make(creature(tmp_path))
    assert app.state.model.geometries == ()
    state = given(app, "Made00.skin", elsewhere(tmp_path, "other.skin", m2_files.skin()))
    assert len(state.model.geometries) == 2


def test_the_keys_of_a_sequence_can_be_given(make: Make, tmp_path: Path) -> None:
    app = make(creature(tmp_path))
    path = elsewhere(tmp_path, "other.anim", bytes(64))
    lost = app.state.playback.animations[3].missing_file
    assert lost is not None and lost.name == "Made0060-00.anim"
    state = given(app, lost.name, path)
    assert (state.playback.animations[3].source, state.playback.animations[3].missing_file) == (
        str(path),
        None,
    )


def test_a_folder_gives_all_part_files_at_once(make: Make, tmp_path: Path) -> None:
    app = make(creature(tmp_path))
    shown = app.state.document
    path = elsewhere(tmp_path, "Creature/made00.skin", m2_files.skin())
    path.with_name("made0060-00.anim").write_bytes(bytes(64))
    app.post(AddResourceFolder(path=str(tmp_path / "far")))
    state = until(app, lambda state: state.document is not shown)
    assert lost(state.document) == [] and len(state.model.geometries) == 2


def test_the_bones_of_a_chunked_model_can_be_given(make: Make, tmp_path: Path) -> None:
    path = tmp_path / "lonely/Made.m2"
    path.parent.mkdir()
    path.write_bytes(m2_files.model_file(m2_files.chunk("SKID", m2_files.numbers(99))))
    path.with_name("Made00.skin").write_bytes(m2_files.skin())
    app = make(path)
    assert app.state.skeleton is None
    state = given(app, "Made.skel", elsewhere(tmp_path, "other.skel", m2_files.skeleton_file()))
    assert state.skeleton is not None and len(state.skeleton) == 4


def test_a_material_can_be_given_to_a_model_that_finds_none(make: Make, tmp_path: Path) -> None:
    model = tmp_path / "Models/Hero/Hero.mdl"
    model.parent.mkdir(parents=True)
    model.write_bytes(model_bytes())
    material = b'<material><parameter name="MatDiffColor" value="1 0 0 1" /></material>'
    path = elsewhere(tmp_path, "red.xml", material)
    state = given(make(model), "Materials/Hero/Hero.xml", path)
    assert [(each.found, each.diffuse) for each in state.model.materials] == [
        (str(path), (1.0, 0.0, 0.0, 1.0))
    ]


def test_the_folders_and_files_of_a_window_are_its_own(make: Make, tmp_path: Path) -> None:
    path = creature(tmp_path)
    first, view = make(path), elsewhere(tmp_path, "Made00.skin", m2_files.skin())
    shown = first.state.document
    first.post(AddResourceFolder(path=str(view.parent)))
    until(first, lambda state: state.document is not shown)
    given(first, "Made0060-00.anim", picture(tmp_path / "talk/other.anim"))
    second = make(path)
    assert second.state.context == DEFAULT != first.state.context
    names = lost(second.state.document)
    assert names == ["Made00.skin", "Made0060-00.anim"] and lost(first.state.document) == []


@pytest.mark.parametrize("geometries", [1, 2])
def test_a_chosen_material_of_a_scene_is_drawn_and_can_be_chosen_again(
    make: Make, tmp_path: Path, geometries: int
) -> None:
    component = (
        '<component type="StaticModel"><attribute name="Model" value="Model;Models/Post.mdl"/>'
        '<attribute name="Material" value="Material;{0}.xml;{1}.xml"/></component>'
    )
    record, pairs = model_record().get("geometries"), ("AB", "BC", "CD", "DA")
    texts = {
        "Scenes/1.xml": f"<scene>{''.join(component.format(*pair) for pair in pairs)}</scene>",
        **{f"{name}.xml": "<material/>" for name in "ABCD"},
    }
    for name, text in texts.items():
        (tmp_path / "Data" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "Data" / name).write_text(text)
    path = tmp_path / "Data/Models/Post.mdl"
    path.parent.mkdir()
    centers = np.zeros((geometries, 3), "<f4")
    path.write_bytes(model_bytes(geometries=record * geometries, centers=centers))
    app = make(path)

    def drawn() -> str:
        model = app.state.model
        return "".join(Path(model.materials[each.material].found or "").stem for each in model.geometries)

    for number in (1, 3, 0):
        candidate = app.state.model.candidates[number]
        for name, file in candidate.files:
            app.post(GiveFile(name, None, file))
        wanted = "".join(Path(file).stem for _, file in candidate.files)
        assert len(wanted) == geometries
        until(app, lambda state, wanted=wanted: state.model.materials and drawn() == wanted)
