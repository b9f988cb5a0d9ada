"""The query language of the library: text to SQL. The grammar:

    query      = all { "or" all }
    all        = condition { [ "and" ] condition }
    condition  = "not" condition | "(" query ")" | term
    term       = word | field operator value

Values with spaces or brackets need quotes. See `query_terms` for the fields.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from viewer.library.index.query_terms import ALONE, GLOB, Condition, QueryError, QueryToken, combined, term

TOKEN = re.compile(
    r"""(?P<space>\s+)
    | (?P<bracket>[()])
    | (?P<term> (?: (?P<field>[^\W\d]\w*) (?P<operator>!=|>=|<=|[:=<>]) )?
        (?P<value> "(?P<quoted>[^"]*)(?P<closing>"?) | [^\s()"]* ) )""",
    re.VERBOSE,
)
DEEPEST = 40
"""Largest depth of nested brackets and negations."""
MOST = 200
"""Largest number of terms in a query."""
EVERY = Condition("1", reads=False)
"""The condition of an empty query: all files meet it."""


def parse(text: str) -> Condition:
    """Parse a query to a condition; an empty query finds all files. Raises QueryError for an invalid
    query.
    """
    tokens = list(_tokens(text))
    if len(tokens) > MOST:
        raise QueryError(f"a query has at most {MOST} words", tokens[MOST].at)
    return _Parser(tokens, len(text)).whole() if tokens else EVERY


def plain_words(text: str) -> list[str] | None:
    """The words of a valid query that is only words, which names alone can answer; None for other queries."""
    found = list(_tokens(text))
    plain = not any(
        each.keyword or each.field or each.quoted or each.text.lower() in ALONE or GLOB.search(each.value)
        for each in found
    )
    return [each.value for each in found] if plain else None


def _tokens(text: str) -> Iterator[QueryToken]:
    at = 0
    while at < len(text):
        found = TOKEN.match(text, at)
        assert found is not None and found.end() > at, "every character begins a token"
        if found["quoted"] is not None and not found["closing"]:
            raise QueryError("the quote is not closed", found.start("value"))
        if found["bracket"]:
            yield QueryToken(at, found["bracket"])
        elif found["term"]:
            quoted = found["quoted"] is not None
            value = found["quoted"] if quoted else found["value"]
            word = "" if quoted and not found["field"] else found["term"]
            field, operator = (found["field"] or "").lower(), found["operator"] or ""
            yield QueryToken(at, word, field, operator, value, found.start("value"), quoted)
        at = found.end()


class _Parser:
    """Parses tokens to a condition."""

    def __init__(self, tokens: Sequence[QueryToken], end: int) -> None:
        self._tokens, self._end = tokens, end
        self._next, self._depth = 0, 0

    def whole(self) -> Condition:
        """Parse all tokens."""
        found = self._any()
        if self._next < len(self._tokens):
            raise QueryError("no bracket is open here", self._tokens[self._next].at)
        return found

    def _keyword(self) -> str:
        return self._tokens[self._next].keyword if self._next < len(self._tokens) else "end"

    def _any(self) -> Condition:
        parts = [self._all()]
        while self._keyword() == "or":
            self._next += 1
            parts.append(self._all())
        return combined("OR", parts)

    def _all(self) -> Condition:
        parts = [self._condition()]
        while self._keyword() not in {"or", ")", "end"}:
            self._next += self._keyword() == "and"
            parts.append(self._condition())
        return combined("AND", parts)

    def _condition(self) -> Condition:
        keyword = self._keyword()
        if keyword in {"end", "or", "and", ")"}:
            raise QueryError("a word or a condition is missing here", self._at())
        token = self._tokens[self._next]
        self._next += 1
        if not keyword:
            return term(token)
        self._depth += 1
        if self._depth > DEEPEST:
            raise QueryError(f"more than {DEEPEST} brackets and negations inside each other", token.at)
        found = self._condition().negated() if keyword == "not" else self._bracket(token)
        self._depth -= 1
        return found

    def _bracket(self, opening: QueryToken) -> Condition:
        found = self._any()
        if self._keyword() != ")":
            raise QueryError("the bracket is not closed", opening.at)
        self._next += 1
        return found

    def _at(self) -> int:
        return self._tokens[self._next].at if self._next < len(self._tokens) else self._end
