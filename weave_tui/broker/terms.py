"""Terms: the keys under which words, their pairs and their stubs are counted, and how much each counts in a skill.

A key is a 64-bit number made of the term alone, the same in every process: entries of skills that were
counted on different days fit together, and nothing needs a common vocabulary. Among a million terms two
share a key with a chance of 1 in 40 million.

A batch is counted with array operations; Python only looks each word up.
"""

from __future__ import annotations

import functools
import hashlib
import itertools
from array import array
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from weave_tui.broker.fields import Fields
from weave_tui.broker.weights import FIELDS, STUB_LETTERS, Weights
from weave_tui.broker.words import EXTENSION, WORD, Kind, Token, extension_of, squashed, tokens_of

Keys = npt.NDArray[np.uint64]
Floats = npt.NDArray[np.float32]

_MIX = (np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F), np.uint64(29))


@functools.lru_cache(maxsize=262_144)
def key(term: str) -> int:
    """The key of a term."""
    return int.from_bytes(hashlib.blake2b(term.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


def stub_key(term: str) -> int:
    """The key of a word's beginning."""
    return key("~" + term[:STUB_LETTERS])


def call_key(name: str) -> int:
    """The key of a skill's name called with a slash."""
    return key("/" + squashed(name))


def pair_keys(first: Keys, second: Keys) -> Keys:
    """The keys of two neighbouring words, from theirs; the order counts."""
    mixed = first * _MIX[0] + second * _MIX[1]
    return np.asarray(mixed ^ (mixed >> _MIX[2]), np.uint64)


@dataclass(frozen=True, slots=True)
class Occurrences:
    """Every term of a batch of skills as often as it occurs, all arrays of one length.

    owners: skill number times the number of fields, plus the field's. amounts: the field's weight, less in a
    long field. surfaces: each word as written with its key, for completing an unfinished one.
    """

    keys: Keys
    owners: npt.NDArray[np.int32]
    amounts: Floats
    surfaces: dict[str, int]


class Lexicon(dict[str, tuple[int, ...]]):
    """Words to the numbers of their tokens, filled as words come: each is taken apart once a build."""

    def __init__(self) -> None:
        super().__init__()
        self.surfaces: list[str] = []
        self._codes: dict[Token, int] = {}
        self._kinds, self._keys, self._stubs = array("b"), array("Q"), array("Q")

    def __missing__(self, word: str) -> tuple[int, ...]:
        codes = self[word] = tuple(self.code(token) for token in tokens_of(word))
        return codes

    def code(self, token: Token) -> int:
        """The number of a token."""
        code = self._codes.setdefault(token, len(self._codes))
        if code == len(self._kinds):
            self.surfaces.append(token.surface)
            self._kinds.append(token.kind)
            self._keys.append(key(token.term))
            self._stubs.append(stub_key(token.term))
        return code

    def arrays(self) -> tuple[npt.NDArray[np.int8], Keys, Keys]:
        """By number: each token's kind, key and stub's key."""
        return np.array(self._kinds, np.int8), np.array(self._keys, np.uint64), np.array(self._stubs, np.uint64)


def occurrences(skills: Sequence[Fields], weights: Weights, lexicon: Lexicon) -> Occurrences:
    """The terms of `skills`, in no particular order."""
    counted = array("i")
    owners: list[int] = []
    ends: list[int] = []
    for field, text in _texts(skills):
        counted.extend(itertools.chain.from_iterable(map(lexicon.__getitem__, WORD.findall(text))))
        counted.extend(lexicon.code(extension_of(letters)) for letters in EXTENSION.findall(text))
        owners.append(field)
        ends.append(len(counted))
    kind_of, key_of, stub_of = lexicon.arrays()
    code = np.array(counted, np.int32)
    text_of = np.repeat(np.arange(len(ends)), np.diff([0, *ends]))
    owner = np.array(owners, np.int32)[text_of]
    names = np.arange(len(skills), dtype=np.int32) * len(FIELDS)
    amount = _amounts(owner, len(skills), weights)
    kinds, keys = kind_of[code], key_of[code]
    has_stub = kinds <= Kind.JOINED
    left, right = _neighbours(kinds, text_of)
    called = np.array([call_key(fields.texts[0][0]) for fields in skills], np.uint64)
    owners_of_terms = np.concatenate([owner, owner[has_stub], owner[right]])
    written = np.unique(code[has_stub])
    return Occurrences(
        keys=np.concatenate([keys, stub_of[code[has_stub]], pair_keys(keys[left], keys[right]), called]),
        owners=np.concatenate([owners_of_terms, names]),
        amounts=np.concatenate(
            [amount[owners_of_terms], np.full(len(names), weights.fields[0].words, np.float32)], dtype=np.float32
        ),
        surfaces=dict(zip((lexicon.surfaces[at] for at in written.tolist()), key_of[written].tolist(), strict=True)),
    )


def _texts(skills: Sequence[Fields]) -> list[tuple[int, str]]:
    return [
        (number * len(FIELDS) + field, text)
        for number, skill in enumerate(skills)
        for field, texts in enumerate(skill.texts)
        for text in texts
    ]


def _amounts(owner: npt.NDArray[np.int32], skills: int, weights: Weights) -> Floats:
    """What one occurrence counts, for each field of each skill: float32 (skills * fields,)."""
    lengths = np.bincount(owner, minlength=skills * len(FIELDS)).reshape(skills, len(FIELDS))
    usual = np.array([field.length for field in weights.fields])
    words = np.array([field.words for field in weights.fields])
    return np.asarray(words / (1 - weights.length + weights.length * lengths / usual), np.float32).ravel()


def _neighbours(
    kinds: npt.NDArray[np.int8], text_of: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Places of words that follow one another in a text; stop words between them are not seen."""
    at = np.flatnonzero(kinds == Kind.WORD)
    left, right = at[:-1], at[1:]
    same = text_of[left] == text_of[right]
    return left[same], right[same]
