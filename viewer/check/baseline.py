"""Reads and writes the baseline, a file of a project's known findings. A check reports only new findings."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable
from typing import Any, NamedTuple

from viewer.budget import BUDGET
from viewer.check.fingerprint import fingerprint, stable_path, stable_text
from viewer.errors import FormatError, ResourceError
from viewer.scene.finding import Finding
from viewer.storage.project_settings import relative_name
from viewer.storage.reading import read_file
from viewer.storage.writing import replaced

VERSION = 1


class KnownFinding(NamedTuple):
    """A finding in a baseline. `file` is relative to the folder of the baseline. `path` and `text` are stable
    between runs, see `stable_path` and `stable_text`.
    """

    rule: str
    file: str
    path: str
    text: str

    @property
    def fingerprint(self) -> str:
        """The hash that identifies the finding, see `fingerprint.fingerprint`."""
        return fingerprint(*self)


class Baseline:
    """The known findings in a baseline file. A finding that is listed twice in the file matches two equal
    findings of a run.
    """

    def __init__(self, path: str, findings: Iterable[KnownFinding]) -> None:
        self.path = path
        self._folder = os.path.dirname(os.path.abspath(path))
        self._known = list(findings)
        self._left = Counter(each.fingerprint for each in self._known)

    def takes(self, finding: Finding) -> bool:
        """Whether a finding is known. Each known finding matches one finding, and is then used up."""
        key = _known_finding(finding, self._folder).fingerprint
        if not self._left[key]:
            return False
        self._left[key] -= 1
        return True

    @property
    def gone(self) -> list[KnownFinding]:
        """The known findings that no finding has matched so far. A finding that is listed twice in the file
        needs two matches.
        """
        left, found = Counter(self._left), []
        for each in reversed(self._known):
            if left[each.fingerprint]:
                left[each.fingerprint] -= 1
                found.append(each)
        return found[::-1]

    def name(self, path: str) -> str:
        """The path of a file relative to the baseline's folder, as known findings store it."""
        return relative_name(path, self._folder)

    def path_of(self, name: str) -> str:
        """Convert a result of `name` back to a path."""
        return os.path.join(self._folder, name)


def read_baseline(path: str) -> Baseline:
    """Read the known findings of a file; ResourceError if it cannot be read or is no baseline."""
    try:
        data = json.loads(read_file(path, BUDGET.model_bytes))
        if not isinstance(data, dict) or data.get("version") != VERSION:
            raise ValueError(f"not a baseline of version {VERSION}")
        return Baseline(path, [_entry(each) for each in data["findings"]])
    except FormatError as error:
        raise ResourceError(str(error)) from None
    except (ValueError, TypeError, LookupError, RecursionError) as error:
        raise ResourceError(f"{path}: {error}") from None


def write_baseline(path: str, findings: Iterable[Finding], inputs: Iterable[str] = ()) -> int:
    """Write findings to a baseline file, sorted, and return their number. OSError if the file cannot be
    written or is one of the `inputs`.
    """
    folder = os.path.dirname(os.path.abspath(path))
    known = sorted(_known_finding(each, folder) for each in findings)
    lines = ",\n".join(f"  {json.dumps(each._asdict(), ensure_ascii=True)}" for each in known)
    text = f'{{"version": {VERSION}, "findings": [\n{lines}\n]}}\n'
    with replaced(path, inputs) as file:
        file.write(text.encode("ascii"))
    return len(known)


def _known_finding(finding: Finding, folder: str) -> KnownFinding:
    name = relative_name(finding.file, folder)
    return KnownFinding(finding.rule, name, stable_path(finding.path), stable_text(finding.text))


def _entry(data: Any) -> KnownFinding:
    fields = [data[name] for name in KnownFinding._fields]
    if not all(isinstance(each, str) for each in fields):
        raise ValueError("a field of a finding is not a text")
    return KnownFinding(*fields)
