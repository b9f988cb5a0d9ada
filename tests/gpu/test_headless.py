"""Contexts without a display: with the usual libraries, else with those that moderngl finds."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import pytest

from tests.conftest import ROOT
from viewer.errors import GraphicsError
from viewer.gpu import headless

LINUX = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere there is no EGL")


@LINUX
@pytest.mark.parametrize("libraries", [headless.LIBRARIES, {"libgl": "libNone.so", "libegl": "libNone.so"}])
def test_a_context_whatever_the_libraries_are_called(
    libraries: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(headless, "LIBRARIES", libraries)
    with headless.context() as ctx:
        assert ctx.version_code >= 330


@LINUX
def test_the_usual_libraries_start_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ctypes.util.find_library", lambda name: pytest.fail("it looks for libraries"))
    with headless.context() as ctx:
        assert ctx.version_code >= 330


def test_without_any_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(**settings: Any) -> None:
        raise Exception("libEGL.so.1 not loaded")

    monkeypatch.setattr(headless.moderngl, "create_context", fail)
    with (
        pytest.raises(GraphicsError, match=r"no OpenGL 3\.3 \(libEGL\.so\.1 not loaded\); "),
        headless.context(),
    ):
        pass


@LINUX
def test_an_old_driver_is_named_as_such() -> None:
    command = [sys.executable, "-c", "from viewer.gpu import headless\nwith headless.context(): pass"]
    environment = os.environ | {"MESA_GL_VERSION_OVERRIDE": "2.1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60)
    assert "the graphics driver has an older version than OpenGL 3.3" in done.stderr


def test_a_low_limit_of_address_space_is_named_with_what_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    resource = pytest.importorskip("resource")
    monkeypatch.setattr(resource, "getrlimit", lambda kind: (512 << 20, resource.RLIM_INFINITY))
    least = headless.ADDRESSES >> 10
    with (
        pytest.raises(GraphicsError, match=f"ulimit -v is 524288; raise it to {least}$"),
        headless.context(),
    ):
        pass
