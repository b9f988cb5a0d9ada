"""Facts about the program and the machine."""

from __future__ import annotations

from importlib import metadata

import pytest

from viewer import __version__
from viewer.session.about import about

GRAPHICS = {"GL_VENDOR": "Mesa", "GL_RENDERER": "llvmpipe", "GL_VERSION": "4.5"}


def test_the_text_has_version_driver_system_and_libraries() -> None:
    lines = about(GRAPHICS).text.splitlines()
    assert lines[0] == f"Rigscope {__version__} (MIT licence)"
    assert lines[1:4] == ["Graphics: llvmpipe", "Vendor: Mesa", "OpenGL: 4.5"]
    assert lines[4].startswith("Python: 3.") and lines[5].startswith("System: ")
    assert f"numpy {metadata.version('numpy')} (" in "\n".join(lines)


def test_libraries_have_versions_and_no_extras() -> None:
    libraries = {each.name: each for each in about(GRAPHICS).libraries}
    assert {"moderngl", "imgui-bundle", "pyglet", "msgspec"} <= set(libraries)
    assert not {"pytest", "distributed"} & set(libraries)
    assert libraries["moderngl"].licence == "MIT License"
    assert all(each.version for each in libraries.values())
    assert all(len(each.licence) < 80 and "\n" not in each.licence for each in libraries.values())


def test_a_program_that_is_not_installed_names_no_libraries(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> list[str]:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "requires", missing)
    assert about({}).libraries == () and about({}).machine[0] == ("Graphics", "unknown")
