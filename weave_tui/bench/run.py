"""One run: every router on every catalogue, as one plain report."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from weave_tui.bench.calibration import calibration, observe
from weave_tui.bench.catalogue import Catalogue
from weave_tui.bench.measures import Outcome, macro, outcome, siblings
from weave_tui.bench.routers import OURS, PEERS, Ask, PeerMissingError, Router, ours
from weave_tui.broker.embedding import Encoder
from weave_tui.broker.meanings import meanings
from weave_tui.broker.selection import Rules
from weave_tui.broker.weights import WEIGHTS


def run(
    catalogues: Sequence[Catalogue], encoder: Encoder, optional: Collection[str] = (), *, typed: bool = True
) -> dict[str, Any]:
    """Our figures (`macro`, `catalogues`, `calibration`), the peers' and why some are missing.

    optional: the names of the opt-in peers that take part. typed: whether keystrokes are measured, for ours and
    BM25; each asks for hundreds of thousands of rankings.
    """
    routers: dict[str, Router] = {OURS: ours(encoder)}
    skipped: dict[str, str] = {}
    for peer in PEERS:
        if peer.is_optional and peer.name not in optional:
            continue
        try:
            routers[peer.name] = peer.make()
        except PeerMissingError as error:
            skipped[peer.name] = str(error)
    asks: dict[str, dict[str, Ask]] = {
        name: {catalogue.name: prepare(catalogue.skills) for catalogue in catalogues}
        for name, prepare in routers.items()
    }
    always = {OURS, *(peer.name for peer in PEERS if not peer.is_optional)}
    outcomes: dict[str, dict[str, Outcome]] = {name: {} for name in routers}
    for catalogue in catalogues:
        alike = siblings(meanings([text.fields() for text in catalogue.skills], encoder, WEIGHTS).center)
        for name in routers:
            ask = asks[name][catalogue.name]
            outcomes[name][catalogue.name] = outcome(ask, catalogue, alike, typed=typed and name in always)
    rules = Rules()
    return {
        **_system(outcomes[OURS]),
        "peers": {name: _system(found) for name, found in outcomes.items() if name != OURS},
        "skipped": skipped,
        "calibration": calibration(observe(asks[OURS], catalogues), rules.confidence_threshold, rules.min_score),
    }


def _system(found: dict[str, Outcome]) -> dict[str, Any]:
    return {
        "macro": macro(list(found.values())),
        "catalogues": {name: outcome.as_dict() for name, outcome in found.items()},
    }
