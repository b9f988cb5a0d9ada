"""`rigscope completion`: prints the script that completes command lines in a shell, and the candidates.

`shtab` and `argcomplete` read the parsers of `argparse`, which does not fit here (see `options.parser`). The
scripts are short: they call `rigscope completion SHELL -- …` and read its lines.

The first line has two values:

- the kind: `words`, `part` (a word after which no space follows), `files` or `folders`
- the number of letters of the word before the name of a file

Each further line is a candidate; in zsh and fish its description follows a tab.

The words behind `--` are:

- bash: `WORDBREAKS BEFORE AFTER`, where BEFORE and AFTER are the line before and behind the cursor.
  A candidate replaces the last part of the word, with the quotes with which the user began the word.
- zsh and fish: `NUMBER WORD ...`, where the words are all words after `rigscope`. `NUMBER`, counted from 1,
  is the word to complete. This word has the quotes that the user typed, and ends at the cursor. Candidates
  are whole words.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

from viewer.commands.completion.bash import quoted, split
from viewer.commands.completion.candidates import Candidates, candidates
from viewer.commands.exit_status import DONE
from viewer.commands.options.given_options import Values
from viewer.commands.options.parser import UsageError
from viewer.paths import PACKAGE
from viewer.storage.reading import read_file

SCRIPTS = PACKAGE / "commands/completion/scripts"
ENDS = ("=", "/")
"""Letters at the end of an unfinished candidate. No space follows such a word, because more text must
follow.
"""


def completion(paths: list[str], values: Values) -> int:
    """Print the script of a shell, or the candidates for a word; return the exit status."""
    if len(paths) == 1:
        sys.stdout.write(script(paths[0]).decode())
        return DONE
    shell, *request = paths
    try:
        lines = _bash(*request) if shell == "bash" else _other(int(request[0]), request[1:])
        sys.stdout.writelines(f"{line}\n" for line in lines)
    except (ValueError, TypeError, IndexError):
        raise UsageError("the words after -- are for the completion script of a shell") from None
    return DONE


def script(shell: str) -> bytes:
    """Return the script for a shell; the shell's start-up file must source it."""
    return read_file(SCRIPTS / f"rigscope.{shell}")


def _bash(breaks: str, before: str, after: str) -> Iterator[str]:
    """Yield the candidates that begin with the word.

    They are quoted, and the part that bash keeps is left out.
    """
    words, last = split(before, breaks)
    found = candidates([*words[1:], last.text, *split(f"{after} ", breaks)[0]], len(words) - 1)
    fitting = [each.text for each in found.words if each.text.startswith(last.text)]
    is_part = found.kind == "words" and len(fitting) == 1 and fitting[0].endswith(ENDS)
    yield f"{'part' if is_part else found.kind} {found.front}"
    yield from (quoted(text[last.kept :], last.quote) for text in fitting)


def _other(number: int, words: Sequence[str]) -> Iterator[str]:
    """Yield all candidates, because zsh and fish choose the matching candidates themselves."""
    at = number - 1
    current = split(words[at], "")[1].text if words[at] else ""
    found: Candidates = candidates([*words[:at], current, *words[at + 1 :]], at)
    yield f"{found.kind} {found.front}"
    yield from (f"{each.text}\t{each.about}" for each in found.words)
