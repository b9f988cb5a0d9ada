"""Compiled shaders and scripts among the files of a folder and of a command line."""

from __future__ import annotations

from pathlib import Path

from tests.shader_files import script_bytes, shader_bytes
from tests.synthetic import write_pair
from viewer.app.open_files.matching_models import companions
from viewer.app.open_files.model_files import open_path
from viewer.commands.options.apply_options import prepare
from viewer.commands.options.given_options import Options
from viewer.scene.animation import Animation
from viewer.scene.reading_context import DEFAULT
from viewer.scene.script import CompiledScript
from viewer.scene.shader import CompiledShader
from viewer.session.documents import foremost
from viewer.storage.documents import open_document


def test_a_model_goes_before_shaders_and_scripts_of_a_folder(tmp_path: Path) -> None:
    (tmp_path / "A.asc").write_bytes(script_bytes())
    (tmp_path / "B.vs3").write_bytes(shader_bytes())
    assert isinstance(open_path(str(tmp_path), DEFAULT).content, CompiledScript)
    deeper = tmp_path / "Models"
    deeper.mkdir()
    model = write_pair(deeper)
    assert open_path(str(tmp_path), DEFAULT).path == str(model)


def test_a_model_goes_before_shaders_of_a_command_line(tmp_path: Path) -> None:
    shader, model = tmp_path / "B.vs3", write_pair(tmp_path)
    shader.write_bytes(shader_bytes())
    state = prepare([str(shader), str(model)], Options())
    assert state.documents.current == 1
    assert isinstance(prepare([str(shader)], Options()).documents.opened[0].content, CompiledShader)
    assert foremost([]) is None


def test_an_animation_is_not_tried_on_shaders(tmp_path: Path) -> None:
    model = write_pair(tmp_path)
    for number in range(60):
        (tmp_path / f"A{number}.vs3").write_bytes(shader_bytes())
    animation = open_document(model.with_name("Post_Bend.ani")).content
    assert isinstance(animation, Animation)
    found = companions(str(model.with_name("Post_Bend.ani")), animation, DEFAULT)
    assert [each.path for each in found] == [str(model)]
