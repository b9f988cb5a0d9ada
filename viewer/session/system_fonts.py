"""Finds a system font with Chinese, Japanese and Korean (CJK) characters, because names in game files contain
such characters.

Rigscope does not include a CJK font, because the smallest one is larger than the whole program.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping

WINDOWS = ("msyh.ttc", "msyh.ttf", "simhei.ttf", "simsun.ttc", "msjh.ttc", "YuGothM.ttc", "msgothic.ttc")
"""File names of CJK fonts in the font folder of Windows. The best font for panels comes first."""

MAC = (
    "/System/Library/Fonts/Hiragino Sans GB.ttc",
    "/System/Library/Fonts/STHeiti Medium.ttc",
    "/System/Library/Fonts/STHeiti Light.ttc",
    "/System/Library/Fonts/Supplemental/Arial Unicode.ttf",
    "/Library/Fonts/Arial Unicode.ttf",
)

LINUX = (
    "/usr/share/fonts/truetype/wqy/wqy-microhei.ttc",
    "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc",
    "/usr/share/fonts/google-noto-sans-cjk-fonts/NotoSansCJK-Regular.ttc",
    "/usr/share/fonts/noto-cjk/NotoSansCJK-Regular.ttc",
    "/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf",
    "/usr/share/fonts/truetype/wqy/wqy-zenhei.ttc",
)
"""The paths of CJK fonts in Debian, Fedora and Arch. These paths are tried first, because a query of
fontconfig takes longer.
"""

SUFFIXES = (".ttf", ".ttc", ".otf")
"""The suffixes of the font formats that ImGui reads."""

FONTCONFIG_TIMEOUT = 5.0
"""Seconds to wait for fontconfig: the first query of a session reads every font."""

FileExists = Callable[[str], bool]


def cjk_font() -> str | None:
    """Find the file of a system font with CJK characters; None if the system has none."""
    usual = usual_files(sys.platform, os.environ)
    found = first_file(usual, os.path.isfile)
    if found is None and sys.platform not in ("win32", "darwin"):
        found = first_file(best_listed(_ask_fontconfig()), os.path.isfile)
    return found


def usual_files(platform: str, environment: Mapping[str, str]) -> list[str]:
    """List the usual paths of CJK fonts on `platform`, a value of `sys.platform`."""
    if platform == "win32":
        folder = environment.get("WINDIR", r"C:\Windows")
        return [f"{folder}\\Fonts\\{name}" for name in WINDOWS]
    return list(MAC if platform == "darwin" else LINUX)


def first_file(paths: Iterable[str], exists: FileExists) -> str | None:
    """Return the first path that exists; None if none exists."""
    return next((path for path in paths if exists(path)), None)


def best_listed(listing: str) -> list[str]:
    """List the font files in the output of `fc-list FORMAT file`, upright sans-serif fonts of normal weight
    first.
    """
    paths = [line.strip().rstrip(":") for line in listing.splitlines()]
    return sorted((path for path in paths if path.lower().endswith(SUFFIXES)), key=_unfit)


def _unfit(path: str) -> tuple[int, str]:
    name = os.path.basename(path).lower()
    bad = sum(word in name for word in ("serif", "bold", "black", "light", "thin", "mono", "ming", "song"))
    return 2 * bad - any(word in name for word in ("regular", "sans", "hei", "gothic")), path


def _ask_fontconfig() -> str:
    """Return fontconfig's list of Chinese fonts; empty if fontconfig is not installed or fails."""
    if shutil.which("fc-list") is None:
        return ""
    try:
        return subprocess.run(
            ["fc-list", ":lang=zh-cn", "file"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="surrogateescape",
            timeout=FONTCONFIG_TIMEOUT,
            check=False,
        ).stdout
    except (OSError, subprocess.TimeoutExpired):
        return ""
