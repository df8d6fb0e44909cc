"""The static embedding model: texts to vectors, words to their share of one, texts to token counts.

Only this module knows model2vec. The bundled model is read from its folder and never looked
for on a hub; constructing it directly spares the import of the hub's client (0.1 s).
"""

from __future__ import annotations

import functools
import hashlib
import itertools
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from weave_tui.resources import MODEL_DIR

if TYPE_CHECKING:
    # Imported where they are used: together 0.1 s, which the first paint of the app need not wait for.
    from model2vec import StaticModel
    from tokenizers import Tokenizer

Vectors = npt.NDArray[np.float32]

_FILES = ("config.json", "tokenizer.json", "model.safetensors")
_BATCH = 1_024


class ModelError(ValueError):
    """The embedding model cannot be loaded; the text says which and why."""


@dataclass(frozen=True, slots=True)
class TokenVector:
    """A token of a text: where it stands (character offsets) and its weighted vector, float32 (dim,)."""

    start: int
    end: int
    vector: Vectors


def unit(rows: Vectors) -> Vectors:
    """Each row divided by its length; rows of zeros stay."""
    lengths = np.linalg.norm(rows, axis=-1, keepdims=True)
    return np.asarray(rows / np.where(lengths > 0, lengths, 1), np.float32)


class Encoder:
    """A loaded model. Texts are cut at `max_tokens`; vectors are float32 and of length 1, or 0 for unknown text."""

    max_tokens = 512

    def __init__(self, model: StaticModel, fingerprint: str) -> None:
        from tokenizers import Tokenizer

        self._model = model
        self.fingerprint = fingerprint
        """Changes when the model does: part of every cache key."""
        # model2vec truncates its own tokenizer on every call, which another thread's call would trip over.
        self._tokenizer: Tokenizer = Tokenizer.from_str(model.tokenizer.to_str())
        self._tokenizer.no_truncation()
        self._unknown: int | None = model.unk_token_id

    @property
    def dimensions(self) -> int:
        return int(self._model.dim)

    def encode(self, texts: Sequence[str]) -> Vectors:
        """float32 (len(texts), dimensions); a row is zero where no token of its text is known."""
        return unit(self.sums(texts))

    def sums(self, texts: Sequence[str]) -> Vectors:
        """The sums of the texts' token vectors, float32 (len(texts), dimensions).

        Sums add up where texts do: a text's is that of its sentences. The same as model2vec's `encode` before
        it normalises, in a tenth of the array work: the tokens of a batch are looked up once, not once a text.
        """
        rows = np.zeros((len(texts), self.dimensions), np.float32)
        for first in range(0, len(texts), _BATCH):
            batch = [self._cut(text) for text in texts[first : first + _BATCH]]
            found = [encoding.ids for encoding in self._tokenizer.encode_batch_fast(batch, add_special_tokens=False)]
            ids, lengths = self._known(found)
            distinct, places = np.unique(ids, return_inverse=True)
            vectors = self._weighted(distinct)
            start = 0
            for row, length in enumerate(lengths, first):
                if length:
                    np.add.reduce(vectors[places[start : start + length]], axis=0, out=rows[row])
                start += length
        return rows

    def _known(self, encoded: Sequence[list[int]]) -> tuple[npt.NDArray[np.int64], list[int]]:
        """All known tokens one text after the other, at most `max_tokens` a text, and how many each text has."""
        kept = [[token for token in ids if token != self._unknown][: self.max_tokens] for ids in encoded]
        return np.array(list(itertools.chain.from_iterable(kept)), np.int64), [len(ids) for ids in kept]

    def token_vectors(self, text: str) -> list[TokenVector]:
        """The known tokens of `text`, whose vectors sum to `sums([text])[0]`."""
        encoding = self._tokenizer.encode(self._cut(text), add_special_tokens=False)
        known = [i for i, token in enumerate(encoding.ids) if token != self._unknown][: self.max_tokens]
        ids = np.array([encoding.ids[i] for i in known], np.int64)
        vectors = self._weighted(ids)
        return [TokenVector(*encoding.offsets[i], vector) for i, vector in zip(known, vectors, strict=True)]

    def _cut(self, text: str) -> str:
        """As model2vec cuts before it tokenizes: what is beyond could hardly be within `max_tokens`."""
        return text[: self.max_tokens * int(self._model.median_token_length)]

    @functools.cached_property
    def usual_length(self) -> float:
        """The mean length of a token's vector, from every 16th token."""
        sample = np.arange(0, len(self._model.embedding), 16, dtype=np.int64)
        return float(np.linalg.norm(self._weighted(sample), axis=1).mean())

    def _weighted(self, ids: npt.NDArray[np.int64]) -> Vectors:
        model = self._model
        rows = ids if model.token_mapping is None else model.token_mapping[ids]
        vectors = np.asarray(model.embedding[rows], np.float32)
        if model.weights is not None:
            vectors = vectors * np.asarray(model.weights[ids], np.float32)[:, None]
        return vectors

    def count_tokens(self, text: str) -> int:
        """An estimate of what a language model would count; unknown scripts count by character."""
        return _count(self._tokenizer, self._unknown, text)


@functools.lru_cache(maxsize=4_096)
def _count(tokenizer: Tokenizer, unknown: int | None, text: str) -> int:
    encoding = tokenizer.encode(text, add_special_tokens=False)
    extra = sum(
        end - start - 1 for token, (start, end) in zip(encoding.ids, encoding.offsets, strict=True) if token == unknown
    )
    return len(encoding.ids) + extra


def load_encoder(model: str | Path = MODEL_DIR) -> Encoder:
    """The model in a folder, or on the hub for a name like `minishlab/potion-base-8M`. Raises `ModelError`."""
    folder = Path(model).expanduser()
    if folder.is_dir():
        return _from_folder(folder)
    if folder.exists():
        raise ModelError(f"Model '{model}' is a file; expected a folder with {', '.join(_FILES)}.")
    if not _is_hub_name(str(model)):
        raise ModelError(f"Model folder does not exist: '{model}'. Leave out --model for the bundled one.")
    return _from_hub(str(model))


def _is_hub_name(model: str) -> bool:
    owner, _, name = model.partition("/")
    return bool(owner and name) and "/" not in name and not model.startswith((".", "~", "/"))


def _from_folder(folder: Path) -> Encoder:
    from model2vec import StaticModel
    from safetensors import SafetensorError
    from safetensors.numpy import load
    from tokenizers import Tokenizer

    missing = [name for name in _FILES if not (folder / name).is_file()]
    if missing:
        raise ModelError(f"Model folder '{folder}' lacks {', '.join(missing)}.")
    try:
        config: dict[str, Any] = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        data = (folder / "model.safetensors").read_bytes()
        tensors = load(data)
        built = StaticModel(
            tensors["embeddings"],
            Tokenizer.from_file(str(folder / "tokenizer.json")),
            config=config,
            normalize=True,
            weights=tensors.get("weights"),
            token_mapping=tensors.get("mapping"),
        )
    except (OSError, ValueError, KeyError, SafetensorError) as error:
        raise ModelError(f"Model folder '{folder}' cannot be used: {error}") from error
    except Exception as error:  # tokenizers raises plain Exception
        raise ModelError(f"Model folder '{folder}' has a broken tokenizer.json: {error}") from error
    return Encoder(built, _fingerprint(data))


def _from_hub(name: str) -> Encoder:
    from model2vec import StaticModel

    try:
        built = StaticModel.from_pretrained(name, normalize=True)
    except Exception as error:  # the hub client has no common base for being offline, unknown and forbidden
        detail = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise ModelError(f"Model '{name}' is no folder and could not be had from the hub: {detail}") from error
    return Encoder(built, _fingerprint(np.ascontiguousarray(built.embedding).tobytes()))


def _fingerprint(weights: bytes) -> str:
    return hashlib.blake2b(weights, digest_size=8).hexdigest()
