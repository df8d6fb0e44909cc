"""What is typed into the app's query box: plain text, and known keys with a value. No Textual here.

Only the app reads keys; the command line and the protocol take every query as plain text. What has no known key
is text: `http://x`, `foo:bar`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

KEYS: Mapping[str, str] = {
    "platform": "the tool it is for: claude_code, cursor, codex, windsurf",
    "source": "where it is from: project, user, given",
    "tag": "one of its capabilities",
    "name": "a part of its name",
    "is": "how it is read (always, described, glob, manual, off), what it is (skill, agent, rule ...), or shadowed",
    "path": "rules whose globs do not match this file are left out",
}
"""What can be filtered by. A `-` before it turns it round; quotes hold blanks together."""

_FILTER = re.compile(
    rf'(?:^|(?<=\s))(?P<not>-?)(?P<key>{"|".join(KEYS)}):(?:"(?P<quoted>[^"]*)(?:"|$)|(?P<value>\S*))(?:\s+|$)'
)
_LAST = re.compile(r"(?:^|(?<=\s))(?P<not>-?)(?P<word>[^\s\"]*|[a-z]+:\"[^\"]*)$")


@dataclass(frozen=True, slots=True)
class Filter:
    """One key with its value, in lower case; `is_not`: what passes it is left out."""

    key: str
    value: str
    is_not: bool = False

    def __str__(self) -> str:
        value = f'"{self.value}"' if " " in self.value else self.value
        return f"{'-' if self.is_not else ''}{self.key}:{value}"


@dataclass(frozen=True, slots=True)
class QueryLine:
    """The text that is ranked, what filters it, and where in the line the filters stand (start, end)."""

    text: str
    filters: tuple[Filter, ...] = ()
    spans: tuple[tuple[int, int], ...] = ()

    @property
    def path(self) -> str:
        """The path that glob rules are asked about; "" for none, the last one counts."""
        return next((one.value for one in reversed(self.filters) if one.key == "path" and not one.is_not), "")


def parse(line: str) -> QueryLine:
    """Take the filters out of the line. A key without a value filters nothing yet."""
    found = list(_FILTER.finditer(line))
    filters = []
    for match in found:
        value = match["quoted"] if match["quoted"] is not None else match["value"]
        if value:
            # Paths are compared as they are written.
            value = value if match["key"] == "path" else value.casefold()
            filters.append(Filter(match["key"], value, bool(match["not"])))
    spans = tuple((match.start(), match.start() + len(match.group().rstrip())) for match in found)
    return QueryLine(_FILTER.sub("", line) if found else line, tuple(filters), spans)


def completion(line: str, values: Mapping[str, Sequence[str]]) -> str | None:
    """The line with its last word completed: a key, or after a key the first of its values that begins so."""
    last = _LAST.search(line)
    if last is None or not last["word"]:
        return None
    key, colon, begun = last["word"].partition(":")
    if not colon:
        found = next((name for name in KEYS if name.startswith(key) and name != key), None) if len(key) > 1 else None
        return f"{line}{found[len(key) :]}:" if found else None
    quoted = begun.startswith('"')
    begun = begun.removeprefix('"')
    value = _first(values.get(key, ()), begun)
    if value is None:
        return None
    head = line[: len(line) - len(begun) - quoted]
    return f'{head}"{value}"' if quoted or " " in value else f"{head}{value}"


def _first(values: Iterable[str], begun: str) -> str | None:
    """The first value that begins with `begun` and goes on, written as it was begun."""
    lower = begun.casefold()
    found = next((one for one in values if len(one) > len(begun) and one.casefold().startswith(lower)), None)
    return begun + found[len(begun) :] if found else None
