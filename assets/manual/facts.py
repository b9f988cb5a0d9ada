"""The parts of the manual that are facts of the program.

Such a part stands in a page between `<!-- facts: NAME -->` and `<!-- /facts -->`: it is what the function
FACTS[NAME] returns. The types of the options in `viewer.api` are facts too.
"""

from __future__ import annotations

import inspect
import re
from collections import Counter
from collections.abc import Callable, Iterable
from enum import Enum
from itertools import groupby
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec

from viewer import plugin as facade
from viewer.actions import ACTIONS
from viewer.actions.bindings import active
from viewer.actions.presets import PRESETS
from viewer.check.rules import all_rules
from viewer.commands.exit_status import STATUSES
from viewer.commands.options.parser import Option
from viewer.commands.options.table import LISTS, PICTURE, POSE, SEQUENCE
from viewer.commands.usage import VERBS, WINDOW, Verb
from viewer.family.registry import pages
from viewer.library.index.query_terms import (
    ALONE,
    COLUMNS,
    COUNTED,
    HAS,
    LISTED,
    MARKS,
    MISSING_KINDS,
    READERS,
    TEXTS,
)
from viewer.scene.files import FileKind
from viewer.session.preferences import PRESET_NAMES, SETTINGS, Group, Preferences, meta_of, shown_as

HERE = Path(__file__).resolve().parent
BLOCK = re.compile(r"(<!-- facts: (\S+) -->\n).*?(<!-- /facts -->)", re.DOTALL)
PAGES = (
    "start",
    "window",
    "keys",
    "animation",
    "inspecting",
    "bytes",
    "materials",
    "light",
    "many-files",
    "check",
    "rules",
    "compare",
    "judging",
    "export",
    "command-line",
    "formats",
    "settings",
    "promises",
    "python",
    "plugins",
    "plugin-names",
    "contributing",
)
"""The pages in the order of the index."""
KINDS = {bool: "true, false", int: "whole number", float: "number", str: "text", list: "list", dict: "table"}
LONGEST = 96
"""The longest line of a signature."""
SKIPPED = ("self", "cls")
SHARED = 2
"""The number of verbs from which on a group of options has a section of its own."""


API = HERE.parents[1] / "viewer" / "api.py"
FIELDS = re.compile(r'(class (\w+)\(\w+, total=False\):\n    """[^"]*"""\n\n).*?\n\n\n', re.DOTALL)
"""The classes of `viewer.api` whose fields are options of the command line."""
OPTIONS = {"PoseOptions": POSE, "PictureOptions": PICTURE, "FilmOptions": SEQUENCE}
TYPES = {
    **{kind: kind for kind in ("bool", "float", "int", "int | None")},
    **{kind: f"{kind} | str" for kind in ("Color", "Size", "tuple[int, int]")},
    "str | dict[str, int]": "str | Mapping[str, int]",
    "tuple[int, str]": "Mapping[int, Path]",
    "tuple[str, int]": "Mapping[str, int]",
    "tuple[str, float]": "Mapping[str, float]",
    "camera": "int | Path",
    "display": "int | str",
}
"""The types of options in Python, by the type of their values or by name; every other is a text."""


def written(text: str) -> str:
    """A page with the facts of now. KeyError for an unknown block."""
    return BLOCK.sub(lambda found: f"{found[1]}{FACTS[found[2]]()}\n{found[3]}", text)


def typed(source: str) -> str:
    """The source of `viewer.api` with the options of now. KeyError for an unknown class."""
    return FIELDS.sub(lambda found: f"{found[1]}{_fields(OPTIONS[found[2]])}\n\n\n", source)


def _fields(options: Iterable[Option]) -> str:
    return "\n".join(f"    {option.name}: {_type(option)}" for option in options)


def _type(option: Option) -> str:
    """The type of an option in Python, of which the converter of its text returns a value."""
    made = getattr(option.convert, "__annotations__", {})
    kind = made.get("return", "str") if option.metavar else "bool"
    one = TYPES.get(option.name) or TYPES.get(kind, "str")
    return f"{one} | Sequence[{one}]" if option.repeat and "Mapping" not in one else one


def write() -> list[str]:
    """Write the facts into the pages and into `viewer.api`; the names of the files that changed."""
    changed = []
    for path in (*sorted(HERE.glob("*.md")), API):
        text = path.read_text(encoding="utf-8")
        now = typed(text) if path == API else written(text)
        if now != text:
            path.write_text(now, encoding="utf-8")
            changed.append(path.name)
    return changed


def names(text: str) -> list[str]:
    """The names of the blocks of a page."""
    return [found[2] for found in BLOCK.finditer(text)]


def index() -> str:
    """A link to each page, with its sentence."""
    lines = []
    for name in PAGES:
        title, sentence = (HERE / f"{name}.md").read_text(encoding="utf-8").split("\n")[0:3:2]
        lines.append(f"- [{title.removeprefix('# ')}]({name}.md): {sentence}")
    return "\n".join(lines)


def verbs() -> str:
    """What each verb does, in a line."""
    lines = [f"- [`rigscope {verb.form}`](#{_slug(verb)})  \n  {_summary(verb)}" for verb in (WINDOW, *VERBS)]
    return "\n".join(lines)


def options() -> str:
    """A section for each verb, then one for each group of options that several verbs take."""
    shared = _shared()
    sections = [_verb(verb, shared) for verb in (WINDOW, *VERBS)]
    groups = [f"## {_heading(title)}\n\n{_users(group)}\n\n{_list(group)}" for title, group in shared]
    return "\n\n".join([*sections, *groups, f"## Other options\n\n{_list(LISTS)}"])


def _verb(verb: Verb, shared: list[tuple[str, tuple[Option, ...]]]) -> str:
    parts = [f"## {_title(verb)}", f"    rigscope {verb.synopsis}", _prose(verb.about)]
    links = []
    for title, group in verb.groups:
        same = next((each for each in shared if _flags(each[1]) == _flags(group)), None)
        own = [option for option in group if same is None or option not in same[1]]
        if own:
            parts += [f"{title.capitalize()}:", _list(own)]
        if same is not None:
            links.append(f"[{same[0]}](#{_anchor(_heading(same[0]))})")
    if links:
        parts.append(f"Also the options of: {', '.join(links)}.")
    return "\n\n".join(parts)


def _shared() -> list[tuple[str, tuple[Option, ...]]]:
    """The groups of several options that several verbs take, with their titles."""
    every = [(title, group) for verb in (WINDOW, *VERBS) for title, group in verb.groups if len(group) > 1]
    count = Counter(_flags(group) for _, group in every)
    first = {_flags(group): (title, group) for title, group in reversed(every)}
    return [
        first[flags] for flags in dict.fromkeys(map(_flags, dict(every).values())) if count[flags] >= SHARED
    ]


def _users(group: Iterable[Option]) -> str:
    names = [
        f"[{_title(verb)}](#{_slug(verb)})"
        for verb in (WINDOW, *VERBS)
        if any(_flags(group) == _flags(each) for _, each in verb.groups)
    ]
    return f"For {_joined(names)}."


def _flags(group: Iterable[Option]) -> tuple[str, ...]:
    return tuple(option.flag for option in group)


def _list(group: Iterable[Option]) -> str:
    return "\n".join(map(_option, group))


def _option(option: Option) -> str:
    return f"- `{option.spelled}`: {_prose(option.about)}"


def _prose(text: str) -> str:
    """Paragraphs of a help text; indented lines as they are."""
    parts = []
    for paragraph in text.split("\n\n"):
        lines = paragraph.split("\n")
        if lines[0].startswith("  "):
            parts.append("\n".join(["```text", *(line[2:] for line in lines), "```"]))
        else:
            plain = " ".join(lines).replace("*", "\\*").replace("<", "\\<")
            parts.append(re.sub(r"(?<![\w`-])(--[a-z][a-z-]*)", r"`\1`", plain))
    return "\n\n".join(parts)


def _summary(verb: Verb) -> str:
    return _prose(verb.about.split(". ")[0].split(":")[0].removesuffix(".")) + "."


def _title(verb: Verb) -> str:
    return verb.name or "The window"


def _slug(verb: Verb) -> str:
    return _anchor(_title(verb))


def _heading(title: str) -> str:
    return f"Options: {title}"


def _anchor(heading: str) -> str:
    """The anchor of a heading, as GitHub and MyST make it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def _joined(words: list[str]) -> str:
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else words[0]


def statuses() -> str:
    """The exit statuses."""
    return "\n".join(f"- `{status}`: {' '.join(text.split())}" for status, text in STATUSES.items())


def keys() -> str:
    """Every action: its menu, its keys, and its name in the settings."""
    parts = []
    for menu, actions in groupby(sorted(ACTIONS, key=_menu_number), lambda action: action.menu[0]):
        rows = [
            f"| {' › '.join((*action.menu[1:], action.title))} | {_chords(action.keys)} | `{action.name}` |"
            for action in actions
        ]
        parts += ["\n".join((f"### {menu}", "", "| action | keys | name |", "|---|---|---|", *rows))]
    return "\n\n".join(parts)


MENUS = tuple(dict.fromkeys(action.menu[0] for action in ACTIONS))


def _menu_number(action: Any) -> int:
    return MENUS.index(action.menu[0])


def _chords(chords: Iterable[str]) -> str:
    return ", ".join(f"`{chord}`" for chord in chords)


def mouse() -> str:
    """What a drag does with each button, and what the wheel does, by preset."""
    controls = dict.fromkeys(control for preset in PRESETS.values() for control in preset.mouse)
    rows = [
        f"| {control} | " + " | ".join(preset.mouse.get(control, "") for preset in PRESETS.values()) + " |"
        for control in sorted(controls, key=lambda control: control.rpartition("+")[::-1])
    ]
    titles = " | ".join(PRESET_NAMES[name] for name in PRESETS)
    return "\n".join((f"| drag or wheel | {titles} |", "|---|---|---|---|", *rows))


def presets() -> str:
    """The actions whose keys differ from the table of actions, by preset."""
    rows = [
        f"| {PRESET_NAMES[preset]} | {action.title} | {_chords(chords) or 'none'} |"
        for preset in PRESETS
        for action, chords in zip(ACTIONS, active(Preferences(preset=preset)).values(), strict=True)
        if chords != action.keys
    ]
    return "\n".join(("| preset | action | keys |", "|---|---|---|", *rows))


def rules() -> str:
    """Every rule by group: what it finds, its effect, remedy and example."""
    parts = []
    order = list(dict.fromkeys(_group(rule.id) for rule in all_rules()))
    for group in order:
        parts.append(f"## {group}")
        parts += [_rule(rule) for rule in all_rules() if _group(rule.id) == group]
    return "\n\n".join(parts)


def _group(rule: str) -> str:
    return rule.partition("/")[0]


def _rule(rule: Any) -> str:
    effects = [f"{family}: {text}" if family else text for family, text in rule.effects.items()]
    lines = [
        f"### {rule.id}",
        f"**{rule.kind.capitalize()}.** {_plain(rule.title)}. {_plain(' '.join(effects))}",
        f"- Remedy: {_plain(rule.remedy)}\n- Example: {_plain(rule.example)}",
    ]
    return "\n\n".join(lines)


def _plain(text: str) -> str:
    """A text whose characters mean themselves."""
    return re.sub(r"([*<\[\]\\])|(?<!\w)_|_(?!\w)", lambda found: f"\\{found[0]}", text)


def formats() -> str:
    """Every layout: what it is of, where it is known from, and the command that prints it."""
    sections = []
    for page in pages():
        suffixes = " ".join(f"`{suffix}`" for suffix in page.suffixes)
        head = f"### {page.title}\n\n{suffixes + ' ' if suffixes else ''}— `rigscope formats {page.name}`"
        about = _plain(page.about.replace("`", "")) if "``" in page.about else page.about
        sections.append(f"{head}\n\n{about}\n\nSource: {page.source}")
    return "\n\n".join(sections)


def settings() -> str:
    """Every setting by its group in the window: name, title, values, default and meaning."""
    parts = []
    for group in (*Group, None):
        lines = [_setting(name) for name in SETTINGS if shown_as(name).group is group]
        parts.append("\n".join((f"### {group.value if group else 'What the window remembers'}", "", *lines)))
    return "\n\n".join(parts)


def _setting(name: str) -> str:
    given = msgspec.json.encode(getattr(Preferences(), name)).decode()
    meta, shown, kind = meta_of(name), shown_as(name), get_type_hints(Preferences)[name]
    title = f"{shown.title}, " if shown.title else ""
    limits = f", {meta.ge:g} to {meta.le:g}" if meta.le is not None else ""
    applies = f". {shown.applies}" if shown.applies else ""
    return f"- {title}`{name}`: {meta.description} ({_values(kind)}{limits}; default `{given}`){applies}"


def _values(kind: Any) -> str:
    """The values of a type in words: `dark`, `light`; number; list."""
    if get_origin(kind) is Literal or (isinstance(kind, type) and issubclass(kind, Enum)):
        return ", ".join(f"`{word}`" for word in get_args(kind) or [each.value for each in kind])
    return KINDS.get(get_origin(kind) or kind) or _values(get_args(kind)[0])  # `int | None`: as `int`


def query() -> str:
    """The fields of a query, by their kind."""
    numbers = [
        f"`{name}`, as in `{example}`" for name, (_, example) in READERS.items() if name not in COUNTED
    ]
    return "\n".join(
        [
            f"- Texts: {_codes(TEXTS)}",
            f"- Names inside files, of which each counts: {_codes(COLUMNS)}",
            f"- Counts: {_codes(COUNTED)}",
            f"- Other numbers: {'; '.join(numbers)}",
            f"- `has:` takes {_codes(HAS)}",
            f"- Words that are conditions by themselves: {_codes(ALONE)}",
            f"- Answered without reading a file: words, {_codes((*LISTED, *MARKS))}",
            f"- `missing:` takes a name, or one of the kinds {_codes(MISSING_KINDS)}",
        ]
    )


def _codes(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def plugin() -> str:
    """A section for each name of `viewer.plugin`."""
    constants = [name for name in facade.__all__ if name.isupper()]
    rows = "\n\n".join(_constant(name, getattr(facade, name)) for name in constants)
    named = (_named(name, getattr(facade, name)) for name in facade.__all__ if name not in constants)
    return "\n\n".join([f"## Constants\n\n{rows}", *named])


def _constant(name: str, value: Any) -> str:
    """The section of a constant."""
    if isinstance(value, dict):
        rows = (f"| `{key}` | {each} |" for key, each in value.items())
        return f"### {name}\n\n" + "\n".join(["| | |", "|---|---|", *rows])
    if isinstance(value, FileKind):
        return f"`{name}` is the kind of a file that is a {value.name}."
    if isinstance(value, tuple):
        return f"### {name}\n\n" + ", ".join(f"`{each}`" for each in value) + "."
    return f"`{name}` is {value}: a family names the version for which it was written."


def _named(name: str, value: Any) -> str:
    """The section of a name: how it is called, its text, and the methods of a class."""
    text, parts = "", [f"## {name}"]
    if inspect.isclass(value) and issubclass(value, Enum):
        text = inspect.getdoc(value) or ""
        parts.append("One of " + ", ".join(f"`{each.name}`" for each in value) + ".")
    elif inspect.isclass(value) or inspect.isroutine(value):
        text = inspect.getdoc(value) or ""
        parts.append(f"```text\n{_call(name, value)}\n```")
    else:
        parts.append("A function `fetch(offset, size)` that returns bytes of a file, fewer at its end.")
    methods = _methods(value) if inspect.isclass(value) else []
    return "\n\n".join([*parts, *([text] if text else []), *(["\n".join(methods)] if methods else [])])


def _methods(value: type) -> list[str]:
    """A row for each documented method and property of a class."""
    rows = []
    for name, each in vars(value).items():
        function = each.fget if isinstance(each, property) else getattr(each, "func", each)
        if name.startswith("_") or not inspect.isroutine(function) or not inspect.getdoc(function):
            continue
        plain = function.__func__ if isinstance(function, (classmethod, staticmethod)) else function
        call = (
            name
            if plain is not each and not isinstance(each, (classmethod, staticmethod))
            else _call(name, plain)
        )
        line = " ".join(call.split()).replace("( ", "(").replace(", )", ")")
        rows.append(f"- `{line}`: {_first_sentence(inspect.getdoc(plain) or '')}")
    return rows


def _first_sentence(text: str) -> str:
    """The first sentence of a docstring, in one line."""
    paragraph = " ".join(text.split("\n\n")[0].split())
    return f"{re.split(r'(?<=[.:;]) (?=[A-Z`])', paragraph)[0].rstrip('.:;')}."


def _call(name: str, value: Any) -> str:
    """How a class or a function is called, with a line for each parameter if there are many."""
    try:
        signature = inspect.signature(value)
    except ValueError:
        return name
    types: dict[str, Any] = {}
    for each in reversed(value.__mro__) if inspect.isclass(value) else (value,):
        types |= inspect.get_annotations(each)
    parameters = [
        each
        for each in signature.parameters.values()
        if each.name not in SKIPPED and not each.name.startswith("_")
    ]
    if [each.kind for each in parameters] == [
        inspect.Parameter.VAR_POSITIONAL,
        inspect.Parameter.VAR_KEYWORD,
    ]:
        return name  # a protocol, which nobody calls
    given = [_parameter(each, types.get(each.name, each.annotation)) for each in parameters]
    returns = "" if inspect.isclass(value) else f" -> {_annotation(types.get('return', 'None'))}"
    line = f"{name}({', '.join(given)}){returns}"
    return line if len(line) <= LONGEST else f"{name}(\n    " + ",\n    ".join(given) + f",\n){returns}"


def _parameter(parameter: inspect.Parameter, annotation: Any) -> str:
    """The name, the type and the default of a parameter."""
    star = "*" if parameter.kind is parameter.VAR_POSITIONAL else ""
    text = f"{star}{parameter.name}: {_annotation(annotation)}"
    if parameter.default is parameter.empty:
        return text
    default = parameter.default
    plain = default is None or isinstance(default, (str, int, float, tuple, bytes))
    return f"{text} = {default!r}" if plain and len(repr(default)) < 30 else f"{text} = …"


def _annotation(annotation: Any) -> str:
    """A type as its author wrote it, without names of modules."""
    text = getattr(annotation, "__forward_arg__", annotation)
    text = text if isinstance(text, str) else getattr(text, "__name__", str(text))
    return re.sub(r"\b[a-z_]+\.(?=[A-Za-z])", "", text)


FACTS: dict[str, Callable[[], str]] = {
    "pages": index,
    "verbs": verbs,
    "options": options,
    "statuses": statuses,
    "keys": keys,
    "mouse": mouse,
    "presets": presets,
    "rules": rules,
    "formats": formats,
    "settings": settings,
    "query": query,
    "plugin": plugin,
}
