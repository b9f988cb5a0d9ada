"""`rigscope integrate`: installs Rigscope in the menus, file managers and shells of a Linux desktop, and in
the Explorer of Windows.
"""

from __future__ import annotations

import os
import shutil
import sys

from viewer.commands.completion.completion import script
from viewer.commands.exit_status import DONE, USAGE
from viewer.commands.man_page import man_page
from viewer.commands.options.given_options import Values
from viewer.commands.options.parser import UsageError
from viewer.commands.output import notice, print_lines
from viewer.library.desktop import entries
from viewer.library.desktop.installation import Changes, data_home, install, remove
from viewer.library.desktop.registry import Registry, UserRegistry, install_entries, remove_entries
from viewer.library.desktop.windows_entries import registry_entries, suffix_defaults
from viewer.paths import folder
from viewer.storage.reading import read_file

DRAWING, PICTURES = "icon/rigscope.svg", "icon/rigscope.ico"
"""The paths of the icon below the folder `assets`: as a drawing, and as pictures of several sizes."""
ZSH = "zsh/site-functions"
"""The folder of completions for zsh, below the data folder."""
SANDBOX = "/usr/"
"""The only folder that GNOME's sandbox for thumbnail programs can read."""


def integrate(paths: list[str], values: Values) -> int:
    """Install Rigscope on the desktop, or remove it from the desktop; return the exit status."""
    if paths:
        raise UsageError(f"needs no FILE, not {paths[0]}")
    removed = values.get("remove", False)
    if sys.platform == "win32":
        return register(UserRegistry(), removed)
    if not sys.platform.startswith("linux"):
        raise UsageError("integrate is for Linux and Windows; for macOS see “On the desktop” in the manual")
    home = data_home(os.environ)
    changes = remove(home) if removed else install(home, files(command()))
    print_lines([*changes.written, *changes.removed])
    _report(changes, removed)
    if not removed and shutil.which("zsh"):
        notice(f"for completion in zsh, add this line to ~/.zshrc before compinit: fpath+=({home}/{ZSH})")
    return USAGE if changes.left else DONE


def register(registry: Registry, removed: bool) -> int:
    """Register the file types for this user of Windows, or remove them; return the exit status."""
    if removed:
        changes = remove_entries(registry)
    else:
        program, icon = command()[0], str(folder("assets") / PICTURES)
        changes = install_entries(registry, registry_entries(program, icon), suffix_defaults())
    print_lines([*changes.written, *changes.removed])
    _report_changes(changes, removed)
    return USAGE if changes.left else DONE


def files(command: tuple[str, ...]) -> dict[str, bytes]:
    """Return the contents of the files to install by their paths below the data folder."""
    name = entries.NAME
    return {
        f"mime/packages/{name}.xml": entries.mime_package().encode(),
        f"applications/{name}.desktop": entries.desktop_entry(command).encode(),
        f"icons/hicolor/scalable/apps/{name}.svg": read_file(folder("assets") / DRAWING),
        f"thumbnailers/{name}.thumbnailer": entries.thumbnailer_entry(command).encode(),
        f"bash-completion/completions/{name}": script("bash"),
        f"fish/vendor_completions.d/{name}.fish": script("fish"),
        f"{ZSH}/_{name}": script("zsh"),
        f"man/man1/{name}.1": man_page().encode(),
    }


def command() -> tuple[str, ...]:
    """The absolute path of the installed command `rigscope`. UsageError if it is not installed."""
    beside = os.path.join(os.path.dirname(sys.executable), entries.NAME)
    stem = os.path.splitext(os.path.basename(sys.argv[0]))[0]  # `splitext` drops `.exe` on Windows
    started = sys.argv[0] if stem == entries.NAME else None
    found = next(filter(None, (shutil.which(each) for each in (started, beside, entries.NAME) if each)), None)
    if found is None:
        raise UsageError("the command rigscope is not installed: install it with pip install .")
    path = os.path.abspath(found)
    if not path.isprintable():
        raise UsageError(f"{path}: a desktop entry cannot contain this path")
    return (path,)


def _report(changes: Changes, removed: bool) -> None:
    _report_changes(changes, removed)
    if not removed and not command()[0].startswith(SANDBOX):
        notice(
            f"GNOME draws thumbnails in a sandbox that can read only {SANDBOX}: install rigscope there "
            "to see them in its file manager; other file managers need nothing more"
        )


def _report_changes(changes: Changes, removed: bool) -> None:
    for path in changes.left:
        notice(f"{path}: left as it is, because rigscope integrate did not write it or it has changed since")
    for remark in changes.remarks:
        notice(remark)
    if removed and not (changes.removed or changes.left):
        notice("nothing is installed")
