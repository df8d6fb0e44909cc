"""What would make it win: a smallest edit to a skill's text after which a query finds it first, verified by ranking.

Words of the query are added one by one to the description, always the one that helps most, until the skill is
first; then every word that is not needed for that is taken out again. Nothing is estimated: each step ranks.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from weave_tui.broker import Broker, Rules
from weave_tui.broker.registry import variants
from weave_tui.broker.words import STOP_WORDS
from weave_tui.lab.verdicts import asked

MOST_WORDS = 8
"""More than this is no longer an edit but another description."""


@dataclass(frozen=True, slots=True)
class Win:
    """An edit that was tried: `words` at the end of the description, which then is `description`.

    before, after: the skill's scores, in [0, 1]. rival, rival_score: the best other skill with the edit, "" and 0
    when there is none. wins: whether the skill is first with it. Without words it is first already.
    """

    words: tuple[str, ...]
    description: str
    before: float
    after: float
    rival: str
    rival_score: float

    @property
    def wins(self) -> bool:
        return self.after > self.rival_score


def winning_edit(broker: Broker, position: int, query: str) -> Win:
    """The smallest such edit that was found for the skill at `position`; one that does not win if there is none."""

    def tried(words: tuple[str, ...]) -> Win:
        return _tried(broker, position, query, words)

    before = tried(())
    words = _telling_words(broker, query)
    best, left = before, list(words)
    while not best.wins and left and len(best.words) < MOST_WORDS:
        best = max((tried((*best.words, word)) for word in left), key=_margin)
        left.remove(best.words[-1])
    for word in best.words if best.wins else ():
        shorter = tried(tuple(other for other in best.words if other != word))
        best = shorter if shorter.wins else best
    # As the query has them they read best; the order may matter, so it is tried too.
    in_order = tried(tuple(word for word in words if word in best.words))
    return replace(in_order if in_order.wins else best, before=before.after)


def _margin(win: Win) -> float:
    return win.after - win.rival_score


def _telling_words(broker: Broker, query: str) -> list[str]:
    """The words of the query that say something about a task, as written, each once."""
    words = asked(broker, query, Rules()).ranking.query.words
    return list(dict.fromkeys(word.text for word in words if word.text.lower() not in STOP_WORDS))


def _tried(broker: Broker, position: int, query: str, words: tuple[str, ...]) -> Win:
    """What comes of these words at the end of the skill's description."""
    description = with_words(broker.texts[position].description, words)
    changed = described(broker, position, description) if words else broker
    selection = asked(changed, query, Rules())
    own = variants(broker.registry, position)
    mine = next((row.score for row in selection.distinct() if row.position in own), 0.0)
    rival = selection.rival(position)
    return Win(words, description, mine, mine, rival.skill.name if rival else "", rival.score if rival else 0.0)


def with_words(description: str, words: tuple[str, ...]) -> str:
    """The description with a sentence of these words at its end."""
    if not words:
        return description
    end = "" if not description or description.rstrip().endswith((".", "!", "?", ";", ":")) else "."
    return f"{description.rstrip()}{end} {' '.join(words)}.".strip()


def described(broker: Broker, position: int, description: str) -> Broker:
    """A broker in which the skill at `position`, and its variants, have that description."""
    own = variants(broker.registry, position)
    return broker.reworded({other: replace(broker.texts[other], description=description) for other in own})
