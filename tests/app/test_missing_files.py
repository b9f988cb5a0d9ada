"""Missing files that the user gives while the window is open."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.app.conftest import RED, Make, until
from tests.ogre_files import declared_geometry, mesh_bytes, submesh
from viewer.app.loop import App
from viewer.formats.ogre.mesh_layout import SUBMESH
from viewer.formats.ogre.versions import MESH_VERSIONS
from viewer.session.requests import AddResourceFolder, GiveFile, RemoveResourceFolder
from viewer.storage.image import save_png
from viewer.storage.resource_folders import resource_indexes


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
    until(app, lambda state: state.pending_files.browser.question == GiveFile("hair", 0))
    assert state.pending_files.browser is not None and state.pending_files.browser.every


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


def test_a_closed_window_leaves_no_resource_folders(app: App, tmp_path: Path) -> None:
    app.post(AddResourceFolder(path=str(tmp_path)))
    until(app, lambda state: state.interface.preferences.resources)
    app._files.close()
    assert list(resource_indexes()) == []
