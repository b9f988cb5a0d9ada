"""The rows of the Problems panel: findings and messages of readers, grouped by rule."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from viewer.errors import (
    DAMAGE,
    ERROR,
    MISSING_PART,
    MISSING_TEXTURE,
    NOTE,
    ReportMessage,
    counted,
    printable,
)
from viewer.scene.document import Document
from viewer.scene.finding import Finding, Severity
from viewer.scene.names import file_name, path_key, short_names
from viewer.scene.needs import NEED_RULES, Need, faulty
from viewer.scene.text_filter import TextFilter
from viewer.session.check_result import CheckResult
from viewer.session.state import State
from viewer.ui.kit import theme
from viewer.ui.kit.theme import Color
from viewer.ui.kit.tree_rows import Branch, Path
from viewer.ui.needs import shown_needs

COLORS: dict[Severity, Color] = {
    Severity.ERROR: theme.ERROR,
    Severity.WARNING: theme.WARNING,
    Severity.NOTE: theme.TEXT,
}
ICONS = {Severity.ERROR: "\uf057", Severity.WARNING: "\uf071", Severity.NOTE: "\uf05a"}


RULES: dict[int, tuple[Severity, str]] = {
    MISSING_PART: (Severity.WARNING, "file/damage"),
    MISSING_TEXTURE: (Severity.WARNING, "texture/missing"),
    ERROR: (Severity.ERROR, "file/broken"),
    DAMAGE: (Severity.WARNING, "file/damage"),
    NOTE: (Severity.NOTE, "file/oddity"),
}
"""The severity and the rule for each kind of message in the report of a file."""
ORDER = ("", "file", "material", "texture", "animation", "m2", "weights", "skeleton", "mesh", "bytes")
"""The first groups of rules in the list, in the order in which a user looks for a cause."""


class ProblemRow(Struct, frozen=True, eq=False):
    """A finding of a check, or a message in the form of a finding.

    `document` is the open file that has the bytes; None if that file is not open, for example a material
    script. `owner` is the open document to which the file belongs. `checked` is the check result with the
    finding, None for messages. `need` is the need that the finding is about. `whose` names the owner if it is
    not the only document in view.
    """

    finding: Finding
    document: Document | None = None
    owner: Document | None = None
    checked: CheckResult | None = None
    need: Need | None = None
    whose: str = ""

    @property
    def severity(self) -> Severity:
        """The severity of the finding: error, warning or note."""
        return self.finding.severity

    @property
    def rule(self) -> str:
        """The id of the rule."""
        return self.finding.rule

    @property
    def text(self) -> str:
        """The text of the finding as one line, after the name of the owner if it has one."""
        return printable(f"{self.whose}: {self.finding.text}" if self.whose else self.finding.text)

    @property
    def file(self) -> str:
        """The file's name without its folders."""
        return printable(file_name(self.finding.file))

    @property
    def location(self) -> str:
        """The field path and the offset: `bones[3] at 0x1F4`; empty if they are unknown."""
        if self.finding.offset is None:
            return ""
        return f"{printable(self.finding.path)} at 0x{self.finding.offset:X}".strip()

    @property
    def offers_bytes(self) -> bool:
        """Whether the file with the bytes is open and the offset is known."""
        return self.finding.offset is not None and self.document is not None

    @property
    def whole(self) -> str:
        """All facts as text of several lines."""
        finding = self.finding
        heading = f"{finding.severity.word} {finding.rule}: {self.text}" if self.rule else self.text
        where = " ".join(filter(None, [printable(finding.file), self.location and f"({self.location})"]))
        return "\n".join(filter(None, [heading, where, finding.effect, finding.remedy]))

    @property
    def searched(self) -> str:
        """The text that the filter searches."""
        finding = self.finding
        parts = (self.file, self.text, finding.path, finding.rule, finding.title, finding.severity.word)
        return " ".join(parts)


def version(state: State) -> tuple[object, ...]:
    """Return a key that changes whenever the rows may have changed. It stays the same while the first check
    of a document runs, which may add messages to the document's report.
    """
    views = [state.documents.view_of(document) for document in state.documents.opened]
    settled = [view.checked is not None or not state.interface.preferences.check_files for view in views]
    reports = [[each.report for each in (top, *top.attached)] for top in state.documents.opened]
    counts = tuple(
        known and sum(each.count for each in own) for known, own in zip(settled, reports, strict=True)
    )
    chosen = tuple(tuple(view.textures) for view in views)
    checked = tuple(id(view.checked) for view in views)
    ignored = tuple(state.interface.preferences.ignored_rules)
    shown = tuple(map(id, _in_view(state)))
    return (shown, counts, checked, chosen, ignored, *(id(each) for own in reports for each in own))


def problem_rows(state: State) -> list[ProblemRow]:
    """Return the rows of the document in view and of the documents shown with it: errors, then warnings, then
    notes.

    Rows of the same severity are sorted: missing files and parts come first, then the other rules by the
    `ORDER` of their groups. Findings of ignored rules are left out.
    """
    ignored, owners = state.interface.preferences.ignored_rules, [*_in_view(state)]
    rows = [
        replace(row, whose=_named(state, owner, name))
        for owner, name in zip(owners, short_names([each.path for each in owners]), strict=True)
        for row in _of_document(state, owner)
        if row.rule not in ignored
    ]
    return sorted(rows, key=_position)


def _named(state: State, owner: Document, name: str) -> str:
    """The name of a document beside others in view; empty for the document in view, unless it is compared."""
    if state.documents.compared is not None and owner in (state.document, state.documents.compared):
        return name
    return "" if owner is state.document else f"{name} (clip)"


def _position(row: ProblemRow) -> tuple[int, bool, int]:
    group = row.rule.partition("/")[0]
    return -row.severity, row.rule not in NEED_RULES, ORDER.index(group) if group in ORDER else len(ORDER)


def counts(rows: Collection[ProblemRow]) -> dict[Severity, int]:
    """Count the rows of each severity, the most severe first."""
    return {kind: sum(row.severity is kind for row in rows) for kind in sorted(Severity, reverse=True)}


def count_text(rows: Iterable[ProblemRow], kind: Severity) -> str:
    """The number of rows of a severity, and of those that belong to other documents than the one in view:
    `3 errors, 1 in Walk.ani (clip)`.
    """
    owners = Counter(row.whose for row in rows if row.severity is kind)
    parts = [f"{number} in {whose}" for whose, number in owners.items() if whose]
    return ", ".join([counted(owners.total(), kind.word), *parts])


def _in_view(state: State) -> Iterator[Document]:
    """The document in view, the document compared with it, and the opened files with clips for the document
    in view.
    """
    for document in state.documents.opened:
        if document in (state.document, state.documents.compared) or state.gives_clips(document):
            yield document


def _of_document(state: State, owner: Document) -> Iterator[ProblemRow]:
    """Yield the findings of a document. Until it is checked, yield its needs that the engine does not find,
    and the other messages of its files.
    """
    view = state.documents.view_of(owner)
    files = [owner, *owner.attached]
    by_path = {path_key(each.path): each for each in reversed(files)}
    listed = shown_needs(state, owner)
    needs = {(need.kind, need.name): need for need in listed if need.rule}
    if view.checked is None:
        said = faulty(owner, listed)
        for need in needs.values():
            if need not in said.values():
                yield ProblemRow(_of_need(need, owner), owner, owner, None, need)
        messages = [(each, document) for document in files for each in document.report.messages]
        for message, document in sorted(messages, key=lambda pair: pair[0].kind):
            if not message.is_need:
                finding = _of_message(message, document)
                about = said.get(path_key(finding.file)) if message.error else None
                yield ProblemRow(finding, by_path.get(path_key(finding.file)), owner, None, about)
        return
    for finding in view.checked.findings:
        if finding.need is None or finding.need in needs:
            about = None if finding.need is None else needs[finding.need]
            yield ProblemRow(finding, by_path.get(path_key(finding.file)), owner, view.checked, about)


def _of_need(need: Need, document: Document) -> Finding:
    severity = Severity[need.severity.upper()]
    place = (document.path, None, "", need.items, need.effect)
    return Finding(need.rule, severity, need.text, *place, need=(need.kind, need.name))


def _of_message(message: ReportMessage, document: Document) -> Finding:
    severity, rule = RULES[message.kind]
    error = message.error
    if error is None:
        return Finding(rule, severity, message.text, message.file or document.path)
    offset = error.offset if error.path or error.offset else None
    return Finding(rule, severity, error.why, error.file or document.path, offset, error.path)


OPEN = 8
"""A group with at most this number of rows is open at first; larger groups are closed."""


class ProblemGroup(Struct, frozen=True, eq=False):
    """The rows with the same rule and the same severity. `title` describes the defect in one line."""

    severity: Severity
    rule: str
    title: str
    rows: tuple[ProblemRow, ...]

    @property
    def key(self) -> tuple[Severity, str]:
        """The severity and the rule, which identify an open group."""
        return self.severity, self.rule


Node = ProblemRow | ProblemGroup


def problem_tree(
    rows: Iterable[ProblemRow],
    wanted: TextFilter,
    hidden: Collection[Severity],
    opened: Mapping[tuple[Severity, str], bool],
) -> Branch[Node]:
    """Build the tree of the rows that the filter fits. Rows with a severity in `hidden` are left out.

    Several rows of one rule form a group. `opened` states for each group whether it is open. A group without
    an entry is open if it has at most OPEN rows.
    """
    groups: dict[tuple[Severity, str], list[ProblemRow]] = defaultdict(list)
    for row in rows:
        if row.severity not in hidden and wanted.fits(row.searched):
            groups[row.severity, row.rule].append(row)
    nodes = [_node(*key, found) for key, found in groups.items()]
    tree: Branch[Node] = Branch(nodes, _children)
    for number, node in enumerate(nodes):
        if isinstance(node, ProblemGroup) and opened.get(node.key, len(node.rows) <= OPEN):
            tree.open(number)
    return tree


def path_of(tree: Branch[Node], finding: Finding | None) -> Path:
    """The path of the row with an equal finding; empty if there is no such row."""
    if finding is None:
        return ()
    for number, node in enumerate(tree.nodes):
        if isinstance(node, ProblemRow):
            if node.finding == finding:
                return (number,)
        elif node.rule == finding.rule:
            inner = next((n for n, row in enumerate(node.rows) if row.finding == finding), None)
            if inner is not None:
                return (number, inner)
    return ()


def _node(severity: Severity, rule: str, rows: list[ProblemRow]) -> Node:
    if len(rows) == 1:
        return rows[0]
    title = next((row.finding.title for row in rows if row.finding.title), "")
    return ProblemGroup(severity, rule, title or rule, tuple(rows))


def _children(node: Node) -> Sequence[Node]:
    return node.rows if isinstance(node, ProblemGroup) else ()
