"""What is typed into the app's query box: plain text, and known keys with a value. No Textual here.

Only the app reads keys; the command line and the protocol take every query as plain text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_PATH = re.compile(r"(?:^|(?<=\s))path:(\S+)(?:\s+|$)")


@dataclass(frozen=True, slots=True)
class QueryLine:
    """The text that is ranked, and the path that glob rules are asked about ("" for none)."""

    text: str
    path: str = ""


def parse(line: str) -> QueryLine:
    """Take `path:src/x.tsx` out of the line; the last one counts."""
    found = _PATH.findall(line)
    return QueryLine(_PATH.sub("", line), found[-1]) if found else QueryLine(line)
