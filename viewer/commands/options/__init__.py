"""The options of the command line: parsed, converted, and applied to a State."""
