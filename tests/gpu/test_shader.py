from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import moderngl
import numpy as np
import pytest

from viewer.errors import ShaderError
from viewer.gpu import shader
from viewer.gpu.shader import Composer, compose, log_error, read_body

FRAGMENT = "out vec4 color;\nvoid main() { color = vec4(1.0); }\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "include").mkdir()
    write(tmp_path, "plain.frag", FRAGMENT)
    return tmp_path


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def edit(folder: Path, name: str, text: str) -> None:
    path = write(folder, name, text)
    later = path.stat().st_mtime_ns + 10**9
    os.utime(path, ns=(later, later))


def test_version_comes_first_and_defines_are_sorted(folder: Path) -> None:
    text = compose(
        read_body(write(folder, "a.vert", "void main() {}\n")), ("SKINNED", "COUNT=3", "SKINNED")
    ).text
    assert text.splitlines()[:3] == ["#version 330 core", "#define COUNT 3", "#define SKINNED"]


def test_an_include_counts_once_but_in_every_branch(folder: Path, ctx: Any) -> None:
    write(folder, "include/one.glsl", "float one() { return 1.0; }\n")
    write(folder, "include/two.glsl", '#include "one.glsl"\nfloat two() { return one() * 2.0; }\n')
    text = '#ifdef NEVER\n#include "two.glsl"\n#endif\n#include "one.glsl"\n#include "two.glsl"\n'
    write(folder, "a.vert", text + "void main() { gl_Position = vec4(one() + two()); }\n")
    composer = Composer(ctx, folder)
    assert composer.program("a.vert", "plain.frag").handle.glo
    composer.release()


@pytest.mark.parametrize("stage", ["a.vert", "a.frag", "include/part.glsl"])
def test_an_error_names_file_and_line_on_disk(folder: Path, ctx: Any, stage: str) -> None:
    texts = {
        "include/part.glsl": "\nfloat part() { return 1.0; }\n",
        "a.vert": '#include "part.glsl"\n\nvoid main() { gl_Position = vec4(part()); }\n',
        "a.frag": "\nout vec4 color;\nvoid main() { color = vec4(1.0); }\n",
    }
    for name, text in texts.items():
        write(folder, name, text.replace("1.0", "oops") if name == stage else text)
    if stage == "a.vert":
        write(folder, stage, texts[stage].replace("part()", "oops"))
    composer = Composer(ctx, folder)
    with pytest.raises(ShaderError) as caught:
        composer.program("a.vert", "a.frag", ("X", "Y"))
    line = 2 if stage.startswith("include") else 3
    assert (Path(caught.value.file), caught.value.line) == (folder / stage, line)
    assert "oops" in caught.value.log and f"{Path(stage).name}:{line}" in caught.value.log


def test_an_error_of_a_geometry_shader_names_its_file(folder: Path, ctx: Any) -> None:
    write(folder, "a.vert", "void main() { gl_Position = vec4(0.0); }\n")
    head = "layout(points) in;\nlayout(points, max_vertices = 1) out;\n"
    write(folder, "a.geom", head + "void main() { oops(); }\n")
    with pytest.raises(ShaderError) as caught:
        Composer(ctx, folder).program("a.vert", "plain.frag", geometry="a.geom")
    assert (Path(caught.value.file).name, caught.value.line) == ("a.geom", 3)


@pytest.mark.parametrize("log", ["0:100007(5): error: x", "0(100007) : error C1008: x", "ERROR: 0:100007: x"])
def test_logs_of_all_drivers_are_understood(log: str) -> None:
    error = log_error(log, [Path("a.vert"), Path("b.glsl")])
    assert (error.file, error.line) == ("b.glsl", 7)


def test_a_missing_include_is_an_error_where_it_is_asked_for(folder: Path) -> None:
    with pytest.raises(ShaderError) as caught:
        read_body(write(folder, "a.vert", '\n#include "none.glsl"\n'))
    assert (Path(caught.value.file).name, caught.value.line) == ("a.vert", 2)


def test_a_file_that_includes_itself_is_refused(folder: Path) -> None:
    write(folder, "include/loop.glsl", '#include "loop.glsl"\n')
    with pytest.raises(ShaderError, match="includes itself"):
        read_body(write(folder, "a.vert", '#include "loop.glsl"\n'))


def test_the_same_variant_is_one_program(folder: Path, ctx: Any) -> None:
    write(folder, "a.vert", "void main() { gl_Position = vec4(0.0); }\n")
    composer = Composer(ctx, folder)
    first = composer.program("a.vert", "plain.frag", ("A", "B"))
    assert composer.program("a.vert", "plain.frag", ("B", "A", "B")) is first
    assert composer.program("a.vert", "plain.frag", ("B",)) is not first
    composer.release()


@pytest.fixture
def limited(folder: Path, ctx: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Composer]:
    """A composer with room for two programs."""
    monkeypatch.setattr(shader, "LINKED_PROGRAMS", 2)
    write(folder, "a.vert", "void main() { gl_Position = vec4(0.0); }\n")
    composer = Composer(ctx, folder)
    yield composer
    composer.release()


def used(composer: Composer, names: str, frames: int = 1) -> list[Any]:
    """The linked programs of these defines, used in each of some frames."""
    for _ in range(frames):
        composer.begin_frame()
        found = [composer.program("a.vert", "plain.frag", (name,)).handle for name in names]
    return found


def released(handle: Any) -> bool:
    return isinstance(handle.mglo, moderngl.InvalidObject)


def test_beyond_the_limit_the_program_whose_use_is_longest_ago_is_released(limited: Composer) -> None:
    (first,), (second,), (again,) = (used(limited, name) for name in "ABA")
    (third,) = used(limited, "C", frames=2)
    assert again is first
    (fourth,) = used(limited, "D")
    assert [released(each) for each in (first, second, third, fourth)] == [True, True, False, False]


def test_programs_of_this_frame_and_the_last_are_kept_beyond_the_limit(limited: Composer) -> None:
    last, now = used(limited, "AB"), used(limited, "CD")
    assert not any(map(released, last + now))
    assert not limited.has_room("a.vert", "plain.frag", ("E",), None)
    assert limited.has_room("a.vert", "plain.frag", ("D",), None), "it is linked already"
    used(limited, "", frames=2)
    assert limited.has_room("a.vert", "plain.frag", ("E",), None)


def test_a_released_program_is_linked_again_at_its_next_use(limited: Composer) -> None:
    program = limited.program("a.vert", "plain.frag", ("A",))
    first = program.handle
    used(limited, "B", frames=3)
    used(limited, "C")
    assert released(first)
    assert limited.reload() == [] and released(first), "until then nothing is linked"
    assert not released(program.handle) and program.handle is not first
    assert used(limited, "A") == [program.handle]


def test_an_edited_include_reloads_its_programs(folder: Path, ctx: Any) -> None:
    write(folder, "include/size.glsl", "uniform float old_size;\nfloat size() { return old_size; }\n")
    write(folder, "a.vert", '#include "size.glsl"\nvoid main() { gl_Position = vec4(size()); }\n')
    composer = Composer(ctx, folder)
    program = composer.program("a.vert", "plain.frag")
    assert composer.reload() == [] and "old_size" in program.members
    edit(folder, "include/size.glsl", "uniform float new_size;\nfloat size() { return new_size; }\n")
    assert composer.reload() == [] and "new_size" in program.members
    composer.release()


def test_a_file_is_read_once_for_all_defines(ctx: Any, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(folder, "a.vert", "void main() { gl_Position = vec4(0.0); }\n")
    composer = Composer(ctx, folder)
    composer.program("a.vert", "plain.frag")
    monkeypatch.setattr(shader, "read_body", lambda path: pytest.fail(f"{path} is read again"))
    assert composer.program("a.vert", "plain.frag", ("B",)).handle.glo
    composer.release()


def test_a_broken_edit_keeps_the_old_program_and_is_told_once(folder: Path, ctx: Any) -> None:
    write(folder, "a.vert", "void main() { gl_Position = vec4(0.0); }\n")
    composer = Composer(ctx, folder)
    handle = composer.program("a.vert", "plain.frag").handle
    edit(folder, "a.vert", "void main() { nonsense; }\n")
    assert [error.line for error in composer.reload()] == [1]
    assert composer.program("a.vert", "plain.frag").handle is handle
    assert composer.reload() == []
    composer.release()


def test_uniforms_are_set_by_name_and_unused_ones_skipped(folder: Path, ctx: Any) -> None:
    text = "uniform mat4 view;\nuniform vec2 shift;\nout vec4 seen;\n"
    write(folder, "a.vert", text + "void main() { seen = view * vec4(shift, 0.0, 1.0); }\n")
    composer = Composer(ctx, folder)
    program = composer.program("a.vert", varyings=("seen",))
    program.set(view=np.arange(16.0).reshape(4, 4), shift=(1.0, 2.0), absent=7)
    vao, out = ctx.vertex_array(program.handle, []), ctx.buffer(reserve=16)
    framebuffer = ctx.simple_framebuffer((1, 1))
    framebuffer.use()
    vao.transform(out, ctx.POINTS, vertices=1)
    assert np.frombuffer(out.read(), np.float32).tolist() == [5.0, 21.0, 37.0, 53.0]
    for item in (vao, out, framebuffer, *framebuffer.color_attachments, framebuffer.depth_attachment):
        item.release()
    composer.release()


class Interrupted:
    """A context at whose work somebody presses Ctrl+C."""

    finished = False

    def program(self, **stages: object) -> None:
        signal.raise_signal(signal.SIGINT)
        self.finished = True


def test_ctrl_c_waits_until_a_program_is_made(folder: Path) -> None:
    context: Any = Interrupted()
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # tests in the background ignore it
    try:
        with pytest.raises(KeyboardInterrupt):
            Composer(context, folder).program("plain.frag")
    finally:
        signal.signal(signal.SIGINT, before)
    assert context.finished


def test_shared_constants_are_defined_where_they_are_used(folder: Path) -> None:
    write(folder, "include/size.glsl", "float size() { return WIDEST; }\n")
    path = write(folder, "a.vert", '#include "size.glsl"\nvoid main() { gl_Position = vec4(size()); }\n')
    text = compose(read_body(path), ("SKINNED",), {"WIDEST": "2.5", "UNUSED": "1"}).text
    assert text.splitlines()[:3] == ["#version 330 core", "#define SKINNED", "#define WIDEST 2.5"]
