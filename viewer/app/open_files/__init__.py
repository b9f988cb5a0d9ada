"""The open files: loading, watching, stepping to neighbours, closing."""
