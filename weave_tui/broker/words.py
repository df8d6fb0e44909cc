"""Words: how text becomes the terms that the lexical part counts.

The same function splits skills and queries. Identifiers are split and kept whole
(`useEffect` is also `use` and `effect`), endings are cut lightly, and scripts written
without spaces become pairs of characters.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from dataclasses import dataclass

_WORD = re.compile(r"[^\W_]+(?:[_'’.+#-]*[^\W_]+)*(?:\+\+|#)?")
_PIECE = re.compile(r"[^\W\d_]+|\d+")
_HUMP = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+|[^\W\d_A-Za-z]+")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\u0e00-\u0e7f]+")

STOP_WORDS = frozenset(
    """
    a about after all also am an and any are as at be because been before being both but by can could did do does
    doing don down during each few for from further get had has have having he her here him his how i if in into is
    it its itself just let like ll me more most my need no nor not now of off on once one only or other our out over
    own please re s same she should so some such t than that the their them then there these they this those through
    to too under until up use used uses using ve very want was we were what when where which while who whom why will
    with would you your
    """.split()
)
"""English words that say nothing about a task."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a text as written, its place (character offsets), and the terms it counts as."""

    text: str
    start: int
    end: int
    terms: tuple[str, ...]


def words(text: str) -> list[Word]:
    """The words of `text` in order; stop words have no terms."""
    return [Word(m.group(), m.start(), m.end(), terms_of(m.group())) for m in _WORD.finditer(text)]


@functools.lru_cache(maxsize=65_536)
def terms_of(word: str) -> tuple[str, ...]:
    """The terms of one word: stems of its pieces, and the whole when there are several."""
    folded = unicodedata.normalize("NFKC", word)
    unspaced = _UNSPACED.findall(folded)
    if unspaced:
        pairs = [run[i : i + 2] for run in unspaced for i in range(max(1, len(run) - 1))]
        folded = _UNSPACED.sub(" ", folded)
        return tuple(dict.fromkeys([*pairs, *(t for rest in folded.split() for t in terms_of(rest))]))
    humps = [hump.lower() for piece in _PIECE.findall(folded) for hump in _HUMP.findall(piece)]
    stems = [stem(hump) for hump in humps if hump not in STOP_WORDS]
    whole = "".join(humps)
    if len(humps) > 1 and whole not in STOP_WORDS:
        stems.append(stem(whole))
    return tuple(dict.fromkeys(stems))


_ENDINGS = (("ies", "y"), ("sses", "ss"), ("ing", ""), ("ed", ""), ("es", "e"), ("s", ""))


@functools.lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """`word` without its plural, past or -ing ending; short and non-ASCII words stay."""
    if len(word) < 4 or not word.isascii():
        return word
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            if word.endswith(("ss", "us", "is")):
                return word
            cut = word[: len(word) - len(ending)] + instead
            if ending in {"ing", "ed"}:
                cut = cut[:-1] if len(cut) > 3 and cut[-1] == cut[-2] and cut[-1] not in "lsz" else cut
            return cut.rstrip("e") if len(cut) > 3 else cut
    return word.rstrip("e") if len(word) > 4 else word
