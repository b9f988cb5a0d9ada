"""The outline of a document."""
