"""The verbs of the command line, and the options that verbs and the window share."""
