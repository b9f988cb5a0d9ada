"""The view that a document begins with."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from msgspec.structs import replace

from tests.synthetic import write_pair
from viewer.scene.camera import MatrixCamera, Orbit
from viewer.scene.choices import UpAxis
from viewer.scene.model import Model
from viewer.session.view import DocumentView
from viewer.storage.documents import open_document


def test_what_the_file_hides_is_hidden_at_first(tmp_path: Path) -> None:
    document = open_document(write_pair(tmp_path))
    assert document.model is not None
    shown = document.model.geometries[0]
    document.content = replace(document.model, geometries=(shown, replace(shown, shown=False)))
    assert DocumentView.of(document).hidden == {1}
    assert DocumentView.of(None).hidden == set()


def test_a_view_that_follows_another_has_a_clock_of_its_own() -> None:
    one, two = DocumentView(), DocumentView()
    one.clock.seek(2.0)
    two.follow(one)
    one.clock.seek(3.0)
    assert two.clock.time == 2.0


def test_the_cameras_keep_their_target_in_the_model_when_another_axis_comes_up() -> None:
    view, model = DocumentView(), Model("m")
    view.camera = view.fitted = Orbit((1.0, 2.0, 3.0), yaw=10.0)
    view.home = MatrixCamera(np.eye(3, 4), np.eye(4))
    home = view.home
    view.turn_up(model, UpAxis.Z)
    assert view.up is UpAxis.Z and view.home is home
    assert isinstance(view.camera, Orbit) and view.camera.yaw == 10.0
    np.testing.assert_allclose(view.camera.target, (1.0, 3.0, -2.0), atol=1e-12)
    assert view.fitted == view.camera
    view.turn_up(model, UpAxis.FILE)
    np.testing.assert_allclose(view.camera.target, (1.0, 2.0, 3.0), atol=1e-12)


def test_another_display_shows_and_hides_only_what_it_changes(tmp_path: Path) -> None:
    document = open_document(write_pair(tmp_path))
    assert document.model is not None
    one = document.model.geometries[0]
    hidden = replace(one, shown=False)
    before = replace(document, content=replace(document.model, geometries=(one, hidden, one, one)))
    after = replace(document, content=replace(document.model, geometries=(hidden, one, one, one)))
    view = DocumentView.of(before)
    view.hidden.add(3)  # by the user
    view.follow_display(before, after)
    assert view.hidden == {0, 3}
    assert DocumentView.of(before).display is None
