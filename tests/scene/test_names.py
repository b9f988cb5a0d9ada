"""Names of files that are told apart."""

from __future__ import annotations

import pytest

from viewer.scene.names import short_names, unknown


def test_different_names_need_no_folder() -> None:
    assert short_names(["a/Jack.mdl", "b/Ninja.mdl"]) == ["Jack.mdl", "Ninja.mdl"]


def test_equal_names_have_as_many_folders_as_tell_them_apart() -> None:
    paths = ["/old/models/Jack.mdl", "/new/models/Jack.mdl", "Other.mdl"]
    assert short_names(paths) == ["old/models/Jack.mdl", "new/models/Jack.mdl", "Other.mdl"]


def test_the_same_file_twice_keeps_its_path() -> None:
    assert short_names(["a/Jack.mdl", "a/Jack.mdl"]) == ["a/Jack.mdl", "a/Jack.mdl"]


@pytest.mark.parametrize(("count", "rest"), [(6, ""), (7, ", …")])
def test_a_name_like_no_other_is_answered_by_the_first_names(count: int, rest: str) -> None:
    names = [f"bone{number}" for number in range(count)]
    assert str(unknown("bone", "xyz", names)) == f"no bone 'xyz'; there is {', '.join(names[:6])}{rest}"
