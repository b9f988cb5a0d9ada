"""The rules for versions and byte orders."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fuzzing.urho3d_sample_files import models
from tests.ogre_files import NEWEST, Order, rich_mesh, simple
from tests.shader_files import TRANSFORM, old_bytes, words
from viewer.check.checking import check_file
from viewer.families.ogre.versions import MESH_VERSIONS, MeshVersion

GROUP = ("bytes/version-unknown", "bytes/version-refused", "bytes/version-limited", "bytes/big-endian")


def told(folder: Path, name: str, data: bytes) -> list[tuple[str, str]]:
    path = folder / name
    path.write_bytes(data)
    return [(each.rule.partition("/")[2], each.text) for each in check_file(str(path), select=GROUP)]


@pytest.mark.parametrize("version", MeshVersion)
def test_meshes_before_version_1_8_are_refused(tmp_path: Path, version: MeshVersion) -> None:
    found = told(tmp_path, "a.mesh", rich_mesh(version))
    text = next(text for text, known in MESH_VERSIONS.items() if known is version)
    assert [rule for rule, _ in found] == (
        ["version-refused"] if version < MeshVersion.V1_8 else ["version-limited"] * (version < NEWEST)
    )
    assert all(what.startswith(f"version {text}: ") for _, what in found)


@pytest.mark.parametrize(("order", "rules"), [("<", []), (">", ["big-endian"])])
def test_the_byte_order(tmp_path: Path, order: Order, rules: list[str]) -> None:
    assert [rule for rule, _ in told(tmp_path, "a.mesh", rich_mesh(NEWEST, order))] == rules


def test_an_unknown_version(tmp_path: Path) -> None:
    data = simple().replace(b"_v1.100]", b"_v1.999]")
    assert [rule for rule, _ in told(tmp_path, "a.mesh", data)] == ["version-unknown"]


@pytest.mark.parametrize(
    ("name", "rules"),
    [("UMDL", []), ("UMD2", []), ("UMD3", ["version-limited"]), ("old", ["version-refused"])],
)
def test_models_of_urho3d(tmp_path: Path, name: str, rules: list[str]) -> None:
    assert [rule for rule, _ in told(tmp_path, "a.mdl", models()[f"{name}.mdl"])] == rules
    found = check_file(str(tmp_path / "a.mdl"), select=GROUP)
    assert all(each.offset == 0 for each in found)


def test_an_old_shader(tmp_path: Path) -> None:
    ((rule, _),) = told(tmp_path, "a.vs3", old_bytes({"": words(*TRANSFORM)}))
    assert rule == "version-refused"
