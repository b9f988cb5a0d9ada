"""File types in the registry of Windows: what is written, what others keep, what is removed."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any

import pytest

from viewer.commands import integrate
from viewer.commands.cli import main
from viewer.errors import FormatError
from viewer.family.registry import formats
from viewer.library.desktop.registry import RECORD, UserRegistry, install_entries, remove_entries
from viewer.library.desktop.windows_entries import CLASSES, registry_entries, suffix_defaults, type_name

PROGRAM, ICON = r"C:\Python\Scripts\rigscope.exe", r"C:\Python\assets\icon\rigscope.ico"
MESH = (rf"{CLASSES}\.mesh", "")
OTHERS = {(rf"{CLASSES}\.mesh", "Content Type"): "model/x-mesh", (r"Software\Other", ""): "1"}


class Registry:
    """A registry in memory; `types` are the suffixes that have a type for all users."""

    def __init__(self, *types: str) -> None:
        self.values = dict(OTHERS)
        self.keys = {"Software", CLASSES, rf"{CLASSES}\.mesh", r"Software\Other"}
        self.types, self.announced = types, 0

    def read(self, key: str, name: str) -> str | None:
        return self.values.get((key, name))

    def has_key(self, key: str) -> bool:
        return key in self.keys

    def write(self, key: str, name: str, value: str) -> None:
        parts = key.split("\\")
        self.keys |= {"\\".join(parts[: count + 1]) for count in range(len(parts))}
        self.values[key, name] = value

    def remove(self, key: str, name: str) -> None:
        del self.values[key, name]

    def remove_empty_key(self, key: str) -> None:
        used = any(k == key for k, _ in self.values) or any(k.startswith(f"{key}\\") for k in self.keys)
        self.keys -= set() if used else {key}

    def has_default_type(self, suffix: str) -> bool:
        return suffix in self.types or (rf"{CLASSES}\{suffix}", "") in self.values

    def announce(self) -> None:
        self.announced += 1


def install(registry: Registry, program: str = PROGRAM) -> Any:
    return install_entries(registry, registry_entries(program, ICON), suffix_defaults())


def test_every_suffix_opens_with_the_program_and_has_a_type_if_it_had_none() -> None:
    registry = Registry(".ani")
    changes = install(registry)
    assert not changes.left and registry.announced == 1
    for format in formats():
        name = type_name(format)
        assert registry.values[rf"{CLASSES}\{name}\shell\open\command", ""] == f'"{PROGRAM}" "%1"'
        assert registry.values[rf"{CLASSES}\{name}\DefaultIcon", ""] == ICON
        for suffix in format.suffixes:
            assert registry.values[rf"{CLASSES}\{suffix}\OpenWithProgids", name] == ""
            first = next(type_name(each) for each in formats() if suffix in each.suffixes)
            assert registry.read(rf"{CLASSES}\{suffix}", "") == (None if suffix == ".ani" else first)


def test_names_of_types_are_short_and_have_no_spaces() -> None:
    names = [type_name(format) for format in formats()]
    assert len(set(names)) == len(names) and all(len(each) <= 39 and " " not in each for each in names)


def test_removing_leaves_what_was_there() -> None:
    registry = Registry()
    keys = set(registry.keys)
    written = install(registry).written
    assert written and remove_entries(registry).removed == written
    assert (registry.values, registry.keys) == (OTHERS, keys) and registry.announced == 2


def test_a_suffix_of_another_program_stays_with_it() -> None:
    registry = Registry()
    registry.values[MESH] = "Other.Mesh"
    install(registry)
    assert registry.values[MESH] == "Other.Mesh"
    remove_entries(registry)
    assert registry.values[MESH] == "Other.Mesh"


def test_a_value_that_was_changed_since_is_reported_and_stays() -> None:
    registry = Registry()
    install(registry)
    registry.values[MESH] = "Other.Mesh"
    assert install(registry).left == [rf"HKEY_CURRENT_USER\{CLASSES}\.mesh"]
    assert remove_entries(registry).left == [], "it is no longer recorded"
    assert registry.values[MESH] == "Other.Mesh"


def test_a_second_installation_follows_the_program_and_drops_old_types() -> None:
    registry = Registry()
    keys = set(registry.keys)
    old = (rf"{CLASSES}\.old\OpenWithProgids", "Rigscope.Old")
    install_entries(registry, registry_entries(PROGRAM, ICON) | {old: ""}, suffix_defaults())
    install(registry, r"D:\rigscope.exe")
    assert old not in registry.values
    assert (
        registry.values[rf"{CLASSES}\Rigscope.OGREmesh\shell\open\command", ""] == r'"D:\rigscope.exe" "%1"'
    )
    remove_entries(registry)
    assert (registry.values, registry.keys) == (OTHERS, keys)


def test_without_an_installation_nothing_is_removed() -> None:
    registry = Registry()
    changes = remove_entries(registry)
    assert (changes.removed, changes.left, registry.values, registry.announced) == ([], [], OTHERS, 0)


@pytest.mark.parametrize("text", ["", "[]", '{"values": 1, "keys": []}', '{"values": [["a"]], "keys": []}'])
def test_a_damaged_record_is_an_error(text: str) -> None:
    registry = Registry()
    registry.values[RECORD] = text
    with pytest.raises(FormatError, match="record of the registered file types is damaged"):
        remove_entries(registry)


@pytest.mark.usefixtures("wow")
def test_the_verb_registers_and_removes_on_windows(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    registry = Registry()
    monkeypatch.setattr(integrate.sys, "platform", "win32")
    monkeypatch.setattr(integrate, "UserRegistry", lambda: registry)
    monkeypatch.setattr(integrate, "command", lambda: (PROGRAM,))
    assert main(["integrate"]) == 0
    assert rf"HKEY_CURRENT_USER\{CLASSES}\.m2" in capsys.readouterr().out.splitlines()
    assert main(["integrate", "--remove"]) == 0
    assert registry.values == OTHERS
    assert main(["integrate", "--remove"]) == 0
    assert "nothing is installed" in capsys.readouterr().err


class FakeWinreg:
    """The functions of winreg that the program uses, over the keys of HKEY_CURRENT_USER in memory."""

    HKEY_CURRENT_USER, HKEY_CLASSES_ROOT = "user", "all"
    REG_SZ, KEY_SET_VALUE = 1, 2

    def __init__(self) -> None:
        self.values: dict[tuple[str, str], dict[str, object]] = {("all", ".ani"): {"": "anifile"}}

    def CreateKey(self, root: str, key: str) -> Any:  # noqa: N802
        self.values.setdefault((root, key), {})
        return self.OpenKey(root, key)

    def OpenKey(self, root: str, key: str, *access: int) -> Any:  # noqa: N802
        if (root, key) not in self.values:
            raise FileNotFoundError(key)
        return Opened(at=(root, key))

    def SetValueEx(self, opened: Any, name: str, _: int, kind: int, value: str) -> None:  # noqa: N802
        assert kind == self.REG_SZ
        self.values[opened.at][name] = value

    def QueryValueEx(self, opened: Any, name: str) -> tuple[object, int]:  # noqa: N802
        if name not in self.values[opened.at]:
            raise FileNotFoundError(name)
        return self.values[opened.at][name], self.REG_SZ

    def DeleteValue(self, opened: Any, name: str) -> None:  # noqa: N802
        del self.values[opened.at][name]

    def QueryInfoKey(self, opened: Any) -> tuple[int, int, int]:  # noqa: N802
        root, key = opened.at
        below = sum(r == root and k.startswith(f"{key}\\") for r, k in self.values)
        return below, len(self.values[opened.at]), 0

    def DeleteKey(self, root: str, key: str) -> None:  # noqa: N802
        del self.values[root, key]


class Opened(SimpleNamespace):
    """An open key."""

    def __enter__(self) -> Opened:
        return self

    def __exit__(self, *error: object) -> None:
        self.Close()

    def Close(self) -> None:  # noqa: N802
        """Close the key."""


def test_the_registry_of_windows_is_read_and_written(monkeypatch: pytest.MonkeyPatch) -> None:
    winreg = FakeWinreg()
    monkeypatch.setitem(sys.modules, "winreg", winreg)  # type: ignore[arg-type]
    registry = UserRegistry()
    assert registry.read("K", "n") is None and not registry.has_key("K")
    registry.write("K", "n", "v")
    assert registry.read("K", "n") == "v" and registry.has_key("K")
    registry.remove_empty_key("K")
    assert registry.has_key("K")
    registry.remove("K", "n")
    registry.remove_empty_key("K")
    registry.remove_empty_key("K")
    assert not registry.has_key("K")
    assert registry.has_default_type(".ani") and not registry.has_default_type(".m2")
    winreg.values["user", "K"] = {"n": 7}
    assert registry.read("K", "n") is None, "a number is no text"


def test_the_explorer_hears_of_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    import ctypes

    called: list[tuple[object, ...]] = []
    shell = SimpleNamespace(SHChangeNotify=lambda *words: called.append(words))
    monkeypatch.setitem(sys.modules, "winreg", FakeWinreg())  # type: ignore[arg-type]
    monkeypatch.setattr(ctypes, "windll", SimpleNamespace(shell32=shell), raising=False)
    UserRegistry().announce()
    assert called == [(0x08000000, 0, None, None)], "SHCNE_ASSOCCHANGED of shlobj_core.h"
