"""The verbs of the command line, and what headless commands and window share: options to State."""
