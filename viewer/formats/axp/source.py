"""Sources of the files in AXP archives, so that `ARCHIVE::name` opens a file, and meshes in an archive find
their materials.
"""

from __future__ import annotations

from viewer.formats.axp.files import AxpFiles, read_archive
from viewer.formats.hashed_archive import HashedArchive
from viewer.storage.reading import Fetch


class AxpSource(HashedArchive[AxpFiles]):
    """A source of the files in an AXP archive."""

    by_base_name = True

    @property
    def names_all(self) -> bool:  # type: ignore[override]
        """Implement `Source.names_all`."""
        return self.files is None or None not in self.files.listed

    def files_of(self, fetch: Fetch, end: int) -> AxpFiles | None:
        """Implement `NumberedArchive.files_of`."""
        return read_archive(fetch, end)
