"""The reasons behind a row, ready to show. No Textual here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from weave_tui.broker import Row, WordShare, difference
from weave_tui.tui.session import Session

DECIDES = 0.01
"""A difference of less than this decides nothing."""
SHOWN = 0.0005
"""A share that would read .000 is not listed."""
COMPARED = 3
"""Words named on each side of a comparison."""


class Share(NamedTuple):
    """One or several words and what they bring, in score units."""

    word: str
    meaning: float
    words: float


@dataclass(frozen=True, slots=True)
class Reasons:
    """Why a skill has its score, and why it stands above (`ahead`) or below (`behind`) `other`."""

    name: str
    place: str
    shares: tuple[Share, ...]
    other: str | None
    ahead: tuple[tuple[str, float], ...]
    behind: tuple[tuple[str, float], ...]

    def listed(self, most: int) -> list[Share]:
        """The heaviest shares, at most so many; the last one sums up the rest."""
        telling = [share for share in self.shares if abs(share.meaning + share.words) >= SHOWN]
        ordered = sorted(telling, key=lambda share: -(share.meaning + share.words))
        if len(ordered) <= most:
            return ordered
        head, rest = ordered[: most - 1], ordered[most - 1 :]
        label = " ".join(share.word for share in rest)
        return [*head, Share(label, sum(s.meaning for s in rest), sum(s.words for s in rest))]


def reasons(session: Session, row: Row, neighbour: Row | None) -> Reasons:
    """The reasons of a row; `neighbour` is the row it is compared with."""
    ranking = session.selection.ranking
    own = session.broker.explain(ranking, row.position)
    other = session.broker.explain(ranking, neighbour.position) if neighbour else []
    apart = [(share.word.text, share.total) for share in difference(own, other)] if neighbour else []
    apart.sort(key=lambda entry: -abs(entry[1]))
    return Reasons(
        name=row.skill.name,
        place=row.skill.place,
        shares=tuple(_by_word(own)),
        other=neighbour.skill.name if neighbour else None,
        ahead=tuple(entry for entry in apart if entry[1] >= DECIDES)[:COMPARED],
        behind=tuple(entry for entry in apart if entry[1] <= -DECIDES)[:COMPARED],
    )


def _by_word(shares: list[WordShare]) -> list[Share]:
    return [Share(share.word.text, share.meaning, share.words) for share in shares]
