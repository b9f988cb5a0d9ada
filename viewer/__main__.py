"""Runs the command line for `python -m viewer`."""

import sys

from viewer.commands.cli import main

if __name__ == "__main__":
    sys.exit(main())
