"""The verbs of the command line, and the options that verbs share with the window."""
