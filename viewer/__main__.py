"""`python -m viewer`: the command line."""

import sys

from viewer.commands.cli import main

if __name__ == "__main__":
    sys.exit(main())
