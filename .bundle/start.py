"""The first code of a bundle: it adds the folder of plugins, and runs the program or a process of its own.

PyInstaller's own code for this is left out of the bundle, because it imports `multiprocessing` and `inspect`
at every start.
"""

import os
import sys

PLUGINS = "plugins"
TRACKER = "from multiprocessing.resource_tracker import main;"
"""How the code begins with which Python's `multiprocessing` starts its own process."""
LIBRARIES = "LD_LIBRARY_PATH"


def restore_library_path() -> None:
    """Restore the user's search path for libraries. PyInstaller changes it for the bundle; other programs,
    such as a file dialog, would load the bundle's libraries.
    """
    before = os.environ.pop(f"{LIBRARIES}_ORIG", None)
    os.environ.pop(LIBRARIES, None)
    if before is not None:
        os.environ[LIBRARIES] = before


def plugin_folder() -> str:
    """Return the path of the folder of plugins: beside the command, and on macOS beside the `.app`."""
    folder = os.path.dirname(sys.executable)
    inside, app, _ = folder.partition(".app/Contents/")
    return os.path.join(os.path.dirname(inside) if app else folder, PLUGINS)


def run_tracker() -> None:
    """Run the code behind `-c` and end, if Python's `multiprocessing` started this process for it."""
    code = sys.argv[-1]
    if "-c" in sys.argv[1:-1] and code.startswith(TRACKER):
        from multiprocessing.resource_tracker import main

        main(int(code.removeprefix(TRACKER).removeprefix("main(").removesuffix(")")))
        sys.exit()


if __name__ == "__main__":
    restore_library_path()
    if os.path.isdir(plugin_folder()):
        sys.path.append(plugin_folder())
    del globals()["__file__"]  # or worker processes would search for this file
    run_tracker()
    if sys.argv[1:2] == ["--multiprocessing-fork"]:
        from multiprocessing.spawn import freeze_support

        freeze_support()
    from viewer.commands.cli import main

    sys.exit(main())
