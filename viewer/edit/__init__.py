"""Changes values of files: paths of the tree, values as texts, and edits from document bytes to bytes.

Nothing here writes a file or keeps a state: an edit returns the new bytes and the document that they give.
"""
