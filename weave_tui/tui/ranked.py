"""The ranking as rows to look at: one row a distinct skill, the floor between them. No Textual here."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from weave_tui.broker import Chosen, Role, Row, Selection
from weave_tui.broker.listing import Listing, Tag
from weave_tui.broker.selection import is_below
from weave_tui.protocol import Platform
from weave_tui.skills.globs import matches

MAX_ROWS = 200
"""More rows than this nobody reads; the registry has them all. Chosen skills are always among them."""

PLATFORM_WORDS: dict[Platform, str] = {
    "claude_code": "claude",
    "cursor": "cursor",
    "codex": "codex",
    "windsurf": "windsurf",
}


@dataclass(frozen=True, slots=True)
class RankedRow:
    """A row of the ranking pane: the skill's row, what became of it, and how many variants it stands for."""

    row: Row
    chosen: Chosen | None
    is_excluded: bool
    is_shadowed: bool
    variants: int
    on_path: bool = False
    is_pinned: bool = False
    """Also of one that answers by its score: a person wants to see that it is held."""
    tag: Tag | None = None
    """How the listing has it, in a tool's scope."""

    @property
    def word(self) -> str:
        """The word at the right of the row: what is special about the skill, the most important first."""
        if self.is_excluded:
            return "excluded"
        if self.is_pinned:
            return "pinned"
        if self.chosen and self.chosen.role is Role.DEPENDENCY:
            return "needed"
        if self.is_shadowed:
            return "shadowed"
        if self.tag is not None:
            return self.tag.value
        if self.on_path:
            return "path"
        if self.variants > 1:
            return f"×{self.variants}"
        skill = self.row.skill
        if skill.kind in {"agent", "command", "flow"}:
            return skill.kind
        if skill.activation == "described":
            return "desc" if skill.kind == "rule" else ""
        return skill.activation


FLOOR = None
"""Stands in a list of rows where those below the floor begin."""


def ranked_rows(
    selection: Selection, path: str = "", listing: Listing | None = None, pinned: Collection[str] = ()
) -> list[RankedRow | None]:
    """The rows of a selection, best first, with `FLOOR` before the first one that can never be chosen.

    Glob rules that match `path` are marked so; `listing` is of the selection's registry, in a tool's scope; `pinned`
    are skill ids.
    """
    ranking = selection.ranking
    registry = ranking.registry
    chosen = {entry.position: entry for entry in selection.chosen}
    rows: list[RankedRow | None] = []
    seen: dict[int, int] = {}
    wanted = {registry.groups[position] for position in chosen}
    for position in map(int, ranking.order):
        if listing and listing.tags[position] is Tag.ALWAYS and position not in chosen:
            # Nobody chooses what is read anyway: these are counted in the pane's title.
            continue
        if position in selection.outside and position not in chosen:
            continue
        group = registry.groups[position]
        is_chosen = position in chosen
        if group in seen and not is_chosen:
            continue
        if len(rows) >= MAX_ROWS and group not in wanted:
            if wanted <= seen.keys():
                break
            continue
        shown = RankedRow(
            ranking.row(position),
            chosen.get(position),
            position in selection.excluded,
            position in registry.shadowed,
            registry.variants[position],
            bool(path) and bool(registry.skills[position].globs) and matches(registry.skills[position].globs, path),
            registry.skills[position].id in pinned,
            listing.tags[position] if listing else None,
        )
        if group in seen:
            # The chosen variant is not the best scored one (that may be excluded or shadowed): it takes the row.
            rows[seen[group]] = shown
            continue
        seen[group] = len(rows)
        rows.append(shown)
    return _with_floor(rows, selection)


def _with_floor(rows: list[RankedRow | None], selection: Selection) -> list[RankedRow | None]:
    if not selection.query.strip():
        return rows
    floor = selection.rules.min_score
    at = next((i for i, row in enumerate(rows) if row and is_below(row.row.score, floor)), None)
    return rows if at is None else [*rows[:at], FLOOR, *rows[at:]]
