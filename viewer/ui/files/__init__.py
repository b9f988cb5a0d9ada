"""The files of a folder or package: as a list in a panel, and as a wall of pictures."""
