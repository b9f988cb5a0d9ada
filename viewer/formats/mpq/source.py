"""Sources of the files in MPQ archives, so that `ARCHIVE::name` opens a file, and models in an archive find
their textures.
"""

from __future__ import annotations

from collections.abc import Iterable

from viewer.formats.hashed_archive import HashedArchive
from viewer.formats.mpq.files import MpqFiles
from viewer.formats.mpq.tables import read_tables
from viewer.storage.reading import Fetch
from viewer.storage.source import resource_name


class MpqSource(HashedArchive[MpqFiles]):
    """A source of the files in an MPQ archive."""

    def files_of(self, fetch: Fetch, end: int) -> MpqFiles | None:
        """Implement `NumberedArchive.files_of`."""
        return MpqFiles(read_tables(fetch, end), self.fetch)

    def learn(self, names: Iterable[str]) -> bool:
        """Implement `Source.learn`."""
        changed = self.files is not None and self.files.names_missing and self.files.learn(names)
        if changed:
            self.forget_listing()
        return changed

    @property
    def names_all(self) -> bool:  # type: ignore[override]
        """Implement `Source.names_all`."""
        return self.files is None or not self.files.names_missing

    @property
    def hides_any(self) -> bool:  # type: ignore[override]
        """Implement `Source.hides_any`."""
        return self.files is not None and self.files.deleted > 0

    def hides(self, name: str) -> bool:
        """Implement `Source.hides`."""
        plain = resource_name(name)
        return plain is not None and self.files is not None and self.files.is_deleted(plain)
