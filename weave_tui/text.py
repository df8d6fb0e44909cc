"""Text from files, made safe to show.

Names, descriptions and bodies are hostile: they may hold terminal escapes, bidirectional
overrides or invisible characters. Everything that is drawn goes through `visible`; what is
copied never does.
"""

from __future__ import annotations

import re
import unicodedata

_HIDDEN = re.compile(
    "["
    "\x00-\x08\x0b-\x1f\x7f-\x9f"  # C0 and C1 controls but tab and newline: ESC, CSI, OSC, CR, ...
    "\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb"
    "\ufe00-\ufe0f\ud800-\udfff"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
    "]"
)
"""Characters that a terminal would obey or not show: controls, bidi, zero-width, tags."""

_JOINERS = "\u200d\ufe0e\ufe0f"
"""Zero-width characters that are part of ordinary emoji; alone they say nothing."""


def _is_emoji_part(text: str, index: int) -> bool:
    if text[index] not in _JOINERS or index == 0:
        return False
    return unicodedata.category(text[index - 1]) in {"So", "Sk", "Mn"} or text[index - 1] in "0123456789#*\u200d"


def hidden_characters(text: str) -> int:
    """How many characters of `text` a terminal would obey or not show."""
    return sum(1 for match in _HIDDEN.finditer(text) if not _is_emoji_part(text, match.start()))


def _mark(match: re.Match[str]) -> str:
    code = ord(match.group())
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    return f"<U+{code:04X}>"


def visible(text: str) -> str:
    """`text` with every hidden character replaced by a printable mark; newlines and tabs stay."""
    if text.isascii() and text.isprintable():
        return text
    return _HIDDEN.sub(_mark, text)


def one_line(text: str) -> str:
    """`text` on one line, white space folded, safe to show in a row."""
    return visible(" ".join(text.split()))
