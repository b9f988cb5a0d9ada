"""The Outline panel: the parts of a document as a tree."""
