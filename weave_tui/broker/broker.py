"""The broker: the one door to ranking and composition, for the app, the command line and servers."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from weave_tui.broker import explaining, scoring
from weave_tui.broker.composition import FULL, Composition, Manner, Piece, compose
from weave_tui.broker.embedding import Encoder
from weave_tui.broker.explaining import WordShare
from weave_tui.broker.fields import SkillText
from weave_tui.broker.index import Index, empty_index
from weave_tui.broker.kept import KeptIndexes
from weave_tui.broker.listing import Listing, listing
from weave_tui.broker.ranking import Ranking, Row, rank
from weave_tui.broker.registry import Registry, build_registry
from weave_tui.broker.segment import Segment
from weave_tui.broker.selection import Chosen, Role, Rules, candidates, matches, with_needed
from weave_tui.broker.sureness import chance, second_chance
from weave_tui.diagnostics import Diagnostic
from weave_tui.protocol import PROTOCOL, Platform, SkillMatch, WeaveRequest, WeaveResponse
from weave_tui.skills import Skill


class EmptyQueryError(ValueError):
    """A query of white space only: nothing was asked."""

    def __init__(self) -> None:
        super().__init__("The query is empty; expected a description of the task.")


@dataclass(frozen=True, slots=True)
class Selection:
    """What was ranked and chosen, before it is composed. `gap` is None with fewer than two candidates."""

    query: str
    rules: Rules
    ranking: Ranking
    gap: float | None
    best: float
    chosen: tuple[Chosen, ...]
    excluded: frozenset[int]
    barred: frozenset[int]
    """Those that cannot be chosen: excluded, shadowed, or not in the listing of the tool whose scope it is."""
    outside: frozenset[int]
    """Those that were filtered out."""
    diagnostics: tuple[Diagnostic, ...]
    seconds: float
    """Time that ranking and selection took."""

    @property
    def is_known(self) -> bool:
        """Whether any word of the query is known; if not, the ranking says nothing."""
        return self.ranking.query.is_known

    @property
    def chance(self) -> float:
        """The estimated chance that the first is right."""
        return chance(self.gap)

    def distinct(self) -> Iterator[Row]:
        """The best row of each distinct skill that could be chosen, best first."""
        ranking = self.ranking
        return map(ranking.row, candidates(map(int, ranking.order), ranking.registry, self.barred))

    def rival(self, position: int) -> Row | None:
        """The best row of a skill that is not the one at `position`, nor a variant of it."""
        groups = self.ranking.registry.groups
        return next((row for row in self.distinct() if groups[row.position] != groups[position]), None)

    def with_role(self, role: Role) -> list[Chosen]:
        return [entry for entry in self.chosen if entry.role is role]


@dataclass(frozen=True, slots=True)
class Result:
    """A selection and what was composed of it."""

    selection: Selection
    composition: Composition
    seconds: float
    """Time that composition took."""

    @property
    def ranking(self) -> Ranking:
        return self.selection.ranking

    @property
    def gap(self) -> float | None:
        return self.selection.gap

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        return (*self.selection.diagnostics, *self.composition.diagnostics)

    @property
    def second(self) -> tuple[int, float] | None:
        """What the second match costs and brings: about so many tokens, for a chance to be the right one, 0 to 1.

        None where one skill answers.
        """
        parts = [part for part in self.composition.parts if part.piece.role is Role.MATCH]
        if len(self.selection.with_role(Role.MATCH)) < 2:
            return None
        return (parts[1].tokens if len(parts) > 1 else 0), second_chance(self.gap)

    @property
    def skills(self) -> tuple[Skill, ...]:
        """The chosen skills, in the order of the composition."""
        return tuple(self.ranking.registry.skills[entry.position] for entry in self.selection.chosen)

    @property
    def response(self) -> WeaveResponse:
        """The protocol's answer: matches first, what they need after them (seed: WeaveResponse)."""
        return WeaveResponse(
            weave_protocol=PROTOCOL,
            skills=tuple(
                SkillMatch(name=skill.name, platform=skill.platform, score=entry.score, composed_context=skill.body)
                for skill, entry in zip(self.skills, self.selection.chosen, strict=True)
            ),
            composed=self.composition.text,
        )


@dataclass(frozen=True, slots=True)
class _Snapshot:
    """A registry and its index, always replaced together; in a tool's scope with the tool's listing."""

    registry: Registry
    index: Index
    listing: Listing | None = None


class Broker:
    """Holds the advertised skills and answers requests. One query is one pass over arrays; nothing is mutated."""

    def __init__(self, encoder: Encoder) -> None:
        self.encoder = encoder
        self._kept: tuple[Segment, ...] = ()
        self._snapshot = _Snapshot(build_registry(()), empty_index())

    @property
    def registry(self) -> Registry:
        return self._snapshot.registry

    def advertise(self, skills: Iterable[Skill]) -> Registry:
        """Add `skills`, replacing those of the same file. Returns the new registry with its diagnostics."""
        return self.replace((*self.registry.skills, *skills))

    def draw_on(self, kept: KeptIndexes, roots: Sequence[Path]) -> None:
        """From now on, use what is kept of the library with these roots instead of building it again."""
        segment = kept.segment(roots, self.encoder.fingerprint)
        self._kept = (segment,) if segment else ()

    def keep(self, kept: KeptIndexes, roots: Sequence[Path]) -> None:
        """Keep the index for the next run, if it has something that is not kept yet."""
        index = self._snapshot.index
        already = {key for segment in self._kept for key in segment.keys}
        if not already.issuperset(index.keys) and (segment := index.whole()):
            kept.keep(roots, segment, self.encoder.fingerprint)
            self._kept = (segment,)

    def replace(self, skills: Iterable[Skill]) -> Registry:
        """Let `skills` be all there is. Returns the new registry with its diagnostics.

        Only skills whose ranked text is new are counted and encoded.
        """
        registry = build_registry(skills)
        texts = [skill_text(skill) for skill in registry.skills]
        index = self._snapshot.index.replaced(texts, self.encoder, self._kept)
        self._snapshot = _Snapshot(registry, index)
        return registry

    @property
    def listing(self) -> Listing | None:
        """What the tool chooses from whose scope this broker is."""
        return self._snapshot.listing

    def scoped(self, platform: Platform) -> Broker:
        """A broker that ranks as that tool sees it: its own skills, by what its listing shows of them."""
        registry = build_registry(skill for skill in self.registry.skills if skill.platform == platform)
        seen = listing(registry, platform)
        other = Broker(self.encoder)
        other._snapshot = _Snapshot(registry, empty_index().replaced(seen.texts, self.encoder), seen)
        return other

    @property
    def texts(self) -> tuple[SkillText, ...]:
        """What ranking reads of each skill of the registry."""
        return self._snapshot.index.texts

    def reworded(self, texts: Mapping[int, SkillText]) -> Broker:
        """A broker of the same skills that ranks those at these positions by other texts; this one stays as it is."""
        snapshot = self._snapshot
        changed = [texts.get(position, text) for position, text in enumerate(snapshot.index.texts)]
        other = Broker(self.encoder)
        other._snapshot = replace(snapshot, index=snapshot.index.replaced(changed, self.encoder))
        return other

    def query(self, request: WeaveRequest, rules: Rules | None = None, pinned: Sequence[str] = ()) -> Result:
        """Rank, select and compose.

        Raises `EmptyQueryError` for a query of white space only.
        """
        return self.compose(self.select(request, rules, pinned))

    def select(
        self,
        request: WeaveRequest,
        rules: Rules | None = None,
        pinned: Sequence[str] = (),
        outside: frozenset[int] = frozenset(),
    ) -> Selection:
        """Rank and select. `pinned` are skill ids that are chosen whatever their score; `outside` are positions that
        no match may be (what is pinned or needed still may).

        Raises `EmptyQueryError` for a query of white space only.
        """
        if not request.query.strip():
            raise EmptyQueryError
        snapshot = self._snapshot
        return _select(snapshot, self.encoder, request.query, request.top_n, request.exclude, rules, pinned, outside)

    def browse(
        self,
        exclude: Sequence[str] = (),
        rules: Rules | None = None,
        pinned: Sequence[str] = (),
        outside: frozenset[int] = frozenset(),
    ) -> Selection:
        """What there is before anything is asked: no scores, nothing chosen but what is pinned."""
        return _select(self._snapshot, self.encoder, "", 1, exclude, rules, pinned, outside)

    def compose(self, selection: Selection, manner: Manner = FULL) -> Result:
        """The composition of what was selected."""
        started = time.perf_counter()
        skills = selection.ranking.registry.skills
        pieces = [Piece(skills[entry.position], entry.role, entry.asked_by) for entry in selection.chosen]
        composition = compose(pieces, self.encoder, manner)
        return Result(selection, composition, time.perf_counter() - started)

    def explain(self, ranking: Ranking, position: int) -> list[WordShare]:
        """The share of each query word in the unclipped score of the skill at `position`."""
        return explaining.explain(ranking.query, position, ranking.index, self.encoder)


def skill_text(skill: Skill) -> SkillText:
    """The fields of a skill that ranking reads. A trigger that only repeats the description counts once."""
    offered = skill.advertisement
    triggers = tuple(pattern for pattern in offered.trigger_patterns if pattern != skill.description)
    return SkillText(skill.name, skill.description, triggers, offered.capabilities, skill.body)


def _select(
    snapshot: _Snapshot,
    encoder: Encoder,
    text: str,
    top_n: int,
    exclude: Sequence[str],
    rules: Rules | None,
    pinned: Sequence[str],
    outside: frozenset[int],
) -> Selection:
    started = time.perf_counter()
    registry = snapshot.registry
    query = scoring.analyse(text, snapshot.index, encoder)
    ranking = rank(query, registry, snapshot.index)
    excluded, diagnostics = _excluded(exclude, registry)
    barred = excluded | registry.shadowed | (snapshot.listing.barred if snapshot.listing else frozenset())
    first = _best_two(ranking, barred | outside) if query.is_known else []
    held = [registry.positions[identity] for identity in pinned if identity in registry.positions]
    rules = rules or Rules()
    chosen = with_needed(
        matches(first, top_n, rules), held, registry, lambda position: float(ranking.rounded[position]), barred
    )
    return Selection(
        query=text,
        rules=rules,
        ranking=ranking,
        gap=first[0][1] - first[1][1] if len(first) > 1 else None,
        best=first[0][1] if first else 0.0,
        chosen=tuple(chosen),
        excluded=excluded,
        barred=barred | outside,
        outside=outside,
        diagnostics=tuple(diagnostics),
        seconds=time.perf_counter() - started,
    )


def _excluded(names: Iterable[str], registry: Registry) -> tuple[frozenset[int], list[Diagnostic]]:
    excluded: set[int] = set()
    diagnostics = []
    for name in names:
        found = registry.named(name)
        excluded.update(found)
        if not found:
            diagnostics.append(Diagnostic("exclude-unknown", f"no skill is named '{name}'", done="ignored"))
    return frozenset(excluded), diagnostics


def _best_two(ranking: Ranking, barred: frozenset[int]) -> list[tuple[int, float]]:
    distinct = candidates(map(int, ranking.order), ranking.registry, barred)
    return [(position, float(ranking.rounded[position])) for position in itertools.islice(distinct, 2)]
